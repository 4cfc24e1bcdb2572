//! Writing one changed record: its row, its key, its index entries, and the journal.

use std::borrow::Cow;

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table};

use super::Writer;
use crate::codec;
use crate::journal::write::Change;
use crate::layout::Layout;
use crate::records::{self, Place, Raw, Stored};
use crate::tree::TreeKey;

/// Actor and time, for the journal.
#[derive(Clone, Copy)]
pub(super) struct Author<'a> {
    pub(super) actor: &'a str,
    pub(super) at_us: i64,
}

impl Writer {
    /// Writes `new` to a place; returns whether that changed anything. `counts` is false if the
    /// record in the place has expired: it is replaced, but counts as absent.
    pub(super) fn apply(
        &mut self,
        author: Author<'_>,
        (table, key): (Table, &Key),
        (place, counts): (&Place, bool),
        new: Option<&Record>,
    ) -> Result<bool> {
        let body = new.map(|new| codec::encode(table.key_names(), new));
        let counted = place.stored().filter(|_| counts);
        // Each record has one encoding: equal bytes are an equal record.
        if body.as_deref() == counted.map(|old| old.body.as_slice()) {
            return Ok(false);
        }
        let is_journaled = table.is_journaled(key);
        let seq = if is_journaled { self.tail.next() } else { 0 };
        let expires_at = new.and_then(|new| table.expiry(new));
        let row = body.as_deref().map(|body| Raw { expires_at, seq, body });
        let Some(rid) = self.write_row((table, key), place, row)? else { return Ok(false) };
        let previous = place.stored().map(|old| &old.record);
        self.shift_indexes((table, key), rid, previous, new)?;
        self.writes += 1;
        // Unjournaled records produce no events and invalidate no caches.
        if is_journaled {
            let old = match (counted, new) {
                (Some(old), Some(new)) => {
                    Some(Cow::Owned(codec::encode_difference(&old.record, new)))
                }
                (Some(old), None) => Some(Cow::Borrowed(old.body.as_slice())),
                (None, _) => None,
            };
            let record_previous = self.continue_history((table, key), place, new.is_some())?;
            let (old, new) = (old.as_deref(), body.as_deref());
            let Author { actor, at_us } = author;
            let change = Change { at_us, actor, table, key, old, new, record_previous };
            self.tail.append(&self.connection, &change)?;
            self.touched.push((table, key.pk.clone()));
        }
        match new.zip(body) {
            // New expiring records (used keys, nonces) are many and rarely read again: not cached.
            Some(_) if expires_at.is_some() && previous.is_none() => {}
            Some((new, body)) => {
                let stored = Stored { rid, expires_at, seq, body, record: new.clone() };
                self.recent.remember(table, key, stored.into());
            }
            None => self.recent.forget(table, key),
        }
        Ok(true)
    }

    /// Writes or deletes a row and its key; returns its row id, or `None` if there is nothing to
    /// do.
    fn write_row(
        &self,
        (table, key): (Table, &Key),
        place: &Place,
        row: Option<Raw<'_>>,
    ) -> Result<Option<i64>> {
        let (connection, keys) = (&self.connection, &Layout::of(table).keys);
        let primary = TreeKey::primary(&key.pk, &key.sk);
        let rid = match (place, row) {
            (Place::Taken(old), Some(row)) => {
                records::update(connection, table, key, old.rid, row)?;
                old.rid
            }
            (Place::Free(gap), Some(row)) => {
                let rid = records::insert(connection, table, key, row)?;
                keys.insert_into(connection, gap, &primary, rid)?;
                rid
            }
            (Place::Taken(old), None) => {
                records::delete(connection, table, key, old.rid)?;
                keys.remove(connection, &primary)?;
                old.rid
            }
            (Place::Free(_), None) => return Ok(None),
        };
        Ok(Some(rid))
    }

    /// The number of the record's previous change; 0 for none. It is in the row of an existing
    /// record, and in the tree of deleted records otherwise.
    fn continue_history(
        &self,
        (table, key): (Table, &Key),
        place: &Place,
        stays: bool,
    ) -> Result<i64> {
        let (connection, gone) = (&self.connection, &Layout::of(table).gone);
        let primary = TreeKey::primary(&key.pk, &key.sk);
        if let Place::Taken(old) = place {
            if !stays {
                gone.insert(connection, &primary, self.tail.next())?;
            }
            return Ok(old.seq);
        }
        let number = gone.number(connection, &primary)?;
        if number.is_some() {
            gone.remove(connection, &primary)?;
        }
        Ok(number.unwrap_or(0))
    }

    /// Moves the index entries of a record; an entry whose key stays is not touched.
    fn shift_indexes(
        &self,
        (table, key): (Table, &Key),
        rid: i64,
        old: Option<&Record>,
        new: Option<&Record>,
    ) -> Result<()> {
        for (index, tree) in &Layout::of(table).indexes {
            let old = old.and_then(|record| index.key_of(record));
            let new = new.and_then(|record| index.key_of(record));
            if old == new {
                continue;
            }
            if let Some((ipk, isk)) = old {
                tree.remove(&self.connection, &TreeKey([ipk, &isk, &key.pk, &key.sk]))?;
            }
            if let Some((ipk, isk)) = new {
                tree.insert(&self.connection, &TreeKey([ipk, &isk, &key.pk, &key.sk]), rid)?;
            }
        }
        Ok(())
    }
}
