//! Work that was interrupted.

use larder_storage::Result;

use super::{Caretaker, Job, Stopping, is_stopping, stopped};

/// Jobs per query.
const AT_ONCE: usize = 20;
/// The maximal number of queries per run. A job that cannot be finished must not keep a server busy
/// forever.
const MOST_ROUNDS: usize = 200;
/// The number of rounds between progress logs of a long run.
const TOLD_EVERY: usize = 20;

impl Caretaker {
    /// Finishes work that was interrupted by a crash, and returns the number of jobs. `None` while
    /// another server does.
    pub async fn resume_work(&self, stopping: &Stopping) -> Result<Option<u64>> {
        self.alone(Job::Work, stopping, self.resume_all(stopping)).await
    }

    async fn resume_all(&self, stopping: &Stopping) -> Result<u64> {
        let (mut done, mut told) = (0, stopping.clone());
        for round in 1..=MOST_ROUNDS {
            if is_stopping(stopping) {
                break;
            }
            // A tree of resources may take longer than a stopping server has. Dropped work is found
            // again.
            let found = tokio::select! {
                biased;
                found = self.storage.resume_work(self.now(), AT_ONCE) => found?,
                () = stopped(&mut told) => break,
            };
            done += found;
            if found == 0 {
                break;
            }
            if round % TOLD_EVERY == 0 {
                tracing::info!(done, "interrupted work in progress");
            }
        }
        if done > 0 {
            tracing::info!(done, "interrupted work finished");
        }
        Ok(done)
    }
}
