//! `larder dead-letters` and `larder reconcile` on a store that was served from.

use serde_json::json;

use super::{add_too_little, posting_to};
use crate::it::support::{Receiver, Server, id_of, succeeds};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delivery_refused_for_good_is_a_dead_letter_until_it_is_retried() {
    let mut receiver = Receiver::answering(&[410]).await;
    let mut server = Server::start_with(posting_to(&receiver)).await;
    let anna = server.with_household("anna").await;
    add_too_little(&anna, "Rice").await;
    let refused = receiver.next().await;
    assert!(server.terminate().await.success(), "it finishes the step at hand");

    let list = succeeds(server.store(), &["dead-letters", "list"]).await;
    assert_eq!(list.lines().count(), 1, "{list}");
    let id = refused["notification"]["notificationId"].as_str().unwrap();
    for part in [id, "by webhook after 1 attempts: the receiver answered 410"] {
        assert!(list.contains(part), "{part} is not in {list}");
    }
    let retried = succeeds(server.store(), &["dead-letters", "retry"]).await;
    assert_eq!(retried, "1 are due again\n");
    assert_eq!(succeeds(server.store(), &["dead-letters", "list"]).await, "");

    server.restart().await;
    assert_eq!(receiver.next().await["deliveryId"], refused["deliveryId"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_was_used_needs_no_repair() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let path = format!("/inventory/items/{}", id_of(&rice));
    anna.post(&format!("{path}/nfc-urls"), json!({ "label": "Shelf" })).await.expect(201);
    let linked = json!({ "name": "Rice", "itemId": id_of(&rice) });
    anna.post("/shopping-list", linked).await.expect(201);
    anna.patch(&path, json!({ "version": 1, "name": "Brown rice" })).await.expect(200);
    server.with_household("ben").await;
    assert!(server.terminate().await.success());

    let report = succeeds(server.store(), &["reconcile"]).await;
    let (kinds, total) = report.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(total, "       0  repaired in all, in 2 households", "{report}");
    assert_eq!(kinds.lines().count(), 4, "{report}");
    assert!(kinds.lines().all(|line| line.starts_with("       0  ")), "{report}");
}
