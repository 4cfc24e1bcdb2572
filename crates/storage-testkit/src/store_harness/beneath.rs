//! The records under a store, for tests that interrupt its work or corrupt its data.

use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_item::{Action, ItemStore, ReadingEngine, RecordEngine, Transaction};

use super::StoreHarness;
use crate::golden::Recorder;

/// A record engine that can be stopped between two transactions.
pub(super) trait Beneath: RecordEngine {
    /// Commits this many transactions and fails the following ones; `None` ends it.
    fn allow(&self, transactions: Option<usize>);
}

impl<E: RecordEngine> Beneath for Recorder<E> {
    fn allow(&self, transactions: Option<usize>) {
        Self::allow(self, transactions);
    }
}

impl StoreHarness {
    /// The ports over a record engine, which lets the suite interrupt work.
    pub fn on_engine<E: RecordEngine + ReadingEngine>(
        engine: Arc<E>,
        clock: Arc<ManualClock>,
        seed: u64,
    ) -> Self {
        let recorder = Arc::new(Recorder::new(engine));
        let store = ItemStore::new(Arc::clone(&recorder), Arc::clone(&clock) as _);
        let harness = Self::new(Arc::new(store), clock, seed);
        Self { beneath: Some(recorder), ..harness }
    }

    /// Runs work and interrupts it after this many transactions, like a kill of the process. A
    /// store that does everything in one transaction is not interrupted.
    pub(crate) async fn stopped_after<T>(
        &self,
        transactions: usize,
        doing: impl Future<Output = T>,
    ) -> T {
        let allow = |transactions| {
            if let Some(beneath) = &self.beneath {
                beneath.allow(transactions);
            }
        };
        allow(Some(transactions));
        let outcome = doing.await;
        allow(None);
        outcome
    }

    /// Whether work of more than one transaction can be stopped midway.
    pub(crate) fn can_be_stopped(&self) -> bool {
        self.beneath.is_some()
    }

    /// Writes past the layouts. `false` for stores without records.
    pub(crate) async fn spoil(&self, actions: Vec<Action>) -> bool {
        let Some(engine) = &self.beneath else { return false };
        let transaction = Transaction { actor: "nobody".to_owned(), at: self.now(), actions };
        engine.transact(transaction).await.unwrap();
        true
    }
}
