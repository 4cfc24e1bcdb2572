//! The log of readings: one row for each commit that stored some. Its content is durable until it
//! has been merged into blocks; then it is deleted, oldest first, so that the numbers of its rows
//! have no gaps.

use larder_storage::{Result, StorageError};
use rusqlite::Connection;

use super::section::{self, Arrival};
use crate::checksum::Checksum;
use crate::error::{At, corrupt};
use crate::meta::{self, Counter};

const NAME: &str = "reading_log";

/// The range of existing rows. Reloaded after a rollback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Log {
    first: i64,
    next: i64,
}

impl Log {
    /// Loads the range of the committed log.
    pub(crate) fn load(connection: &Connection) -> Result<Self> {
        let first = meta::read(connection, Counter::LogFirst)?;
        let next = meta::read(connection, Counter::LogNext)?;
        if first > next {
            return Err(corrupt(NAME, "it ends before it begins"));
        }
        Ok(Self { first, next })
    }

    /// The number of the next row.
    pub(crate) const fn next(&self) -> i64 {
        self.next
    }

    /// The number of rows.
    pub(crate) const fn rows(&self) -> i64 {
        self.next - self.first
    }

    /// Writes the next row.
    pub(crate) fn append(&mut self, connection: &Connection, body: &[u8]) -> Result<()> {
        let sql = "INSERT INTO reading_log VALUES (?1, ?2, ?3)";
        let mut statement = connection.prepare_cached(sql).at(NAME)?;
        statement.execute((self.next, body, checksum(self.next, body))).at(NAME)?;
        self.next += 1;
        meta::write(connection, Counter::LogNext, self.next)
    }

    /// Deletes the rows before this one.
    pub(crate) fn trim(&mut self, connection: &Connection, first: i64) -> Result<()> {
        if first <= self.first {
            return Ok(());
        }
        let sql = "DELETE FROM reading_log WHERE seq < ?1";
        let deleted = connection.prepare_cached(sql).at(NAME)?.execute((first,)).at(NAME)?;
        if i64::try_from(deleted) != Ok(first - self.first) {
            return Err(corrupt(NAME, format!("rows from {} to {first} are missing", self.first)));
        }
        self.first = first;
        meta::write(connection, Counter::LogFirst, first)
    }

    /// Reads every row, in order, with its number. Damage is an error that names the row.
    pub(crate) fn replay(
        self,
        connection: &Connection,
        mut visit: impl FnMut(i64, Vec<Arrival>),
    ) -> Result<()> {
        let sql = "SELECT seq, body, crc FROM reading_log ORDER BY seq";
        let mut statement = connection.prepare(sql).at(NAME)?;
        let mut rows = statement.query(()).at(NAME)?;
        let mut expected = self.first;
        while let Some(row) = rows.next().at(NAME)? {
            let seq = row.get_ref(0).at(NAME)?.as_i64().at(NAME)?;
            if seq != expected || seq >= self.next {
                return Err(corrupt(
                    label(expected.min(seq)),
                    "the row is missing or out of place",
                ));
            }
            let named = |error: StorageError| corrupt(label(seq), error.to_string());
            let body = row.get_ref(1).at(NAME)?.as_blob().at(NAME).map_err(named)?;
            let crc = row.get_ref(2).at(NAME)?.as_i64().at(NAME).map_err(named)?;
            if crc != checksum(seq, body) {
                return Err(corrupt(label(seq), "the row does not match its checksum"));
            }
            let arrivals =
                section::read_all(body).map_err(|error| corrupt(label(seq), error.to_string()))?;
            visit(seq, arrivals);
            expected += 1;
        }
        if expected == self.next {
            Ok(())
        } else {
            Err(corrupt(label(expected), "the row is missing or out of place"))
        }
    }
}

/// The name of a row in errors.
fn label(seq: i64) -> String {
    format!("{NAME} {seq}")
}

fn checksum(seq: i64, body: &[u8]) -> i64 {
    Checksum::of(NAME).int(seq).bytes(body).value()
}
