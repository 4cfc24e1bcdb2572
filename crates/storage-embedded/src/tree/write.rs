//! Changing a tree. A change touches the entry and the one before it, which is nearly always on the same page.

use larder_storage::{Result, StorageError};
use rusqlite::Connection;

use super::entry::END;
use super::{Entry, Gap, Tree, TreeKey};
use crate::error::At;

impl Tree {
    /// Puts the sentinel into a new tree.
    pub(crate) fn plant(&self, connection: &Connection) -> Result<()> {
        self.put(connection, &Entry { key: TreeKey::SENTINEL, rid: 0, next: END })
    }

    /// Adds an absent key.
    pub(crate) fn insert(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        rid: i64,
    ) -> Result<()> {
        let gap = self.gap_before(connection, key)?;
        if !self.relink(connection, &gap, key.link())? {
            return Err(self.unwritable(&gap.entry().key));
        }
        self.put(connection, &Entry { key: *key, rid, next: gap.next })
    }

    /// Adds a key into the gap found by the proof of its absence, in the same transaction. If the
    /// gap has changed since, it is searched again.
    pub(crate) fn insert_into(
        &self,
        connection: &Connection,
        gap: &Gap,
        key: &TreeKey<'_>,
        rid: i64,
    ) -> Result<()> {
        if self.relink(connection, gap, key.link())? {
            self.put(connection, &Entry { key: *key, rid, next: gap.next })
        } else {
            self.insert(connection, key, rid)
        }
    }

    /// Removes an existing key.
    pub(crate) fn remove(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<()> {
        let (gap, next) = self.before_and_after(connection, key)?;
        if !self.relink(connection, &gap, next)? {
            return Err(self.unwritable(&gap.entry().key));
        }
        let mut statement = connection.prepare_cached(&self.remove).at(&self.name)?;
        self.bind(&mut statement, key)?;
        self.one_row(statement.raw_execute().at(&self.name)?, key)
    }

    /// Relinks the entry before a gap, if it is still as it was read; returns whether it was.
    fn relink(&self, connection: &Connection, gap: &Gap, next: i64) -> Result<bool> {
        let before = gap.entry();
        let after = Entry { next, ..before };
        let mut statement = connection.prepare_cached(&self.relink).at(&self.name)?;
        self.bind(&mut statement, &before.key)?;
        let columns = [next, self.checksum(&after), self.checksum(&before)];
        for (at, column) in (self.arity + 1..).zip(columns) {
            statement.raw_bind_parameter(at, column).at(&self.name)?;
        }
        Ok(statement.raw_execute().at(&self.name)? == 1)
    }

    fn put(&self, connection: &Connection, entry: &Entry<'_>) -> Result<()> {
        let mut statement = connection.prepare_cached(&self.insert).at(&self.name)?;
        self.bind(&mut statement, &entry.key)?;
        let columns = [entry.rid, entry.next, self.checksum(entry)];
        for (at, column) in (self.arity + 1..).zip(columns) {
            statement.raw_bind_parameter(at, column).at(&self.name)?;
        }
        self.one_row(statement.raw_execute().at(&self.name)?, &entry.key)
    }

    fn one_row(&self, changed: usize, key: &TreeKey<'_>) -> Result<()> {
        if changed == 1 { Ok(()) } else { Err(self.unwritable(key)) }
    }

    fn unwritable(&self, key: &TreeKey<'_>) -> StorageError {
        self.damaged(key, "the entry cannot be written")
    }
}
