//! The fixture of tests of record engines.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_storage::{Clock, ManualClock};
use larder_storage_item::{
    Action, Change, Committed, Condition, Index, Key, Position, Query, QueryPage, ReadingEngine,
    Record, RecordEngine, SortKeys, Table, TransactError, Transaction,
};

use crate::pace::{self, Exact, Pace};

/// An engine under test. Tests use partitions of their own, so that harnesses may share a database.
pub struct EngineHarness {
    engine: Arc<dyn RecordEngine>,
    readings: Arc<dyn ReadingEngine>,
    clock: Arc<ManualClock>,
    pace: Arc<dyn Pace>,
    namespace: String,
    takes_empty_texts: bool,
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

impl EngineHarness {
    /// An engine and its clock. The namespace must be unique within the database.
    pub fn new<E: RecordEngine + ReadingEngine>(
        engine: Arc<E>,
        clock: Arc<ManualClock>,
        namespace: impl Into<String>,
    ) -> Self {
        Self {
            engine: Arc::clone(&engine) as _,
            readings: engine,
            clock,
            pace: Arc::new(Exact),
            namespace: namespace.into(),
            takes_empty_texts: true,
            kept: Vec::new(),
        }
    }

    /// For an engine whose indexes lag.
    #[must_use]
    pub fn with_pace(mut self, pace: Arc<dyn Pace>) -> Self {
        self.pace = pace;
        self
    }

    /// For an endpoint that rejects empty strings, as old versions of DynamoDB Local do: the suite
    /// then expects the rejection.
    #[must_use]
    pub fn refusing_empty_texts(mut self) -> Self {
        self.takes_empty_texts = false;
        self
    }

    pub(crate) const fn takes_empty_texts(&self) -> bool {
        self.takes_empty_texts
    }

    /// Keeps a value alive as long as the harness, such as a temporary directory.
    #[must_use]
    pub fn keeping(mut self, kept: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(kept));
        self
    }

    /// The engine.
    pub fn engine(&self) -> &Arc<dyn RecordEngine> {
        &self.engine
    }

    /// The same engine, as a [`ReadingEngine`].
    pub fn readings(&self) -> &Arc<dyn ReadingEngine> {
        &self.readings
    }

    /// The time that the engine sees.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn advance_seconds(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// A partition of this test's own.
    pub(crate) fn partition(&self, name: &str) -> String {
        format!("{}#{name}", self.namespace)
    }

    pub(crate) fn key(&self, partition: &str, sk: &str) -> Key {
        Key::new(self.partition(partition), sk)
    }

    /// A record without attributes of its own.
    pub(crate) fn record(&self, partition: &str, sk: &str) -> Record {
        Record::new().with("PK", self.partition(partition)).with("SK", sk)
    }

    pub(crate) async fn get(&self, key: &Key) -> Option<Record> {
        self.engine.get(Table::InventoryManagement, key).await.unwrap()
    }

    pub(crate) async fn transact(&self, actions: Vec<Action>) -> Result<Committed, TransactError> {
        self.engine.transact(self.transaction(actions)).await
    }

    pub(crate) fn transaction(&self, actions: Vec<Action>) -> Transaction {
        Transaction { actor: "tester".to_owned(), at: self.now(), actions }
    }

    pub(crate) async fn commit(&self, actions: Vec<Action>) -> Committed {
        self.transact(actions).await.unwrap()
    }

    /// Commits any number of changes, in transactions as large as the engine allows.
    pub(crate) async fn commit_all(&self, actions: Vec<Action>) {
        let at_once = self.engine.max_changes().await.unwrap();
        for chunk in actions.chunks(at_once) {
            self.commit(chunk.to_vec()).await;
        }
    }

    /// All records of a query, read page by page; checks the rules of paging.
    pub(crate) async fn read_all(&self, query: &Query) -> Vec<Record> {
        let mut query = query.clone();
        let mut records = Vec::new();
        loop {
            let QueryPage { records: page, next } = self.engine.query(&query).await.unwrap();
            assert!(page.len() <= query.limit, "a page holds at most what was asked for");
            records.extend(page);
            match next {
                Some(next) => {
                    assert_ne!(query.start_after.as_ref(), Some(&next), "paging gets on");
                    query.start_after = Some(next);
                }
                None => return records,
            }
        }
    }

    /// The sort keys of a query's records, in order.
    pub(crate) async fn read_sort_keys(&self, query: &Query) -> Vec<String> {
        self.read_all(query).await.into_iter().map(|record| sort_key(&record)).collect()
    }

    pub(crate) async fn eventually<T: PartialEq + Debug>(
        &self,
        expected: &T,
        read: impl AsyncFnMut() -> T,
    ) {
        pace::eventually(&*self.pace, expected, read).await;
    }

    /// A query of a whole partition of the table, forwards.
    pub(crate) fn query(&self, partition: &str) -> Query {
        Query {
            table: Table::InventoryManagement,
            index: None,
            pk: self.partition(partition),
            sort: SortKeys::Any,
            forward: true,
            limit: 100,
            start_after: None,
        }
    }

    /// A query of a whole partition of an index of the table, forwards.
    pub(crate) fn index_query(&self, index: Index, partition: &str) -> Query {
        Query { index: Some(index), ..self.query(partition) }
    }
}

pub(crate) fn sort_key(record: &Record) -> String {
    record.text("SK").expect("every record has its keys").to_owned()
}

/// The position of a record in its table.
pub(crate) fn position(record: &Record) -> Position {
    Position { sort: sort_key(record), key: key_of(record) }
}

/// The key of a record of the tables whose keys are `PK` and `SK`.
pub(crate) fn key_of(record: &Record) -> Key {
    Table::InventoryManagement.key_of(record).expect("every record has its keys")
}

pub(crate) fn put(record: Record) -> Action {
    put_when(record, vec![])
}

pub(crate) fn put_when(record: Record, when: Vec<Condition>) -> Action {
    Action::Put { table: Table::InventoryManagement, record, when, embed: None }
}

pub(crate) fn update(key: Key, changes: Vec<Change>) -> Action {
    update_when(key, vec![], changes)
}

pub(crate) fn update_when(key: Key, when: Vec<Condition>, changes: Vec<Change>) -> Action {
    Action::Update { table: Table::InventoryManagement, key, when, changes }
}

pub(crate) fn delete(key: Key) -> Action {
    delete_when(key, vec![])
}

pub(crate) fn delete_when(key: Key, when: Vec<Condition>) -> Action {
    Action::Delete { table: Table::InventoryManagement, key, when }
}

pub(crate) fn check(key: Key, when: Vec<Condition>) -> Action {
    Action::Check { table: Table::InventoryManagement, key, when }
}
