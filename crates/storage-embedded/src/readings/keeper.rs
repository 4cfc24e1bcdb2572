//! How the committing thread stores readings: it logs them, checks their batch ids, and merges them
//! into blocks later, many of a device at once.
//!
//! Within a SQLite transaction everything is prepared; readers see it after [`Keeper::publish`],
//! which follows the commit. After a rollback, [`Keeper::roll_back`] restores the state of the last
//! commit.

#[cfg(test)]
mod tests;
mod turn;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use larder_domain::{HardwareId, HouseholdId, Reading};
use larder_storage::{ReadingState, Result};
use larder_storage_item::Key;
use rusqlite::Connection;

use super::batch_ids::BatchIds;
use super::forget;
use super::latest::Latest;
use super::log::Log;
use super::pending::{Done, Pending};
use super::section::{Arrival, Section};
use super::tails::Tails;
use crate::error::corrupt;
use crate::options::ReadingBuffer;
use crate::statistics::Counters;

/// How much is merged in one step while idle: about a millisecond's work.
const STEP_BYTES: usize = 32 * 1024;

/// How many pending readings a transaction merges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Enough to keep the buffer within its limit.
    KeepUp,
    /// One step, because the store is idle.
    Step,
}

/// Stores readings.
pub(crate) struct Keeper {
    pending: Arc<Pending>,
    latest: Arc<Latest>,
    counters: Arc<Counters>,
    buffer: ReadingBuffer,
    batch_ids: BatchIds,
    tails: Tails,
    log: Log,
    /// As the last commit left it.
    committed_log: Log,
    /// Devices with damaged blocks, and the damage: their pending readings stay in the log, and new
    /// ones are refused.
    damaged: HashMap<HardwareId, (String, String)>,
    staged: Staged,
}

/// The effects of the current transaction, to be published when it is committed.
#[derive(Default)]
struct Staged {
    /// New sections to log, with the newest reading of each.
    fresh: Vec<(Arc<Section>, Arc<Reading>)>,
    done: Vec<Done>,
    /// Sections to log again.
    logged_again: Vec<Arc<Section>>,
    /// The streams and the other ids that it merged.
    streams: Vec<Arc<str>>,
    exact: Vec<Key>,
    /// Devices of which readings were forgotten.
    forgotten: Vec<HardwareId>,
}

impl Keeper {
    /// Loads the log.
    pub(crate) fn load(
        connection: &Connection,
        pending: Arc<Pending>,
        latest: Arc<Latest>,
        counters: Arc<Counters>,
        buffer: ReadingBuffer,
    ) -> Result<Self> {
        let log = Log::load(connection)?;
        let mut batch_ids = BatchIds::default();
        log.replay(connection, |row, arrivals| {
            for arrival in &arrivals {
                batch_ids.add(arrival);
            }
            batch_ids.commit();
            let sections = arrivals.into_iter().map(|arrival| arrival.section);
            pending.publish(row, std::iter::empty(), sections);
        })?;
        counters.kept_readings(0, 0, log.rows());
        Ok(Self {
            pending,
            latest,
            counters,
            buffer,
            batch_ids,
            tails: Tails::default(),
            log,
            committed_log: log,
            damaged: HashMap::new(),
            staged: Staged::default(),
        })
    }

    /// Stores the readings of a request, except those whose batch ids are known. Returns the state
    /// of each, in the order of the request. After an error none are stored.
    pub(crate) fn append(
        &mut self,
        connection: &Connection,
        arrivals: &[Arrival],
    ) -> Result<Vec<ReadingState>> {
        let before = (self.staged.fresh.len(), self.batch_ids.added());
        let answer = self.take_all(connection, arrivals);
        if answer.is_err() {
            self.staged.fresh.truncate(before.0);
            self.batch_ids.take_back(before.1);
        }
        answer
    }

