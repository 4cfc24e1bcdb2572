//! Writing one changed record: its row, its key, its index entries, and the journal.

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table};
use rusqlite::Connection;

use super::Writer;
use super::delay::Shift;
use crate::codec;
use crate::journal::write::Change;
use crate::layout::Layout;
use crate::records::{self, Stored};
use crate::tree::TreeKey;

/// Who and when, for the journal.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    pub(super) actor: &'a str,
    pub(super) at_us: i64,
}

impl Writer {
    /// Puts `new` in the place of `old`; answers whether that changed anything. `old` is what lies in the row,
    /// and `journalled` whether it counts: an expired record is replaced, but was absent.
    pub(super) fn apply(
        &mut self,
        author: Author<'_>,
        (table, key): (Table, &Key),
        (old, journalled): (Option<&Stored>, bool),
        new: Option<&Record>,
    ) -> Result<bool> {
        let body = new.map(codec::encode);
        let counted = old.filter(|_| journalled);
        // Each record has one encoding: equal bytes are an equal record.
        if body.as_deref() == counted.map(|old| old.body.as_slice()) {
            return Ok(false);
        }
        let connection = &self.connection;
        let rid = match (old, new.zip(body.as_deref())) {
            (Some(old), Some((new, body))) => {
                let expiry = records::expiry(table, new);
                records::update(connection, table, key, old.rid, expiry, body)?;
                old.rid
            }
            (None, Some((new, body))) => {
                let expiry = records::expiry(table, new);
                let rid = records::insert(connection, table, key, expiry, body)?;
                Layout::of(table).keys.insert(
                    connection,
                    &TreeKey::primary(&key.pk, &key.sk),
                    rid,
                )?;
                rid
            }
            (Some(old), None) => {
                records::delete(connection, table, key, old.rid)?;
                Layout::of(table).keys.remove(connection, &TreeKey::primary(&key.pk, &key.sk))?;
                old.rid
            }
            (None, None) => return Ok(false),
        };
        let previous = old.map(|old| &old.record);
        if self.delayed.is_some() {
            let (old, new) = (previous.cloned(), new.cloned());
            let shift = Shift { table, key: key.clone(), rid, old, new };
            self.shifts.last_mut().expect("a transaction has begun").push(shift);
        } else {
            shift_indexes(connection, table, key, rid, previous, new)?;
        }
        let (old, new) = (counted.map(|old| old.body.as_slice()), body.as_deref());
        let Author { actor, at_us } = author;
        self.tail.append(connection, &Change { at_us, actor, table, key, old, new })?;
        self.touched.push((table, key.pk.clone()));
        Ok(true)
    }
}

/// Moves the index entries of a record; an entry whose key stays is not touched.
pub(super) fn shift_indexes(
    connection: &Connection,
    table: Table,
    key: &Key,
    rid: i64,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Result<()> {
    for (index, tree) in &Layout::of(table).indexes {
        let place = |record: &Record| {
            records::index_key(record, *index).map(|(pk, sk)| (pk.to_owned(), sk.to_owned()))
        };
        let (old, new) = (old.and_then(place), new.and_then(place));
        if old == new {
            continue;
        }
        let entry = |(ipk, isk): &(String, String), change: &dyn Fn(&TreeKey<'_>) -> Result<()>| {
            change(&TreeKey([ipk, isk, &key.pk, &key.sk]))
        };
        if let Some(old) = &old {
            entry(old, &|place| tree.remove(connection, place))?;
        }
        if let Some(new) = &new {
            entry(new, &|place| tree.insert(connection, place, rid))?;
        }
    }
    Ok(())
}
