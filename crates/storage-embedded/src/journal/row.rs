//! One row of the journal.

use jiff::Timestamp;
use larder_storage::Result;
use larder_storage_item::{JournalEntry, Key, Table};
use rusqlite::Row;

use super::numbered_table;
use crate::checksum::Checksum;
use crate::codec;
use crate::error::{At, corrupt};
use crate::records;

/// The columns in the order that [`row_at`] reads.
pub(crate) const COLUMNS: &str = "seq, at_us, actor, tbl, pk, sk, old, new, partition_hash, \
     partition_previous, record_previous, crc";

/// The table of a change that is forgotten: its content is gone, and its links remain.
pub(super) const FORGOTTEN: i64 = 0;

/// A change as it lies in its row, borrowed.
#[derive(Clone, Copy)]
pub(crate) struct JournalRow<'r> {
    pub(crate) seq: i64,
    pub(crate) at_us: i64,
    pub(crate) actor: &'r str,
    pub(crate) tbl: i64,
    pub(crate) pk: &'r str,
    pub(crate) sk: &'r str,
    /// As a diff to `new`, if there is one; else the whole old record.
    pub(crate) old: Option<&'r [u8]>,
    pub(crate) new: Option<&'r [u8]>,
    pub(crate) partition_hash: i64,
    pub(crate) partition_previous: i64,
    pub(crate) record_previous: i64,
}

impl JournalRow<'_> {
    pub(crate) fn checksum(&self) -> i64 {
        Checksum::of("journal")
            .int(self.seq)
            .int(self.at_us)
            .text(self.actor)
            .int(self.tbl)
            .text(self.pk)
            .text(self.sk)
            .optional_bytes(self.old)
            .optional_bytes(self.new)
            .int(self.partition_hash)
            .int(self.partition_previous)
            .int(self.record_previous)
            .value()
    }

    /// Whether it was forgotten.
    pub(crate) const fn is_forgotten(&self) -> bool {
        self.tbl == FORGOTTEN
    }

    /// The record that was changed.
    pub(crate) fn subject(&self) -> Result<(Table, Key)> {
        let table =
            numbered_table(self.tbl).ok_or_else(|| corrupt(place(self.seq), "no such table"))?;
        Ok((table, Key::new(self.pk, self.sk)))
    }

    /// The change as readers see it.
    pub(crate) fn entry(&self) -> Result<JournalEntry> {
        let place = || place(self.seq);
        let (table, key) = self.subject()?;
        let whole = |body| records::decode(table, &key, body);
        let new = self.new.map(whole).transpose()?;
        let old = match (self.old, &new) {
            (None, _) => None,
            (Some(body), None) => Some(whole(body)?),
            (Some(difference), Some(new)) => Some(
                codec::revert(new, difference)
                    .map_err(|error| corrupt(place(), error.to_string()))?,
            ),
        };
        let at = Timestamp::from_microsecond(self.at_us)
            .map_err(|error| corrupt(place(), error.to_string()))?;
        let sequence = self.seq.cast_unsigned();
        Ok(JournalEntry { sequence, at, actor: self.actor.to_owned(), table, key, old, new })
    }
}

/// The name of a change in errors.
pub(crate) fn place(seq: i64) -> String {
    format!("journal {seq}")
}

/// Reads and verifies a row of [`COLUMNS`].
pub(crate) fn row_at<'r>(row: &'r Row<'_>) -> Result<JournalRow<'r>> {
    let name = "journal";
    let int = |at| row.get_ref(at).at(name)?.as_i64().at(name);
    let text = |at| row.get_ref(at).at(name)?.as_str().at(name);
    let blob = |at| row.get_ref(at).at(name)?.as_blob_or_null().at(name);
    let journal_row = JournalRow {
        seq: int(0)?,
        at_us: int(1)?,
        actor: text(2)?,
        tbl: int(3)?,
        pk: text(4)?,
        sk: text(5)?,
        old: blob(6)?,
        new: blob(7)?,
        partition_hash: int(8)?,
        partition_previous: int(9)?,
        record_previous: int(10)?,
    };
    if int(11)? != journal_row.checksum() {
        return Err(corrupt(place(journal_row.seq), "the change does not match its checksum"));
    }
    Ok(journal_row)
}
