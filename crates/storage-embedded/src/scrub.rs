//! Verifying the whole store: every row, and that rows, keys, indexes and journal agree.

mod blocks;
mod journal;
mod table;

use larder_storage::{Result, StorageError};
use rusqlite::Connection;

use crate::error::At;
use crate::layout::Layout;
use crate::readings::log::Log;

/// The findings of a scrub.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScrubReport {
    /// Rows that were read.
    pub rows: u64,
    /// The damage; empty for a sound store.
    pub damaged: Vec<Damage>,
}

/// One damaged thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Table and key of a record, or the part of the store.
    pub record: String,
    /// The damage to it.
    pub reason: String,
}

impl ScrubReport {
    fn note(&mut self, record: impl Into<String>, reason: impl Into<String>) {
        self.damaged.push(Damage { record: record.into(), reason: reason.into() });
    }

    /// Records damage and continues; returns other errors.
    fn check<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(StorageError::Corrupt { record, reason }) => {
                self.note(record, reason);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Reads everything, within a transaction.
pub(crate) fn scrub(connection: &Connection) -> Result<ScrubReport> {
    let mut report = ScrubReport::default();
    let walked = journal::walk(connection, &mut report);
    let mut histories = report.check(walked)?;
    for layout in Layout::all() {
        let walked = table::walk(connection, layout, histories.as_mut(), &mut report);
        report.check(walked)?;
    }
    let logged =
        Log::load(connection).and_then(|log| log.replay(connection, |_, _| report.rows += 1));
    report.check(logged)?;
    if let Some(histories) = histories {
        histories.finish(&mut report);
    }
    let structure = pages(connection, &mut report);
    report.check(structure)?;
    Ok(report)
}

/// SQLite's own check of its pages, which also covers free space, lost pages, and index entries.
fn pages(connection: &Connection, report: &mut ScrubReport) -> Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check(100)").at("larder.db")?;
    let mut rows = statement.query(()).at("larder.db")?;
    while let Some(row) = rows.next().at("larder.db")? {
        let line: String = row.get(0).at("larder.db")?;
        if line != "ok" {
            report.note("larder.db", line);
        }
    }
    Ok(())
}

/// How many rows a table has.
fn count(connection: &Connection, name: &str) -> Result<u64> {
    let sql = format!("SELECT count(*) FROM {name}");
    let rows: i64 = connection.query_row(&sql, (), |row| row.get(0)).at(name)?;
    Ok(rows.cast_unsigned())
}