    /// Forgets readings of a device that are in the file, and returns how many. Pending ones have
    /// to be merged first.
    pub(crate) fn forget(
        &mut self,
        connection: &Connection,
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
    ) -> Result<usize> {
        let forgotten = forget::forget(connection, device, household, limit)?;
        if forgotten > 0 {
            self.batch_ids.forget_file();
            self.tails.clear();
            self.damaged.remove(&device);
            self.staged.forgotten.push(device);
        }
        Ok(forgotten)
    }

    fn take_all(
        &mut self,
        connection: &Connection,
        arrivals: &[Arrival],
    ) -> Result<Vec<ReadingState>> {
        let count = arrivals.iter().map(|arrival| arrival.places.len()).sum();
        let mut states = vec![ReadingState::Duplicate; count];
        for arrival in arrivals {
            let origin = arrival.section.origin;
            if let Some((record, reason)) = self.damaged.get(&origin.device) {
                return Err(corrupt(record, reason));
            }
            let fresh = self.batch_ids.sift(connection, arrival, origin.received_at_s)?;
            for (place, _) in arrival.places.iter().zip(&fresh).filter(|(_, fresh)| **fresh) {
                states[*place] = ReadingState::Acknowledged;
            }
            if fresh.iter().all(|fresh| *fresh) {
                self.take(arrival);
            } else if let Some(rest) = arrival.only(&fresh)? {
                self.take(&rest);
            }
        }
        Ok(states)
    }

    fn take(&mut self, arrival: &Arrival) {
        self.batch_ids.add(arrival);
        self.staged.fresh.push((Arc::clone(&arrival.section), Arc::clone(&arrival.newest)));
    }

    /// Prepares the commit: merges, logs new readings, and trims the log. Returns the approximate
    /// number of changed rows.
    pub(crate) fn prepare(
        &mut self,
        connection: &Connection,
        effort: Effort,
        now_s: i64,
    ) -> Result<usize> {
        let mut rows = self.merge_some(connection, effort, now_s)?;
        let fresh = self.staged.fresh.iter().map(|(section, _)| section);
        let mut body = Vec::new();
        for section in fresh.chain(&self.staged.logged_again) {
            body.extend_from_slice(section.bytes());
        }
        // The new start of the log, after the merge.
        let mut first = self.log.next();
        if !body.is_empty() {
            self.log.append(connection, &body)?;
            rows += 1 + body.len() / 4096;
        }
        if !self.staged.done.is_empty() {
            first = first.min(self.pending.oldest_row_behind(&self.staged.done).unwrap_or(first));
            self.log.trim(connection, first)?;
        }
        Ok(rows)
    }

    /// Publishes the committed transaction to readers.
    pub(crate) fn publish(&mut self) {
        let Staged { fresh, done, streams, exact, forgotten, .. } =
            std::mem::take(&mut self.staged);
        let (row, kept) = (self.committed_log.next(), fresh.iter().map(|(one, _)| one.count).sum());
        let merges = done.iter().filter(|done| matches!(done, Done::Merged(..))).count();
        self.committed_log = self.log;
        self.counters.kept_readings(kept, merges, self.log.rows());
        if !fresh.is_empty() || !done.is_empty() {
            let sections = fresh.iter().map(|(section, _)| Arc::clone(section));
            self.pending.publish(row, done.into_iter(), sections);
            self.latest.publish(fresh.iter().map(|(_, newest)| newest));
        }
        for device in forgotten {
            self.latest.forget(device);
        }
        self.batch_ids.commit();
        for pk in streams {
            self.batch_ids.merged(&pk);
        }
        for key in exact {
            self.batch_ids.merged_exact(&key);
        }
    }

    /// Undoes the effects of a transaction that was rolled back.
    pub(crate) fn roll_back(&mut self) {
        self.staged = Staged::default();
        self.batch_ids.roll_back();
        self.tails.clear();
        self.log = self.committed_log;
    }

    /// How long the store must be idle before it merges.
    pub(crate) const fn idle_after(&self) -> Duration {
        self.buffer.idle
    }

    /// Whether pending readings can be merged.
    pub(crate) fn has_work(&self) -> bool {
        self.pending.devices() > self.damaged.len()
    }
}
