//! The declaration in print. No network.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Feature, TableDeclaration, TablesError, declared};

/// The declaration for people: what each table is, and what is turned on for it.
pub fn describe(prefix: &str) -> Result<String, TablesError> {
    let mut text = String::new();
    for table in declared(prefix)? {
        let _ = writeln!(text, "{}", table.name);
        let _ = writeln!(text, "  keys: {} + {} (texts)", table.pk, table.sk);
        for index in &table.indexes {
            let (name, pk, sk) = (index.name, index.pk, index.sk);
            let _ = writeln!(text, "  index {name}: {pk} + {sk} (texts), whole records");
        }
        let ttl = table.ttl.map_or("none".to_owned(), |attribute| format!("by {attribute}"));
        let _ = writeln!(text, "  {}: {ttl}", Feature::TimeToLive);
        let _ = writeln!(text, "  {}: on", Feature::PointInTimeRecovery);
        let _ = writeln!(text, "  {}: on", Feature::DeletionProtection);
        let _ = writeln!(text, "  billing: on demand");
    }
    Ok(text)
}

/// For each table its name and the JSON that `aws dynamodb create-table --cli-input-json` takes. Time to live
/// and point-in-time recovery are no part of that call: `larder tables verify` says where they are missing.
pub fn create_table_json(prefix: &str) -> Result<Vec<(String, String)>, TablesError> {
    let tables = declared(prefix)?.into_iter();
    Ok(tables.map(|table| (table.name.clone(), format!("{:#}\n", to_json(&table)))).collect())
}

fn to_json(table: &TableDeclaration) -> Value {
    let attributes = table
        .key_attributes()
        .into_iter()
        .map(|name| json!({ "AttributeName": name, "AttributeType": "S" }));
    let indexes = table.indexes.iter().map(|index| {
        json!({
            "IndexName": index.name,
            "KeySchema": keys(index.pk, index.sk),
            "Projection": { "ProjectionType": "ALL" },
        })
    });
    json!({
        "TableName": table.name,
        "AttributeDefinitions": attributes.collect::<Vec<_>>(),
        "KeySchema": keys(table.pk, table.sk),
        "GlobalSecondaryIndexes": indexes.collect::<Vec<_>>(),
        "BillingMode": "PAY_PER_REQUEST",
        "DeletionProtectionEnabled": true,
    })
}

fn keys(pk: &str, sk: &str) -> Value {
    json!([
        { "AttributeName": pk, "KeyType": "HASH" },
        { "AttributeName": sk, "KeyType": "RANGE" },
    ])
}
