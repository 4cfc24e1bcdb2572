//! Reading the journal along one of its threads. Every function is to be called within a transaction.

use std::sync::LazyLock;

use larder_storage::{Result, StorageError};
use larder_storage_item::JournalEntry;
use rusqlite::{Connection, OptionalExtension};

use super::row::{COLUMNS, JournalRow, row_at};
use super::{Thread, write};
use crate::error::{At, corrupt};
use crate::meta::{self, Counter};

struct Sql {
    newer: String,
    older: String,
}

impl Sql {
    fn new(hash: &str) -> Self {
        let select = format!("SELECT {COLUMNS} FROM journal WHERE {hash} = ?1");
        Self {
            newer: format!("{select} AND seq > ?2 ORDER BY seq LIMIT ?3"),
            older: format!("{select} AND seq < ?2 ORDER BY seq DESC LIMIT ?3"),
        }
    }

    fn of(thread: Thread) -> &'static Self {
        static PARTITION: LazyLock<Sql> = LazyLock::new(|| Sql::new("partition_hash"));
        static RECORD: LazyLock<Sql> = LazyLock::new(|| Sql::new("record_hash"));
        match thread {
            Thread::Partition => &PARTITION,
            Thread::Record => &RECORD,
        }
    }
}

/// The changes of a thread after a sequence number, oldest first.
pub(crate) fn after(
    connection: &Connection,
    thread: Thread,
    hash: i64,
    after: i64,
    limit: usize,
) -> Result<Vec<JournalEntry>> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let after = after.max(floor - 1);
    let mut entries = Vec::new();
    let mut last = after;
    visit(connection, &Sql::of(thread).newer, (hash, after, limit), |row| {
        let previous = row.previous(thread);
        let linked = if last == after { previous <= after } else { previous == last };
        if row.hash(thread) != hash || row.seq <= last || !linked {
            return Err(gap(row.seq));
        }
        last = row.seq;
        entries.push(row.entry()?);
        Ok(())
    })?;
    // A full page ends where it ends; a page with room must end at the head.
    if entries.len() < limit && write::head(connection, hash)?.unwrap_or(0).max(after) != last {
        return Err(gap(last));
    }
    Ok(entries)
}

/// The changes of a thread before a sequence number, newest first.
pub(crate) fn before(
    connection: &Connection,
    thread: Thread,
    hash: i64,
    before: i64,
    limit: usize,
) -> Result<Vec<JournalEntry>> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let mut expected = link_into(connection, thread, hash, before)?;
    let mut entries = Vec::new();
    visit(connection, &Sql::of(thread).older, (hash, before, limit), |row| {
        if row.hash(thread) != hash || row.seq != expected || row.seq < floor {
            return Err(gap(row.seq));
        }
        expected = row.previous(thread);
        entries.push(row.entry()?);
        Ok(())
    })?;
    if entries.len() < limit && expected >= floor {
        return Err(gap(expected));
    }
    Ok(entries)
}

/// The newest change of a thread; `None` when the journal keeps none.
pub(crate) fn newest(connection: &Connection, thread: Thread, hash: i64) -> Result<Option<i64>> {
    let newest = before(connection, thread, hash, i64::MAX, 1)?;
    Ok(newest.first().map(|entry| entry.sequence.cast_signed()))
}

/// The number of the last change before a sequence number, as what follows it tells: 0 when there is none.
fn link_into(connection: &Connection, thread: Thread, hash: i64, before: i64) -> Result<i64> {
    let mut link = None;
    visit(connection, &Sql::of(thread).newer, (hash, before.saturating_sub(1), 1), |row| {
        link = Some(row.previous(thread));
        if row.hash(thread) == hash { Ok(()) } else { Err(gap(row.seq)) }
    })?;
    match link {
        Some(previous) => Ok(previous),
        // Nothing follows, so the head must be it. The index is asked too: with a head that was lost,
        // an index that still holds changes gives the loss away.
        None => Ok(write::head(connection, hash)?.unwrap_or(0)),
    }
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

fn gap(seq: i64) -> StorageError {
    corrupt(super::row::place(seq), "changes are missing before or after this one")
}

/// The greatest number in the journal; 0 when it is empty.
pub(crate) fn last_sequence(connection: &Connection) -> Result<i64> {
    let sql = "SELECT seq FROM journal ORDER BY seq DESC LIMIT 1";
    let last = connection.query_row(sql, (), |row| row.get(0)).optional().at("journal")?;
    Ok(last.unwrap_or(0))
}
