//! A store in a directory of its own, with a clock that the test moves.
#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod readings;
pub(crate) mod rot;
pub(crate) mod things;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use larder_storage::ManualClock;
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions, ReadingBuffer};
use larder_storage_item::{
    Action, Change, Committed, Condition, Index, Key, Number, Query, QueryPage, Record,
    RecordEngine, SortKeys, Table, TransactError, Transaction,
};
use tempfile::TempDir;

pub(crate) const TABLE: Table = Table::InventoryManagement;
pub(crate) const START_S: i64 = 1_800_000_000;

pub(crate) struct Bed {
    pub(crate) directory: TempDir,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) engine: Arc<EmbeddedEngine>,
    options: EmbeddedOptions,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self::with(EmbeddedOptions::default())
    }

    pub(crate) fn with(options: EmbeddedOptions) -> Self {
        let directory = TempDir::new().unwrap();
        let clock = Arc::new(ManualClock::new(Timestamp::from_second(START_S).unwrap()));
        let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
        Self { directory, clock, engine: Arc::new(engine), options }
    }

    /// Readings stay pending until a merge is requested.
    pub(crate) fn waiting() -> Self {
        let reading_buffer = ReadingBuffer { idle: Duration::MAX, ..ReadingBuffer::default() };
        Self::with(EmbeddedOptions { reading_buffer, ..EmbeddedOptions::default() })
    }

    /// Closes the store and opens it again.
    pub(crate) fn reopen(self) -> Self {
        let Self { directory, clock, engine, options } = self;
        drop(Arc::into_inner(engine).expect("nobody else holds the engine"));
        let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
        Self { directory, clock, engine: Arc::new(engine), options }
    }

    /// A copy of the files that a crash now would leave.
    pub(crate) fn copy(&self) -> TempDir {
        let directory = TempDir::new().unwrap();
        // The file before its log, so that the log is complete.
        for file in ["larder.db", "larder.db-wal"] {
            let from = self.directory.path().join(file);
            std::fs::copy(from, directory.path().join(file)).unwrap();
        }
        directory
    }

    /// Opens a copy of the files that a crash now would leave.
    pub(crate) fn crash(self) -> Self {
        let (directory, clock, options) = (self.copy(), self.clock, self.options);
        let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
        Self { directory, clock, engine: Arc::new(engine), options }
    }

    pub(crate) async fn run(&self, actions: Vec<Action>) -> Result<Committed, TransactError> {
        self.engine.transact(transaction(actions)).await
    }

    pub(crate) async fn get(&self, pk: &str, sk: &str) -> Option<Record> {
        self.engine.get(TABLE, &Key::new(pk, sk)).await.unwrap()
    }

    pub(crate) async fn query(&self, query: &Query) -> QueryPage {
        self.engine.query(query).await.unwrap()
    }
}

pub(crate) fn transaction(actions: Vec<Action>) -> Transaction {
    Transaction { actor: "ann".into(), at: Timestamp::from_second(START_S).unwrap(), actions }
}

pub(crate) fn record(pk: &str, sk: &str) -> Record {
    Record::new().with("PK", pk).with("SK", sk)
}

pub(crate) fn put(record: Record) -> Action {
    Action::Put { table: TABLE, record, when: vec![], embed: None }
}

pub(crate) fn put_when(record: Record, when: Condition) -> Action {
    Action::Put { table: TABLE, record, when: vec![when], embed: None }
}

pub(crate) fn update(pk: &str, sk: &str, changes: Vec<Change>) -> Action {
    Action::Update { table: TABLE, key: Key::new(pk, sk), when: vec![], changes }
}

pub(crate) fn add(pk: &str, sk: &str, amount: i64) -> Action {
    update(pk, sk, vec![Change::Add("quantity".into(), Number::from(amount))])
}

pub(crate) fn delete(pk: &str, sk: &str) -> Action {
    Action::Delete { table: TABLE, key: Key::new(pk, sk), when: vec![] }
}

pub(crate) fn partition(pk: &str, index: Option<Index>) -> Query {
    Query {
        table: TABLE,
        index,
        pk: pk.into(),
        sort: SortKeys::Any,
        forward: true,
        limit: 100,
        start_after: None,
    }
}

pub(crate) fn sort_keys(page: &QueryPage) -> Vec<&str> {
    page.records.iter().map(|record| record.text("SK").unwrap()).collect()
}

/// `SplitMix64`: the same numbers in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }
}
