//! The retention of changes, and what outlives it.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_storage::{Clock, ManualClock};
use larder_storage_dynamodb::DynamoEngine;
use larder_storage_item::{Action, Key, Number, Record, RecordEngine, Table, Transaction};
use serde_json::{Value, json};

use crate::launch;
use crate::raw::ask;

const TABLE: Table = Table::InventoryManagement;
const A_WHILE: SignedDuration = SignedDuration::from_hours(36 * 24);

async fn open() -> (Arc<DynamoEngine>, Arc<ManualClock>, String) {
    let clock = launch::clock();
    let engine = launch::open(launch::shared_tables().await, &clock).await;
    (Arc::new(engine), clock, format!("retention{}", launch::own_number()))
}

async fn put(engine: &DynamoEngine, clock: &ManualClock, pk: &str, sort_keys: &[&str]) {
    let at = clock.now();
    let second = Number::from(at.as_second());
    let record = |sk: &&str| Record::new().with("PK", pk).with("SK", *sk).with("n", second);
    let put = |record| Action::Put { table: TABLE, record, when: vec![], embed: None };
    let actions = sort_keys.iter().map(record).map(put).collect();
    engine.transact(Transaction { actor: "mia".to_owned(), at, actions }).await.unwrap();
}

async fn told(engine: &DynamoEngine, pk: &str, after: u64) -> Vec<u64> {
    let entries = engine.journal_after(TABLE, pk, after, 100).await.unwrap();
    entries.into_iter().map(|entry| entry.sequence).collect()
}

#[tokio::test]
async fn changes_are_told_for_their_time_and_a_late_reader_is_told_so() {
    let (engine, clock, pk) = open().await;
    let floor = async || engine.journal_floor(TABLE, &pk).await.unwrap();
    assert_eq!(floor().await, 1, "nothing has happened, so nothing is gone");
    put(&engine, &clock, &pk, &["a"]).await;
    clock.advance(SignedDuration::from_secs(1));
    put(&engine, &clock, &pk, &["a", "b"]).await;
    assert_eq!((told(&engine, &pk, 0).await, floor().await), (vec![128, 256, 257], 1));
    clock.advance(A_WHILE);
    assert!(told(&engine, &pk, 0).await.is_empty());
    let head = engine.journal_head(TABLE, &pk).await.unwrap();
    assert_eq!((head, floor().await), (257, 258), "who has read all is not late");
    put(&engine, &clock, &pk, &["c"]).await;
    assert_eq!((told(&engine, &pk, head).await, floor().await), (vec![384], 258));
    let history = engine.journal_of(TABLE, &Key::new(&pk, "a"), None, 10).await.unwrap();
    assert_eq!(history.len(), 2, "a clock that may have jumped hides no history: {history:?}");
}

#[tokio::test]
async fn only_the_first_change_of_the_newest_transaction_stays_for_ever() {
    let (engine, clock, pk) = open().await;
    put(&engine, &clock, &pk, &["a", "b"]).await;
    put(&engine, &clock, &pk, &["a", "b"]).await;
    assert_eq!(told(&engine, &pk, 0).await, [128, 129], "the same again is no change");
    clock.advance(SignedDuration::from_secs(1));
    put(&engine, &clock, &pk, &["a", "b"]).await;
    engine.settled().await;
    let records = change_records(&pk).await;
    assert_eq!(records.len(), 4);
    assert_eq!(staying(&records), ["00000000000000000002"]);
}

#[tokio::test]
async fn a_change_record_that_was_forgotten_expires_when_a_reader_finds_it() {
    let (engine, clock, pk) = open().await;
    put(&engine, &clock, &pk, &["a"]).await;
    put(&engine, &clock, &pk, &["b"]).await;
    engine.settled().await;
    // As if the server had died between the commit and its background work.
    let forget = json!({
        "TableName": "shared-Changes",
        "Key": {
            "PK": { "S": format!("InventoryManagement#{pk}") },
            "SK": { "S": "00000000000000000001" },
        },
        "UpdateExpression": "REMOVE #t",
        "ExpressionAttributeNames": { "#t": "ttl" },
    });
    ask(&launch::shared_tables().await, "UpdateItem", &forget);
    assert_eq!(staying(&change_records(&pk).await).len(), 2);
    clock.advance(A_WHILE);
    engine.journal_floor(TABLE, &pk).await.unwrap();
    engine.settled().await;
    assert_eq!(staying(&change_records(&pk).await), ["00000000000000000002"]);
}

/// The change records of a partition, as they lie in the table.
async fn change_records(pk: &str) -> Vec<Value> {
    let query = json!({
        "TableName": "shared-Changes",
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": { ":pk": { "S": format!("InventoryManagement#{pk}") } },
    });
    let answer = ask(&launch::shared_tables().await, "Query", &query);
    answer["Items"].as_array().unwrap().clone()
}

/// The sort keys of those that never expire.
fn staying(records: &[Value]) -> Vec<&str> {
    let staying = records.iter().filter(|record| record.get("ttl").is_none());
    staying.map(|record| record["SK"]["S"].as_str().unwrap()).collect()
}
