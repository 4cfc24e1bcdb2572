//! The declaration in print.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{BillingMode, KeyType};
use larder_storage_dynamodb::tables;
use serde_json::Value;

use crate::account::Account;

#[test]
fn the_declaration_reads_as_it_is_meant() {
    let text = tables::describe("home-").unwrap();
    let changes = "\
home-Changes
  keys: PK + SK (texts)
  index ByRecord: record + SK (texts), whole records
  time to live: by ttl
  point-in-time recovery: on
  deletion protection: on
  billing: on demand
";
    assert!(text.ends_with(changes), "{text}");
    assert!(text.contains("  index InvertedIndex: SK + PK (texts), whole records\n"), "{text}");
    assert!(text.contains("home-Relational\n"), "{text}");
    let grants = "\
home-grants
  keys: PK + SK (texts)
  index GrantsByAccountIndex: _accountUrn + _order (texts), whole records
  time to live: none
";
    assert!(text.contains(grants), "{text}");
    let api_keys = "\
home-api_keys
  keys: key_id (text)
  index api_key_hash_index: api_key_hash (text), whole records
  index gsi1: gsi1pk + gsi1sk (texts), whole records
  index family_index: family_id + gsi1sk (texts), whole records
  time to live: none
";
    assert!(text.contains(api_keys), "{text}");
}

/// The command line's `--cli-input-json` is the request of the service itself: it must equal the
/// request that the SDK sends for the declaration.
#[tokio::test]
async fn the_json_is_what_create_itself_sends() {
    let printed = tables::create_table_json("json-").unwrap();
    let names: Vec<_> = printed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 8);
    assert_eq!((names[0], names[7]), ("json-InventoryManagement", "json-Changes"));

    let (told, sent) = std::sync::mpsc::channel();
    let mut account = Account::default();
    let endpoint = crate::scripted::ScriptedEndpoint::start(move |operation, body| {
        if operation == "CreateTable" {
            told.send(body.clone()).unwrap();
        }
        account.answer(operation, body)
    });
    tables::create(&crate::at(endpoint.url(), "json-"), |_| {}).await.unwrap();
    let by_name = |tables: Vec<Value>| {
        let pairs = tables.into_iter().map(|table| (table["TableName"].to_string(), table));
        pairs.collect::<BTreeMap<_, _>>()
    };
    let printed: Vec<Value> =
        printed.iter().map(|(_, json)| serde_json::from_str(json).unwrap()).collect();
    // All are sent at once, in no order.
    assert_eq!(by_name(printed.clone()), by_name(sent.try_iter().collect()));
    assert_eq!(printed[0]["BillingMode"], BillingMode::PayPerRequest.as_str());
    assert_eq!(printed[0]["KeySchema"][1]["KeyType"], KeyType::Range.as_str());
}
