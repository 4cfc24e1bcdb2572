//! The tables in DynamoDB: their declaration, creating them, comparing a live account with the
//! declaration, and printing it.

mod compare;
mod create;
mod declaration;
mod describe;
mod error;
mod live;
mod make;
mod report;
mod schema;
mod wait;

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;

pub use create::create;
use declaration::parts;
pub(crate) use declaration::{BY_RECORD, CHANGES, CHANGES_KEYS, physical_name};
pub use declaration::{IndexDeclaration, TableDeclaration, declared};
pub use describe::{create_table_json, describe};
pub use error::TablesError;
pub use report::{Difference, Feature, Report, TableReport};

use crate::{DynamoOptions, client};

/// Reports how the tables of an account differ from the declaration. Read-only.
pub async fn verify(options: &DynamoOptions) -> Result<Report, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = control_client(options).await;
    let place = error::place(options);
    let mut report = Report { place, tables: Vec::with_capacity(tables.len()) };
    for table in &tables {
        let live = live::read(&client, &table.name, &report.place).await?;
        report.tables.push(compare::compare(table, live.as_ref()));
    }
    Ok(report)
}

/// The names of declared tables that do not exist. One cheap request per table: for the start of a
/// server.
pub async fn missing(options: &DynamoOptions) -> Result<Vec<String>, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = control_client(options).await;
    let place = error::place(options);
    let mut missing = Vec::new();
    for table in tables {
        if live::read_description(&client, &table.name, &place).await?.is_none() {
            missing.push(table.name);
        }
    }
    Ok(missing)
}

/// Requests about tables are few and slow, and the service allows only some per second: they may
/// take longer than requests for records, and the SDK retries them when throttled.
async fn control_client(options: &DynamoOptions) -> Client {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(5))
        .operation_attempt_timeout(Duration::from_secs(20))
        .build();
    let config = client::client(options)
        .await
        .config()
        .to_builder()
        .retry_config(RetryConfig::standard().with_max_attempts(4))
        .timeout_config(timeouts)
        .build();
    Client::from_conf(config)
}
