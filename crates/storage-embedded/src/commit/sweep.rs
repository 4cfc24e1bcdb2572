//! Deleting expired records in small batches, so that writers never wait long.

use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Table};

use super::Writer;
use super::apply::Author;
use crate::error::At;
use crate::layout::Layout;
use crate::readings::sweep::sweep_row;
use crate::records::{self, Place};

/// How many records, blocks and journal entries are deleted in one batch.
const RECORDS_AT_ONCE: usize = 100;
const BLOCKS_AT_ONCE: usize = 16;
const CHANGES_AT_ONCE: usize = 500;

/// Numbers of deleted records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Expired records, readings and batch ids.
    pub records: usize,
    /// Changes past the journal's retention.
    pub journal_entries: usize,
}

impl Swept {
    /// Whether there may be more to delete.
    pub(crate) fn may_have_left_some(self) -> bool {
        self.records >= RECORDS_AT_ONCE || self.journal_entries >= CHANGES_AT_ONCE
    }
}

impl Writer {
    pub(super) fn sweep(&mut self) -> Result<Swept> {
        let mut swept = Swept::default();
        for layout in Layout::all().iter().filter(|layout| layout.table.ttl_attribute().is_some()) {
            swept.records += self.sweep_records(layout)?;
        }
        let cutoff = self.clock.now().checked_sub(self.journal_retention);
        if let Ok(cutoff) = cutoff {
            swept.journal_entries =
                self.tail.expire(&self.connection, cutoff.as_microsecond(), CHANGES_AT_ONCE)?;
        }
        Ok(swept)
    }

    fn sweep_records(&mut self, layout: &Layout) -> Result<usize> {
        let now = self.clock.now();
        let author = Author { actor: "system", at_us: now.as_microsecond() };
        let (mut deleted, mut last) = (0, (i64::MIN, 0));
        // Damaged records stay; continuing after them keeps them from blocking the others.
        while deleted < RECORDS_AT_ONCE
            && let page = self.expired(layout, now.as_second(), last)?
            && let Some(end) = page.last()
        {
            last = end.0;
            for (_, key) in page {
                deleted += match layout.table {
                    Table::DeviceReadings | Table::ProcessedBatches => {
                        self.writes += 1;
                        sweep_row(&self.connection, layout.table, &key, now.as_second())?
                    }
                    _ => usize::from(self.sweep_record(layout, &key, author)?),
                };
            }
        }
        Ok(deleted)
    }

    /// Deletes a record if it has expired; returns whether it did.
    fn sweep_record(&mut self, layout: &Layout, key: &Key, author: Author<'_>) -> Result<bool> {
        let now_s = self.clock.now().as_second();
        match records::get(&self.connection, layout.table, key) {
            Ok(Some(stored)) if !stored.visible(now_s) => {
                self.apply(author, (layout.table, key), (&Place::Taken(stored.into()), true), None)
            }
            Ok(_) => Ok(false),
            // Reads of the record report the damage; the sweep continues with the others.
            Err(StorageError::Corrupt { record, reason }) => {
                tracing::error!(record, reason, "expired record not deleted: damaged");
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The next expired records after a position, which is expiry and row id.
    fn expired(
        &self,
        layout: &Layout,
        now_s: i64,
        (expires_at, rid): (i64, i64),
    ) -> Result<Vec<((i64, i64), Key)>> {
        let place = layout.table.name();
        let mut statement = self.connection.prepare_cached(&layout.expired).at(place)?;
        let limit = match layout.table {
            Table::DeviceReadings | Table::ProcessedBatches => BLOCKS_AT_ONCE,
            _ => RECORDS_AT_ONCE,
        };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let keys = statement.query_map((now_s, expires_at, rid, limit), |row| {
            Ok(((row.get(0)?, row.get(1)?), Key { pk: row.get(2)?, sk: row.get(3)? }))
        });
        keys.at(place)?.collect::<rusqlite::Result<_>>().at(place)
    }
}
