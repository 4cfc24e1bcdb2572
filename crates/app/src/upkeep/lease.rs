//! One server at a time: a lease that is renewed while the work runs.

use std::{pin::pin, time::Duration};

use jiff::Timestamp;
use larder_storage::Result;

use super::{Caretaker, Job, Stopping, is_stopping};

/// The right to run a job. Not released on drop: then it expires.
pub(super) struct Lease<'a> {
    caretaker: &'a Caretaker,
    job: Job,
    /// When the job was last finished, by whichever server.
    pub(super) last_finished_at: Option<Timestamp>,
}

impl Caretaker {
    /// Takes the lease of a job; `None` while another server has it.
    pub(super) async fn lease(&self, job: Job) -> Result<Option<Lease<'_>>> {
        let taken = self.take(job).await?;
        Ok(taken.map(|taken| Lease {
            caretaker: self,
            job,
            last_finished_at: taken.last_finished_at,
        }))
    }

    /// Runs work under the lease of its job; `None`, without running it, while another server has
    /// it.
    pub async fn alone<T>(
        &self,
        job: Job,
        stopping: &Stopping,
        work: impl Future<Output = Result<T>> + Send,
    ) -> Result<Option<T>> {
        match self.lease(job).await? {
            Some(lease) => lease.run(stopping, work).await,
            None => Ok(None),
        }
    }

    async fn take(&self, job: Job) -> Result<Option<larder_storage::TakenLease>> {
        let now = self.now();
        let until = now.saturating_add(job.term()).unwrap_or(Timestamp::MAX);
        self.storage.take_lease(job.as_str(), &self.name, until, now).await
    }
}

impl Lease<'_> {
    /// Runs the work, and renews the lease meanwhile. `None` if another server has taken it over,
    /// which aborts the work: this server must have been stalled for longer than the lease.
    pub(super) async fn run<T>(
        self,
        stopping: &Stopping,
        work: impl Future<Output = Result<T>> + Send,
    ) -> Result<Option<T>> {
        let mut work = pin!(work);
        let a_third = Duration::try_from(self.job.term() / 3).unwrap_or_default();
        let result = loop {
            tokio::select! {
                biased;
                result = &mut work => break result,
                () = tokio::time::sleep(a_third) => {}
            }
            match self.caretaker.take(self.job).await {
                Ok(Some(_)) => {}
                Ok(None) => {
                    tracing::warn!(job = self.job.as_str(), "lease taken over by another server");
                    return Ok(None);
                }
                // The store may be back before the lease has run out.
                Err(error) => {
                    tracing::debug!(job = self.job.as_str(), %error, "lease not renewed, will retry");
                }
            }
        };
        let is_finished = result.is_ok() && !is_stopping(stopping);
        let finished_at = is_finished.then(|| self.caretaker.now());
        if let Some(at) = finished_at {
            self.caretaker.observer.succeeded(self.job, at);
        }
        self.give_back(finished_at).await;
        result.map(Some)
    }

    /// Releases the lease. If that fails it expires.
    pub(super) async fn give_back(self, finished_at: Option<Timestamp>) {
        let Caretaker { storage, name, .. } = self.caretaker;
        if let Err(error) = storage.release_lease(self.job.as_str(), name, finished_at).await {
            tracing::debug!(job = self.job.as_str(), %error, "lease not released");
        }
    }
}
