//! The records as they lie in the tables, read by a plain call past the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use larder_storage_dynamodb::DynamoOptions;
use larder_storage_item::{KeyNames, Number, Table};
use larder_storage_testkit::golden::{self, Scenario};
use serde_json::{Value, json};

use crate::launch;
use crate::raw::ask;

/// Every item of the layout's tables, in DynamoDB's own JSON, by kind.
fn items_by_kind(options: &DynamoOptions) -> BTreeMap<String, Vec<Value>> {
    let mut items = Vec::new();
    for table in Table::ALL {
        let name = format!("{}{}", options.prefix, table.name());
        let answer = ask(options, "Scan", &json!({ "TableName": name, "ConsistentRead": true }));
        assert_eq!(answer.get("LastEvaluatedKey"), None, "the scenario fits into one answer");
        for item in answer["Items"].as_array().unwrap() {
            items.push((table, trimmed(item)));
        }
    }
    items.sort_by_key(|(table, item)| key(*table, item));
    let mut kinds = BTreeMap::<String, Vec<Value>>::new();
    for (table, item) in items {
        let kind = golden::kind_of(table, &item).to_owned();
        kinds.entry(kind).or_default().push(item);
    }
    kinds
}

fn key(table: Table, item: &Value) -> (String, String) {
    let KeyNames { pk, sk } = table.key_names();
    let text = |name: &str| item[name]["S"].as_str().unwrap().to_owned();
    (text(pk), sk.map(text).unwrap_or_default())
}

/// The item with its numbers as the service shows them: DynamoDB Local does not trim trailing zeros
/// of a sum.
fn trimmed(item: &Value) -> Value {
    match item {
        Value::Object(typed) if typed.len() == 1 && typed.contains_key("N") => {
            let number: Number = typed["N"].as_str().unwrap().parse().unwrap();
            json!({ "N": number.to_string() })
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), trimmed(value)));
            Value::Object(fields.collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(trimmed).collect()),
        other => other.clone(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_in_the_tables_have_exactly_the_documented_attributes() {
    let (options, clock) = (launch::with_tables("golden-").await, launch::clock());
    let engine = launch::open(options.clone(), &clock).await;
    let scenario = Scenario::new(Arc::new(engine), clock);
    let mut used = BTreeSet::new();
    for stage in ["created", "changed"] {
        match stage {
            "created" => scenario.create().await,
            _ => scenario.change().await,
        }
        for (kind, items) in items_by_kind(&options) {
            let name = format!("{stage}/{kind}");
            golden::check_json(&name, &Value::Array(items));
            used.insert(name);
        }
    }
    // A kind that is missing in the tables would leave its file unused.
    golden::check_none_is_unused(&used);
}
