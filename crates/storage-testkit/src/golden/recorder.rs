//! An engine that remembers which partitions were written, and that can be made to fail between two
//! transactions.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan};
use larder_storage::{Page, ReadingState, Result, StorageError};
use larder_storage_item::{
    Action, AppendReadings, Committed, JournalEntry, Key, MAX_QUERY_LIMIT, Query, QueryPage,
    ReadingEngine, ReadingQuery, Record, RecordEngine, ScanPage, SortKeys, Table, TransactError,
    Transaction,
};
use tokio::sync::watch;

/// Passes everything on to an engine, and remembers which partitions were written.
pub struct Recorder<E> {
    engine: Arc<E>,
    state: Mutex<State>,
    /// How many actions a transaction may hold, if fewer than the engine takes.
    most_actions: Option<usize>,
}

#[derive(Default)]
struct State {
    touched: HashSet<(Table, String)>,
    /// How many more transactions may commit; `None`: all.
    allowance: Option<usize>,
}

impl<E: RecordEngine> Recorder<E> {
    /// A recorder that has seen nothing.
    pub fn new(engine: Arc<E>) -> Self {
        Self { engine, state: Mutex::default(), most_actions: None }
    }

    /// The same, but taking no more actions in a transaction than this, as a narrower engine does. For transactions
    /// that change no journaled record.
    #[must_use]
    pub fn taking(mut self, actions: usize) -> Self {
        self.most_actions = Some(actions);
        self
    }

    /// Lets this many transactions commit and refuses those that follow, as a process that is killed
    /// between two of them does. `None` ends it.
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

    /// Notes what is about to be written, unless no more is let through.
    fn begin(&self, touched: impl Iterator<Item = (Table, String)>) -> Result<()> {
        let mut state = self.state();
        if state.allowance == Some(0) {
            return Err(StorageError::Unavailable("interrupted on purpose".into()));
        }
        state.touched.extend(touched);
        Ok(())
    }

    /// Only what was committed counts: a refused transaction leaves nothing behind.
    fn end(&self) {
        let mut state = self.state();
        state.allowance = state.allowance.map(|left| left.saturating_sub(1));
    }
}

fn target(action: &Action) -> (Table, Key) {
    match action {
        Action::Put { table, record, .. } => {
            (*table, table.key_of(record).expect("the layouts write keys"))
        }
        Action::Update { table, key, .. }
        | Action::Delete { table, key, .. }
        | Action::Check { table, key, .. } => (*table, key.clone()),
    }
}

fn partition_of(action: &Action) -> (Table, String) {
    let (table, key) = target(action);
    (table, key.pk)
}

fn is_journaled(action: &Action) -> bool {
    let (table, key) = target(action);
    table.is_journaled(&key)
}

#[async_trait]
impl<E: RecordEngine> RecordEngine for Recorder<E> {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        self.engine.get(table, key).await
    }

    async fn get_many(&self, table: Table, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        self.engine.get_many(table, keys).await
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        self.engine.query(query).await
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        self.engine.scan(table, start_after, limit).await
    }

    async fn partition_version(&self, table: Table, pk: &str) -> Result<Option<u64>> {
        self.engine.partition_version(table, pk).await
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.check_size(&transaction.actions)?;
        self.begin(transaction.actions.iter().map(partition_of))?;
        let committed = self.engine.transact(transaction).await?;
        self.end();
        Ok(committed)
    }

    async fn max_changes(&self) -> Result<usize> {
        self.engine.max_changes().await
    }

    async fn max_actions(&self) -> Result<usize> {
        let most = self.engine.max_actions().await?;
        Ok(self.most_actions.map_or(most, |few| few.min(most)))
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

/// Where a reading and its batch id are kept, unless another household has used the id before.
fn partitions_of(reading: &Reading) -> [(Table, String); 2] {
    [
        (Table::DeviceReadings, reading.hardware_id.to_string()),
        (Table::ProcessedBatches, reading.batch_id.to_string()),
    ]
}

/// Passed on too: an engine may keep readings in a form of its own.
#[async_trait]
impl<E: RecordEngine + ReadingEngine> ReadingEngine for Recorder<E> {
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        self.begin(append.readings.iter().flat_map(partitions_of))?;
        let states = self.engine.append_readings(append).await?;
        self.end();
        Ok(states)
    }

    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>> {
        self.engine.find_readings(query).await
    }

    async fn latest_reading(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        self.engine.latest_reading(device, at).await
    }

    async fn reading_series(
        &self,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        self.engine.reading_series(device, sensor, span, at).await
    }
}
