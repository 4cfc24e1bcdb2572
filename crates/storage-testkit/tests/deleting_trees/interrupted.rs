//! An engine with interference between two transactions, counters, and smaller limits.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use larder_storage::{Result, StorageError};
use larder_storage_item::{Action, Committed, RecordEngine as _, TransactError, Transaction};
use larder_storage_testkit::{Intercept, ReferenceEngine};

/// Interference, given the number of transactions before.
pub(crate) type Interference = Box<dyn FnMut(usize) -> BoxFuture<'static, ()> + Send>;

/// The reference engine, interrupted.
pub(crate) struct Interrupted {
    engine: Arc<ReferenceEngine>,
    most_actions: usize,
    most_updates: usize,
    reads: AtomicUsize,
    transactions: AtomicUsize,
    before_each: Mutex<Option<Interference>>,
}

impl Interrupted {
    pub(crate) fn new(engine: Arc<ReferenceEngine>, most_actions: usize) -> Self {
        Self {
            engine,
            most_actions,
            most_updates: usize::MAX,
            reads: AtomicUsize::new(0),
            transactions: AtomicUsize::new(0),
            before_each: Mutex::default(),
        }
    }

    /// Rejects transactions that update more records than this as too large, as engines do with
    /// large records.
    pub(crate) fn updating(self, most_updates: usize) -> Self {
        Self { most_updates, ..self }
    }

    /// Interferes before each transaction.
    pub(crate) fn interfere(&self, before_each: Interference) {
        *self.before_each.lock().unwrap() = Some(before_each);
    }

    pub(crate) fn reads(&self) -> usize {
        self.reads.load(Ordering::SeqCst)
    }

    pub(crate) fn transactions(&self) -> usize {
        self.transactions.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Intercept for Interrupted {
    type Engine = ReferenceEngine;

    fn engine(&self) -> &ReferenceEngine {
        &self.engine
    }

    fn before_read(&self) {
        self.reads.fetch_add(1, Ordering::SeqCst);
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        let before = self.transactions.fetch_add(1, Ordering::SeqCst);
        let actions = transaction.actions.len();
        assert!(actions <= self.most_actions, "{actions} actions");
        let interference = self.before_each.lock().unwrap().as_mut().map(|happens| happens(before));
        if let Some(happens) = interference {
            happens.await;
        }
        let is_update = |action: &&Action| matches!(action, Action::Update { .. });
        if transaction.actions.iter().filter(is_update).count() > self.most_updates {
            return Err(StorageError::TooLarge("on purpose".to_owned()).into());
        }
        self.engine.transact(transaction).await
    }

    async fn max_actions(&self) -> Result<usize> {
        Ok(self.most_actions)
    }
}
