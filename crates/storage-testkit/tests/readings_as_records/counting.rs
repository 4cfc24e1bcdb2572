//! An engine that counts what is asked of it, and that fails on request.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use larder_domain::{Reading, ReadingPosition};
use larder_storage::{ManualClock, Page, ReadingState, Result, StorageError};
use larder_storage_item::{
    AppendReadings, Committed, JournalEntry, Key, Query, QueryPage, ReadingEngine, ReadingQuery,
    Record, RecordEngine, ScanPage, Table, TransactError, Transaction,
};
use larder_storage_testkit::{ReferenceEngine, START};
use tokio::sync::watch;

/// The reference engine, watched.
pub(crate) struct Watched {
    engine: ReferenceEngine,
    reads: AtomicUsize,
    writes: AtomicUsize,
    appends: AtomicUsize,
    fails_writes: AtomicBool,
}

/// How often something was asked of an engine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
    pub(crate) appends: usize,
}

impl Watched {
    pub(crate) fn fresh() -> (Arc<Self>, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::new(START));
        let engine = ReferenceEngine::new(Arc::clone(&clock) as _);
        let zero = || AtomicUsize::new(0);
        let fails_writes = AtomicBool::new(false);
        let (reads, writes, appends) = (zero(), zero(), zero());
        (Arc::new(Self { engine, reads, writes, appends, fails_writes }), clock)
    }

    /// What was asked since this was last called.
    pub(crate) fn asked(&self) -> Asked {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::SeqCst);
        Asked { reads: take(&self.reads), writes: take(&self.writes), appends: take(&self.appends) }
    }

    /// From now on every transaction fails, or none.
    pub(crate) fn fail_writes(&self, fails: bool) {
        self.fails_writes.store(fails, Ordering::SeqCst);
    }
}

fn count(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::SeqCst);
}

#[async_trait]
impl ReadingEngine for Watched {
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        count(&self.appends);
        self.engine.append_readings(append).await
    }

    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>> {
        count(&self.reads);
        self.engine.find_readings(query).await
    }
}

#[async_trait]
impl RecordEngine for Watched {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        count(&self.reads);
        self.engine.get(table, key).await
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        count(&self.reads);
        self.engine.query(query).await
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        count(&self.reads);
        self.engine.scan(table, start_after, limit).await
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        count(&self.writes);
        if self.fails_writes.load(Ordering::SeqCst) {
            return Err(StorageError::Unavailable("on purpose".to_owned()).into());
        }
        self.engine.transact(transaction).await
    }

    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.engine.journal_after(table, pk, after, limit).await
    }

    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.engine.journal_of(table, key, before, limit).await
    }

    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64> {
        self.engine.journal_head(table, pk).await
    }

    async fn journal_floor(&self, table: Table, pk: &str) -> Result<u64> {
        self.engine.journal_floor(table, pk).await
    }

    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        self.engine.watch(table, pk)
    }

    async fn ready(&self) -> Result<()> {
        self.engine.ready().await
    }
}
