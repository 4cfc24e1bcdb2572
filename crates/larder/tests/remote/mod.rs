//! Tests of every store over the network: several servers share it, and it may be unreachable.

mod cuts;
mod kills;
mod load;
mod resending;
mod two_servers;
mod upkeep;

use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::it::support::{Answer, Server, until};

/// The time limit of a request, whatever the engine does: ten seconds, and one for a busy machine.
const ANSWERS_WITHIN: Duration = Duration::from_secs(11);

/// Polls until readiness answers with `status`; returns how long that took. Each answer must be
/// prompt.
async fn until_readiness_is(server: &Server, status: u16) -> Duration {
    let client = server.anonymous();
    let asked = Instant::now();
    until(&format!("readiness is {status}"), async || {
        let answer = timeout(ANSWERS_WITHIN, client.get_root("/readyz")).await;
        answer.expect("readiness is answered soon, whatever the engine does").status == status
    })
    .await;
    asked.elapsed()
}

/// A refusal with `Retry-After`.
#[track_caller]
fn assert_come_back_later(answer: &Answer) {
    answer.expect_refusal(503);
    let seconds: u64 = answer.header("retry-after").parse().expect("Retry-After in seconds");
    assert!((1..=60).contains(&seconds), "{seconds}");
}
