//! `verify` finds each kind of difference and changes nothing.

use larder_storage_dynamodb::DynamoOptions;
use larder_storage_dynamodb::tables::{self, Difference};
use serde_json::{Value, json};

use crate::account::Account;
use crate::scripted::ScriptedEndpoint;
use crate::{at, local, of, raw};

/// Everything that DynamoDB Local has to say about the tables.
fn everything(options: &DynamoOptions) -> Vec<Value> {
    let mut told = Vec::new();
    for table in tables::declared(&options.prefix).expect("the prefix is allowed") {
        for operation in ["DescribeTable", "DescribeTimeToLive"] {
            told.push(raw::ask(options, operation, &json!({ "TableName": table.name })));
        }
    }
    told
}

#[tokio::test]
async fn missing_tables_are_found_and_not_made() {
    let options = local("nowhere-");
    let report = tables::verify(&options).await.unwrap();
    assert!(!report.is_as_declared());
    for table in &report.tables {
        assert_eq!(table.differences, [Difference::TableMissing], "{}", table.name);
    }
    assert!(report.to_string().contains("nowhere-Changes: DIFFERENT\n  the table is missing\n"));
    let not_there = |answer: &Value| answer["__type"].to_string().contains("ResourceNotFound");
    assert!(everything(&options).iter().all(not_there), "{:#?}", everything(&options));
}

#[tokio::test]
async fn each_kind_of_difference_is_found_on_a_live_table_which_stays_as_it_is() {
    let options = local("other-");
    make_differently(&options);
    let before = everything(&options);
    let report = tables::verify(&options).await.unwrap();
    assert_eq!(before, everything(&options));
    let index = |name: &str| name.to_owned();
    let keys = |pk: &str, sk: &str| vec![pk.to_owned(), sk.to_owned()];
    assert_eq!(
        of(&report, "other-InventoryManagement").differences,
        [
            Difference::AttributeType { attribute: "SK".to_owned(), found: "N".to_owned() },
            Difference::IndexKeys {
                index: index("GSI1"),
                declared: keys("GSI1PK", "GSI1SK"),
                found: keys("GSI1PK", "SK"),
            },
            Difference::IndexProjection { index: index("GSI1") },
            Difference::IndexMissing { index: index("GSI2") },
            Difference::IndexUndeclared { index: index("Extra") },
            Difference::BillingMode,
            Difference::TimeToLiveAttribute {
                declared: Some("ttl".to_owned()),
                found: "deleteAt".to_owned(),
            },
        ]
    );
    assert_eq!(
        of(&report, "other-Relational").differences,
        [
            Difference::Keys { declared: keys("PK", "SK"), found: vec!["PK".to_owned()] },
            Difference::IndexMissing { index: index("InvertedIndex") },
            Difference::IndexMissing { index: index("ResourcesByAccountIndex") },
            Difference::TimeToLiveAttribute { declared: None, found: "ttl".to_owned() },
        ]
    );
    assert_eq!(
        of(&report, "other-Changes").differences,
        [
            Difference::IndexKeys {
                index: index("ByRecord"),
                declared: keys("record", "SK"),
                found: keys("PK", "record"),
            },
            Difference::IndexLocal { index: index("ByRecord") },
            Difference::TimeToLiveOff { declared: "ttl".to_owned() },
        ]
    );
    assert_eq!(
        of(&report, "other-api_keys").differences,
        [
            Difference::IndexKeys {
                index: index("api_key_hash_index"),
                declared: vec!["api_key_hash".to_owned()],
                found: keys("api_key_hash", "key_id"),
            },
            Difference::IndexMissing { index: index("gsi1") },
            Difference::IndexMissing { index: index("family_index") },
        ]
    );
}

