//! The daily job: expiration dates are checked when a household's day begins.

use larder_domain::{Occasion, last_day_of_soon};
use larder_storage::{DueHousehold, Result, StorageError};

use super::{Caretaker, Job, Stopping, is_stopping};
use crate::authorize;

/// Households per query.
const AT_ONCE: usize = 50;
/// The maximal number of queries per run; the rest is due at the next.
const MOST_ROUNDS: usize = 200;
/// The number of rounds between progress logs of a long run.
const TOLD_EVERY: usize = 20;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DaysBegun {
    /// Processed households.
    pub households: u64,
    /// Checked topics.
    pub topics: u64,
    /// Notifications that were made.
    pub opened: u64,
    /// Topics and households that could not be read. They are retried tomorrow.
    pub failed: u64,
}

impl Caretaker {
    /// Settles the notifications of every due household. `None` while another server does.
    pub async fn begin_days(&self, stopping: &Stopping) -> Result<Option<DaysBegun>> {
        self.alone(Job::Days, stopping, self.begin_due_days(stopping)).await
    }

    async fn begin_due_days(&self, stopping: &Stopping) -> Result<DaysBegun> {
        let mut done = DaysBegun::default();
        for round in 1..=MOST_ROUNDS {
            let due = self.storage.due_households(self.now(), AT_ONCE).await?;
            if due.is_empty() {
                break;
            }
            for household in &due {
                if is_stopping(stopping) {
                    return Ok(done);
                }
                self.begin_day(household, &mut done).await?;
            }
            if round % TOLD_EVERY == 0 {
                tracing::info!(?done, "daily job in progress");
            }
        }
        if done != DaysBegun::default() {
            tracing::info!(?done, "daily job finished");
        }
        Ok(done)
    }

    /// One household's day. Unreadable records are skipped, so that they do not block others; an
    /// unavailable store ends the run.
    async fn begin_day(&self, due: &DueHousehold, done: &mut DaysBegun) -> Result<()> {
        let DueHousehold { household, zone, .. } = due;
        let now = self.now();
        let until = last_day_of_soon(zone.day_of(now));
        match self.storage.topics_to_settle(authorize::system(*household), until).await {
            Ok(topics) => {
                for topic in topics {
                    let settled =
                        self.settler.settle(*household, zone, topic, Occasion::DayBegan, None);
                    match settled.await {
                        Ok(opened) => done.opened += u64::from(opened.is_some()),
                        Err(error) => {
                            pass_over(&error)?;
                            tracing::error!(%household, ?topic, %error, "notifications not settled, will retry");
                            done.failed += 1;
                            continue;
                        }
                    }
                    done.topics += 1;
                }
            }
            Err(error) => {
                pass_over(&error)?;
                tracing::error!(%household, %error, "household not settled, will retry");
                done.failed += 1;
            }
        }
        self.storage.finish_day(due, zone.next_day(now)).await?;
        done.households += 1;
        Ok(())
    }
}

/// Whether an error concerns only one record; otherwise the run must end and be retried.
pub(super) fn pass_over(error: &StorageError) -> Result<()> {
    match error {
        StorageError::Corrupt { .. } | StorageError::TooLarge(_) | StorageError::Defect(_) => {
            Ok(())
        }
        StorageError::Unavailable(reason) => Err(StorageError::Unavailable(reason.clone())),
        StorageError::Contention(reason) => Err(StorageError::Contention(reason.clone())),
        StorageError::IdempotencyKeyUsed => Err(StorageError::IdempotencyKeyUsed),
    }
}
