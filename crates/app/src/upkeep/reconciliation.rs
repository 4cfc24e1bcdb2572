//! Reconciliation: finds and repairs inconsistencies.

use jiff::SignedDuration;
use larder_domain::HouseholdId;
use larder_storage::{Drift, Result};

use super::{Caretaker, Job, Stopping, days::pass_over, is_stopping};
use crate::authorize;

/// How often that is done.
const EVERY: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Households per query.
const AT_ONCE: usize = 100;
/// The number of households between progress logs of a long run.
const TOLD_EVERY: u64 = 1000;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// Checked households.
    pub households: u64,
    /// Of these, such that could not be read.
    pub failed: u64,
    /// Repaired inconsistencies.
    pub drift: Drift,
}

impl Reconciled {
    fn add(&mut self, found: Drift) {
        let Drift { tag_names, dangling_links, link_counts, unenrolled } = found;
        self.drift.tag_names += tag_names;
        self.drift.dangling_links += dangling_links;
        self.drift.link_counts += link_counts;
        self.drift.unenrolled += unenrolled;
    }

    /// How much was repaired, of all kinds.
    pub const fn repaired(&self) -> u64 {
        let Drift { tag_names, dangling_links, link_counts, unenrolled } = self.drift;
        tag_names + dangling_links + link_counts + unenrolled
    }
}

impl Caretaker {
    /// Checks all households if the last run was a week ago. `None` if not, or while another server
    /// does.
    pub async fn reconcile_weekly(&self, stopping: &Stopping) -> Result<Option<Reconciled>> {
        let Some(lease) = self.lease(Job::Reconciliation).await? else { return Ok(None) };
        let is_recent = |finished| self.now().duration_since(finished) < EVERY;
        if lease.last_finished_at.is_some_and(is_recent) {
            lease.give_back(None).await;
            return Ok(None);
        }
        lease.run(stopping, self.reconcile_all(stopping)).await
    }

    /// Checks all households now. `None` while another server does.
    pub async fn reconcile(&self, stopping: &Stopping) -> Result<Option<Reconciled>> {
        self.alone(Job::Reconciliation, stopping, self.reconcile_all(stopping)).await
    }

    async fn reconcile_all(&self, stopping: &Stopping) -> Result<Reconciled> {
        let mut done = Reconciled::default();
        let mut after = None;
        loop {
            let (households, next) = self.storage.households_after(after, AT_ONCE).await?;
            for household in households {
                if is_stopping(stopping) {
                    return Ok(done);
                }
                self.reconcile_one(household, &mut done).await?;
            }
            match next {
                Some(_) => after = next,
                None => break,
            }
        }
        if done.households > 0 {
            tracing::info!(?done, "reconciled");
        }
        Ok(done)
    }

    async fn reconcile_one(&self, household: HouseholdId, done: &mut Reconciled) -> Result<()> {
        match self.storage.reconcile(authorize::system(household), self.now()).await {
            Ok(found) => done.add(found),
            Err(error) => {
                pass_over(&error)?;
                tracing::error!(%household, %error, "household not reconciled, will retry");
                done.failed += 1;
            }
        }
        done.households += 1;
        if done.households.is_multiple_of(TOLD_EVERY) {
            tracing::info!(?done, "reconciling");
        }
        Ok(())
    }
}
