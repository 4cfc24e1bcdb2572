//! The rows of blocks: found by their first item, read whole, written whole.

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::{Connection, Row};

use super::merge::Blocks;
use crate::error::corrupt;
use crate::layout::Layout;
use crate::records::{self, Raw};
use crate::tree::{Entry, Lookup, TreeKey};

/// A row, verified.
pub(crate) struct BlockRow {
    pub(crate) rid: i64,
    pub(crate) key: Key,
    pub(crate) expires_at: Option<i64>,
    pub(crate) body: Vec<u8>,
}

/// The neighbours of a place in a partition.
pub(crate) struct Around {
    /// The last row that begins at or before it.
    pub(crate) row: Option<BlockRow>,
    /// The start of the next row.
    pub(crate) next: Option<String>,
}

/// Finds the neighbours of a place, within a transaction.
pub(crate) fn around<B: Blocks>(connection: &Connection, blocks: &B, sk: &str) -> Result<Around> {
    let (table, pk, behind) = (B::TABLE, blocks.pk(), format!("{sk}\0"));
    let tree = &Layout::of(table).keys;
    let (row, next) =
        tree.neighbours(connection, &TreeKey::primary(pk, &behind), |entry, row| {
            row_of(table, pk, entry, row)
        })?;
    let next = next.filter(|[next_pk, ..]| next_pk == pk).map(|[_, sk, ..]| sk);
    Ok(Around { row: row.flatten(), next })
}

/// The last row of a partition, within a transaction.
pub(crate) fn last(connection: &Connection, table: Table, pk: &str) -> Result<Option<BlockRow>> {
    let (tree, behind) = (&Layout::of(table).keys, format!("{pk}\0"));
    let (row, _) = tree.neighbours(connection, &TreeKey::primary(&behind, ""), |entry, row| {
        row_of(table, pk, entry, row)
    })?;
    Ok(row.flatten())
}

/// One row, within a transaction.
pub(crate) fn find(connection: &Connection, table: Table, key: &Key) -> Result<Option<BlockRow>> {
    let (tree, sought) = (&Layout::of(table).keys, TreeKey::primary(&key.pk, &key.sk));
    match tree.find_row(connection, &sought, |entry, row| row_of(table, &key.pk, entry, row))? {
        Lookup::Found(row) => Ok(row),
        Lookup::Absent => tree.confirm_absent(connection, &sought).map(|_| None),
    }
}

/// The row of an entry, unless it is of another partition.
fn row_of(table: Table, pk: &str, entry: &Entry<'_>, row: &Row<'_>) -> Result<Option<BlockRow>> {
    let [found, sk, ..] = entry.key.0;
    if found != pk {
        return Ok(None);
    }
    let Raw { expires_at, body, .. } =
        records::raw(table, pk, sk, row, Layout::of(table).keys.arity + 3)?;
    let (key, body) = (Key::new(pk, sk), body.to_vec());
    Ok(Some(BlockRow { rid: entry.rid, key, expires_at, body }))
}

/// The items of a row.
pub(crate) fn decode<B: Blocks>(blocks: &B, row: &BlockRow) -> Result<Vec<B::Item>> {
    blocks.decode(&row.body).map_err(|error| {
        corrupt(records::label(B::TABLE, &row.key.pk, &row.key.sk), error.to_string())
    })
}

/// Writes a new row.
pub(crate) fn insert(
    connection: &Connection,
    table: Table,
    key: &Key,
    (expires_at, body): (i64, &[u8]),
) -> Result<()> {
    let row = Raw { expires_at: Some(expires_at), seq: 0, body };
    let rid = records::insert(connection, table, key, row)?;
    Layout::of(table).keys.insert(connection, &TreeKey::primary(&key.pk, &key.sk), rid)
}

/// Rewrites a row, unless it is unchanged.
pub(crate) fn replace(
    connection: &Connection,
    table: Table,
    old: &BlockRow,
    (expires_at, body): (i64, &[u8]),
) -> Result<()> {
    if old.expires_at == Some(expires_at) && old.body == body {
        return Ok(());
    }
    let row = Raw { expires_at: Some(expires_at), seq: 0, body };
    records::update(connection, table, &old.key, old.rid, row)
}

/// Deletes a row.
pub(crate) fn delete(connection: &Connection, table: Table, old: &BlockRow) -> Result<()> {
    records::delete(connection, table, &old.key, old.rid)?;
    let primary = TreeKey::primary(&old.key.pk, &old.key.sk);
    Layout::of(table).keys.remove(connection, &primary)
}
