//! Many phones at once.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::engine::scale;
use crate::it::support::{Answer, Client, Random, Server, hundredths, id_of};

const TAGS: u64 = 40;
const ITEMS: u64 = 8;
/// As many connections as a test may have open.
const AT_ONCE: usize = 64;

/// Taps like the page: retries with the same nonce while the server is busy. The nonce makes it
/// idempotent.
async fn tap_until_answered(phone: &Client, tag: &Value, delta: i64, nonce: &str) -> Answer {
    loop {
        let answer = phone.tap(tag, delta, nonce).await;
        if answer.status != 503 {
            return answer;
        }
    }
}

/// Up to a thousand taps on 40 tags of 8 items. A fifth are sent twice at the same time, like a phone
/// with a weak signal; some items are taken from more often than they last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taps_of_many_phones_at_once_add_up_exactly() {
    let mut random = Random::seeded("taps_of_many_phones_at_once_add_up_exactly");
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let mut items = Vec::new();
    for number in 0..ITEMS {
        // From items that run out to such that last.
        items.push(anna.add(&format!("Item {number}"), number * 20, "個").await);
    }
    let mut tags = Vec::new();
    for number in 0..TAGS {
        let item = &items[usize::try_from(number % ITEMS).unwrap()];
        let step = if number % 3 == 0 { json!(0.5) } else { json!(1) };
        tags.push(anna.add_tag(item, json!({ "step": step })).await);
    }

    let count = scale().taps;
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = Vec::new();
    for number in 0..count {
        // There is none of the first item, and nobody adds one: the first tap finds nothing to take.
        let of = if number == 0 { 0 } else { random.below(TAGS) };
        let is_added = of % ITEMS != 0 && random.below(4) == 0;
        let (tag, delta) = (&tags[usize::try_from(of).unwrap()], if is_added { 1 } else { -1 });
        for _ in 0..if number % 5 == 0 { 2 } else { 1 } {
            let (phone, permits, tag) = (phone.clone(), Arc::clone(&permits), tag.clone());
            tasks.push(tokio::spawn(async move {
                let _permit = permits.acquire_owned().await.unwrap();
                let nonce = format!("nonce-{number:04}");
                let answer = tap_until_answered(&phone, &tag, delta, &nonce).await;
                let is_replay = answer.header("idempotent-replayed") == "true";
                (nonce, tag["itemId"].as_str().unwrap().to_owned(), is_replay, answer.expect(200))
            }));
        }
    }
    // The result of each nonce, which is the same for every request.
    let mut by_nonce: BTreeMap<String, (String, Value)> = BTreeMap::new();
    let (mut answers, mut replays) = (0, 0);
    for task in tasks {
        let (nonce, item, is_replay, answer) = task.await.unwrap();
        answers += 1;
        replays += usize::from(is_replay);
        let (_, first) = by_nonce.entry(nonce).or_insert_with(|| (item, answer.clone()));
        assert_eq!(*first, answer);
    }
    assert_eq!((answers, by_nonce.len()), (count + count / 5, count));
    assert!(replays >= count / 5, "of two that are the same, one is a repetition: {replays}");

    for item in &items {
        let of_item = by_nonce.values().filter(|(id, _)| id == id_of(item));
        let applied: Vec<i64> = of_item.map(|(_, tap)| hundredths(&tap["applied"])).collect();
        let left = anna.item(id_of(item)).await;
        let begun = hundredths(&item["quantity"]);
        assert_eq!(hundredths(&left["quantity"]), begun + applied.iter().sum::<i64>());
        // Taking from an empty item changes nothing, not even the version.
        let changes = applied.iter().filter(|applied| **applied != 0).count();
        assert_eq!(left["version"], 1 + changes);
    }
    assert!(by_nonce.values().all(|(_, tap)| hundredths(&tap["quantity"]) >= 0), "never below 0");
    assert!(by_nonce.values().any(|(_, tap)| tap["applied"] == 0), "one found nothing to take");
}
