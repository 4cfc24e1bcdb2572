//! Making, comparing and printing tables: on DynamoDB Local, and on an endpoint that plays the parts of the
//! real service which DynamoDB Local does not have.

mod account;
mod create;
mod describe;
mod errors;
mod policy;
#[path = "../support/raw.rs"]
mod raw;
#[path = "../support/scripted.rs"]
mod scripted;
mod verify;

use larder_storage_dynamodb::tables::{Report, TableReport};
use larder_storage_dynamodb::{AccessKey, DynamoOptions};
use larder_test_servers::DynamoDbLocal;

/// Tables of DynamoDB Local that begin with this prefix.
fn local(prefix: &str) -> DynamoOptions {
    at(DynamoDbLocal::shared().endpoint(), prefix)
}

/// The report of one table.
fn of<'r>(report: &'r Report, name: &str) -> &'r TableReport {
    let found = report.tables.iter().find(|table| table.name == name);
    found.unwrap_or_else(|| panic!("{name} is not in {report}"))
}

/// Tables of an endpoint that begin with this prefix.
fn at(endpoint: String, prefix: &str) -> DynamoOptions {
    DynamoOptions {
        region: Some("eu-central-1".to_owned()),
        endpoint: Some(endpoint),
        access_key: Some(AccessKey { id: "someone".to_owned(), secret: "secret".to_owned() }),
        prefix: prefix.to_owned(),
        ..DynamoOptions::default()
    }
}
