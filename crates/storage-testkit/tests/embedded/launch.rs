//! Starts an embedded engine in a directory of its own.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use larder_storage::{Clock, ManualClock};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{Action, Key, ReadingEngine, RecordEngine, Table, Transaction};
use larder_storage_testkit::{
    EngineHarness, Intercepted, Lagging, Pace, START, StoreHarness, seed,
};
use tempfile::TempDir;

pub(super) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START))
}

pub(super) fn open(directory: &Path, clock: &Arc<ManualClock>) -> EmbeddedEngine {
    EmbeddedEngine::open(directory, Arc::clone(clock) as _, EmbeddedOptions::default()).unwrap()
}

/// An engine in a new directory.
pub(super) struct Launched<E> {
    engine: Arc<E>,
    clock: Arc<ManualClock>,
    directory: TempDir,
}

pub(super) fn exact() -> Launched<EmbeddedEngine> {
    let (directory, clock) = (TempDir::new().unwrap(), clock());
    let engine = Arc::new(open(directory.path(), &clock));
    Launched { engine, clock, directory }
}

/// The same with index reads that see the state of seven transactions ago.
pub(super) fn lagging() -> Launched<Intercepted<Lagging<EmbeddedEngine>>> {
    let Launched { engine, clock, directory } = exact();
    let engine = Arc::new(Lagging::over(engine, Arc::clone(&clock) as _, 7));
    Launched { engine, clock, directory }
}

impl<E: RecordEngine + ReadingEngine> Launched<E> {
    pub(super) fn engine_harness(self) -> EngineHarness {
        let pace = self.pace();
        let Self { engine, clock, directory } = self;
        EngineHarness::new(engine, clock, "test").with_pace(pace).keeping(directory)
    }

    pub(super) fn store_harness(self) -> StoreHarness {
        let pace = self.pace();
        let Self { engine, clock, directory } = self;
        let harness = StoreHarness::on_engine(engine, clock, seed()).with_pace(pace);
        harness.with_readings(6000).keeping(directory)
    }

    fn pace(&self) -> Arc<Unrelated> {
        Arc::new(Unrelated {
            engine: Arc::clone(&self.engine) as _,
            clock: Arc::clone(&self.clock),
        })
    }
}

/// Moves lagging indexes on by an unrelated transaction.
struct Unrelated {
    engine: Arc<dyn RecordEngine>,
    clock: Arc<ManualClock>,
}

#[async_trait]
impl Pace for Unrelated {
    async fn step(&self) {
        let (table, key) = (Table::InventoryManagement, Key::new("LEASE#pace", "LEASE#pace"));
        let actions = vec![Action::Update { table, key, when: vec![], changes: vec![] }];
        let transaction = Transaction { actor: "pace".to_owned(), at: self.clock.now(), actions };
        self.engine.transact(transaction).await.unwrap();
    }
}
