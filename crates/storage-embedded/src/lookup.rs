//! Reading records by their keys, one or many at once.

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table};
use rusqlite::Connection;

use crate::layout::Layout;
use crate::pool::ReaderPool;
use crate::query;
use crate::tree::{Lookup, TreeKey};

/// The record under a key, unless there is none or it has expired.
pub(crate) fn one(
    readers: &ReaderPool,
    table: Table,
    key: &Key,
    now_s: i64,
) -> Result<Option<Record>> {
    if !table.fits(key) {
        return Ok(None);
    }
    let (keys, sought) = (&Layout::of(table).keys, TreeKey::primary(&key.pk, &key.sk));
    // Nearly every read finds its record with one statement, and every other proves its absence
    // with one more: a statement sees one state, and a change between the two is found by the
    // transaction below.
    let found = readers.read(|connection| {
        let found = keys.find_row(connection, &sought, |entry, row| {
            query::read(table, None, (keys, entry, row), key, now_s)
        })?;
        Ok(match found {
            Lookup::Found(record) => Some(record),
            Lookup::Absent => keys.gap(connection, &sought)?.map(|_| None),
        })
    })?;
    if let Some(answer) = found {
        return Ok(answer);
    }
    let only = std::slice::from_ref(key);
    let found = readers.read_snapshot(|connection| many(connection, table, only, now_s))?;
    Ok(found.into_iter().flatten().next())
}

/// The records under many keys, each as [`one`] finds it, within a transaction.
pub(crate) fn many(
    connection: &Connection,
    table: Table,
    keys: &[Key],
    now_s: i64,
) -> Result<Vec<Option<Record>>> {
    let tree = &Layout::of(table).keys;
    let sought = keys.iter().map(|key| {
        let is_possible = table.fits(key);
        (key, is_possible.then(|| TreeKey::primary(&key.pk, &key.sk)))
    });
    tree.find_rows(connection, sought, |key, entry, row| {
        query::read(table, None, (tree, entry, row), key, now_s)
    })
}
