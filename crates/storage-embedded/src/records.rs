//! The rows that hold the records.

use std::sync::Arc;

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table, key_label};
use rusqlite::{Connection, Row};

use crate::checksum::Checksum;
use crate::codec;
use crate::error::{At, corrupt};
use crate::layout::Layout;
use crate::tree::{Entry, Gap, Lookup, Tree, TreeKey};

/// A verified record with its row data.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) rid: i64,
    /// The second at which it expires.
    pub(crate) expires_at: Option<i64>,
    /// The number of its last change; 0 if its changes are not journaled.
    pub(crate) seq: i64,
    pub(crate) body: Vec<u8>,
    pub(crate) record: Record,
}

impl Stored {
    /// Whether the record is visible to a reader at this second.
    pub(crate) fn visible(&self, now_s: i64) -> bool {
        visible(self.expires_at, now_s)
    }
}

/// The contents of a record's place.
pub(crate) enum Place {
    /// The record, expired or not.
    Taken(Arc<Stored>),
    /// Empty, with the gap for its key.
    Free(Gap),
}

impl Place {
    pub(crate) fn stored(&self) -> Option<&Stored> {
        match self {
            Self::Taken(stored) => Some(stored.as_ref()),
            Self::Free(_) => None,
        }
    }
}

/// Whether a record with this expiry is visible to a reader at this second.
pub(crate) fn visible(expires_at: Option<i64>, now_s: i64) -> bool {
    expires_at.is_none_or(|expires_at| now_s < expires_at)
}

/// The name of a record in errors.
pub(crate) fn label(table: Table, pk: &str, sk: &str) -> String {
    format!("{} {}", table.name(), key_label(pk, sk))
}

/// The columns of a row besides its key; the body is not decoded yet.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'r> {
    pub(crate) expires_at: Option<i64>,
    /// The number of the last change of the record; 0 if its changes are not journaled.
    pub(crate) seq: i64,
    pub(crate) body: &'r [u8],
}

impl Raw<'_> {
    fn checksum(&self, table: Table, pk: &str, sk: &str) -> i64 {
        let keyed = Checksum::of(table.name()).text(pk).text(sk);
        keyed.optional_int(self.expires_at).int(self.seq).bytes(self.body).value()
    }
}

/// Verifies the row (`pk, sk, expires_at, seq, body, crc`) that starts at a column.
pub(crate) fn raw<'r>(
    table: Table,
    pk: &str,
    sk: &str,
    row: &'r Row<'_>,
    at: usize,
) -> Result<Raw<'r>> {
    let place = || label(table, pk, sk);
    let column = |offset: usize| {
        row.get_ref(at + offset).map_err(|error| corrupt(place(), error.to_string()))
    };
    let held = (column(0)?.as_str_or_null(), column(1)?.as_str_or_null());
    match held {
        (Ok(Some(partition)), Ok(Some(place))) if partition == pk && place == sk => {}
        (Ok(None), _) => return Err(corrupt(place(), "the record is missing")),
        _ => return Err(corrupt(place(), "another record is in its place")),
    }
    let mistyped = |_| corrupt(place(), "a column is not of its type");
    let expires_at = column(2)?.as_i64_or_null().map_err(mistyped)?;
    let seq = column(3)?.as_i64().map_err(mistyped)?;
    let body = column(4)?.as_blob().map_err(mistyped)?;
    let raw = Raw { expires_at, seq, body };
    if column(5)?.as_i64().map_err(mistyped)? != raw.checksum(table, pk, sk) {
        return Err(corrupt(place(), "the record does not match its checksum"));
    }
    Ok(raw)
}

/// Decodes a verified body.
pub(crate) fn decode(table: Table, key: &Key, body: &[u8]) -> Result<Record> {
    codec::decode(table.key_names(), key, body)
        .map_err(|error| corrupt(label(table, &key.pk, &key.sk), error.to_string()))
}

/// Reads one record by its primary key. `Absent` is not proven: see
/// [`crate::tree::Tree::confirm_absent`].
pub(crate) fn find(connection: &Connection, table: Table, key: &Key) -> Result<Lookup<Stored>> {
    let layout = Layout::of(table);
    layout.keys.find_row(connection, &TreeKey::primary(&key.pk, &key.sk), |entry, row| {
        stored(table, key, entry, row, layout.keys.arity)
    })
}

