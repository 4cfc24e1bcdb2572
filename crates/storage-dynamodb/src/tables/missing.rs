//! Whether there is anything to serve from.

use super::error::place;
use super::{TablesError, declared, live};
use crate::DynamoOptions;

/// The names of declared tables that are not there. One cheap request per table: for a server that starts.
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
