//! Background jobs of the servers of one store, one server at a time.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{HouseholdId, Zone};

use crate::{Result, SystemScope};

/// A lease that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenLease {
    /// When its job was last finished, by any server.
    pub last_finished_at: Option<Timestamp>,
}

/// A household that is due for its daily job.
#[derive(Debug, Clone, PartialEq)]
pub struct DueHousehold {
    /// The household.
    pub household: HouseholdId,
    /// Its time zone.
    pub zone: Zone,
    /// Since when it has been due.
    pub due_at: Timestamp,
}

/// Repaired inconsistencies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drift {
    /// Tags that named their item wrongly.
    pub tag_names: u64,
    /// Shopping entries that referred to a deleted item.
    pub dangling_links: u64,
    /// Counts of pending entries per item that were wrong.
    pub link_counts: u64,
    /// Households that were not enrolled for their days.
    pub unenrolled: u64,
}

/// Background jobs of the servers of one store.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Takes the lease of a job for this server until then, or renews it. `None` while another has
    /// it.
    async fn take_lease(
        &self,
        job: &'static str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>>;

    /// Releases the lease, if it is this server's. `finished_at` is kept for the next holder.
    async fn release_lease(
        &self,
        job: &'static str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<()>;

    /// The recorded progress of a job; `None` if it starts from the beginning.
    async fn find_bookmark(&self, job: &'static str) -> Result<Option<String>>;

    /// Records the progress of a job, or with `None` that it is done.
    async fn keep_bookmark(&self, job: &'static str, place: Option<&str>) -> Result<()>;

    /// Finishes interrupted work: links of deleted items, names of renamed ones, trees of
    /// resources. Returns the number of jobs found; call again while it is not 0. May find them
    /// late if the engine's indexes lag.
    async fn resume_work(&self, at: Timestamp, limit: usize) -> Result<u64>;

    /// Households that are due, the longest waiting first. May find them late if the engine's
    /// indexes lag.
    async fn due_households(&self, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>>;

    /// Records that a household's daily job is done, and when the next is due. Does nothing if the
    /// household is no longer due since `due.due_at`.
    async fn finish_day(&self, due: &DueHousehold, next: Timestamp) -> Result<()>;

    /// The households after this one, in an engine-specific order, for iterating over all of them;
    /// the end has no next one.
    async fn households_after(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>)>;

    /// Repairs inconsistencies in one household, and returns their numbers.
    async fn reconcile(&self, scope: SystemScope, at: Timestamp) -> Result<Drift>;
}