/// Reads one record by its primary key, within a transaction.
pub(crate) fn get(connection: &Connection, table: Table, key: &Key) -> Result<Option<Stored>> {
    match find(connection, table, key)? {
        Lookup::Found(stored) => Ok(Some(stored)),
        Lookup::Absent => confirm_absent(connection, table, key).map(|_| None),
    }
}

/// Reads one record by its primary key, or finds where it would be, within a transaction. A record
/// that is expected to be absent takes one step.
pub(crate) fn place(
    connection: &Connection,
    (table, key): (Table, &Key),
    is_expected: bool,
) -> Result<Place> {
    let sought = TreeKey::primary(&key.pk, &key.sk);
    if !is_expected && let Some(gap) = Layout::of(table).keys.gap(connection, &sought)? {
        return Ok(Place::Free(gap));
    }
    match find(connection, table, key)? {
        Lookup::Found(stored) => Ok(Place::Taken(Arc::new(stored))),
        Lookup::Absent => confirm_absent(connection, table, key).map(Place::Free),
    }
}

fn confirm_absent(connection: &Connection, table: Table, key: &Key) -> Result<Gap> {
    Layout::of(table).keys.confirm_absent(connection, &TreeKey::primary(&key.pk, &key.sk))
}

/// The record of an entry, from a row that joins a tree of this arity with the records.
pub(crate) fn stored(
    table: Table,
    key: &Key,
    entry: &Entry<'_>,
    row: &Row<'_>,
    arity: usize,
) -> Result<Stored> {
    let raw = raw(table, &key.pk, &key.sk, row, arity + 3)?;
    let record = decode(table, key, raw.body)?;
    let Raw { expires_at, seq, body } = raw;
    Ok(Stored { rid: entry.rid, expires_at, seq, body: body.to_vec(), record })
}

/// Enters all records of a table that are in an index into its new tree.
pub(crate) fn fill(connection: &Connection, layout: &Layout, tree: &Tree) -> Result<()> {
    let found = layout.indexes.iter().find(|(_, one)| one.name == tree.name);
    let Some((index, _)) = found else { return Ok(()) };
    let name = layout.table.name();
    let mut statement = connection.prepare(&layout.all).at(name)?;
    let mut rows = statement.query(()).at(name)?;
    while let Some(row) = rows.next().at(name)? {
        let text = |at: usize| row.get_ref(at).at(name)?.as_str().at(name);
        let key = Key::new(text(0)?, text(1)?);
        let raw = raw(layout.table, &key.pk, &key.sk, row, 0)?;
        let record = decode(layout.table, &key, raw.body)?;
        if let Some((ipk, isk)) = index.key_of(&record) {
            let rid: i64 = row.get(6).at(name)?;
            tree.insert(connection, &TreeKey([ipk, &isk, &key.pk, &key.sk]), rid)?;
        }
    }
    Ok(())
}

/// Writes a new row and returns its row id.
pub(crate) fn insert(
    connection: &Connection,
    table: Table,
    key: &Key,
    row: Raw<'_>,
) -> Result<i64> {
    let (Raw { expires_at, seq, body }, crc) = (row, row.checksum(table, &key.pk, &key.sk));
    let mut statement = connection.prepare_cached(&Layout::of(table).insert).at(table.name())?;
    statement.insert((&key.pk, &key.sk, expires_at, seq, body, crc)).at(table.name())
}

/// Replaces the content of a row.
pub(crate) fn update(
    connection: &Connection,
    table: Table,
    key: &Key,
    rid: i64,
    row: Raw<'_>,
) -> Result<()> {
    let (Raw { expires_at, seq, body }, crc) = (row, row.checksum(table, &key.pk, &key.sk));
    let mut statement = connection.prepare_cached(&Layout::of(table).update).at(table.name())?;
    one_row(statement.execute((rid, expires_at, seq, body, crc)).at(table.name())?, table, key)
}

/// Deletes a row.
pub(crate) fn delete(connection: &Connection, table: Table, key: &Key, rid: i64) -> Result<()> {
    let mut statement = connection.prepare_cached(&Layout::of(table).delete).at(table.name())?;
    one_row(statement.execute((rid,)).at(table.name())?, table, key)
}

fn one_row(changed: usize, table: Table, key: &Key) -> Result<()> {
    if changed == 1 {
        return Ok(());
    }
    Err(corrupt(label(table, &key.pk, &key.sk), "the record cannot be written"))
}
