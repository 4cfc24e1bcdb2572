//! Readings and batch ids as the records that other engines store: one for each.

mod batches;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::Timestamp;
use larder_domain::{HardwareId, Reading};
use larder_storage::{Result, StorageError};
use larder_storage_item::{
    Action, Key, MAX_QUERY_LIMIT, Position, Query, QueryPage, Record, ScanPage, Table, Transaction,
    reading_record,
};
use rusqlite::Connection;

use super::block;
use super::read::{Part, Sources, collect};
use crate::layout::Layout;
use crate::query::Bounds;
use crate::tree::{Range, TreeKey};

/// Before every key, and after the sentinel.
const FIRST: &str = "\0";
/// Behind every key of readings and batch ids, which are plain ASCII.
const BEHIND_ALL: &str = "\u{80}";

/// Whether records of this table are only a view of another form.
pub(crate) const fn is_view(table: Table) -> bool {
    matches!(table, Table::DeviceReadings | Table::ProcessedBatches)
}

/// Refuses writes that are reserved for a [`larder_storage_item::ReadingEngine`].
pub(crate) fn refuse_to_write(transaction: &Transaction) -> Result<()> {
    match transaction.actions.iter().map(Action::table).find(|table| is_view(*table)) {
        None => Ok(()),
        Some(table) => {
            Err(StorageError::Defect(format!("{} is not written record by record", table.name())))
        }
    }
}

impl Sources<'_> {
    /// One record.
    pub(crate) fn record(&self, table: Table, key: &Key, at: Timestamp) -> Result<Option<Record>> {
        if table == Table::ProcessedBatches {
            return self.batch_record(key, at);
        }
        let Ok(device) = key.pk.parse() else { return Ok(None) };
        let (lower, upper) = (key.sk.clone(), format!("{}\0", key.sk));
        let part = Part { device, lower, upper, forward: true };
        self.readings(&part, 1, at)?.first().map(reading_record).transpose()
    }

    /// A page of a partition.
    pub(crate) fn query(&self, query: &Query, at: Timestamp) -> Result<QueryPage> {
        if let Some(index) = query.index {
            let name = query.table.name();
            return Err(StorageError::Defect(format!("{name} has no index {}", index.name)));
        }
        if query.table == Table::ProcessedBatches {
            return self.query_batch(query, at);
        }
        let bounds = Bounds::of(query);
        let (Ok(device), Some(Range { lower, upper })) = (query.pk.parse(), bounds.range()) else {
            return Ok(QueryPage::default());
        };
        let limit = query.limit.clamp(1, MAX_QUERY_LIMIT);
        // The end of the partition, or a place within.
        let upper = if upper.0[0] == query.pk { upper.0[1] } else { BEHIND_ALL };
        let (lower, upper) = (lower.0[1].to_owned(), upper.to_owned());
        let part = Part { device, lower, upper, forward: query.forward };
        let mut readings = self.readings(&part, limit + 1, at)?;
        let more = readings.len() > limit;
        readings.truncate(limit);
        let last = readings.last().filter(|_| more).map(block::key);
        let next = last.map(|key| Position { sort: key.sk.clone(), key });
        let records = readings.iter().map(reading_record).collect::<Result<_>>()?;
        Ok(QueryPage { records, next })
    }

    /// A page of a whole table.
    pub(crate) fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
        at: Timestamp,
    ) -> Result<ScanPage> {
        let limit = limit.clamp(1, MAX_QUERY_LIMIT);
        if table == Table::ProcessedBatches {
            return self.scan_batches(start_after, limit, at);
        }
        let mut pending: BTreeMap<String, Vec<Arc<Reading>>> = BTreeMap::new();
        for waiting in self.pending.all()? {
            let of_device = pending.entry(waiting.reading.hardware_id.to_string()).or_default();
            of_device.push(waiting.reading);
        }
        let mut readings = self.readers.read_snapshot(|connection| {
            scan_readings(connection, pending, start_after, limit + 1, at)
        })?;
        let more = readings.len() > limit;
        readings.truncate(limit);
        let next = readings.last().filter(|_| more).map(block::key);
        let records = readings.iter().map(reading_record).collect::<Result<_>>()?;
        Ok(ScanPage { records, next })
    }

    /// The first readings of a part.
    fn readings(&self, part: &Part, limit: usize, at: Timestamp) -> Result<Vec<Reading>> {
        let pending = self.pending_of(part.device)?;
        self.readers.read_snapshot(|connection| {
            collect(connection, part, pending, |reading| part.contains(reading), limit, at)
        })
    }
}

/// The first readings after a key, device by device.
fn scan_readings(
    connection: &Connection,
    mut pending: BTreeMap<String, Vec<Arc<Reading>>>,
    start_after: Option<&Key>,
    limit: usize,
    at: Timestamp,
) -> Result<Vec<Reading>> {
    let mut readings = Vec::new();
    let mut from = start_after.map_or_else(|| FIRST.to_owned(), |key| key.pk.clone());
    while readings.len() < limit {
        let in_file = first_partition(connection, Table::DeviceReadings, &from)?;
        let waiting = pending.range(from.clone()..).next().map(|(pk, _)| pk.clone());
        let Some(pk) = in_file.into_iter().chain(waiting).min() else { break };
        let device = device_of(&pk)?;
        let behind = start_after.filter(|key| key.pk == pk).map(|key| format!("{}\0", key.sk));
        let part = Part::from(device, behind.unwrap_or_default());
        let waiting = pending.remove(&pk).unwrap_or_default();
        let left = limit - readings.len();
        let is_wanted = |reading: &Reading| part.contains(reading);
        readings.append(&mut collect(connection, &part, waiting, is_wanted, left, at)?);
        from = format!("{pk}\0");
    }
    Ok(readings)
}

/// The first partition of a table in the file at or after this one.
pub(super) fn first_partition(
    connection: &Connection,
    table: Table,
    from: &str,
) -> Result<Option<String>> {
    let from = if from.is_empty() { FIRST } else { from };
    let lower = TreeKey::primary(from, "");
    let range = Range { lower, upper: TreeKey::primary(BEHIND_ALL, "") };
    let mut first = None;
    if lower < range.upper {
        Layout::of(table).keys.scan(connection, &range, true, |entry, _| {
            first = Some(entry.key.0[0].to_owned());
            Ok(ControlFlow::Break(()))
        })?;
    }
    Ok(first)
}

fn device_of(pk: &str) -> Result<HardwareId> {
    pk.parse().map_err(|_| {
        crate::error::corrupt(format!("device_readings {pk}"), "its key names no device")
    })
}
