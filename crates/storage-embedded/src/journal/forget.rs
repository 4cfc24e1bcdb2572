//! Forgetting changes in the middle of the journal.
//!
//! The row of a forgotten change stays, without its content: its place, its time and its links keep
//! the chains whole, so that a change that goes missing is still noticed.

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::row::{COLUMNS, FORGOTTEN, JournalRow, row_at};
use super::{partition_hash, table_number};
use crate::error::At;
use crate::layout::Layout;
use crate::tree::TreeKey;

/// Forgets changes of a partition, or of one record of it, and returns how many.
pub(crate) fn forget(
    connection: &Connection,
    (table, pk, sk): (Table, &str, Option<&str>),
    limit: usize,
) -> Result<usize> {
    let sql = format!(
        "SELECT {COLUMNS} FROM journal WHERE partition_hash = ?1 AND tbl = ?2 AND pk = ?3 \
         AND (?4 IS NULL OR sk = ?4) ORDER BY seq LIMIT ?5"
    );
    let (hash, number) = (partition_hash(table, pk), table_number(table));
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut emptied: Vec<(i64, i64, Key)> = Vec::new();
    {
        let mut statement = connection.prepare_cached(&sql).at("journal")?;
        let mut rows = statement.query((hash, number, pk, sk, limit)).at("journal")?;
        while let Some(row) = rows.next().at("journal")? {
            let row = row_at(row)?;
            let empty = JournalRow {
                actor: "",
                tbl: FORGOTTEN,
                pk: "",
                sk: "",
                old: None,
                new: None,
                ..row
            };
            emptied.push((row.seq, empty.checksum(), Key::new(row.pk, row.sk)));
        }
    }
    let sql = "UPDATE journal SET actor = '', tbl = ?2, pk = '', sk = '', old = NULL, new = NULL, \
               crc = ?3 WHERE seq = ?1";
    let mut empty = connection.prepare_cached(sql).at("journal")?;
    for (seq, crc, key) in &emptied {
        empty.execute((seq, FORGOTTEN, crc)).at("journal")?;
        // The name of a deleted record leads to its last change.
        let (tree, place) = (&Layout::of(table).gone, TreeKey::primary(&key.pk, &key.sk));
        if tree.number(connection, &place)? == Some(*seq) {
            tree.remove(connection, &place)?;
        }
    }
    Ok(emptied.len())
}
