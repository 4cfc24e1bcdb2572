//! What the committing thread does with readings: it logs them, answers for their batch ids, and puts them into
//! blocks later, many of a device at once.
//!
//! Within a SQLite transaction everything is prepared; others see it after [`Keeper::publish`], which follows the
//! commit. After a rollback, [`Keeper::roll_back`] leaves everything as the last commit did.

#[cfg(test)]
mod tests;
mod turn;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use larder_domain::{HardwareId, Reading};
use larder_storage::{ReadingState, Result};
use larder_storage_item::Key;
use rusqlite::Connection;

use super::known::Known;
use super::latest::Latest;
use super::log::Log;
use super::pending::{Done, Pending};
use super::section::{Arrival, Section};
use super::tails::Tails;
use crate::error::corrupt;
use crate::options::Waiting;
use crate::statistics::Counters;

/// How much is merged in one step while nobody asks for anything: a millisecond's work.
const STEP_BYTES: usize = 32 * 1024;

/// How much of what waits is merged by a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As much as keeps what waits within its bounds.
    KeepUp,
    /// A little, because there is time.
    Step,
}

/// Keeps readings.
pub(crate) struct Keeper {
    pending: Arc<Pending>,
    latest: Arc<Latest>,
    counters: Arc<Counters>,
    waiting: Waiting,
    known: Known,
    tails: Tails,
    log: Log,
    /// As the last commit left it.
    committed_log: Log,
    /// Devices whose blocks are damaged, with what is: what waits of them stays in the log, and nothing more is
    /// taken from them.
    damaged: HashMap<HardwareId, (String, String)>,
    staged: Staged,
}

/// What the transaction under way did, for when it is committed.
#[derive(Default)]
struct Staged {
    /// What it logs, with the newest reading of each.
    fresh: Vec<(Arc<Section>, Arc<Reading>)>,
    done: Vec<Done>,
    /// What it logs once more.
    logged_again: Vec<Arc<Section>>,
    /// The streams and the other ids that it merged.
    streams: Vec<Arc<str>>,
    exact: Vec<Key>,
}

impl Keeper {
    /// Takes up what the log holds.
    pub(crate) fn load(
        connection: &Connection,
        pending: Arc<Pending>,
        latest: Arc<Latest>,
        counters: Arc<Counters>,
        waiting: Waiting,
    ) -> Result<Self> {
        let log = Log::load(connection)?;
        let mut known = Known::default();
        log.replay(connection, |row, arrivals| {
            for arrival in &arrivals {
                known.add(arrival);
            }
            known.commit();
            let sections = arrivals.into_iter().map(|arrival| arrival.section);
            pending.publish(row, std::iter::empty(), sections);
        })?;
        counters.kept_readings(0, 0, log.rows());
        Ok(Self {
            pending,
            latest,
            counters,
            waiting,
            known,
            tails: Tails::default(),
            log,
            committed_log: log,
            damaged: HashMap::new(),
            staged: Staged::default(),
        })
    }

    /// Takes the readings of a request, unless their batch ids are remembered. Answers for each, in the order of the
    /// request. An error takes none.
    pub(crate) fn append(
        &mut self,
        connection: &Connection,
        arrivals: &[Arrival],
    ) -> Result<Vec<ReadingState>> {
        let before = (self.staged.fresh.len(), self.known.added());
        let answer = self.take_all(connection, arrivals);
        if answer.is_err() {
            self.staged.fresh.truncate(before.0);
            self.known.take_back(before.1);
        }
        answer
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
            let fresh = self.known.sift(connection, arrival, origin.received_at_s)?;
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
        self.known.add(arrival);
        self.staged.fresh.push((Arc::clone(&arrival.section), Arc::clone(&arrival.newest)));
    }

    /// Prepares the commit: merges, logs what is new, and trims the log. Answers how many rows that changed, about.
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
        // Where the log must begin, now that some of it is merged.
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

    /// The transaction was committed: everybody may see what it did.
    pub(crate) fn publish(&mut self) {
        let Staged { fresh, done, streams, exact, .. } = std::mem::take(&mut self.staged);
        let (row, kept) = (self.committed_log.next(), fresh.iter().map(|(one, _)| one.count).sum());
        let merges = done.iter().filter(|done| matches!(done, Done::Merged(..))).count();
        self.committed_log = self.log;
        self.counters.kept_readings(kept, merges, self.log.rows());
        if !fresh.is_empty() || !done.is_empty() {
            let sections = fresh.iter().map(|(section, _)| Arc::clone(section));
            self.pending.publish(row, done.into_iter(), sections);
            self.latest.publish(fresh.iter().map(|(_, newest)| newest));
        }
        self.known.commit();
        for pk in streams {
            self.known.merged(&pk);
        }
        for key in exact {
            self.known.merged_exact(&key);
        }
    }

    /// The transaction was rolled back: it did nothing.
    pub(crate) fn roll_back(&mut self) {
        self.staged = Staged::default();
        self.known.roll_back();
        self.tails.clear();
        self.log = self.committed_log;
    }

    /// How long nobody must have asked for anything before there is time to merge.
    pub(crate) const fn idle_after(&self) -> Duration {
        self.waiting.idle
    }

    /// Whether something waits that can be merged.
    pub(crate) fn has_work(&self) -> bool {
        self.pending.devices() > self.damaged.len()
    }
}
