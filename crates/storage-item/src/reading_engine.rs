//! The interface of engines for readings. Most store them as records of the seed's two tables; one
//! with a denser format behaves the same.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    Bucket, BucketFold, HardwareId, HouseholdId, Reading, ReadingPosition, SensorName, SeriesSpan,
};
use larder_storage::{Page, ReadingRange, ReadingState, Result};

use crate::MAX_QUERY_LIMIT;

/// Readings to store.
#[derive(Debug, Clone)]
pub struct AppendReadings {
    /// The owner of the devices; `None`: the operator. Batch ids are unique per household.
    pub household: Option<HouseholdId>,
    /// The readings, none expired, without duplicate batch ids.
    pub readings: Vec<Reading>,
    /// When they arrived.
    pub at: Timestamp,
}

/// A page of a device's readings.
#[derive(Debug, Clone, Copy)]
pub struct ReadingQuery<'a> {
    /// The device.
    pub device: HardwareId,
    /// The part, and its order.
    pub range: ReadingRange,
    /// Continue after this position, which need not exist.
    pub after: Option<&'a ReadingPosition>,
    /// How many at most, up to [`MAX_QUERY_LIMIT`].
    pub limit: usize,
    /// Readings that have expired by then are invisible.
    pub at: Timestamp,
}

/// Stores readings, each once.
#[async_trait]
pub trait ReadingEngine: Send + Sync + 'static {
    /// Stores each reading with its batch id, atomically, unless the batch id is remembered.
    /// Returns the state of each, in order, when all are durable. A reading whose batch id is
    /// forgotten but that still exists (same device, time and batch id) is overwritten.
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>>;

    /// Forgets readings of a device, and the batch ids under which its owner sent them, up to about
    /// `limit`, and returns how many; 0 when none are left.
    async fn forget_readings(
        &self,
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
    ) -> Result<usize>;

    /// A page of readings. Never empty while more follow.
    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>>;

    /// The newest reading of a device.
    async fn latest_reading(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        let range = ReadingRange::newest_first();
        let query = ReadingQuery { device, range, after: None, limit: 1, at };
        Ok(self.find_readings(query).await?.items.pop())
    }

    /// One sensor's series: the buckets that contain a value.
    async fn reading_series(
        &self,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        let mut fold = BucketFold::new(span);
        let range = ReadingRange { from: span.from(), to: span.to(), oldest_first: true };
        let mut after: Option<ReadingPosition> = None;
        loop {
            let limit = MAX_QUERY_LIMIT;
            let query = ReadingQuery { device, range, after: after.as_ref(), limit, at };
            let page = self.find_readings(query).await?;
            for reading in &page.items {
                if let Some(value) = reading.sensors.get(sensor.as_str()) {
                    fold.add(reading.time, *value);
                }
            }
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(fold.finish()),
            }
        }
    }
}
