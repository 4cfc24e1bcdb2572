//! Deletes expired data, unless the clock has jumped.
//!
//! The time of the last sweep is in the store. A clock that is far ahead of it may be wrong, and
//! its deletions would be irreversible; so nothing is deleted until an operator confirms the clock.
//! A server that was off for weeks looks the same: then data is kept longer, and nothing is lost.

use std::sync::atomic::Ordering;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use larder_storage::Result;

use super::{Caretaker, Job, Stopping};

/// How far ahead of the last sweep a clock may be. Servers sweep each minute; this is a weekend without power.
const LARGEST_STEP: SignedDuration = SignedDuration::from_hours(3 * 24);

/// The result of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep<T> {
    /// It was done.
    Done(T),
    /// Nothing was deleted, because the clock has jumped since the last sweep.
    Paused,
}

impl Caretaker {
    /// Runs a sweep under its lease, unless the clock has jumped since the last one. `confirmed_at`
    /// is a time at which an operator confirmed the clock. `None` while another server sweeps.
    pub async fn sweep<T>(
        &self,
        stopping: &Stopping,
        confirmed_at: Option<Timestamp>,
        work: impl Future<Output = Result<T>> + Send,
    ) -> Result<Option<Sweep<T>>> {
        let Some(lease) = self.lease(Job::Sweeping).await? else { return Ok(None) };
        let (now, last) = (self.now(), lease.last_finished_at);
        let has_jumped = has_jumped(last.max(confirmed_at), now);
        self.observer.sweeping_paused(has_jumped);
        if !has_jumped {
            if self.has_told_of_jump.swap(false, Ordering::Relaxed) {
                tracing::info!("clock is plausible again; deleting of expired data resumed");
            }
            return Ok(lease.run(stopping, work).await?.map(Sweep::Done));
        }
        let was_paused = self.has_told_of_jump.swap(true, Ordering::Relaxed);
        if let (false, Some(last)) = (was_paused, last) {
            let today = now.to_zoned(TimeZone::UTC).date();
            tracing::warn!(
                %now, last_sweep = %last,
                "clock jumped or server was off for days; deleting of expired data is paused: correct the clock, or if \
                 it is right, restart with --clock-confirmed {today}"
            );
        }
        lease.give_back(None).await;
        Ok(Some(Sweep::Paused))
    }
}

/// Whether a clock is implausibly far ahead of when it was last confirmed. A store that was never
/// swept has no old data.
fn has_jumped(known_at: Option<Timestamp>, now: Timestamp) -> bool {
    known_at.is_some_and(|known| now.duration_since(known) > LARGEST_STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_jumps_forward_by_more_than_days() {
        let known: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let after = |hours| known + SignedDuration::from_hours(hours);
        assert!(!has_jumped(None, known));
        assert!(!has_jumped(Some(known), after(0)));
        assert!(!has_jumped(Some(known), after(72)));
        assert!(has_jumped(Some(known), after(73)));
        // A clock that runs behind deletes only what had expired before.
        assert!(!has_jumped(Some(known), after(-24 * 40)));
    }
}
