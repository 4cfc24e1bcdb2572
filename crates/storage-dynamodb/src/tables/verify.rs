//! Compares a live account with the declaration. Read-only.

use super::error::place;
use super::{Report, TablesError, compare, declared, live};
use crate::DynamoOptions;

/// Reports how the tables of an account differ from the declaration. Read-only.
pub async fn verify(options: &DynamoOptions) -> Result<Report, TablesError> {
    let tables = declared(&options.prefix)?;
    let client = super::control_client(options).await;
    let place = place(options);
    let mut report = Report { place, tables: Vec::with_capacity(tables.len()) };
    for table in &tables {
        let live = live::read(&client, &table.name, &report.place).await?;
        report.tables.push(compare::compare(table, live.as_ref()));
    }
    Ok(report)
}
