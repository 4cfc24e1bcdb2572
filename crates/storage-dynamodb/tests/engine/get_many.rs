//! Many records by one request.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use larder_storage::StorageError;
use larder_storage_dynamodb::DynamoOptions;
use larder_storage_item::{Action, Key, Record, RecordEngine, Table, Transaction};
use larder_storage_testkit::START;
use serde_json::{Value, json};

use crate::launch;
use crate::scripted::ScriptedEndpoint;

const TABLE: Table = Table::Relational;

fn key(n: usize) -> Key {
    Key::new(format!("Resource#{n}"), format!("Resource#{n}"))
}

/// The numbers of the requested keys.
fn asked(body: &Value) -> Vec<usize> {
    let keys = body["RequestItems"]["Relational"]["Keys"].as_array().unwrap();
    let number = |key: &Value| key["PK"]["S"].as_str()?.strip_prefix("Resource#")?.parse().ok();
    keys.iter().map(|key| number(key).unwrap()).collect()
}

fn keys(numbers: &[usize]) -> Value {
    let key = |n: &usize| {
        let text = format!("Resource#{n}");
        json!({ "PK": { "S": text }, "SK": { "S": text } })
    };
    json!({ "Relational": { "ConsistentRead": true, "Keys": numbers.iter().map(key).collect::<Vec<_>>() } })
}

/// An endpoint with every record of an even number, which answers with two at a time, and with none
/// each third time; and its requests.
fn busy() -> (ScriptedEndpoint, Arc<Mutex<Vec<Vec<usize>>>>) {
    let requests = Arc::<Mutex<Vec<Vec<usize>>>>::default();
    let log = Arc::clone(&requests);
    let endpoint = ScriptedEndpoint::start(move |operation, body| {
        assert_eq!(operation, "BatchGetItem");
        assert_eq!(body["RequestItems"]["Relational"]["ConsistentRead"], true);
        let wanted = asked(body);
        let mut log = log.lock().unwrap();
        log.push(wanted.clone());
        let (answered, left) =
            wanted.split_at(if log.len() % 3 == 0 { 0 } else { 2.min(wanted.len()) });
        let found = answered.iter().filter(|n| *n % 2 == 0).map(|n| {
            let text = format!("Resource#{n}");
            json!({ "PK": { "S": text }, "SK": { "S": text }, "n": { "N": n.to_string() } })
        });
        let found: Vec<_> = found.collect();
        let left = if left.is_empty() { json!({}) } else { keys(left) };
        (200, json!({ "Responses": { "Relational": found }, "UnprocessedKeys": left }))
    });
    (endpoint, requests)
}

#[tokio::test]
async fn what_a_busy_table_left_out_is_asked_for_until_all_is_known() {
    let (endpoint, requests) = busy();
    let engine = launch::open(launch::options(endpoint.url(), ""), &launch::clock()).await;
    let wanted = [4, 1, 2, 4, 3, 8, 6, 1, 4].map(key);
    let found = engine.get_many(TABLE, &wanted).await.unwrap();
    let numbers: Vec<_> =
        found.iter().map(|record| record.as_ref()?.number("n")?.to_i64()).collect();
    let (some, none) = (Some, None);
    assert_eq!(
        numbers,
        [some(4), none, some(2), some(4), none, some(8), some(6), none, some(4)],
        "in the order of the keys, and as often"
    );
    let requests = requests.lock().unwrap();
    assert_eq!(requests[0].len(), 6, "each key once: {requests:?}");
    assert_eq!(requests[0].iter().collect::<BTreeSet<_>>().len(), 6);
    let sizes: Vec<_> = requests.iter().map(Vec::len).collect();
    assert_eq!(sizes, [6, 4, 2, 2], "only what was left out is asked for again");
}

#[tokio::test]
async fn a_table_that_stays_too_busy_is_given_up_in_time() {
    let endpoint = ScriptedEndpoint::start(|_, body| {
        (200, json!({ "Responses": {}, "UnprocessedKeys": body["RequestItems"] }))
    });
    let deadline = Duration::from_secs(2);
    let options = DynamoOptions { deadline, ..launch::options(endpoint.url(), "") };
    let engine = launch::open(options, &launch::clock()).await;
    let failed = engine.get_many(TABLE, &[key(1), key(2)]).await;
    assert!(matches!(failed, Err(StorageError::Unavailable(_))), "{failed:?}");
    assert!(endpoint.asked().len() > 1, "{:?}", endpoint.asked());
}

#[tokio::test]
async fn nothing_is_asked_for_nothing() {
    let endpoint = ScriptedEndpoint::start(|operation, _| panic!("{operation} is not needed"));
    let engine = launch::open(launch::options(endpoint.url(), ""), &launch::clock()).await;
    assert_eq!(engine.get_many(TABLE, &[]).await.unwrap(), []);
    let no_key = Key::new("Resource#1", "");
    assert_eq!(engine.get_many(TABLE, &[no_key]).await.unwrap(), [None]);
    assert_eq!(endpoint.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn a_hundred_records_of_one_table_are_read_as_the_last_write_left_them() {
    let (options, clock) = (launch::shared_tables().await, launch::clock());
    let engine = launch::open(options, &clock).await;
    let own = launch::own_number();
    let key = |n: usize| Key::new(format!("Resource#{own}-{n}"), "Resource");
    // Larger together than one answer of the service.
    let text = "x".repeat(190 * 1024);
    for first in (0..100).step_by(10) {
        let put = |n: usize| {
            let record: Record = TABLE.record_with(&key(n)).with("text", text.as_str());
            Action::Put { table: TABLE, record, when: vec![], embed: None }
        };
        let actions = (first..first + 10).map(put).collect();
        let written = Transaction { actor: "mia".to_owned(), at: START, actions };
        engine.transact(written).await.unwrap();
    }
    let wanted: Vec<_> = (0..100).rev().map(key).collect();
    let found = engine.get_many(TABLE, &wanted).await.unwrap();
    let found_keys: Vec<_> =
        found.iter().map(|record| TABLE.key_of(record.as_ref().unwrap()).unwrap()).collect();
    assert!(found_keys == wanted, "in the order of the keys");
    assert!(found.iter().flatten().all(|record| record.text("text") == Some(&text)));
    assert_eq!(engine.journal_head(TABLE, &key(0).pk).await.unwrap(), 0, "nobody is told");
}
