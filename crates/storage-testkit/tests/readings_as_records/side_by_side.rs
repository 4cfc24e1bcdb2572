//! Readings of one request are written concurrently, within bounds, and started writes are
//! completed.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use larder_storage::{ReadingState::Acknowledged, Result, StorageError};
use larder_storage_item::{
    AppendReadings, Committed, JournalEntry, Key, Query, QueryPage, ReadingEngine as _,
    ReadingsAsRecords, Record, RecordEngine, ScanPage, Table, TransactError, Transaction,
};
use larder_storage_testkit::START;
use tokio::sync::watch;

use crate::{FREEZER, OURS, reading};

/// Commits slowly, and fails one transaction. Reads are not supported.
struct Slow {
    begun: AtomicUsize,
    ended: AtomicUsize,
    most_at_once: AtomicUsize,
    breaks_at: Option<usize>,
}

impl Slow {
    fn new(breaks_at: Option<usize>) -> Self {
        let zero = || AtomicUsize::new(0);
        Self { begun: zero(), ended: zero(), most_at_once: zero(), breaks_at }
    }

    fn counts(&self) -> (usize, usize, usize) {
        let [begun, ended, most] = [&self.begun, &self.ended, &self.most_at_once]
            .map(|count| count.load(Ordering::SeqCst));
        (begun, ended, most)
    }
}

#[async_trait]
impl RecordEngine for Slow {
    async fn transact(&self, _: Transaction) -> Result<Committed, TransactError> {
        let place = self.begun.fetch_add(1, Ordering::SeqCst);
        let at_once = place + 1 - self.ended.load(Ordering::SeqCst);
        self.most_at_once.fetch_max(at_once, Ordering::SeqCst);
        // Later ones take longer than the failing one.
        let turns = if self.breaks_at == Some(place) { 1 } else { 50 };
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        self.ended.fetch_add(1, Ordering::SeqCst);
        if self.breaks_at == Some(place) {
            return Err(StorageError::Unavailable("on purpose".to_owned()).into());
        }
        Ok(Committed { images: Vec::new() })
    }

    async fn get(&self, _: Table, _: &Key) -> Result<Option<Record>> {
        unreachable!()
    }

    async fn query(&self, _: &Query) -> Result<QueryPage> {
        unreachable!()
    }

    async fn scan(&self, _: Table, _: Option<&Key>, _: usize) -> Result<ScanPage> {
        unreachable!()
    }

    async fn journal_after(
        &self,
        _: Table,
        _: &str,
        _: u64,
        _: usize,
    ) -> Result<Vec<JournalEntry>> {
        unreachable!()
    }

    async fn journal_of(
        &self,
        _: Table,
        _: &Key,
        _: Option<u64>,
        _: usize,
    ) -> Result<Vec<JournalEntry>> {
        unreachable!()
    }

    async fn journal_head(&self, _: Table, _: &str) -> Result<u64> {
        unreachable!()
    }

    async fn journal_floor(&self, _: Table, _: &str) -> Result<u64> {
        unreachable!()
    }

    async fn forget_changes(&self, _: Table, _: &str, _: Option<&str>, _: usize) -> Result<usize> {
        unreachable!()
    }

    fn watch(&self, _: Table, _: &str) -> watch::Receiver<u64> {
        unreachable!()
    }

    async fn ready(&self) -> Result<()> {
        unreachable!()
    }
}

impl ReadingsAsRecords for Slow {}

fn hundred() -> AppendReadings {
    let readings = (0..100).map(|n| reading(FREEZER, &format!("window-{n}"), START)).collect();
    AppendReadings { household: OURS, readings, at: START }
}

#[tokio::test]
async fn sixteen_are_written_at_once_and_no_more() {
    let engine = Slow::new(None);
    assert_eq!(engine.append_readings(hundred()).await.unwrap(), [Acknowledged; 100]);
    assert_eq!(engine.counts(), (100, 100, 16));
}

#[tokio::test]
async fn after_a_failure_nothing_is_begun_and_nothing_is_broken_off() {
    let engine = Slow::new(Some(20));
    let outcome = engine.append_readings(hundred()).await;
    assert!(matches!(outcome, Err(StorageError::Unavailable(_))), "{outcome:?}");
    let (begun, ended, _) = engine.counts();
    assert_eq!(begun, ended);
    // The one that fails, those before it, and at most those that were begun beside it.
    assert!((21..=20 + 16).contains(&begun), "{begun}");
}
