//! Appending readings.

use larder_storage::{ReadingState, Result};
use larder_storage_item::AppendReadings;

use super::section::Arrival;
use crate::commit::Job;
use crate::engine::EmbeddedEngine;

impl EmbeddedEngine {
    /// Stores readings and returns when they are durable. They are encoded here, on the caller's
    /// thread, to keep the committing thread free.
    pub(crate) async fn append(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        let arrivals = Arrival::of_request(append);
        if arrivals.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(|reply| Job::Append { arrivals, reply }).await
    }

    /// Merges all pending readings into their blocks, in small steps between other commits. Also
    /// happens whenever the store is idle.
    pub async fn merge_readings(&self) -> Result<()> {
        while self.ask(|reply| Job::Merge { reply }).await? {}
        Ok(())
    }
}
