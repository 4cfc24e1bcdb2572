//! Background work of the servers of one store. Changes are never left half applied: each is one
//! transaction, whatever its size, except deletions of large trees.

mod bookmarks;
mod days;
mod lease;
mod reconcile;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::HouseholdId;
use larder_storage::{Drift, DueHousehold, Result, SystemScope, TakenLease, Upkeep};

use crate::PostgresStore;

#[async_trait]
impl Upkeep for PostgresStore {
    async fn take_lease(
        &self,
        job: &'static str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>> {
        self.database.retry(|| self.lease(job, holder, until, at)).await
    }

    async fn release_lease(
        &self,
        job: &'static str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<()> {
        self.database.retry(|| self.give_back(job, holder, finished_at)).await
    }

    async fn find_bookmark(&self, job: &'static str) -> Result<Option<String>> {
        self.database.retry(|| self.bookmark(job)).await
    }

    async fn keep_bookmark(&self, job: &'static str, place: Option<&str>) -> Result<()> {
        self.database.retry(|| self.set_bookmark(job, place)).await
    }

    async fn resume_work(&self, at: Timestamp, limit: usize) -> Result<u64> {
        self.resume_deletions(at, limit).await
    }

    async fn due_households(&self, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>> {
        self.database.retry(|| self.households_due(now, limit)).await
    }

    async fn finish_day(&self, due: &DueHousehold, next: Timestamp) -> Result<()> {
        self.database.retry(|| self.begin_next_day(due, next)).await
    }

    async fn households_after(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>)> {
        self.database.retry(|| self.households_page(after, limit)).await
    }

    async fn reconcile(&self, scope: SystemScope, _at: Timestamp) -> Result<Drift> {
        let tag_names = self.database.retry(|| self.correct_tag_names(scope)).await?;
        // The rest cannot drift: links are foreign keys, pending entries are counted on demand, and
        // every household is enrolled for the daily job.
        Ok(Drift { tag_names, ..Drift::default() })
    }
}
