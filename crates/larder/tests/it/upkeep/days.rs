//! Expiration dates are checked when something is added, and when the household's local day begins.

use serde_json::Value;

use super::{add_expired, move_to, notified};
use crate::it::support::{Client, Server, eventually, id_of};

/// Waits until something is notified.
async fn until_notified(client: &Client) -> Vec<Value> {
    eventually("something is notified", async || {
        let told = notified(client).await;
        (!told.is_empty()).then_some(told)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_expired_is_told_once_at_once_and_not_again_when_a_day_begins() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_expired(&anna, "Milk").await;
    assert_eq!(notified(&anna).await.len(), 1, "before anybody waits for a day");
    // A household that moves becomes due again, and a starting server checks soon.
    for zone in ["Asia/Tokyo", "Europe/Berlin"] {
        move_to(&anna, zone).await;
        assert!(server.terminate().await.success());
        server.restart().await;
        let told = until_notified(&anna).await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0]["itemId"], id_of(&milk));
        assert_eq!(told[0]["kind"], "expired");
        assert_eq!(told[0]["expirationDate"], "2020-01-31");
        assert_eq!(told[0]["status"], "active");
    }
}