#[tokio::test]
async fn differences_that_only_the_real_service_has_are_found_with_reads_alone() {
    let mut account = Account::default();
    for (_, json) in tables::create_table_json("busy-").unwrap() {
        let mut request: Value = serde_json::from_str(&json).unwrap();
        request["DeletionProtectionEnabled"] = json!(false);
        if let Some(index) = request.pointer_mut("/GlobalSecondaryIndexes/0") {
            index["IndexStatus"] = json!("CREATING");
        }
        account.answer("CreateTable", &request);
    }
    let endpoint = ScriptedEndpoint::start(move |operation, body| account.answer(operation, body));
    let report = tables::verify(&at(endpoint.url(), "busy-")).await.unwrap();
    assert_eq!(
        of(&report, "busy-Changes").differences,
        [
            Difference::Status { found: "CREATING".to_owned() },
            Difference::IndexStatus { index: "ByRecord".to_owned(), found: "CREATING".to_owned() },
            Difference::TimeToLiveOff { declared: "ttl".to_owned() },
            Difference::PointInTimeRecoveryOff,
            Difference::DeletionProtectionOff,
        ]
    );
    assert!(report.tables.iter().all(|table| table.unsupported.is_empty()), "{report}");
    let asked = endpoint.asked();
    assert_eq!(asked.len(), 3 * report.tables.len(), "{asked:?}");
    assert!(asked.iter().all(|operation| operation.starts_with("Describe")), "{asked:?}");
}

/// Some tables of the declared names, each wrong in its own ways.
fn make_differently(options: &DynamoOptions) {
    let reserved = json!({ "ReadCapacityUnits": 5, "WriteCapacityUnits": 5 });
    let index = |name: &str, pk: &str, sk: &str, projection: &str| {
        json!({ "IndexName": name, "KeySchema": keys(&[pk, sk]),
                "Projection": { "ProjectionType": projection } })
    };
    let mut first = index("GSI1", "GSI1PK", "SK", "KEYS_ONLY");
    let mut extra = index("Extra", "GSI1PK", "PK", "ALL");
    for index in [&mut first, &mut extra] {
        index["ProvisionedThroughput"] = reserved.clone();
    }
    let inventory = json!({
        "TableName": format!("{}InventoryManagement", options.prefix),
        "AttributeDefinitions": attributes(&[("PK", "S"), ("SK", "N"), ("GSI1PK", "S")]),
        "KeySchema": keys(&["PK", "SK"]),
        "GlobalSecondaryIndexes": [first, extra],
        "ProvisionedThroughput": reserved,
    });
    let relational = json!({
        "TableName": format!("{}Relational", options.prefix),
        "AttributeDefinitions": attributes(&[("PK", "S")]),
        "KeySchema": keys(&["PK"]),
        "BillingMode": "PAY_PER_REQUEST",
    });
    let changes = json!({
        "TableName": format!("{}Changes", options.prefix),
        "AttributeDefinitions": attributes(&[("PK", "S"), ("SK", "S"), ("record", "S")]),
        "KeySchema": keys(&["PK", "SK"]),
        "LocalSecondaryIndexes": [index("ByRecord", "PK", "record", "ALL")],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let api_keys = json!({
        "TableName": format!("{}api_keys", options.prefix),
        "AttributeDefinitions": attributes(&[("key_id", "S"), ("api_key_hash", "S")]),
        "KeySchema": keys(&["key_id"]),
        "GlobalSecondaryIndexes": [index("api_key_hash_index", "api_key_hash", "key_id", "ALL")],
        "BillingMode": "PAY_PER_REQUEST",
    });
    for table in [inventory, relational, changes, api_keys] {
        let made = raw::ask(options, "CreateTable", &table);
        assert_eq!(made["TableDescription"]["TableName"], table["TableName"], "{made}");
    }
    for (table, attribute) in [("InventoryManagement", "deleteAt"), ("Relational", "ttl")] {
        let specification = json!({ "Enabled": true, "AttributeName": attribute });
        let name = format!("{}{table}", options.prefix);
        let request = json!({ "TableName": name, "TimeToLiveSpecification": specification });
        let done = raw::ask(options, "UpdateTimeToLive", &request);
        assert_eq!(done["TimeToLiveSpecification"], specification, "{done}");
    }
}

fn keys(names: &[&str]) -> Value {
    let types = ["HASH", "RANGE"];
    let key =
        |(name, key_type): (&&str, &str)| json!({ "AttributeName": name, "KeyType": key_type });
    names.iter().zip(types).map(key).collect()
}

fn attributes(types: &[(&str, &str)]) -> Value {
    let attribute = |(name, attribute_type): &(&str, &str)| json!({ "AttributeName": name, "AttributeType": attribute_type });
    types.iter().map(attribute).collect()
}
