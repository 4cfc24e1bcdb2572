//! Finishing work that was interrupted.

use jiff::Timestamp;
use larder_storage::Result;

use super::{ItemStore, change_set::Actor};
use crate::{
    MAX_QUERY_LIMIT, Record, RecordEngine,
    layout::job::{self, Job, OpenJob, Work},
};

impl<E: RecordEngine> ItemStore<E> {
    /// Finishes up to `limit` open jobs, the oldest first, and returns their number. A failing job
    /// does not stop the others; its error is returned at the end.
    pub(super) async fn resume_jobs(&self, at: Timestamp, limit: usize) -> Result<u64> {
        let found = self.engine.query(&job::oldest_first(limit.clamp(1, MAX_QUERY_LIMIT))).await?;
        let (mut resumed, mut failure) = (0, None);
        for record in &found.records {
            match self.resume_job(record, at).await {
                Ok(was_open) => resumed += u64::from(was_open),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(resumed), Err)
    }

    /// Finishes one job; `false` if it was already finished, and the index is stale.
    async fn resume_job(&self, found: &Record, at: Timestamp) -> Result<bool> {
        match OpenJob::from_record(found)? {
            OpenJob::Cascade(shown) => self.finish_tree_deletion(&shown.deletion, at).await,
            OpenJob::Item(job) => {
                let is_open = self.get(&job.key()).await?.is_some();
                if is_open {
                    self.finish_job(job, at).await?;
                }
                Ok(is_open)
            }
        }
    }

    /// Completes a job about an item, as the system. Idempotent.
    async fn finish_job(&self, job: Job, at: Timestamp) -> Result<()> {
        match job.work {
            Work::Unlink => self.finish_unlink(Actor::System, job, at).await,
            Work::Rename => self.finish_rename(job, at).await,
        }
    }
}
