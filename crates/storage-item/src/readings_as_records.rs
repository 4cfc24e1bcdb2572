//! Readings as the records of seed 002, for engines without a denser form of their own.

mod append;
mod find;
mod forget;

use async_trait::async_trait;
use larder_domain::{HardwareId, HouseholdId, Reading, ReadingPosition};
use larder_storage::{Page, ReadingState, Result};

use crate::{AppendReadings, ReadingEngine, ReadingQuery, RecordEngine};

/// An engine that stores each reading as a record, with another for its batch id: implementing this
/// makes it a [`ReadingEngine`].
pub trait ReadingsAsRecords: RecordEngine {}

#[async_trait]
impl<E: ReadingsAsRecords> ReadingEngine for E {
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        append::append(self, &append).await
    }

    async fn forget_readings(
        &self,
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
    ) -> Result<usize> {
        forget::forget(self, device, household, limit).await
    }

    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>> {
        find::find(self, &query).await
    }
}
