//! What the servers of one store do by themselves: one of them at a time.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{HouseholdId, HouseholdZone};

use crate::{Result, SystemScope};

/// A lease that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenLease {
    /// When the job that it guards was last finished, by whichever server.
    pub last_finished_at: Option<Timestamp>,
}

/// A household whose day has begun.
#[derive(Debug, Clone, PartialEq)]
pub struct DueHousehold {
    /// Which.
    pub household: HouseholdId,
    /// Where its days begin.
    pub zone: HouseholdZone,
    /// Since when it has been due.
    pub due_at: Timestamp,
}

/// What was not as it should be, and is now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drift {
    /// Tags that named their item wrongly.
    pub tag_names: u64,
    /// Entries of shopping lists that referred to an item that is gone.
    pub dangling_links: u64,
    /// Counts of pending entries per item that were wrong.
    pub link_counts: u64,
    /// Households that were not enrolled for their days.
    pub unenrolled: u64,
}

/// What the servers of one store do by themselves.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// Takes the lease of a job for this server until then, or prolongs it. `None` while another has it.
    async fn take_lease(
        &self,
        job: &'static str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>>;

    /// Gives the lease back, if it is this server's. `finished_at` is kept for whoever takes it next.
    async fn release_lease(
        &self,
        job: &'static str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<()>;

    /// How far a job had come when it was last noted; `None` if it begins anew.
    async fn find_bookmark(&self, job: &'static str) -> Result<Option<String>>;

    /// Notes how far a job has come, or with `None` that it is done.
    async fn keep_bookmark(&self, job: &'static str, place: Option<&str>) -> Result<()>;

    /// Finishes work that was interrupted: links of deleted items, names of renamed ones, trees of resources. Answers how many jobs
    /// were found; call again while it is not 0. May find late where the engine's indexes lag.
    async fn resume_work(&self, at: Timestamp, limit: usize) -> Result<u64>;

    /// Households whose day has begun, the longest waiting first. May find late where the engine's indexes lag.
    async fn due_households(&self, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>>;

    /// Says that a household's day was dealt with, and when the next begins. Does nothing if the household is not
    /// due since `due.due_at` any more.
    async fn finish_day(&self, due: &DueHousehold, next: Timestamp) -> Result<()>;

    /// The households after this one, in an order of the engine's own, for going through all of them. `None`
    /// as the next one ends it.
    async fn households_after(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>)>;

    /// Repairs what is not as it should be in one household, and says what it was.
    async fn reconcile(&self, scope: SystemScope, at: Timestamp) -> Result<Drift>;
}
