//! The store's own counters.

use larder_storage::Result;
use rusqlite::{Connection, OptionalExtension};

use crate::checksum::Checksum;
use crate::error::{At, corrupt};

/// One of the numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counter {
    /// The number of the next change; numbers are never used again, even when the journal is empty.
    NextSequence,
    /// The number of the oldest change that is kept.
    JournalFloor,
    /// The number of the oldest row of the log of readings.
    LogFirst,
    /// The number of the next row of the log of readings. The log has no gaps.
    LogNext,
}

impl Counter {
    const ALL: [Self; 4] = [Self::NextSequence, Self::JournalFloor, Self::LogFirst, Self::LogNext];

    /// The counters added after this format. All begin at 1.
    pub(crate) fn after(format: i64) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |counter| counter.format() > format)
    }

    /// The format that added it.
    const fn format(self) -> i64 {
        match self {
            Self::NextSequence | Self::JournalFloor => 1,
            Self::LogFirst | Self::LogNext => 2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::NextSequence => "next_sequence",
            Self::JournalFloor => "journal_floor",
            Self::LogFirst => "reading_log_first",
            Self::LogNext => "reading_log_next",
        }
    }
}

/// Reads one of the numbers.
pub(crate) fn read(connection: &Connection, counter: Counter) -> Result<i64> {
    let name = counter.name();
    let sql = "SELECT value, crc FROM meta WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql).at("meta")?;
    let mut rows = statement.query((name,)).at("meta")?;
    let row = rows.next().at("meta")?.ok_or_else(|| corrupt(format!("meta {name}"), "missing"))?;
    let int = |at| row.get_ref(at).at("meta")?.as_i64().at("meta");
    let (value, crc): (i64, i64) = (int(0)?, int(1)?);
    if crc != checksum(name, value) {
        return Err(corrupt(format!("meta {name}"), "the number does not match its checksum"));
    }
    Ok(value)
}

/// Writes one of the numbers.
pub(crate) fn write(connection: &Connection, counter: Counter, value: i64) -> Result<()> {
    let name = counter.name();
    let sql = "INSERT INTO meta VALUES (?1, ?2, ?3) \
               ON CONFLICT(name) DO UPDATE SET value = excluded.value, crc = excluded.crc";
    let mut statement = connection.prepare_cached(sql).at("meta")?;
    statement.execute((name, value, checksum(name, value))).at("meta")?;
    Ok(())
}

/// Writes an unused number, a different one each time, because SQLite does not write an unchanged
/// page.
pub(crate) fn touch(connection: &Connection) -> Result<()> {
    let name = "touched";
    let sql = "SELECT value FROM meta WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql).at("meta")?;
    let last: Option<i64> = statement.query_row((name,), |row| row.get(0)).optional().at("meta")?;
    let next = last.unwrap_or(0).wrapping_add(1);
    let sql = "INSERT INTO meta VALUES (?1, ?2, ?3) \
               ON CONFLICT(name) DO UPDATE SET value = excluded.value, crc = excluded.crc";
    let mut statement = connection.prepare_cached(sql).at("meta")?;
    statement.execute((name, next, checksum(name, next))).at("meta")?;
    Ok(())
}

fn checksum(name: &str, value: i64) -> i64 {
    Checksum::of("meta").text(name).int(value).value()
}
