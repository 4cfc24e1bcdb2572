//! Background work of servers: leases, the days of households, iterating over all of them,
//! finishing interrupted work.

use async_trait::async_trait;
use futures_util::future::try_join_all;
use jiff::Timestamp;
use larder_domain::HouseholdId;
use larder_storage::{Drift, DueHousehold, Result, SystemScope, TakenLease, Upkeep, Write};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{Actor, ChangeSet, Commit},
    contention,
};
use crate::{
    Change, Condition, MAX_QUERY_LIMIT, ReadingEngine, Record, RecordEngine, Table,
    layout::{
        bookmark,
        fields::{Fields, timestamp_text},
        household,
        job::{self, Job, OpenJob, Work},
        keys,
        lease::{self, Held, Lease},
    },
};

/// Shards of households queried concurrently.
const SHARDS_AT_ONCE: usize = 16;

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Lease,
    Family,
}

#[async_trait]
impl<E: RecordEngine + ReadingEngine> Upkeep for ItemStore<E> {
    async fn take_lease(
        &self,
        job: &'static str,
        holder: &str,
        until: Timestamp,
        at: Timestamp,
    ) -> Result<Option<TakenLease>> {
        let key = keys::lease(job);
        for _ in 0..MAX_ATTEMPTS {
            let record = self.get(&key).await?;
            let current = record.as_ref().map(lease::from_record).transpose()?;
            let unchanged = current.as_ref().map_or_else(|| vec![Condition::NotExists], is_still);
            let current = current.unwrap_or_default();
            if !current.is_free_for(holder, at) {
                return Ok(None);
            }
            let held = Some(Held { holder: holder.to_owned(), until });
            let taken = lease::to_record(job, &Lease { held, ..current });
            let set = ChangeSet::new().put(Step::Lease, taken, unchanged);
            if let Commit::Done(_) = self.commit(Actor::System, Write::at(at), set, None).await? {
                return Ok(Some(TakenLease { last_finished_at: current.finished_at }));
            }
        }
        Err(contention("taking a lease"))
    }

    async fn release_lease(
        &self,
        job: &'static str,
        holder: &str,
        finished_at: Option<Timestamp>,
    ) -> Result<()> {
        let is_ours = vec![Condition::Equals("holder".into(), holder.into())];
        let finished = finished_at.map(timestamp_text);
        let finished = finished.map(|at| Change::Set("finishedAt".into(), at.into()));
        let free = ["holder", "until"].map(|name| Change::Remove(name.into()));
        let changes = free.into_iter().chain(finished).collect();
        let set = ChangeSet::new().update(Step::Lease, keys::lease(job), is_ours, changes);
        // A refusal means that another server has taken the lease, and runs the job.
        self.commit(Actor::System, Write::at(self.clock.now()), set, None).await?;
        Ok(())
    }

    async fn find_bookmark(&self, job: &'static str) -> Result<Option<String>> {
        let record = self.get(&keys::bookmark(job)).await?;
        record.as_ref().map(bookmark::from_record).transpose()
    }

    async fn keep_bookmark(&self, job: &'static str, place: Option<&str>) -> Result<()> {
        let set = match place {
            Some(place) => ChangeSet::new().put((), bookmark::to_record(job, place), vec![]),
            None => ChangeSet::new().delete((), keys::bookmark(job), vec![]),
        };
        self.commit(Actor::System, Write::at(self.clock.now()), set, None).await?;
        Ok(())
    }

