//! Writing one changed record: its row, its key, its index entries, and the journal.

use std::borrow::Cow;

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table};
use rusqlite::Connection;

use super::Writer;
use super::delay::Shift;
use crate::codec;
use crate::journal::write::Change;
use crate::layout::Layout;
use crate::records::{self, Raw, Stored};
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
        let (connection, layout) = (&self.connection, Layout::of(table));
        let (seq, place) = (self.tail.next(), TreeKey::primary(&key.pk, &key.sk));
        let row = new.zip(body.as_deref()).map(|(new, body)| Raw {
            expires_at: table.expiry(new),
            seq,
            body,
        });
        let (rid, record_previous) = match (old, row) {
            (Some(old), Some(row)) => {
                records::update(connection, table, key, old.rid, row)?;
                (old.rid, old.seq)
            }
            (None, Some(row)) => {
                let rid = records::insert(connection, table, key, row)?;
                layout.keys.insert(connection, &place, rid)?;
                let gone = layout.gone.number(connection, &place)?;
                if gone.is_some() {
                    layout.gone.remove(connection, &place)?;
                }
                (rid, gone.unwrap_or(0))
            }
            (Some(old), None) => {
                records::delete(connection, table, key, old.rid)?;
                layout.keys.remove(connection, &place)?;
                layout.gone.insert(connection, &place, seq)?;
                (old.rid, old.seq)
            }
            (None, None) => return Ok(false),
        };
        match row {
            Some(row) => self.recent.wrote(table, key, rid, row),
            None => self.recent.forget(table, key),
        }
        let previous = old.map(|old| &old.record);
        if self.delayed.is_some() {
            let (old, new) = (previous.cloned(), new.cloned());
            let shift = Shift { table, key: key.clone(), rid, old, new };
            self.shifts.last_mut().expect("a transaction has begun").push(shift);
        } else {
            shift_indexes(connection, table, key, rid, previous, new)?;
        }
        let old = match (counted, new) {
            (Some(old), Some(new)) => Some(Cow::Owned(codec::encode_difference(&old.record, new))),
            (Some(old), None) => Some(Cow::Borrowed(old.body.as_slice())),
            (None, _) => None,
        };
        let (old, new) = (old.as_deref(), body.as_deref());
        let Author { actor, at_us } = author;
        let change = Change { at_us, actor, table, key, old, new, record_previous };
        self.tail.append(connection, &change)?;
        // What nobody is told of wakes nobody, and leaves standing what others keep of the partition.
        if table.is_journaled(key) {
            self.touched.push((table, key.pk.clone()));
        }
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
