//! Reading the changes of a partition. Every function is to be called within a transaction.

use std::sync::LazyLock;

use larder_storage::{Result, StorageError};
use larder_storage_item::JournalEntry;
use rusqlite::{Connection, OptionalExtension};

use super::row::{COLUMNS, JournalRow, row_at};
use super::write;
use crate::error::{At, corrupt};
use crate::meta::{self, Counter};

static NEWER: LazyLock<String> = LazyLock::new(|| select("seq"));
static NEWEST: LazyLock<String> = LazyLock::new(|| select("seq DESC"));

fn select(order: &str) -> String {
    format!(
        "SELECT {COLUMNS} FROM journal WHERE partition_hash = ?1 AND seq > ?2 ORDER BY {order} LIMIT ?3"
    )
}

/// The changes of a partition after a sequence number, oldest first.
pub(crate) fn after(
    connection: &Connection,
    hash: i64,
    after: i64,
    limit: usize,
) -> Result<Vec<JournalEntry>> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let after = after.max(floor - 1);
    let mut entries = Vec::new();
    let mut last = after;
    // Forgotten changes fill no page.
    while entries.len() < limit {
        let (wanted, mut seen) = (limit - entries.len(), 0);
        visit(connection, &NEWER, (hash, last, wanted), |row| {
            let previous = row.partition_previous;
            let linked = if last == after { previous <= after } else { previous == last };
            if row.partition_hash != hash || row.seq <= last || !linked {
                return Err(gap(row.seq));
            }
            (last, seen) = (row.seq, seen + 1);
            if !row.is_forgotten() {
                entries.push(row.entry()?);
            }
            Ok(())
        })?;
        // A full page may end anywhere; any other must end at the head.
        if seen < wanted {
            if write::head(connection, hash)?.unwrap_or(0).max(after) != last {
                return Err(gap(last));
            }
            break;
        }
    }
    Ok(entries)
}

/// The newest change of a partition; `None` if the journal has none.
pub(crate) fn newest(connection: &Connection, hash: i64) -> Result<Option<i64>> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let head = write::head(connection, hash)?;
    let mut newest = None;
    visit(connection, &NEWEST, (hash, floor - 1, 1), |row| {
        newest = Some(row.seq).filter(|_| row.partition_hash == hash);
        Ok(())
    })?;
    // The index is read too: it detects a lost head.
    if newest == head { Ok(newest) } else { Err(gap(newest.or(head).unwrap_or(0))) }
}

fn visit(
    connection: &Connection,
    sql: &str,
    (hash, bound, limit): (i64, i64, usize),
    mut each: impl FnMut(&JournalRow<'_>) -> Result<()>,
) -> Result<()> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(sql).at("journal")?;
    let mut rows = statement.query((hash, bound, limit)).at("journal")?;
    while let Some(row) = rows.next().at("journal")? {
        each(&row_at(row)?)?;
    }
    Ok(())
}

pub(super) fn gap(seq: i64) -> StorageError {
    corrupt(super::row::place(seq), "changes are missing before or after this one")
}

/// The greatest number in the journal; 0 when it is empty.
pub(crate) fn last_sequence(connection: &Connection) -> Result<i64> {
    let sql = "SELECT seq FROM journal ORDER BY seq DESC LIMIT 1";
    let last = connection.query_row(sql, (), |row| row.get(0)).optional().at("journal")?;
    Ok(last.unwrap_or(0))
}
