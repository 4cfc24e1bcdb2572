//! Readings, in a table partitioned by week.

mod ingest;
mod json;
mod list;
mod row;
mod sending;
mod series;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan};
use larder_storage::{FleetScope, Ingest, NewReadings, Page, ReadingRange, Readings, Result};

use crate::PostgresStore;
use sending::Sending;

#[async_trait]
impl Readings for PostgresStore {
    async fn ingest(&self, scope: FleetScope, readings: NewReadings) -> Result<Ingest> {
        let sending = Sending::new(&readings);
        self.database.retry(|| self.send(scope, &sending)).await
    }

    async fn latest_reading(
        &self,
        scope: FleetScope,
        device: HardwareId,
        at: Timestamp,
    ) -> Result<Option<Reading>> {
        self.database.retry(|| self.newest_reading(scope, device, at)).await
    }

    async fn list_readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Reading, ReadingPosition>> {
        let page = || self.readings_page(scope, device, range, after, limit, at);
        self.database.retry(page).await
    }

    async fn reading_series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        self.database.retry(|| self.series(scope, device, sensor, span, at)).await
    }
}
