//! All clients resend everything repeatedly, the server is killed meanwhile, and in the end each
//! reading is stored once.

use super::resending::Resending;
use crate::it::support::{Random, Server};

const KILLS: u64 = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_resent_and_whenever_the_server_dies_each_reading_is_kept_once() {
    let mut random = Random::seeded("exactly once");
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let resending = Resending::begin(&server, &anna, &mut random).await;
    let share = Resending::total() / (KILLS + 1);
    for kill in 0..KILLS {
        // Each within its own share of the work, so that there is some before, between and after.
        let moment = kill * share + share / 2 + random.below(share / 2);
        resending.until(|progress| progress.answered >= moment).await;
        server.kill_9().await;
        server.restart().await;
        resending.server_is_back();
    }
    resending.assert_kept_exactly_once(&anna).await;
}
