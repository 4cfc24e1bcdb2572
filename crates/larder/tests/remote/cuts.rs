//! Network faults between server and engine: requests are refused in bounded time, everything
//! recovers by itself, no acknowledged write is lost, and none is applied twice.

use std::sync::Arc;
use std::time::Duration;

use larder_test_servers::{Fault, FaultProxy};

use super::load::Load;
use super::{assert_come_back_later, until_readiness_is};
use crate::engine;
use crate::it::support::{Server, ServerSettings, StoreUnderTest, store::scratch_directory};

/// A server that reaches the engine only through a proxy.
pub(super) async fn server_behind_a_proxy() -> (Server, FaultProxy) {
    let (store, proxy) = store_behind_a_proxy().await;
    (Server::start_on(store, ServerSettings::default()).await, proxy)
}

async fn store_behind_a_proxy() -> (StoreUnderTest, FaultProxy) {
    let (scratch, engine) = (scratch_directory(), engine::networked());
    let mut store = engine.fresh_store(scratch.path()).await;
    let proxy = FaultProxy::in_front_of(engine.shared_address()).await;
    let direct = engine.shared_address().to_string();
    assert!(store.setting.contains(&direct), "the store is named by the engine's address");
    store.setting = store.setting.replace(&direct, &proxy.address().to_string());
    (StoreUnderTest::prepared(scratch, store), proxy)
}

/// A fault that blocks everything, during work.
async fn goes_on_after(fault: Fault) {
    let (server, proxy) = server_behind_a_proxy().await;
    let anna = server.with_household("anna").await;
    let load = Load::start(&anna).await;
    load.goes_well(20).await;

    proxy.set(fault).await;
    let noticed = until_readiness_is(&server, 503).await;
    load.is_refused(4).await;

    proxy.set(Fault::None).await;
    let recovered = until_readiness_is(&server, 200).await;
    eprintln!("{fault:?}: not ready after {noticed:?}, ready again after {recovered:?}");
    load.goes_well(20).await;
    load.adds_up().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dropped_and_refused_connections_lose_nothing() {
    goes_on_after(Fault::Drop).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_lose_nothing() {
    goes_on_after(Fault::Blackhole).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_come_too_late_lose_nothing() {
    goes_on_after(Fault::Delay(Duration::from_mins(1))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_break_off_at_once_lose_nothing() {
    goes_on_after(Fault::TruncateAfter(40)).await;
}

/// Each connection breaks after some answers: the answers of some commits are lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_break_off_now_and_then_lose_nothing() {
    let (server, proxy) = server_behind_a_proxy().await;
    let anna = server.with_household("anna").await;
    let load = Load::start(&anna).await;
    for limit in [900, 2_500, 7_000, 20_000] {
        proxy.set(Fault::TruncateAfter(limit)).await;
        load.is_answered(12).await;
        proxy.set(Fault::None).await;
        load.goes_well(10).await;
    }
    until_readiness_is(&server, 200).await;
    load.adds_up().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_answers_are_waited_for() {
    let (server, proxy) = server_behind_a_proxy().await;
    let anna = server.with_household("anna").await;
    let load = Load::start(&anna).await;
    proxy.set(Fault::Delay(Duration::from_millis(25))).await;
    load.goes_well(20).await;
    until_readiness_is(&server, 200).await;
    proxy.set(Fault::None).await;
    load.goes_well(20).await;
    load.adds_up().await;
}

/// The socket is open before the engine is available, and reports that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_is_away_at_the_start_is_waited_for() {
    let (store, proxy) = store_behind_a_proxy().await;
    let store = Arc::new(store);
    let mut first = Server::start_on(Arc::clone(&store), ServerSettings::default()).await;
    let anna = first.with_household("anna").await;
    assert!(first.terminate().await.success());

    proxy.set(Fault::Drop).await;
    let second = Server::launch_on(store, ServerSettings::default()).await;
    let anna = second.anonymous().with_token(anna.token());
    assert_eq!(second.anonymous().get_root("/healthz").await.status, 200);
    assert_eq!(second.anonymous().get_root("/readyz").await.status, 503);
    assert_come_back_later(&anna.get("/me").await);
    proxy.set(Fault::None).await;
    until_readiness_is(&second, 200).await;
    anna.get("/me").await.expect(200);
}
