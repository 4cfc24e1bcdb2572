//! Checks that the tables exist.

use super::error::place;
use super::{TablesError, declared, live};
use crate::DynamoOptions;

/// The names of declared tables that do not exist. One cheap request per table: for the start of a
/// server.
pub async fn missing(options: &DynamoOptions) -> Result<Vec<String>, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = super::control_client(options).await;
    let place = place(options);
    let mut missing = Vec::new();
    for table in tables {
        if live::read_description(&client, &table.name, &place).await?.is_none() {
            missing.push(table.name);
        }
    }
    Ok(missing)
}
