//! The guarantees of a record engine in the simplest code that provides them: one lock, one map,
//! one journal. Other engines are compared with it, and it tests the suite itself.

mod apply;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use larder_storage::{Clock, Result};
use larder_storage_item::{
    Committed, Index, JournalEntry, Key, Position, Query, QueryPage, ReadingsAsRecords, Record,
    RecordEngine, ScanPage, SortKeys, Table, TransactError, Transaction,
};
use tokio::sync::watch;

/// A record engine in memory, without persistence.
pub struct ReferenceEngine {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tables: HashMap<Table, BTreeMap<Key, Record>>,
    journal: Vec<JournalEntry>,
    listeners: HashMap<(Table, String), watch::Sender<u64>>,
}

impl ReferenceEngine {
    /// An empty engine.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }

    fn now_second(&self) -> i64 {
        self.clock.now().as_second()
    }
}

impl State {
    /// The record, unless it has expired.
    fn live(&self, table: Table, key: &Key, now_second: i64) -> Option<&Record> {
        let record = self.tables.get(&table)?.get(key)?;
        is_live(table, record, now_second).then_some(record)
    }

    fn entries<'a>(
        &'a self,
        table: Table,
        pk: &'a str,
    ) -> impl DoubleEndedIterator<Item = &'a JournalEntry> {
        self.journal.iter().filter(move |entry| entry.table == table && entry.key.pk == pk)
    }
}

fn is_live(table: Table, record: &Record, now_second: i64) -> bool {
    let expires = table.ttl_attribute().and_then(|name| record.number(name));
    expires.and_then(larder_storage_item::Number::to_i64).is_none_or(|second| now_second < second)
}

/// The record's position in the index or table that is read; `None` if it is not in it.
fn position(record: &Record, table: Table, index: Option<Index>, pk: &str) -> Option<Position> {
    let key = table.key_of(record)?;
    let (partition, sort) = match &index {
        None => (key.pk.as_str(), key.sk.as_str().into()),
        Some(index) => index.key_of(record)?,
    };
    let (is_here, sort) = (partition == pk, sort.into_owned());
    is_here.then_some(Position { sort, key })
}

fn is_wanted(sort: &SortKeys, sk: &str) -> bool {
    match sort {
        SortKeys::Any => true,
        SortKeys::BeginsWith(prefix) => sk.starts_with(prefix),
        SortKeys::Between(from, to) => (from.as_str()..=to.as_str()).contains(&sk),
    }
}

/// Readings are records like others.
impl ReadingsAsRecords for ReferenceEngine {}

#[async_trait]
impl RecordEngine for ReferenceEngine {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        Ok(self.state().live(table, key, self.now_second()).cloned())
    }

    fn has_item_orders(&self) -> bool {
        true
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        let now_second = self.now_second();
        let state = self.state();
        let records = state.tables.get(&query.table).into_iter().flat_map(BTreeMap::values);
        let mut found: Vec<(Position, Record)> = records
            .filter(|record| is_live(query.table, record, now_second))
            .filter_map(|record| {
                let position = position(record, query.table, query.index, &query.pk)?;
                is_wanted(&query.sort, &position.sort).then(|| (position, record.clone()))
            })
            .collect();
        found.sort_by(|(a, _), (b, _)| (&a.sort, &a.key).cmp(&(&b.sort, &b.key)));
        if !query.forward {
            found.reverse();
        }
        if let Some(start) = &query.start_after {
            let start = (&start.sort, &start.key);
            found.retain(|(position, _)| {
                let here = (&position.sort, &position.key);
                if query.forward { here > start } else { here < start }
            });
        }
        let more = found.len() > query.limit;
        found.truncate(query.limit);
        let next = if more { found.last().map(|(position, _)| position.clone()) } else { None };
        Ok(QueryPage { records: found.into_iter().map(|(_, record)| record).collect(), next })
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        let now_second = self.now_second();
        let state = self.state();
        let records = state.tables.get(&table).into_iter().flatten();
        let mut found: Vec<(&Key, &Record)> = records
            .filter(|(key, record)| {
                start_after.is_none_or(|start| *key > start) && is_live(table, record, now_second)
            })
            .collect();
        let more = found.len() > limit;
        found.truncate(limit);
        let next = if more { found.last().map(|(key, _)| (*key).clone()) } else { None };
        Ok(ScanPage {
            records: found.into_iter().map(|(_, record)| record.clone()).collect(),
            next,
        })
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.state().transact(transaction, self.now_second())
    }

    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let state = self.state();
        Ok(state.entries(table, pk).filter(|e| e.sequence > after).take(limit).cloned().collect())
    }

    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let state = self.state();
        let older = |entry: &&JournalEntry| before.is_none_or(|before| entry.sequence < before);
        let entries = state.entries(table, &key.pk).rev().filter(|entry| entry.key == *key);
        Ok(entries.filter(older).take(limit).cloned().collect())
    }

    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64> {
        Ok(self.state().entries(table, pk).next_back().map_or(0, |entry| entry.sequence))
    }

    async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize> {
        let (mut state, mut forgotten) = (self.state(), 0);
        state.journal.retain(|entry| {
            let is_doomed = forgotten < limit
                && entry.table == table
                && entry.key.pk == pk
                && sk.is_none_or(|sk| entry.key.sk == sk);
            forgotten += usize::from(is_doomed);
            !is_doomed
        });
        Ok(forgotten)
    }

    async fn journal_floor(&self, _table: Table, _pk: &str) -> Result<u64> {
        Ok(1)
    }

    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        let mut state = self.state();
        let listener = state.listeners.entry((table, pk.to_owned()));
        listener.or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    async fn ready(&self) -> Result<()> {
        Ok(())
    }
}
