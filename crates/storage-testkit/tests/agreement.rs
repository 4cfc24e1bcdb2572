//! Random sequences of commands give the same answers on every engine, and the answers of the domain's rules
//! applied to a list. A failing sequence is shrunk to the shortest that still fails.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test's helpers fail by panicking, and play the part of authorization"
)]

mod agreement {
    mod commands;
    mod fleet;
    mod fleet_commands;
    mod household;
    mod resource_calls;
    mod resource_commands;
    mod resource_records;
    mod resource_world;
    mod resources;
    mod shopping;
    mod stores;
    mod tags;
    mod tested;

    use std::cell::Cell;
    use std::fmt::Debug;

    use larder_storage_testkit::seed;
    use proptest::collection::vec;
    use proptest::strategy::Strategy;
    use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
    use tokio::runtime::{Builder, Runtime};

    use commands::command;
    use fleet::Fleet;
    use fleet_commands::fleet_command;
    use household::{Household, Verdict};
    use stores::Stores;

    /// How many sequences are tried.
    #[derive(Clone, Copy)]
    struct Sequences {
        /// With `LARDER_TEST_FULL`.
        full: u32,
        /// Otherwise: fewer, the slower an engine is.
        everyday: u32,
    }

    const SEQUENCES: Sequences = Sequences { full: 30, everyday: 8 };
    const LONGEST: usize = 50;

    fn runtime() -> Runtime {
        Builder::new_multi_thread().enable_all().build().unwrap()
    }

    /// Tries random sequences. Every attempt, also while shrinking, has a number of its own.
    fn try_sequences<C: Debug>(
        sequences: Sequences,
        command: impl Strategy<Value = C>,
        obey: impl Fn(u64, Vec<C>) -> Verdict,
    ) {
        let is_full = std::env::var_os("LARDER_TEST_FULL").is_some();
        let cases = if is_full { sequences.full } else { sequences.everyday };
        let seed = seed();
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, random);
        let number = Cell::new(seed);
        let outcome = runner.run(&vec(command, 1..LONGEST), |commands| {
            number.set(number.get() + 1);
            obey(number.get(), commands).map_err(TestCaseError::fail)
        });
        if let Err(failure) = outcome {
            panic!("seed {seed} (LARDER_TEST_SEED): {failure}");
        }
    }

    #[test]
    fn p19_all_engines_and_the_rules_answer_every_command_alike() {
        let runtime = runtime();
        let stores = runtime.block_on(Stores::open("agreement"));
        try_sequences(SEQUENCES, command(), |number, commands| {
            runtime.block_on(async {
                let mut household = Household::found(&stores, number).await;
                for command in &commands {
                    household.obey(command).await?;
                }
                household.compare_everything().await
            })
        });
    }

    #[test]
    fn p19_all_engines_and_the_rules_answer_every_command_to_devices_alike() {
        let runtime = runtime();
        let stores = runtime.block_on(Stores::open("fleet"));
        try_sequences(SEQUENCES, fleet_command(), |number, commands| {
            runtime.block_on(async {
                let mut fleet = Fleet::found(&stores, number).await;
                for command in &commands {
                    fleet.obey(command).await?;
                }
                fleet.compare_everything().await
            })
        });
    }
}
