//! The gaps between entries, where new keys go.

use larder_storage::Result;
use rusqlite::Connection;

use super::entry::END;
use super::{Entry, Tree, TreeKey};
use crate::error::At;

/// The entry before a key, as it was read.
pub(crate) struct Gap {
    previous: [String; 4],
    rid: i64,
    /// The link of the entry.
    pub(super) next: i64,
}

impl Gap {
    pub(super) fn behind(entry: &Entry<'_>) -> Self {
        let Entry { key, rid, next } = *entry;
        Self { previous: key.0.map(str::to_owned), rid, next }
    }

    /// The entry before.
    pub(super) fn entry(&self) -> Entry<'_> {
        let key = TreeKey(self.previous.each_ref().map(String::as_str));
        Entry { key, rid: self.rid, next: self.next }
    }
}

impl Tree {
    /// Proves that a key which was not found is absent: the chain skips its place. Returns the gap.
    /// Must be called within the transaction of the search.
    pub(crate) fn confirm_absent(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<Gap> {
        self.gap(connection, key)?.ok_or_else(|| self.broken(key))
    }

    /// The gap of an absent key, with the proof of its absence: the chain skips its place. `None`
    /// if the key exists. Must be called within a transaction.
    pub(crate) fn gap(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<Option<Gap>> {
        let mut statement = connection.prepare_cached(&self.around).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        // There is always an entry before: the sentinel.
        let row = rows.next().at(&self.name)?.ok_or_else(|| self.broken(key))?;
        let before = self.entry(row)?;
        if before.key >= *key {
            return Err(self.broken(key));
        }
        let gap = Gap::behind(&before);
        let following = match rows.next().at(&self.name)? {
            None => END,
            Some(row) => match self.entry(row)? {
                entry if entry.key == *key => return Ok(None),
                entry if entry.key < *key => return Err(self.broken(key)),
                entry => entry.key.link(),
            },
        };
        if gap.next == following { Ok(Some(gap)) } else { Err(self.broken(key)) }
    }

    /// The entry before an existing key, and the link of the key's entry.
    pub(super) fn before_and_after(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
    ) -> Result<(Gap, i64)> {
        let mut statement = connection.prepare_cached(&self.around).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        let row = rows.next().at(&self.name)?.ok_or_else(|| self.broken(key))?;
        let before = Gap::behind(&self.entry(row)?);
        let entry = match rows.next().at(&self.name)? {
            Some(row) => Some(self.entry(row)?).filter(|entry| entry.key == *key),
            None => None,
        };
        let entry = entry.ok_or_else(|| self.damaged(key, "the entry is missing"))?;
        if before.entry().key >= *key || before.next != key.link() {
            return Err(self.broken(key));
        }
        Ok((before, entry.next))
    }

    /// The gap before a key, without a proof of what follows it.
    pub(super) fn gap_before(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<Gap> {
        self.before(connection, key, |entry| Ok(Gap::behind(entry)))
    }
}
