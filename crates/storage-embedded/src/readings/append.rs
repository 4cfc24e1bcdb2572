//! Taking readings in.

use larder_storage::{ReadingState, Result};
use larder_storage_item::AppendReadings;

use super::section::Arrival;
use crate::commit::Job;
use crate::engine::EmbeddedEngine;

impl EmbeddedEngine {
    /// Keeps readings and answers when they are durable. They are encoded here, on the thread of the one who asks,
    /// so that the committing one has little to do.
    pub(crate) async fn append(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        let arrivals = Arrival::of_request(append);
        if arrivals.is_empty() {
            return Ok(Vec::new());
        }
        self.ask(|reply| Job::Append { arrivals, reply }).await
    }

    /// Puts everything that waits into its blocks, in small steps between the commits of others. It happens by
    /// itself when there is time.
    pub async fn merge_readings(&self) -> Result<()> {
        while self.ask(|reply| Job::Merge { reply }).await? {}
        Ok(())
    }
}
