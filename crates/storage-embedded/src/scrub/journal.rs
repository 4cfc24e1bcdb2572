//! The journal: every change, its links, and its heads.

use std::collections::{HashMap, HashSet};

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::Connection;
use xxhash_rust::xxh3::xxh3_64;

use super::{ScrubReport, count};
use crate::error::At;
use crate::journal::{COLUMNS, row_at, write};
use crate::meta::{self, Counter};

/// The last change of each record according to the journal, to be compared with the records.
pub(super) struct Histories {
    floor: i64,
    last: HashMap<u64, i64>,
    forgotten: HashSet<i64>,
}

impl Histories {
    /// Compares with a record, once for each record. An unjournaled record always agrees: a file
    /// may contain old journal entries of it.
    pub(super) fn agree(&mut self, table: Table, key: &Key, seq: i64) -> bool {
        if !table.is_journaled(key) {
            return true;
        }
        self.last
            .remove(&hash(table, &key.pk, &key.sk))
            .map_or(seq < self.floor || self.forgotten.contains(&seq), |last| last == seq)
    }

    /// Notes the changes that no record led to.
    pub(super) fn finish(self, report: &mut ScrubReport) {
        for seq in self.last.into_values() {
            report.note(format!("journal {seq}"), "no record leads to it");
        }
    }
}

fn hash(table: Table, pk: &str, sk: &str) -> u64 {
    // No key has a NUL: the layouts write none.
    xxh3_64(format!("{}\0{pk}\0{sk}", table.name()).as_bytes())
}

pub(super) fn walk(connection: &Connection, report: &mut ScrubReport) -> Result<Histories> {
    let floor = meta::read(connection, Counter::JournalFloor)?;
    let next = meta::read(connection, Counter::NextSequence)?;
    let mut partitions: HashMap<i64, i64> = HashMap::new();
    let mut records: HashMap<u64, i64> = HashMap::new();
    let mut unjournaled: HashSet<u64> = HashSet::new();
    let mut forgotten: HashSet<i64> = HashSet::new();
    let mut expected = floor;
    let mut statement =
        connection.prepare(&format!("SELECT {COLUMNS} FROM journal ORDER BY seq")).at("journal")?;
    let mut rows = statement.query(()).at("journal")?;
    while let Some(row) = rows.next().at("journal")? {
        report.rows += 1;
        let Some(row) = report.check(row_at(row))? else { continue };
        if row.is_forgotten() {
            if row.seq != expected {
                report.note(format!("journal {expected}"), "the change is missing");
            }
            expected = row.seq + 1;
            let seen = partitions.insert(row.partition_hash, row.seq);
            if row.partition_previous >= floor && seen != Some(row.partition_previous) {
                report.note(format!("journal {}", row.seq), "the change before it is missing");
            }
            forgotten.insert(row.seq);
            continue;
        }
        let Some(entry) = report.check(row.entry())? else { continue };
        if row.seq != expected {
            report.note(format!("journal {expected}"), "the change is missing");
        }
        expected = row.seq + 1;
        let record = hash(entry.table, row.pk, row.sk);
        if !entry.table.is_journaled(&entry.key) {
            unjournaled.insert(record);
        }
        let before = [
            (partitions.insert(row.partition_hash, row.seq), row.partition_previous),
            (records.insert(record, row.seq), row.record_previous),
        ];
        let is_missing = |(seen, told): &(Option<i64>, i64)| {
            *told >= floor && *seen != Some(*told) && !forgotten.contains(told)
        };
        if before.iter().any(is_missing) {
            report.note(format!("journal {}", row.seq), "the change before it is missing");
        }
    }
    if expected != next {
        report.note(format!("journal {expected}"), "the change is missing");
    }
    for (hash, seq) in &partitions {
        if report.check(write::head(connection, *hash))? != Some(Some(*seq)) {
            report.note(format!("journal {seq}"), "no head leads to it");
        }
    }
    if count(connection, "journal_heads")? != partitions.len() as u64 {
        report.note("journal_heads", "heads without changes, or changes without heads");
    }
    records.retain(|record, _| !unjournaled.contains(record));
    Ok(Histories { floor, last: records, forgotten })
}
