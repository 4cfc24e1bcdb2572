//! Committing a change set: find the newest change of each partition, read the records that will
//! change, and write all of it on the condition that both are unchanged.
//!
//! The change records are optimistic locks: each partition's next one is written only if it does
//! not exist. A transaction that loses the race starts again. Conditions are judged by the
//! database, in the same request.

mod item;
mod limit;
mod partitions;
mod plan;
mod send;
mod verdict;

use std::collections::HashMap;

use larder_storage::{Result, StorageError};
use larder_storage_item::{
    Action, Committed, Condition, Key, Record, Table, TransactError, Transaction,
};
use tokio::time::timeout_at;

use crate::database::Database;
use crate::journal::Place;
use crate::retry::RetryBudget;
use crate::watch::Watchers;
use partitions::Held;
pub(crate) use partitions::{Partition, Partitions};
use plan::{Plan, Reading};
use send::Sent;
use verdict::Verdict;

/// The outcome of one attempt.
enum Attempt {
    Committed(Committed),
    /// Lost a race or conflicted: nothing was changed, retry.
    Again,
}

/// An action's record, and whether its changes are journaled.
pub(super) struct Target {
    pub(super) table: Table,
    pub(super) key: Key,
    pub(super) journaled: bool,
}

impl Database {
    /// Commits a change set, and wakes the listeners.
    pub(crate) async fn transact(
        &self,
        partitions: &Partitions,
        watchers: &Watchers,
        transaction: &Transaction,
    ) -> Result<Committed, TransactError> {
        transaction.validate()?;
        let targets = targets(transaction)?;
        let mut retries = self.retries();
        let mut held = partitions.lock(written(transaction, &targets), retries.until).await?;
        loop {
            match self.attempt(transaction, &targets, &mut held, watchers, &mut retries).await? {
                Attempt::Committed(committed) => return Ok(committed),
                Attempt::Again if retries.wait().await => {}
                Attempt::Again => {
                    let reason = "others changed the same records all the time";
                    return Err(StorageError::Contention(reason.to_owned()).into());
                }
            }
        }
    }

    async fn attempt(
        &self,
        transaction: &Transaction,
        targets: &[Target],
        held: &mut [Held],
        watchers: &Watchers,
        retries: &mut RetryBudget<'_>,
    ) -> Result<Attempt, TransactError> {
        let now_s = self.now_s();
        let preparing = self.prepare(transaction, targets, held, now_s);
        let prepared = timeout_at(retries.until, preparing).await;
        let (newest, found) =
            prepared.map_err(|_| StorageError::Unavailable("no answer in time".to_owned()))??;
        let reading = Reading { transaction, targets, found: &found, now_s };
        let images = transaction.images(|at| found.get(&at));
        let next = |partition: &Partition| Place::first(newest[partition] + 1);
        let plan = match &images {
            Ok(images) => Plan::new(self, &reading, images, next)?,
            // Nothing will be written, but a failed condition takes precedence over an invalid
            // write.
            Err(_) => Plan::of_checks(self, &reading, next)?,
        };
        self.check_limits(&plan).await?;
        let known: Vec<_> = held.iter_mut().map(Held::forget).collect();
        match self.send(&plan, retries).await? {
            Sent::Committed => {
                let committed = Committed { images: images? };
                for (one, known) in held.iter_mut().zip(known) {
                    let newest = plan.newest(one.partition()).or_else(|| known.map(Place::first));
                    let Some(newest) = newest else { continue };
                    one.learn(newest.transaction);
                    if plan.newest(one.partition()).is_some() {
                        watchers.changed(one.partition(), newest);
                        self.let_expire(one.partition(), newest.transaction - 1);
                    }
                }
                Ok(Attempt::Committed(committed))
            }
            Sent::Canceled(reasons) => match plan.judge(&reading, reasons)? {
                Verdict::Refused { action, current } => {
                    // The cached numbers of the journal remain valid.
                    for (one, known) in held.iter_mut().zip(known) {
                        if let Some(newest) = known {
                            one.learn(newest);
                        }
                    }
                    Err(TransactError::ConditionFailed { action, current })
                }
                Verdict::Undecided => Ok(Attempt::Again),
            },
        }
    }

    /// The newest transaction of each partition, and the records that will change. The order
    /// matters: records read after the newest transaction are the ones that it wrote, or a later
    /// one makes this commit fail.
    async fn prepare(
        &self,
        transaction: &Transaction,
        targets: &[Target],
        held: &mut [Held],
        now_s: i64,
    ) -> Result<(HashMap<Partition, u64>, HashMap<usize, Record>)> {
        let mut numbers = HashMap::with_capacity(held.len());
        for one in held {
            let newest = if let Some(newest) = one.newest() {
                newest
            } else {
                let (table, pk) = one.partition();
                let newest = self.journal_newest(*table, pk).await?;
                let newest = newest.map_or(0, |place| place.transaction);
                one.learn(newest);
                newest
            };
            numbers.insert(one.partition().clone(), newest);
        }
        Ok((numbers, self.read(transaction, targets, now_s).await?))
    }

    /// The records that a change set depends on, by action; without expired ones.
    async fn read(
        &self,
        transaction: &Transaction,
        targets: &[Target],
        now_s: i64,
    ) -> Result<HashMap<usize, Record>> {
        let needed: Vec<usize> = (0..targets.len())
            .filter(|at| needs_reading(&transaction.actions[*at], &targets[*at]))
            .collect();
        let place = |at: &usize| (self.names.of(targets[*at].table), targets[*at].key.clone());
        let wanted: Vec<_> = needed.iter().map(place).collect();
        let mut read = self.get_many(&wanted, true).await?;
        let mut found = HashMap::new();
        for (at, (table, key)) in needed.into_iter().zip(wanted) {
            let record = read.remove(&(table, key));
            let live = record.and_then(|record| Self::live(targets[at].table, record, now_s));
            found.extend(live.map(|record| (at, record)));
        }
        Ok(found)
    }
}

fn targets(transaction: &Transaction) -> Result<Vec<Target>> {
    let target = |action: &Action| {
        let (table, key) = action.target()?;
        Ok(Target { journaled: table.is_journaled(&key), table, key })
    };
    transaction.actions.iter().map(target).collect()
}

/// The partitions whose journal the transaction may continue, each once, in the order of its
/// actions.
fn written(transaction: &Transaction, targets: &[Target]) -> Vec<Partition> {
    let mut partitions: Vec<Partition> = Vec::new();
    for (action, target) in transaction.actions.iter().zip(targets) {
        let is_here = |(table, pk): &Partition| *table == target.table && *pk == target.key.pk;
        let is_written = target.journaled && !matches!(action, Action::Check { .. });
        if is_written && !partitions.iter().any(is_here) {
            partitions.push((target.table, target.key.pk.clone()));
        }
    }
    partitions
}

/// Whether an action's old record must be read: for the journal, or to compute the new one. A
/// record that must not exist need not be read.
fn needs_reading(action: &Action, target: &Target) -> bool {
    match action {
        Action::Put { when, .. } => target.journaled && !when.contains(&Condition::NotExists),
        Action::Update { .. } => true,
        Action::Delete { .. } => target.journaled,
        Action::Check { .. } => false,
    }
}
