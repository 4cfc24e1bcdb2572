//! Appending to the journal, and letting go of its oldest part.

use std::collections::HashMap;

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::{Connection, OptionalExtension};

use super::row::{COLUMNS, JournalRow, row_at};
use super::{Thread, partition_hash, record_hash, table_number};
use crate::checksum::Checksum;
use crate::error::{At, corrupt};
use crate::meta::{self, Counter};

/// One change to be kept.
pub(crate) struct Change<'a> {
    pub(crate) at_us: i64,
    pub(crate) actor: &'a str,
    pub(crate) table: Table,
    pub(crate) key: &'a Key,
    pub(crate) old: Option<&'a [u8]>,
    pub(crate) new: Option<&'a [u8]>,
}

/// The end of the journal during one SQLite transaction. Heads and the next number are written once, at
/// its end, however often they moved.
pub(crate) struct Tail {
    next: i64,
    heads: HashMap<i64, i64>,
}

impl Tail {
    /// Where the committed journal ends.
    pub(crate) fn load(connection: &Connection) -> Result<Self> {
        let next = meta::read(connection, Counter::NextSequence)?;
        Ok(Self { next, heads: HashMap::new() })
    }

    /// The number of the last change.
    pub(crate) fn last(&self) -> i64 {
        self.next - 1
    }

    /// Appends a change.
    pub(crate) fn append(&mut self, connection: &Connection, change: &Change<'_>) -> Result<()> {
        let (partition, record) =
            (partition_hash(change.table, &change.key.pk), record_hash(change.table, change.key));
        let row = JournalRow {
            seq: self.next,
            at_us: change.at_us,
            actor: change.actor,
            tbl: table_number(change.table),
            pk: &change.key.pk,
            sk: &change.key.sk,
            old: change.old,
            new: change.new,
            partition_hash: partition,
            partition_previous: self.advance(connection, partition)?,
            record_hash: record,
            record_previous: self.advance(connection, record)?,
        };
        let crc = row.checksum();
        let sql =
            "INSERT INTO journal VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let mut statement = connection.prepare_cached(sql).at("journal")?;
        let columns = (
            (row.seq, row.at_us, row.actor, row.tbl, row.pk, row.sk, row.old, row.new),
            (row.partition_hash, row.partition_previous, row.record_hash, row.record_previous),
        );
        let (a, b) = columns;
        statement
            .execute((a.0, a.1, a.2, a.3, a.4, a.5, a.6, a.7, b.0, b.1, b.2, b.3, crc))
            .at("journal")?;
        self.next += 1;
        Ok(())
    }

    /// Writes what moved. To be called before the commit.
    pub(crate) fn flush(&mut self, connection: &Connection) -> Result<()> {
        if self.heads.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO journal_heads VALUES (?1, ?2, ?3) \
                   ON CONFLICT(hash) DO UPDATE SET seq = excluded.seq, crc = excluded.crc";
        let mut statement = connection.prepare_cached(sql).at("journal_heads")?;
        for (hash, seq) in self.heads.drain() {
            statement.execute((hash, seq, head_checksum(hash, seq))).at("journal_heads")?;
        }
        meta::write(connection, Counter::NextSequence, self.next)
    }

    /// Moves a head to the change that is being appended and answers where it was; 0 for nowhere.
    fn advance(&mut self, connection: &Connection, hash: i64) -> Result<i64> {
        match self.heads.insert(hash, self.next) {
            Some(previous) => Ok(previous),
            None => Ok(head(connection, hash)?.unwrap_or(0)),
        }
    }
}

/// The last change under a hash.
pub(crate) fn head(connection: &Connection, hash: i64) -> Result<Option<i64>> {
    let sql = "SELECT seq, crc FROM journal_heads WHERE hash = ?1";
    let mut statement = connection.prepare_cached(sql).at("journal_heads")?;
    let found: Option<(i64, i64)> = statement
        .query_row((hash,), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .at("journal_heads")?;
    match found {
        Some((seq, crc)) if crc == head_checksum(hash, seq) => Ok(Some(seq)),
        Some(_) => Err(corrupt("journal_heads", "a head does not match its checksum")),
        None => Ok(None),
    }
}

pub(crate) fn head_checksum(hash: i64, seq: i64) -> i64 {
    Checksum::of("journal_heads").int(hash).int(seq).value()
}

/// Deletes up to `limit` of the oldest changes, as long as they are from before a time, and answers how many.
/// Only a beginning of the journal is ever deleted, so that everything from the floor on is complete.
pub(crate) fn expire(connection: &Connection, before_us: i64, limit: usize) -> Result<usize> {
    let mut floor = meta::read(connection, Counter::JournalFloor)?;
    let sql = format!("SELECT {COLUMNS} FROM journal ORDER BY seq LIMIT ?1");
    let mut oldest = connection.prepare_cached(&sql).at("journal")?;
    let mut gone: Vec<(i64, [i64; 2])> = Vec::new();
    let mut rows = oldest.query((i64::try_from(limit).unwrap_or(i64::MAX),)).at("journal")?;
    while let Some(row) = rows.next().at("journal")? {
        let row = row_at(row)?;
        if row.at_us >= before_us {
            break;
        }
        gone.push((row.seq, [row.hash(Thread::Partition), row.hash(Thread::Record)]));
    }
    drop(rows);
    let mut forget =
        connection.prepare_cached("DELETE FROM journal WHERE seq = ?1").at("journal")?;
    let sql = "DELETE FROM journal_heads WHERE hash = ?1 AND seq = ?2";
    let mut behead = connection.prepare_cached(sql).at("journal_heads")?;
    for (seq, hashes) in &gone {
        forget.execute((seq,)).at("journal")?;
        for hash in hashes {
            behead.execute((hash, seq)).at("journal_heads")?;
        }
        floor = seq + 1;
    }
    if !gone.is_empty() {
        meta::write(connection, Counter::JournalFloor, floor)?;
    }
    Ok(gone.len())
}
