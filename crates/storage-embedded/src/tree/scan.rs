//! Reading a tree: one key, or a piece of the chain.

use std::ops::ControlFlow;

use larder_storage::{Result, StorageError};
use rusqlite::{Connection, Row, Statement};

use super::entry::END;
use super::{Entry, Tree, TreeKey};
use crate::error::At;

/// Keys from `lower`, included, to `upper`, not included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range<'a> {
    pub(crate) lower: TreeKey<'a>,
    pub(crate) upper: TreeKey<'a>,
}

/// Whether a key was found, with the visitor's result.
pub(crate) enum Lookup<T> {
    Found(T),
    Absent,
}

impl Tree {
    /// Looks up one key and passes its entry and joined row to `read`. `Absent` is not proven yet:
    /// see [`Tree::confirm_absent`].
    pub(crate) fn find_row<T>(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        read: impl FnOnce(&Entry<'_>, &Row<'_>) -> Result<T>,
    ) -> Result<Lookup<T>> {
        self.find_with(&self.find_row, connection, key, read)
    }

    /// Looks up many keys with one statement, and passes each existing one to `read` like
    /// [`Tree::find_row`], with what the caller calls it; the others are proven absent. Must be
    /// called within a transaction.
    pub(crate) fn find_rows<'k, K: Copy, T>(
        &self,
        connection: &Connection,
        keys: impl Iterator<Item = (K, Option<TreeKey<'k>>)>,
        read: impl Fn(K, &Entry<'_>, &Row<'_>) -> Result<Option<T>>,
    ) -> Result<Vec<Option<T>>> {
        let mut statement = connection.prepare_cached(&self.find_row).at(&self.name)?;
        let mut find = |(name, key): (K, Option<TreeKey<'_>>)| {
            let Some(key) = key else { return Ok(None) };
            match self.search(&mut statement, &key, |entry, row| read(name, entry, row))? {
                Lookup::Found(found) => Ok(found),
                Lookup::Absent => self.confirm_absent(connection, &key).map(|_| None),
            }
        };
        keys.map(&mut find).collect()
    }

