//! Two servers on one store run each job once.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::it::support::{Client, Receiver, Server, StoreUnderTest};
use crate::it::upkeep::{add_expired, add_too_little, move_to, notified, posting_to};

async fn two_servers(receiver: &Receiver) -> (Server, Server) {
    let store = Arc::new(StoreUnderTest::networked().await);
    let one = Server::start_on(Arc::clone(&store), posting_to(receiver)).await;
    let other = Server::start_on(store, posting_to(receiver)).await;
    (one, other)
}

/// So many calls, counted by their item.
async fn calls(receiver: &mut Receiver, count: usize) -> BTreeMap<String, usize> {
    let mut told = BTreeMap::new();
    for _ in 0..count {
        *told.entry(item_of(&receiver.next().await)).or_default() += 1;
    }
    told
}

fn item_of(call: &Value) -> String {
    call["notification"]["itemName"].as_str().unwrap().to_owned()
}

fn once_each(names: &[String]) -> BTreeMap<String, usize> {
    names.iter().map(|name| (name.clone(), 1)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_notification_is_delivered_once_whichever_server_sends_it() {
    let mut receiver = Receiver::answering(&[]).await;
    let (one, mut other) = two_servers(&receiver).await;
    let anna = one.with_household("anna").await;
    let names: Vec<_> = (0..20).map(|number| format!("Item {number}")).collect();
    let there = other.anonymous().with_token(anna.token());
    for (number, name) in names.iter().enumerate() {
        let client: &Client = if number % 2 == 0 { &anna } else { &there };
        add_too_little(client, name).await;
    }
    assert_eq!(calls(&mut receiver, names.len()).await, once_each(&names));

    // One dies, perhaps before it recorded its last delivery, and the other continues, at the
    // latest when the lease of the dead one has expired.
    other.kill_9().await;
    add_too_little(&anna, "Last").await;
    let mut repeated = Vec::new();
    loop {
        let item = item_of(&receiver.next().await);
        if item == "Last" {
            break;
        }
        assert!(names.contains(&item) && !repeated.contains(&item), "{item} after {repeated:?}");
        repeated.push(item);
    }
    eprintln!("sent again after the other's death: {repeated:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_begins_once_although_both_servers_look() {
    let mut receiver = Receiver::answering(&[]).await;
    let (mut one, mut other) = two_servers(&receiver).await;
    let anna = one.with_household("anna").await;
    let names: Vec<_> = (0..10).map(|number| format!("Item {number}")).collect();
    for name in &names {
        add_expired(&anna, name).await;
    }
    move_to(&anna, "Asia/Tokyo").await;
    let (stopped_one, stopped_other) = tokio::join!(one.terminate(), other.terminate());
    assert!(stopped_one.success() && stopped_other.success());
    tokio::join!(one.restart(), other.restart());
    assert_eq!(calls(&mut receiver, names.len()).await, once_each(&names));
    assert_eq!(notified(&anna).await.len(), names.len());
    assert_eq!(receiver.waiting(), Vec::<Value>::new());
}
