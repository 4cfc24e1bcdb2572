//! Background jobs of the server: when each runs, and how all of them end.

mod metrics;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use larder_app::{App, AppError, Caretaker, Job, Stopping, Sweep};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use crate::shutdown::requested;
use crate::store::OpenStore;

pub(crate) use self::metrics::UpkeepMetrics;

/// How long a store that is away may delay the end of the server.
const FLUSHING: Duration = Duration::from_secs(2);

/// Something that is done now and then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chore {
    /// A job of the store, by one server at a time.
    Job(Job),
    /// Writes the page views counted by this server.
    Accesses,
}

/// How often to poll, where requests may cost money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Polling is free.
    Brisk,
    /// Each poll is paid for, and there are hundreds in looking for due households.
    #[cfg_attr(not(feature = "dynamodb"), allow(dead_code, reason = "no other store is paid for"))]
    Thrifty,
}

/// Everything that is done by itself on one store.
pub(crate) struct Upkeep {
    pub(crate) app: Arc<App>,
    pub(crate) caretaker: Caretaker,
    pub(crate) store: Arc<dyn OpenStore>,
    pub(crate) pace: Pace,
    /// When an operator confirmed the clock.
    pub(crate) clock_confirmed_at: Option<Timestamp>,
}

impl Upkeep {
    /// Runs every chore periodically until the server stops. Each chore finishes
    /// its current step and releases its lease.
    pub(crate) async fn run(self: Arc<Self>, stopping: Stopping) {
        let mut chores = JoinSet::new();
        chores.spawn(Arc::clone(&self).keep(Chore::Accesses, stopping.clone()));
        chores.spawn(Arc::clone(&self).delete_trees(stopping.clone()));
        for job in Job::ALL {
            if job != Job::Sweeping || self.store.needs_sweeping() {
                chores.spawn(Arc::clone(&self).keep(Chore::Job(job), stopping.clone()));
            }
        }
        while let Some(ended) = chores.join_next().await {
            if let Err(reason) = ended {
                tracing::error!(%reason, "background job panicked, will retry");
            }
        }
    }

    /// After the last request: writes its counts, then closes the store.
    pub(crate) async fn end(&self) {
        match tokio::time::timeout(FLUSHING, self.app.flush_accesses()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "tag accesses not counted"),
            Err(_) => tracing::warn!("tag accesses possibly not counted"),
        }
        self.store.close().await;
    }

    /// Deletions that this server has accepted.
    async fn delete_trees(self: Arc<Self>, stopping: Stopping) {
        self.app.carry_on_deletions(stopping).await;
    }

    async fn keep(self: Arc<Self>, chore: Chore, stopping: Stopping) {
        let mut ticks = tokio::time::interval_at(self.first(chore), self.period(chore));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut fails = false;
        loop {
            tokio::select! {
                biased;
                () = requested(stopping.clone()) => return,
                _ = ticks.tick() => {}
            }
            // An outage of the store is logged once, not at each attempt.
            match self.run_once(chore, &stopping).await {
                Ok(()) if fails => tracing::info!(?chore, "background job recovered"),
                Err(error) if !fails => {
                    tracing::warn!(?chore, %error, "background job failing, will retry");
                }
                Ok(()) | Err(_) => continue,
            }
            fails = !fails;
        }
    }

    async fn run_once(&self, chore: Chore, stopping: &Stopping) -> Result<(), AppError> {
        let caretaker = &self.caretaker;
        match chore {
            Chore::Accesses => self.app.flush_accesses().await?,
            Chore::Job(Job::Deliveries) => drop(caretaker.deliver(stopping).await?),
            Chore::Job(Job::Days) => drop(caretaker.begin_days(stopping).await?),
            Chore::Job(Job::Work) => drop(caretaker.resume_work(stopping).await?),
            Chore::Job(Job::Reconciliation) => drop(caretaker.reconcile_weekly(stopping).await?),
            Chore::Job(Job::Sweeping) => {
                let sweep = self.store.sweep();
                match caretaker.sweep(stopping, self.clock_confirmed_at, sweep).await? {
                    Some(Sweep::Done(swept)) => tracing::debug!(swept, "swept"),
                    Some(Sweep::Paused) => self.store.maintain().await?,
                    None => {}
                }
            }
            // Only on demand: `larder resources upcast`.
            Chore::Job(Job::Upcasting) => {}
        }
        Ok(())
    }

    /// When a chore runs first: at once, unless it would compete with the first users for a store
    /// that is paid by request.
    fn first(&self, chore: Chore) -> Instant {
        match (chore, self.pace) {
            (Chore::Job(Job::Days), Pace::Thrifty) => Instant::now() + Duration::from_secs(5),
            _ => Instant::now(),
        }
    }

    fn period(&self, chore: Chore) -> Duration {
        match (chore, self.pace) {
            // Without a channel there are only deliveries from when there was one.
            (Chore::Job(Job::Deliveries), _) if !self.caretaker.has_channels() => {
                Duration::from_mins(1)
            }
            (Chore::Accesses, _) | (Chore::Job(Job::Deliveries), Pace::Brisk) => {
                Duration::from_secs(1)
            }
            (Chore::Job(Job::Deliveries), Pace::Thrifty) => Duration::from_secs(5),
            (Chore::Job(Job::Days), Pace::Thrifty) => Duration::from_mins(5),
            // Whether a week has passed.
            (Chore::Job(Job::Reconciliation | Job::Upcasting), _) => Duration::from_hours(1),
            (Chore::Job(Job::Days | Job::Work | Job::Sweeping), _) => Duration::from_mins(1),
        }
    }
}
