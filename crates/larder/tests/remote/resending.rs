//! Readings that are resent during network faults between server and engine: each is stored once.

use larder_test_servers::Fault;

use super::cuts::server_behind_a_proxy;
use crate::it::support::Random;
use crate::it::telemetry::resending::{Progress, Resending};

/// How many requests are refused before a fault is over, unless clients get through all the same.
const REFUSALS: u64 = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_resent_over_a_network_that_fails_are_kept_once() {
    let mut random = Random::seeded("resending over a failing network");
    let (server, proxy) = server_behind_a_proxy().await;
    let anna = server.with_household("anna").await;
    let resending = Resending::begin(&server, &anna, &mut random).await;
    let faults = [900, 4_000, 20_000].map(Fault::TruncateAfter).into_iter().chain([Fault::Drop]);
    let share = Resending::total() / 5;
    for (number, fault) in (1..).zip(faults) {
        resending.until(|progress| progress.answered >= (number - 1) * share + share / 2).await;
        proxy.set(fault).await;
        let refused = resending.until(|_| true).await.refused + REFUSALS;
        let over = |progress: &Progress| {
            progress.refused >= refused || progress.answered >= number * share
        };
        resending.until(over).await;
        proxy.set(Fault::None).await;
    }
    resending.assert_kept_exactly_once(&anna).await;
}
