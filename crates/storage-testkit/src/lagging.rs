//! An engine whose index reads are stale, for tests of code that must not assume otherwise.

use std::collections::VecDeque;
use std::sync::Arc;

use async_trait::async_trait;
use larder_storage::{Clock, Result};
use larder_storage_item::{
    Action, Committed, Query, QueryPage, RecordEngine, Table, TransactError, Transaction,
};
use tokio::sync::Mutex;

use crate::intercept::{Intercept, Intercepted};
use crate::reference::ReferenceEngine;

/// Wraps an engine. Index reads show the state of some transactions ago; a change appears in them
/// after `delay` further transactions or `delay` further index reads. Reads of the table are exact.
pub struct Lagging<E> {
    engine: Arc<E>,
    delay: usize,
    /// Locked during a commit, so that `pending` is in commit order.
    indexes: Arc<Mutex<Indexes>>,
}

struct Indexes {
    /// The records that index reads see.
    shown: ReferenceEngine,
    /// Committed transactions that index reads do not see yet, oldest first.
    pending: VecDeque<Transaction>,
    /// Index reads since the oldest pending transaction became the oldest.
    reads: usize,
}

impl<E: RecordEngine> Lagging<E> {
    /// A lagging engine over a new one and its clock.
    pub fn over(engine: Arc<E>, clock: Arc<dyn Clock>, delay: usize) -> Intercepted<Self> {
        let shown = ReferenceEngine::new(clock);
        let indexes = Mutex::new(Indexes { shown, pending: VecDeque::new(), reads: 0 });
        Intercepted(Self { engine, delay, indexes: Arc::new(indexes) })
    }
}

impl Indexes {
    /// Shows the oldest transactions until no more than `delay` are pending.
    async fn advance(&mut self, delay: usize) {
        while self.pending.len() > delay {
            self.reads = 0;
            let oldest = self.pending.pop_front().expect("some are pending");
            self.shown.transact(oldest).await.expect("the wrapped engine committed it");
        }
    }
}

/// The writes of a committed transaction, without its conditions.
fn replay(mut transaction: Transaction, committed: &Committed) -> Transaction {
    let actions = transaction.actions.iter().zip(&committed.images);
    let actions = actions.filter(|(action, _)| !matches!(action, Action::Check { .. }));
    transaction.actions = actions
        .map(|(action, image)| {
            let (table, key) = action.target().expect("a committed action has a key");
            match image.clone() {
                Some(record) => Action::Put { table, record, when: vec![], embed: None },
                None => Action::Delete { table, key, when: vec![] },
            }
        })
        .collect();
    transaction
}

#[async_trait]
impl<E: RecordEngine> Intercept for Lagging<E> {
    type Engine = E;

    fn engine(&self) -> &E {
        &self.engine
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        if query.index.is_none() {
            return self.engine.query(query).await;
        }
        let mut indexes = self.indexes.lock().await;
        indexes.reads = if indexes.pending.is_empty() { 0 } else { indexes.reads + 1 };
        if indexes.reads > self.delay {
            indexes.advance(0).await;
        }
        indexes.shown.query(query).await
    }

    /// Unknown, because lists that are read from an index change later than the partition.
    async fn partition_version(&self, _: Table, _: &str) -> Result<Option<u64>> {
        Ok(None)
    }

    /// In a task of its own: a committed transaction must be recorded even if the caller is
    /// cancelled.
    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        let (engine, indexes) = (Arc::clone(&self.engine), Arc::clone(&self.indexes));
        let delay = self.delay;
        let commit = tokio::spawn(async move {
            let mut indexes = indexes.lock().await;
            let committed = engine.transact(transaction.clone()).await?;
            indexes.pending.push_back(replay(transaction, &committed));
            indexes.advance(delay).await;
            Ok(committed)
        });
        commit.await.expect("the task does not panic")
    }
}

#[cfg(test)]
mod tests {
    use larder_storage::ManualClock;
    use larder_storage_item::{Change, GSI1, Key, Record, SortKeys};

    use super::*;
    use crate::START;
    use crate::engine_harness::{delete, put, sort_key, update};

    fn lagging(delay: usize) -> Intercepted<Lagging<ReferenceEngine>> {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(START));
        Lagging::over(Arc::new(ReferenceEngine::new(Arc::clone(&clock))), clock, delay)
    }

    impl Intercepted<Lagging<ReferenceEngine>> {
        async fn run(&self, action: Action) {
            let transaction =
                Transaction { actor: "ann".to_owned(), at: START, actions: vec![action] };
            self.transact(transaction).await.unwrap();
        }

        async fn indexed(&self) -> Vec<Record> {
            let query = Query {
                table: Table::InventoryManagement,
                index: Some(GSI1),
                pk: "g".to_owned(),
                sort: SortKeys::Any,
                forward: true,
                limit: 100,
                start_after: None,
            };
            self.query(&query).await.unwrap().records
        }
    }

    fn record(sk: &str) -> Record {
        Record::new().with("PK", "p").with("SK", sk)
    }

    fn indexed(sk: &str) -> Record {
        record(sk).with("GSI1PK", "g").with("GSI1SK", sk)
    }

    #[tokio::test]
    async fn a_lagging_index_shows_the_state_of_some_transactions_ago() {
        let engine = lagging(2);
        let key = Key::new("p", "s");
        let get = async || engine.get(Table::InventoryManagement, &key).await.unwrap();
        engine.run(put(indexed("s").with("name", "old"))).await;
        assert_eq!(engine.indexed().await, []);
        assert_eq!(get().await.unwrap().text("name"), Some("old"));
        for name in ["x", "y"] {
            engine.run(put(record(name))).await;
        }
        assert_eq!(engine.indexed().await.len(), 1);

        engine.run(update(key.clone(), vec![Change::Set("name".into(), "new".into())])).await;
        engine.run(delete(key.clone())).await;
        assert_eq!(engine.indexed().await[0].text("name"), Some("old"));
        assert_eq!(get().await, None);
    }

    #[tokio::test]
    async fn a_lagging_index_catches_up_with_repeated_reads() {
        let engine = lagging(3);
        engine.run(put(indexed("s"))).await;
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(engine.indexed().await.len());
        }
        assert_eq!(seen, [0, 0, 0, 1, 1]);
        engine.run(put(indexed("t"))).await;
        for _ in 0..3 {
            assert_eq!(engine.indexed().await.len(), 1);
        }
        let shown = engine.indexed().await;
        assert_eq!(shown.iter().map(sort_key).collect::<Vec<_>>(), ["s", "t"]);
    }
}
