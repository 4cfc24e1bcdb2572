//! Changing a tree. A change touches the entry and the one before it, which is nearly always on the same page.

use larder_storage::Result;
use rusqlite::Connection;

use super::entry::END;
use super::{Entry, Lookup, Tree, TreeKey};
use crate::error::At;

impl Tree {
    /// Puts the sentinel into a new tree.
    pub(crate) fn plant(&self, connection: &Connection) -> Result<()> {
        self.put(connection, &Entry { key: TreeKey::SENTINEL, rid: 0, next: END })
    }

    /// Adds a key that is not there.
    pub(crate) fn insert(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        rid: i64,
    ) -> Result<()> {
        let next = self.relink_before(connection, key, None, key.link())?;
        self.put(connection, &Entry { key: *key, rid, next })
    }

    /// Removes a key that is there.
    pub(crate) fn remove(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<()> {
        let found = self.find_with(&self.find, connection, key, |entry, _| Ok(entry.next))?;
        let Lookup::Found(next) = found else {
            return Err(self.damaged(key, "the entry is missing"));
        };
        self.relink_before(connection, key, Some(key.link()), next)?;
        let mut statement = connection.prepare_cached(&self.remove).at(&self.name)?;
        self.bind(&mut statement, key)?;
        self.one_row(statement.raw_execute().at(&self.name)?, key)
    }

    /// Lets the entry before a key point elsewhere and answers what it pointed to, which must be `expected`
    /// where that is known.
    fn relink_before(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        expected: Option<i64>,
        next: i64,
    ) -> Result<i64> {
        let (owned, rid, pointed_to) = self.before(connection, key, |entry| {
            Ok((entry.key.0.map(str::to_owned), entry.rid, entry.next))
        })?;
        if expected.is_some_and(|expected| expected != pointed_to) {
            return Err(self.broken(key));
        }
        let previous = TreeKey(owned.each_ref().map(String::as_str));
        let crc = self.checksum(&Entry { key: previous, rid, next });
        let mut statement = connection.prepare_cached(&self.relink).at(&self.name)?;
        self.bind(&mut statement, &previous)?;
        statement.raw_bind_parameter(self.arity + 1, next).at(&self.name)?;
        statement.raw_bind_parameter(self.arity + 2, crc).at(&self.name)?;
        self.one_row(statement.raw_execute().at(&self.name)?, &previous)?;
        Ok(pointed_to)
    }

    fn put(&self, connection: &Connection, entry: &Entry<'_>) -> Result<()> {
        let mut statement = connection.prepare_cached(&self.insert).at(&self.name)?;
        self.bind(&mut statement, &entry.key)?;
        let columns = [entry.rid, entry.next, self.checksum(entry)];
        for (at, column) in columns.into_iter().enumerate() {
            statement.raw_bind_parameter(self.arity + 1 + at, column).at(&self.name)?;
        }
        self.one_row(statement.raw_execute().at(&self.name)?, &entry.key)
    }

    fn one_row(&self, changed: usize, key: &TreeKey<'_>) -> Result<()> {
        if changed == 1 { Ok(()) } else { Err(self.damaged(key, "the entry cannot be written")) }
    }
}
