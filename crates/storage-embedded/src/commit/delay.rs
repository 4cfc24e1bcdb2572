//! Index reads that lag, for tests. The trees of the indexes are held some transactions back; the images that
//! their records had then are kept here, so that a reader sees exactly the state of that time.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use larder_storage::Result;
use larder_storage_item::{Key, Record, Table};
use rusqlite::Connection;

use super::apply::shift_indexes;

/// A change of a record that the indexes do not show yet.
#[derive(Debug, Clone)]
pub(crate) struct Shift {
    pub(crate) table: Table,
    pub(crate) key: Key,
    pub(crate) rid: i64,
    pub(crate) old: Option<Record>,
    pub(crate) new: Option<Record>,
}

/// What the indexes have yet to catch up with.
pub(crate) struct Delayed {
    delay: usize,
    state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    /// By transaction, oldest first.
    pending: VecDeque<Vec<Shift>>,
    /// What `pending` was at the last commit, while the current SQLite transaction has taken from it.
    committed: Option<VecDeque<Vec<Shift>>>,
    /// Index reads since the oldest transaction became the oldest.
    reads: usize,
}

impl State {
    /// The image that an index shows of a record, if it is not the present one.
    pub(crate) fn image(&self, table: Table, key: &Key) -> Option<&Record> {
        let shown = self.committed.as_ref().unwrap_or(&self.pending);
        let first =
            shown.iter().flatten().find(|shift| shift.table == table && shift.key == *key)?;
        first.old.as_ref()
    }
}

impl Delayed {
    pub(crate) fn new(delay: usize) -> Self {
        Self { delay, state: Mutex::default() }
    }

    /// Counts an index read and answers whether the indexes must catch up before it.
    pub(crate) fn count_read(&self) -> bool {
        let mut state = self.lock();
        state.reads = if state.pending.is_empty() { 0 } else { state.reads + 1 };
        state.reads > self.delay
    }

    /// Held by a reader for as long as it reads, so that file and images fit each other.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }

    /// Adds transactions, brings the indexes to the state of `delay` transactions ago, and commits.
    pub(super) fn commit(
        &self,
        connection: &Connection,
        fresh: Vec<Vec<Shift>>,
        commit: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let mut state = self.lock();
        if state.committed.is_none() {
            state.committed = Some(state.pending.clone());
        }
        state.pending.extend(fresh);
        while state.pending.len() > self.delay {
            state.reads = 0;
            state.apply_oldest(connection)?;
        }
        commit()?;
        state.committed = None;
        Ok(())
    }

    /// Applies everything, within the current SQLite transaction.
    pub(super) fn catch_up(&self, connection: &Connection) -> Result<()> {
        let mut state = self.lock();
        state.committed = Some(state.pending.clone());
        state.reads = 0;
        while !state.pending.is_empty() {
            state.apply_oldest(connection)?;
        }
        Ok(())
    }

    pub(super) fn roll_back(&self) {
        let mut state = self.lock();
        if let Some(committed) = state.committed.take() {
            state.pending = committed;
        }
    }
}

impl State {
    fn apply_oldest(&mut self, connection: &Connection) -> Result<()> {
        for shift in self.pending.pop_front().into_iter().flatten() {
            let Shift { table, key, rid, old, new } = &shift;
            shift_indexes(connection, *table, key, *rid, old.as_ref(), new.as_ref())?;
        }
        Ok(())
    }
}
