//! Reading the changes of one record. Must be called within a transaction.

use std::sync::LazyLock;

use larder_storage::Result;
use larder_storage_item::{JournalEntry, Key, Table};
use rusqlite::Connection;

use super::read::gap;
use super::row::{COLUMNS, JournalRow, row_at};
use super::table_number;
use crate::error::At;
use crate::layout::Layout;
use crate::meta::{self, Counter};
use crate::records;
use crate::tree::TreeKey;

static ONE: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS} FROM journal WHERE seq = ?1"));

/// The changes of a record before a sequence number (`None`: from the newest), newest first.
pub(crate) fn before(
    connection: &Connection,
    (table, key): (Table, &Key),
    before: Option<i64>,
    limit: usize,
) -> Result<Vec<JournalEntry>> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let is_of = |row: &JournalRow<'_>| {
        row.tbl == table_number(table) && row.pk == key.pk && row.sk == key.sk
    };
    let bound = before.unwrap_or(i64::MAX);
    // A paging reader names a change of this record, whose link is as good as the newest change.
    let link = |row: &JournalRow<'_>| Ok(is_of(row).then_some(row.record_previous));
    let linked = match before {
        Some(before) => read(connection, before, link)?.flatten(),
        None => None,
    };
    let mut seq = match linked {
        Some(previous) => previous,
        None => newest(connection, table, key)?,
    };
    let mut entries = Vec::new();
    while entries.len() < limit && seq >= floor && seq > 0 {
        let (previous, entry) = read(connection, seq, |row| {
            // The changes before it are forgotten, too.
            if row.is_forgotten() {
                return Ok((0, None));
            }
            if !is_of(row) || row.record_previous >= seq {
                return Err(gap(seq));
            }
            let entry = if seq < bound { Some(row.entry()?) } else { None };
            Ok((row.record_previous, entry))
        })?
        .ok_or_else(|| gap(seq))?;
        entries.extend(entry);
        seq = previous;
    }
    Ok(entries)
}

/// The number of the last change of a record, kept or not; 0 if there is none.
fn newest(connection: &Connection, table: Table, key: &Key) -> Result<i64> {
    if let Some(stored) = records::get(connection, table, key)? {
        return Ok(stored.seq);
    }
    let gone = Layout::of(table).gone.number(connection, &TreeKey::primary(&key.pk, &key.sk))?;
    Ok(gone.unwrap_or(0))
}

/// One change, if the journal still has it.
fn read<T>(
    connection: &Connection,
    seq: i64,
    read: impl FnOnce(&JournalRow<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let mut statement = connection.prepare_cached(&ONE).at("journal")?;
    let mut rows = statement.query((seq,)).at("journal")?;
    let Some(row) = rows.next().at("journal")? else { return Ok(None) };
    let row = row_at(row)?;
    if row.seq == seq { read(&row).map(Some) } else { Err(gap(seq)) }
}