    /// Finishes up to `limit` open jobs, the oldest first, and returns their number. A failing job
    /// does not stop the others; its error is returned at the end.
    async fn resume_work(&self, at: Timestamp, limit: usize) -> Result<u64> {
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

    async fn due_households(&self, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>> {
        let mut begun: Vec<DueHousehold> = Vec::new();
        let shards: Vec<u8> = (0..=u8::MAX).collect();
        for shards in shards.chunks(SHARDS_AT_ONCE) {
            let ask = |shard: &u8| self.begun_in(*shard, now, limit);
            begun.extend(try_join_all(shards.iter().map(ask)).await?.into_iter().flatten());
            // Reads run on this thread: let others run in between.
            tokio::task::yield_now().await;
        }
        let longest_waiting = |due: &DueHousehold| (due.due_at, due.household);
        begun.sort_by_key(longest_waiting);
        begun.truncate(limit);
        let mut due = Vec::with_capacity(begun.len());
        for shown in begun {
            // The index may lag: neither is a day dealt with twice nor another zone's day begun.
            let record = self.get(&keys::family(shown.household)).await?;
            let current = record.as_ref().map(household::due).transpose()?.flatten();
            due.extend(current.filter(|current| current.due_at <= now));
        }
        due.sort_by_key(longest_waiting);
        Ok(due)
    }

    async fn finish_day(&self, due: &DueHousehold, next: Timestamp) -> Result<()> {
        let due_at = timestamp_text(due.due_at);
        let is_due = vec![Condition::Equals(household::NEXT_DAILY_AT.into(), due_at.into())];
        let changes = household::next_day(due.household, next);
        let key = keys::family(due.household);
        let set = ChangeSet::new().update(Step::Family, key, is_due, changes);
        // A refusal means that another day has become due meanwhile.
        self.commit(Actor::System, Write::at(self.clock.now()), set, None).await?;
        Ok(())
    }

    async fn households_after(
        &self,
        after: Option<HouseholdId>,
        limit: usize,
    ) -> Result<(Vec<HouseholdId>, Option<HouseholdId>)> {
        let mut start = after.map(keys::family);
        let mut households = Vec::new();
        loop {
            let table = Table::InventoryManagement;
            let page = self.engine.scan(table, start.as_ref(), MAX_QUERY_LIMIT).await?;
            for record in page.records.iter().filter(|record| is_household(record)) {
                if households.len() == limit {
                    let last = households.last().copied();
                    return Ok((households, last));
                }
                households.push(Fields(record).id("familyId")?);
            }
            match page.next {
                Some(next) => start = Some(next),
                None => return Ok((households, None)),
            }
            // Reads run on this thread: let others run in between.
            tokio::task::yield_now().await;
        }
    }

    async fn reconcile(&self, scope: SystemScope, at: Timestamp) -> Result<Drift> {
        self.reconcile_household(scope, at).await
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The first due households of a shard, according to the index.
    async fn begun_in(&self, shard: u8, now: Timestamp, limit: usize) -> Result<Vec<DueHousehold>> {
        let query = household::begun(shard, now, limit.min(MAX_QUERY_LIMIT));
        let page = self.engine.query(&query).await?;
        page.records.iter().filter_map(|record| household::due(record).transpose()).collect()
    }
}

fn is_household(record: &Record) -> bool {
    record.text("entityType") == Some(household::ENTITY)
}

/// The conditions that a lease is as it was read.
fn is_still(lease: &Lease) -> Vec<Condition> {
    match &lease.held {
        None => vec![Condition::Absent("holder".into())],
        Some(Held { holder, until }) => vec![
            Condition::Equals("holder".into(), holder.as_str().into()),
            Condition::Equals("until".into(), timestamp_text(*until).into()),
        ],
    }
}

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Finishes one job; `false` if it was already finished, and the index is stale.
    async fn resume_job(&self, found: &Record, at: Timestamp) -> Result<bool> {
        match OpenJob::from_record(found)? {
            OpenJob::Cascade(shown) => self.finish_tree_deletion(&shown.deletion, at).await,
            OpenJob::Erasure => self.resume_erasure(found, at).await,
            OpenJob::Lots(job) => {
                let is_open = self.get(&job.key()).await?.is_some();
                if is_open {
                    self.finish_lots(Actor::System, job, at).await?;
                }
                Ok(is_open)
            }
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
