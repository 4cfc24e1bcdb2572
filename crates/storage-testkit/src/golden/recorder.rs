//! An engine that records which partitions were written, and that can be made to fail between two
//! transactions.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use larder_domain::Reading;
use larder_storage::{ReadingState, Result, StorageError};
use larder_storage_item::{
    Action, AppendReadings, Committed, Key, MAX_QUERY_LIMIT, Query, ReadingEngine, Record,
    RecordEngine, SortKeys, Table, TransactError, Transaction,
};

use crate::intercept::{Intercept, Intercepted};

/// Delegates to an engine, and remembers which partitions were written.
pub type Recorder<E> = Intercepted<Recording<E>>;

/// The state that a [`Recorder`] adds to its engine.
pub struct Recording<E> {
    engine: Arc<E>,
    state: Mutex<State>,
    /// A limit on a transaction's actions, below the engine's own.
    most_actions: Option<usize>,
}

#[derive(Default)]
struct State {
    touched: HashSet<(Table, String)>,
    /// How many more transactions may commit; `None`: no limit.
    allowance: Option<usize>,
}

impl<E: RecordEngine> Recorder<E> {
    /// A new, empty recorder.
    pub fn new(engine: Arc<E>) -> Self {
        Self(Recording { engine, state: Mutex::default(), most_actions: None })
    }

    /// The same, but taking no more actions in a transaction than this, as a narrower engine does. For transactions
    /// that change no journaled record.
    #[must_use]
    pub fn taking(mut self, actions: usize) -> Self {
        self.0.most_actions = Some(actions);
        self
    }

    /// Commits this many transactions and fails the following ones, like a process that is killed
    /// in between. `None` ends it.
    pub fn allow(&self, transactions: Option<usize>) {
        self.state().allowance = transactions;
    }

    /// Every record of every partition that was ever written, in the order of the tables and of their keys.
    pub async fn records(&self) -> Vec<(Table, Record)> {
        let touched = self.state().touched.clone();
        let mut records = Vec::new();
        for (table, pk) in touched {
            for record in self.partition(table, pk).await {
                let key = table.key_of(&record).expect("an engine's records have keys");
                let read = self.engine.get(table, &key).await.unwrap();
                assert_eq!(read.as_ref(), Some(&record), "both ways to read a record agree");
                records.push((table, record));
            }
        }
        records.sort_by_key(|(table, record)| {
            let place = Table::ALL.iter().position(|known| known == table);
            (place, table.key_of(record))
        });
        records
    }

    async fn partition(&self, table: Table, pk: String) -> Vec<Record> {
        let mut query = Query {
            table,
            index: None,
            pk,
            sort: SortKeys::Any,
            forward: true,
            limit: MAX_QUERY_LIMIT,
            start_after: None,
        };
        let mut records = Vec::new();
        loop {
            let page = self.engine.query(&query).await.unwrap();
            records.extend(page.records);
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => return records,
            }
        }
    }
}

impl<E> Recording<E> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }

    fn check_size(&self, actions: &[Action]) -> Result<()> {
        let is_too_large = self.most_actions.is_some_and(|most| actions.len() > most);
        if is_too_large && !actions.iter().any(is_journaled) {
            return Err(StorageError::TooLarge(format!("{} actions at once", actions.len())));
        }
        Ok(())
    }

    /// Records the touched partitions, unless the allowance is used up.
    fn begin(&self, touched: impl Iterator<Item = (Table, String)>) -> Result<()> {
        let mut state = self.state();
        if state.allowance == Some(0) {
            return Err(StorageError::Unavailable("interrupted on purpose".into()));
        }
        state.touched.extend(touched);
        Ok(())
    }

    /// Only committed transactions count: a refused one writes nothing.
    fn end(&self) {
        let mut state = self.state();
        state.allowance = state.allowance.map(|left| left.saturating_sub(1));
    }
}

fn target(action: &Action) -> (Table, Key) {
    action.target().expect("the layouts write keys")
}

fn partition_of(action: &Action) -> (Table, String) {
    let (table, key) = target(action);
    (table, key.pk)
}

fn is_journaled(action: &Action) -> bool {
    let (table, key) = target(action);
    table.is_journaled(&key)
}

/// The partitions of a reading and its batch id, unless another household has used the id before.
fn partitions_of(reading: &Reading) -> [(Table, String); 2] {
    [
        (Table::DeviceReadings, reading.hardware_id.to_string()),
        (Table::ProcessedBatches, reading.batch_id.to_string()),
    ]
}

#[async_trait]
impl<E: RecordEngine> Intercept for Recording<E> {
    type Engine = E;

    fn engine(&self) -> &E {
        &self.engine
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.check_size(&transaction.actions)?;
        self.begin(transaction.actions.iter().map(partition_of))?;
        let committed = self.engine.transact(transaction).await?;
        self.end();
        Ok(committed)
    }

    async fn max_actions(&self) -> Result<usize> {
        let most = self.engine.max_actions().await?;
        Ok(self.most_actions.map_or(most, |few| few.min(most)))
    }

    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>>
    where
        E: ReadingEngine,
    {
        self.begin(append.readings.iter().flat_map(partitions_of))?;
        let states = self.engine.append_readings(append).await?;
        self.end();
        Ok(states)
    }
}
