//! Starts an embedded engine in a directory of its own.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use larder_storage::{Clock, ManualClock};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions, IndexDelay};
use larder_storage_item::{Action, Key, RecordEngine, Table, Transaction};
use larder_storage_testkit::{EngineHarness, Pace, START, StoreHarness, seed};
use tempfile::TempDir;

pub(super) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START))
}

pub(super) fn open(
    directory: &Path,
    clock: &Arc<ManualClock>,
    delay: IndexDelay,
) -> EmbeddedEngine {
    let options = EmbeddedOptions { index_delay: delay, ..EmbeddedOptions::default() };
    EmbeddedEngine::open(directory, Arc::clone(clock) as _, options).unwrap()
}

pub(super) fn engine(delay: IndexDelay) -> EngineHarness {
    let (directory, clock) = (TempDir::new().unwrap(), clock());
    let engine = Arc::new(open(directory.path(), &clock, delay));
    let pace = Arc::new(Unrelated { engine: Arc::clone(&engine), clock: Arc::clone(&clock) });
    EngineHarness::new(engine, clock, "test").with_pace(pace).keeping(directory)
}

pub(super) fn store(delay: IndexDelay) -> StoreHarness {
    let (directory, clock) = (TempDir::new().unwrap(), clock());
    let engine = Arc::new(open(directory.path(), &clock, delay));
    let pace = Arc::new(Unrelated { engine: Arc::clone(&engine), clock: Arc::clone(&clock) });
    let harness = StoreHarness::on_engine(engine, clock, seed()).with_pace(pace);
    harness.with_readings(6000).keeping(directory)
}

/// Moves lagging indexes on by a transaction that concerns nobody.
struct Unrelated {
    engine: Arc<EmbeddedEngine>,
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
