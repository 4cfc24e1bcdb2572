//! The declaration in print. No network.

use std::fmt::Write as _;

use serde_json::{Value, json};

use larder_storage_item::KeyNames;

use super::{Feature, TableDeclaration, TablesError, declared, parts};

/// The declaration for people: the tables and their settings.
pub fn describe(prefix: &str) -> Result<String, TablesError> {
    let mut text = String::new();
    for table in declared(prefix)? {
        let _ = writeln!(text, "{}", table.name);
        let _ = writeln!(text, "  keys: {}", in_words(table.keys));
        for index in &table.indexes {
            let (name, keys) = (index.name, in_words(index.keys));
            let _ = writeln!(text, "  index {name}: {keys}, whole records");
        }
        let ttl = table.ttl.map_or("none".to_owned(), |attribute| format!("by {attribute}"));
        let _ = writeln!(text, "  {}: {ttl}", Feature::TimeToLive);
        let _ = writeln!(text, "  {}: on", Feature::PointInTimeRecovery);
        let _ = writeln!(text, "  {}: on", Feature::DeletionProtection);
        let _ = writeln!(text, "  billing: on demand");
    }
    Ok(text)
}

fn in_words(keys: KeyNames) -> String {
    let kind = if keys.sk.is_some() { "texts" } else { "text" };
    format!("{} ({kind})", parts(keys).join(" + "))
}

/// For each table its name and the JSON for `aws dynamodb create-table --cli-input-json`. Time to
/// live and point-in-time recovery are not part of that call: `larder tables verify` reports where
/// they are missing.
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
            "KeySchema": keys(index.keys),
            "Projection": { "ProjectionType": "ALL" },
        })
    });
    let mut json = json!({
        "TableName": table.name,
        "AttributeDefinitions": attributes.collect::<Vec<_>>(),
        "KeySchema": keys(table.keys),
        "BillingMode": "PAY_PER_REQUEST",
        "DeletionProtectionEnabled": true,
    });
    // DynamoDB refuses an empty list.
    if !table.indexes.is_empty() {
        json["GlobalSecondaryIndexes"] = indexes.collect();
    }
    json
}

fn keys(names: KeyNames) -> Value {
    let key = |(name, key_type)| json!({ "AttributeName": name, "KeyType": key_type });
    parts(names).into_iter().zip(["HASH", "RANGE"]).map(key).collect()
}
