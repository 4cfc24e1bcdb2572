//! The engine killed under load and started again.

use std::time::Duration;

use tokio::task::block_in_place;

use super::load::Load;
use super::until_readiness_is;
use crate::engine;
use crate::it::support::{Server, ServerSettings, StoreUnderTest, store::scratch_directory};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_killed_under_load_loses_nothing_that_was_acknowledged() {
    let files_of_the_engine = scratch_directory();
    let (engine, store) = engine::networked().killable(files_of_the_engine.path()).await;
    let store = StoreUnderTest::prepared(scratch_directory(), store);
    let server = Server::start_on(store, ServerSettings::default()).await;
    let anna = server.with_household("anna").await;
    let load = Load::start(&anna).await;
    for round in 0..2 {
        load.goes_well(30).await;
        block_in_place(|| engine.kill());
        let noticed = until_readiness_is(&server, 503).await;
        load.is_refused(4).await;
        block_in_place(|| engine.start_again());
        let recovered = until_readiness_is(&server, 200).await;
        eprintln!("{round}: not ready after {noticed:?}, ready again after {recovered:?}");
        assert!(recovered < Duration::from_secs(15), "{recovered:?}");
    }
    load.goes_well(30).await;
    load.adds_up().await;
}