    /// The number in an entry, or the proof of its absence. Must be called within a transaction.
    pub(crate) fn number(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<Option<i64>> {
        match self.find_with(&self.find, connection, key, |entry, _| Ok(entry.rid))? {
            Lookup::Found(number) => Ok(Some(number)),
            Lookup::Absent => self.confirm_absent(connection, key).map(|_| None),
        }
    }

    pub(super) fn find_with<T>(
        &self,
        sql: &str,
        connection: &Connection,
        key: &TreeKey<'_>,
        read: impl FnOnce(&Entry<'_>, &Row<'_>) -> Result<T>,
    ) -> Result<Lookup<T>> {
        let mut statement = connection.prepare_cached(sql).at(&self.name)?;
        self.search(&mut statement, key, read)
    }

    fn search<T>(
        &self,
        statement: &mut Statement<'_>,
        key: &TreeKey<'_>,
        read: impl FnOnce(&Entry<'_>, &Row<'_>) -> Result<T>,
    ) -> Result<Lookup<T>> {
        self.bind(statement, key)?;
        let mut rows = statement.raw_query();
        let Some(row) = rows.next().at(&self.name)? else { return Ok(Lookup::Absent) };
        let entry = self.entry(row)?;
        if entry.key != *key {
            return Err(self.damaged(key, "the search led to another entry"));
        }
        read(&entry, row).map(Lookup::Found)
    }

    /// Walks the range in either direction until `visit` breaks off, and verifies that it is an
    /// unbroken piece of the chain. Must be called within a transaction.
    pub(crate) fn scan(
        &self,
        connection: &Connection,
        range: &Range<'_>,
        forward: bool,
        mut visit: impl FnMut(&Entry<'_>, &Row<'_>) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let (sql, start) =
            if forward { (&self.scan_up, &range.lower) } else { (&self.scan_down, &range.upper) };
        // Forward: the link that the next row must have. Back: the link that the next row must hold.
        let mut expected = if forward {
            self.before(connection, &range.lower, |entry| Ok(entry.next))?
        } else {
            self.from(connection, &range.upper)?
        };
        let mut statement = connection.prepare_cached(sql).at(&self.name)?;
        self.bind(&mut statement, start)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().at(&self.name)? {
            let entry = self.entry(row)?;
            let link = entry.key.link();
            let (linked, beyond, misplaced) = if forward {
                (link == expected, entry.key >= range.upper, entry.key < range.lower)
            } else {
                (entry.next == expected, entry.key < range.lower, entry.key >= range.upper)
            };
            if !linked || misplaced {
                return Err(self.broken(&entry.key));
            }
            if beyond || visit(&entry, row)?.is_break() {
                return Ok(());
            }
            expected = if forward { entry.next } else { link };
        }
        // Forward, the chain may end here; back, the sentinel must have ended the walk.
        if forward && expected == END { Ok(()) } else { Err(self.broken(start)) }
    }

    /// The last entry before a key with its row, unless that is the sentinel, and the key of the
    /// first entry at or behind it; verified to be neighbours. Must be called within a transaction.
    pub(crate) fn neighbours<T>(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        read: impl FnOnce(&Entry<'_>, &Row<'_>) -> Result<T>,
    ) -> Result<(Option<T>, Option<[String; 4]>)> {
        let mut statement = connection.prepare_cached(&self.from).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        let (next, link) = match rows.next().at(&self.name)? {
            None => (None, END),
            Some(row) => {
                let entry = self.entry(row)?;
                if entry.key < *key {
                    return Err(self.broken(key));
                }
                (Some(entry.key.0.map(str::to_owned)), entry.key.link())
            }
        };
        drop(rows);
        let mut statement = connection.prepare_cached(&self.scan_down).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        let row = rows.next().at(&self.name)?.ok_or_else(|| self.broken(key))?;
        let entry = self.entry(row)?;
        if entry.next != link || entry.key >= *key {
            return Err(self.broken(key));
        }
        let is_record = entry.key != TreeKey::SENTINEL;
        let before = if is_record { Some(read(&entry, row)?) } else { None };
        Ok((before, next))
    }

    /// Walks every entry with its row, the sentinel included, and hands damage to `fault` instead of stopping.
    pub(crate) fn walk_all(
        &self,
        connection: &Connection,
        mut visit: impl FnMut(&Entry<'_>, &Row<'_>) -> Result<()>,
        mut fault: impl FnMut(StorageError) -> Result<()>,
    ) -> Result<()> {
        let mut statement = connection.prepare(&self.all).at(&self.name)?;
        let mut rows = statement.query(()).at(&self.name)?;
        while let Some(row) = rows.next().at(&self.name)? {
            self.entry(row).and_then(|entry| visit(&entry, row)).or_else(&mut fault)?;
        }
        Ok(())
    }

    /// The last entry before a key: there is always one, the sentinel.
    pub(crate) fn before<T>(
        &self,
        connection: &Connection,
        key: &TreeKey<'_>,
        read: impl FnOnce(&Entry<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut statement = connection.prepare_cached(&self.before).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        let row = rows.next().at(&self.name)?.ok_or_else(|| self.broken(key))?;
        let entry = self.entry(row)?;
        if entry.key >= *key {
            return Err(self.broken(key));
        }
        read(&entry)
    }

    /// The link of the first entry at or behind a key.
    fn from(&self, connection: &Connection, key: &TreeKey<'_>) -> Result<i64> {
        let mut statement = connection.prepare_cached(&self.from).at(&self.name)?;
        self.bind(&mut statement, key)?;
        let mut rows = statement.raw_query();
        let Some(row) = rows.next().at(&self.name)? else { return Ok(END) };
        let entry = self.entry(row)?;
        if entry.key < *key { Err(self.broken(key)) } else { Ok(entry.key.link()) }
    }

    pub(super) fn broken(&self, key: &TreeKey<'_>) -> StorageError {
        self.damaged(key, "entries are missing or out of place here")
    }
}
