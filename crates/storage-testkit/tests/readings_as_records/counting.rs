//! An engine that counts its calls, and that fails on request.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use larder_storage::{ManualClock, ReadingState, Result, StorageError};
use larder_storage_item::{
    AppendReadings, Committed, ReadingEngine as _, RecordEngine as _, TransactError, Transaction,
};
use larder_storage_testkit::{Intercept, Intercepted, ReferenceEngine, START};

/// The reference engine with call counts.
pub(crate) type CountingEngine = Intercepted<Counting>;

pub(crate) struct Counting {
    engine: ReferenceEngine,
    reads: AtomicUsize,
    writes: AtomicUsize,
    appends: AtomicUsize,
    fails_writes: AtomicBool,
}

/// How many calls an engine got.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(crate) reads: usize,
    pub(crate) writes: usize,
    pub(crate) appends: usize,
}

impl Counting {
    pub(crate) fn fresh() -> (Arc<CountingEngine>, Arc<ManualClock>) {
        let clock = Arc::new(ManualClock::new(START));
        let engine = ReferenceEngine::new(Arc::clone(&clock) as _);
        let zero = || AtomicUsize::new(0);
        let fails_writes = AtomicBool::new(false);
        let (reads, writes, appends) = (zero(), zero(), zero());
        let counting = Self { engine, reads, writes, appends, fails_writes };
        (Arc::new(Intercepted(counting)), clock)
    }

    /// The calls since this was last called.
    pub(crate) fn calls(&self) -> Calls {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::SeqCst);
        Calls { reads: take(&self.reads), writes: take(&self.writes), appends: take(&self.appends) }
    }

    /// Makes every transaction fail from now on, or none.
    pub(crate) fn fail_writes(&self, fails: bool) {
        self.fails_writes.store(fails, Ordering::SeqCst);
    }
}

fn count(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::SeqCst);
}

#[async_trait]
impl Intercept for Counting {
    type Engine = ReferenceEngine;

    fn engine(&self) -> &ReferenceEngine {
        &self.engine
    }

    fn before_read(&self) {
        count(&self.reads);
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        count(&self.writes);
        if self.fails_writes.load(Ordering::SeqCst) {
            return Err(StorageError::Unavailable("on purpose".to_owned()).into());
        }
        self.engine.transact(transaction).await
    }

    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        count(&self.appends);
        self.engine.append_readings(append).await
    }
}
