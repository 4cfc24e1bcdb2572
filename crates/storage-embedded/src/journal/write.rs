//! Appending to the journal, and trimming its oldest part.

use std::collections::{HashMap, HashSet};

use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Table};
use rusqlite::{Connection, OptionalExtension};

use super::row::{COLUMNS, JournalRow, row_at};
use super::{partition_hash, table_number};
use crate::checksum::Checksum;
use crate::error::{At, corrupt};
use crate::layout::Layout;
use crate::meta::{self, Counter};
use crate::tree::TreeKey;

/// One change to be appended.
pub(crate) struct Change<'a> {
    pub(crate) at_us: i64,
    pub(crate) actor: &'a str,
    pub(crate) table: Table,
    pub(crate) key: &'a Key,
    pub(crate) old: Option<&'a [u8]>,
    pub(crate) new: Option<&'a [u8]>,
    /// The previous change of the same record; 0 for none.
    pub(crate) record_previous: i64,
}

/// How many heads are remembered: about a megabyte of them.
const MAX_HEADS: usize = 16 * 1024;

/// The end of the journal. Heads and the next number are written once in a SQLite transaction, at
/// its end, however often they moved. Reloaded after a rollback.
pub(crate) struct Tail {
    next: i64,
    /// Cached heads. Only this thread moves them.
    heads: HashMap<i64, i64>,
    /// Those that moved in this SQLite transaction.
    moved: HashSet<i64>,
}

impl Tail {
    /// Loads the end of the committed journal.
    pub(crate) fn load(connection: &Connection) -> Result<Self> {
        let next = meta::read(connection, Counter::NextSequence)?;
        Ok(Self { next, heads: HashMap::new(), moved: HashSet::new() })
    }

    /// The number of the last change.
    pub(crate) fn last(&self) -> i64 {
        self.next - 1
    }

    /// The number of the next change.
    pub(crate) fn next(&self) -> i64 {
        self.next
    }

    /// Appends a change.
    pub(crate) fn append(&mut self, connection: &Connection, change: &Change<'_>) -> Result<()> {
        let partition = partition_hash(change.table, &change.key.pk);
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
            record_previous: change.record_previous,
        };
        let crc = row.checksum();
        let sql = "INSERT INTO journal VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        let mut statement = connection.prepare_cached(sql).at("journal")?;
        let JournalRow { seq, at_us, actor, tbl, pk, sk, old, new, .. } = row;
        let links = (row.partition_hash, row.partition_previous, row.record_previous);
        statement
            .execute((seq, at_us, actor, tbl, pk, sk, old, new, links.0, links.1, links.2, crc))
            .at("journal")?;
        self.next += 1;
        Ok(())
    }

    /// Writes the moved heads. Called before the commit.
    pub(crate) fn flush(&mut self, connection: &Connection) -> Result<()> {
        if self.moved.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO journal_heads VALUES (?1, ?2, ?3) \
                   ON CONFLICT(hash) DO UPDATE SET seq = excluded.seq, crc = excluded.crc";
        let mut statement = connection.prepare_cached(sql).at("journal_heads")?;
        for hash in self.moved.drain() {
            let seq = self.heads[&hash];
            statement.execute((hash, seq, head_checksum(hash, seq))).at("journal_heads")?;
        }
        if self.heads.len() > MAX_HEADS {
            self.heads.clear();
        }
        meta::write(connection, Counter::NextSequence, self.next)
    }

    /// Deletes up to `limit` of the oldest changes, as long as they are from before a time, and
    /// returns how many.
    pub(crate) fn expire(
        &mut self,
        connection: &Connection,
        before_us: i64,
        limit: usize,
    ) -> Result<usize> {
        // Trimming reads the file and may delete heads, so the cache is dropped.
        self.flush(connection)?;
        self.heads.clear();
        expire(connection, before_us, limit)
    }

    /// Moves a head to the change that is being appended and returns its previous position; 0 for
    /// none.
    fn advance(&mut self, connection: &Connection, hash: i64) -> Result<i64> {
        self.moved.insert(hash);
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

/// Only a beginning of the journal is ever deleted, so that everything from the floor on is complete.
fn expire(connection: &Connection, before_us: i64, limit: usize) -> Result<usize> {
    let mut floor = meta::read(connection, Counter::JournalFloor)?;
    let sql = format!("SELECT {COLUMNS} FROM journal ORDER BY seq LIMIT ?1");
    let mut oldest = connection.prepare_cached(&sql).at("journal")?;
    let mut gone = Vec::new();
    let mut rows = oldest.query((i64::try_from(limit).unwrap_or(i64::MAX),)).at("journal")?;
    while let Some(row) = rows.next().at("journal")? {
        let row = match row_at(row) {
            Ok(row) if row.at_us < before_us => row,
            Ok(_) => break,
            // The time of a damaged change is unknown. It and everything after it are kept for
            // inspection.
            Err(StorageError::Corrupt { record, reason }) => {
                tracing::error!(record, reason, "journal not trimmed: damaged change");
                break;
            }
            Err(error) => return Err(error),
        };
        let is_deletion = row.new.is_none() && !row.is_forgotten();
        let deleted = if is_deletion { Some(row.subject()?) } else { None };
        gone.push((row.seq, row.partition_hash, deleted));
    }
    drop(rows);
    let mut forget =
        connection.prepare_cached("DELETE FROM journal WHERE seq = ?1").at("journal")?;
    let sql = "DELETE FROM journal_heads WHERE hash = ?1 AND seq = ?2";
    let mut behead = connection.prepare_cached(sql).at("journal_heads")?;
    for (seq, partition, deleted) in &gone {
        forget.execute((seq,)).at("journal")?;
        behead.execute((partition, seq)).at("journal_heads")?;
        if let Some((table, key)) = deleted {
            let (tree, place) = (&Layout::of(*table).gone, TreeKey::primary(&key.pk, &key.sk));
            if tree.number(connection, &place)? == Some(*seq) {
                tree.remove(connection, &place)?;
            }
        }
        floor = seq + 1;
    }
    if !gone.is_empty() {
        meta::write(connection, Counter::JournalFloor, floor)?;
    }
    Ok(gone.len())
}
