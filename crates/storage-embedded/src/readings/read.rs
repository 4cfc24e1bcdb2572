//! Reading readings, both merged and pending. A reader first takes the pending ones and then a
//! snapshot of the file, so that a reading that is merged meanwhile is seen twice rather than not
//! at all; the pending one is newer then.

mod blocks;
mod collect;
mod part;
mod series;

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    Bucket, BucketFold, HardwareId, HouseholdId, Reading, ReadingPosition, SensorName, SeriesSpan,
};
use larder_storage::{Page, ReadingRange, ReadingState, Result};
use larder_storage_item::{AppendReadings, MAX_QUERY_LIMIT, ReadingEngine, ReadingQuery};

pub(super) use collect::collect;
pub(super) use part::Part;

use super::latest::{Find, Latest};
use super::pending::Pending;
use crate::commit::Job;
use crate::engine::EmbeddedEngine;
use crate::pool::ReaderPool;

/// The sources that readings are read from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'e> {
    pub(crate) readers: &'e ReaderPool,
    pub(crate) pending: &'e Pending,
    pub(crate) latest: &'e Latest,
}

#[async_trait]
impl ReadingEngine for EmbeddedEngine {
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        self.append(append).await
    }

    async fn forget_readings(
        &self,
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
    ) -> Result<usize> {
        loop {
            let forget = |reply| Job::ForgetReadings { device, household, limit, reply };
            let forgotten = self.ask(forget).await?;
            if forgotten > 0 || self.reading_sources().pending.sections(device).is_empty() {
                return Ok(forgotten);
            }
            self.ask(|reply| Job::Merge { reply }).await?;
        }
    }

    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>> {
        self.reading_sources().find(query)
    }

    async fn latest_reading(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        self.reading_sources().newest(device, at)
    }

    async fn reading_series(
        &self,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        let mut fold = BucketFold::new(span);
        let mut part = Part::of_span(device, span);
        while let Some(next) = self.reading_sources().fold(&part, sensor, at, &mut fold)? {
            part.lower = next;
            // Long spans are read in pieces, and yield in between.
            tokio::task::yield_now().await;
        }
        Ok(fold.finish())
    }
}

impl Sources<'_> {
    /// A page of a device's readings.
    fn find(&self, query: ReadingQuery<'_>) -> Result<Page<Reading, ReadingPosition>> {
        let ReadingQuery { device, range, after, limit, at } = query;
        let limit = limit.clamp(1, MAX_QUERY_LIMIT);
        let Some(part) = Part::of_range(device, range, after) else {
            return Ok(Page::EMPTY);
        };
        let is_wanted = |reading: &Reading| {
            let is_behind = |after: &ReadingPosition| {
                let order = (reading.time, &reading.batch_id).cmp(&(after.time, &after.batch_id));
                if range.oldest_first { order.is_gt() } else { order.is_lt() }
            };
            (range.from..=range.to).contains(&reading.time) && after.is_none_or(is_behind)
        };
        let pending = self.pending_of(device)?;
        let readings = self.readers.read_snapshot(|connection| {
            collect(connection, &part, pending, is_wanted, limit + 1, at)
        })?;
        Ok(Page::cut(readings, limit, Reading::position))
    }

    /// The newest reading of a device, mostly from the cache.
    fn newest(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        let newest = match self.latest.find(device) {
            Find::Cached(newest) => newest,
            Find::Miss(search) => {
                let newest = self.look_for_newest(device, Timestamp::MIN)?.map(Arc::new);
                self.latest.found(&search, newest.clone());
                newest
            }
        };
        match newest {
            // An older one may have a longer retention.
            Some(newest) if newest.has_expired(at) => self.look_for_newest(device, at),
            newest => Ok(newest.map(Arc::unwrap_or_clone)),
        }
    }

    /// The newest reading of a device that has not expired by a time.
    fn look_for_newest(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        let range = ReadingRange::newest_first();
        let query = ReadingQuery { device, range, after: None, limit: 1, at };
        Ok(self.find(query)?.items.pop())
    }

    /// The pending readings of a device, in order.
    pub(super) fn pending_of(&self, device: HardwareId) -> Result<Vec<Arc<Reading>>> {
        let waiting = self.pending.of_device(device)?;
        Ok(waiting.into_iter().map(|waiting| waiting.reading).collect())
    }
}
