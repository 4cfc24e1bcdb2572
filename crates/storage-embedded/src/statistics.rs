//! Statistics of the store.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::readings::pending::Size;

/// Counters since the store was opened, and gauges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// Commits that reached the disk.
    pub commits: u64,
    /// Requests in those commits: divided by `commits`, the mean size of a group.
    pub transactions: u64,
    /// Time spent in those commits.
    pub commit_time: Duration,
    /// Requests that wait now.
    pub queue_depth: usize,
    /// The number of the newest change.
    pub last_sequence: u64,
    /// The size of the file, without its write-ahead log.
    pub file_bytes: u64,
    /// Stored readings.
    pub readings: u64,
    /// Readings that are in the log now and not in their blocks yet.
    pub pending_readings: usize,
    /// Their approximate memory.
    pub pending_bytes: usize,
    /// Rows of the log of readings.
    pub reading_log_rows: u64,
    /// How often the readings of a device were put into its blocks.
    pub reading_merges: u64,
}

/// The counters that the committing thread moves.
#[derive(Default)]
pub(crate) struct Counters {
    commits: AtomicU64,
    transactions: AtomicU64,
    commit_nanos: AtomicU64,
    last_sequence: AtomicU64,
    readings: AtomicU64,
    reading_log_rows: AtomicU64,
    reading_merges: AtomicU64,
}

impl Counters {
    pub(crate) fn committed(&self, transactions: usize, took: Duration, last_sequence: i64) {
        self.commits.fetch_add(1, Relaxed);
        self.transactions.fetch_add(transactions as u64, Relaxed);
        self.commit_nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
        self.set_last_sequence(last_sequence);
    }

    pub(crate) fn set_last_sequence(&self, last: i64) {
        self.last_sequence.store(last.cast_unsigned(), Relaxed);
    }

    /// Counts a commit's work on readings.
    pub(crate) fn kept_readings(&self, readings: usize, merges: usize, log_rows: i64) {
        self.readings.fetch_add(readings as u64, Relaxed);
        self.reading_merges.fetch_add(merges as u64, Relaxed);
        self.reading_log_rows.store(log_rows.cast_unsigned(), Relaxed);
    }

    pub(crate) fn read(&self, queue_depth: usize, file_bytes: u64, pending: Size) -> Statistics {
        Statistics {
            commits: self.commits.load(Relaxed),
            transactions: self.transactions.load(Relaxed),
            commit_time: Duration::from_nanos(self.commit_nanos.load(Relaxed)),
            queue_depth,
            last_sequence: self.last_sequence.load(Relaxed),
            file_bytes,
            readings: self.readings.load(Relaxed),
            pending_readings: pending.readings,
            pending_bytes: pending.bytes,
            reading_log_rows: self.reading_log_rows.load(Relaxed),
            reading_merges: self.reading_merges.load(Relaxed),
        }
    }
}
