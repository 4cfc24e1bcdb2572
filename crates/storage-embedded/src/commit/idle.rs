//! The committing thread's work while it is idle.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;

use super::Writer;
use super::checkpoint::merge;
use super::job::Job;
use super::writer::{Aborted, MAX_BATCH};
use crate::readings::keeper::Effort;

impl Writer {
    /// Waits for jobs. While idle, merges pending readings into their blocks in small steps, and
    /// checks for jobs between them.
    pub(super) fn receive(
        &mut self,
        receiver: &mut mpsc::Receiver<Job>,
        jobs: &mut Vec<Job>,
    ) -> usize {
        let mut patience = self.keeper.idle_after();
        while self.keeper.has_work()
            && !self.audience.failure.has_happened()
            && let Some(timer) = &self.timer
        {
            let count = timer.block_on(async {
                timeout(patience, receiver.recv_many(jobs, MAX_BATCH)).await.ok()
            });
            if let Some(count) = count {
                return count;
            }
            patience = Duration::ZERO;
            if let Err(Aborted::Job(error) | Aborted::Commit(error)) = self.step() {
                tracing::error!(%error, "merging readings failed, will retry; they remain in the log");
                break;
            }
            self.checkpoint();
        }
        receiver.blocking_recv_many(jobs, MAX_BATCH)
    }

    /// Merges some of the pending readings into their blocks.
    pub(super) fn step(&mut self) -> Result<(), Aborted> {
        self.attempt_with(Effort::Step, &mut Vec::new(), None)
    }

    /// Merges the write-ahead log if it has grown.
    pub(super) fn checkpoint(&mut self) {
        let writes = std::mem::take(&mut self.writes);
        if self.checkpointer.as_mut().is_some_and(|merger| merger.committed(writes)) {
            merge(&self.connection);
        }
    }
}
