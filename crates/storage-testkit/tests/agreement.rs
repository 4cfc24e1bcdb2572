//! Random sequences of commands give the same answers on every engine, and the answers of the domain's rules
//! applied to a list. A failing sequence is shrunk to the shortest that still fails.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's helpers fail by panicking, and play the part of authorization"
)]

mod agreement {
    mod commands;
    mod household;
    mod shopping;
    mod stores;
    mod tags;

    use larder_storage_testkit::seed;
    use proptest::collection::vec;
    use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

    use commands::command;
    use household::Household;
    use stores::Stores;

    const SEQUENCES: u32 = 30;
    const LONGEST: usize = 50;

    #[test]
    fn p19_all_engines_and_the_rules_answer_every_command_alike() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let stores = runtime.block_on(Stores::open());
        let seed = seed();
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let config = Config { cases: SEQUENCES, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, random);
        // Every attempt, also while shrinking, has a household of its own.
        let mut households = 0..;
        let households = std::cell::RefCell::new(&mut households);
        let outcome = runner.run(&vec(command(), 1..LONGEST), |commands| {
            let number = households.borrow_mut().next().unwrap();
            runtime.block_on(async {
                let mut household = Household::found(&stores, seed + number).await;
                for command in &commands {
                    household.obey(command).await.map_err(TestCaseError::fail)?;
                }
                household.compare_everything().await.map_err(TestCaseError::fail)
            })
        });
        if let Err(failure) = outcome {
            panic!("seed {seed} (LARDER_TEST_SEED): {failure}");
        }
    }
}
