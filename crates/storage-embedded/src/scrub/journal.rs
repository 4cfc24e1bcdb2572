//! The journal: every change, its links, and its heads.

use std::collections::HashMap;

use larder_storage::Result;
use rusqlite::Connection;

use super::{ScrubReport, count};
use crate::error::At;
use crate::journal::{COLUMNS, Thread, row_at, write};
use crate::meta::{self, Counter};

pub(super) fn walk(connection: &Connection, report: &mut ScrubReport) -> Result<()> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let next = meta::read(connection, Counter::NextSequence)?;
    let mut last_under: HashMap<i64, i64> = HashMap::new();
    let mut expected = floor;
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM journal ORDER BY seq")).at("journal")?;
    let mut rows = statement.query(()).at("journal")?;
    while let Some(row) = rows.next().at("journal")? {
        report.rows += 1;
        let Some(row) = report.check(row_at(row))? else { continue };
        report.check(row.entry())?;
        if row.seq != expected {
            report.note(format!("journal {expected}"), "the change is missing");
        }
        expected = row.seq + 1;
        for thread in [Thread::Partition, Thread::Record] {
            let previous = last_under.insert(row.hash(thread), row.seq);
            if row.previous(thread) >= floor && previous != Some(row.previous(thread)) {
                report.note(format!("journal {}", row.seq), "the change before it is missing");
            }
        }
    }
    if expected != next {
        report.note(format!("journal {expected}"), "the change is missing");
    }
    for (hash, seq) in &last_under {
        if report.check(write::head(connection, *hash))? != Some(Some(*seq)) {
            report.note(format!("journal {seq}"), "no head leads to it");
        }
    }
    if count(connection, "journal_heads")? != last_under.len() as u64 {
        report.note("journal_heads", "heads without changes, or changes without heads");
    }
    Ok(())
}
