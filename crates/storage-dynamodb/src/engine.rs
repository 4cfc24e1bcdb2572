//! The engine.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use larder_storage::{Clock, Result, StorageError};
use larder_storage_item::{
    Committed, JournalEntry, Key, Query, QueryPage, ReadingsAsRecords, Record, RecordEngine,
    ScanPage, Table, TransactError, Transaction,
};
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinHandle;

use crate::attributes::from_key;
use crate::background::Background;
use crate::client::client;
use crate::database::Database;
use crate::journal::Place;
use crate::names::TableNames;
use crate::options::{DynamoOptions, OpenError};
use crate::randomness::Randomness;
use crate::retry::RetryBudget;
use crate::transact::Partitions;
use crate::units::{Consumed, Units};
use crate::watch::{Watchers, poll};

/// Time limit of the readiness check.
const READY_WITHIN: Duration = Duration::from_secs(2);

/// A store of records in DynamoDB's tables, which any number of servers share.
pub struct DynamoEngine {
    database: Arc<Database>,
    partitions: Partitions,
    watchers: Arc<Watchers>,
    poller: JoinHandle<()>,
}

impl DynamoEngine {
    /// Opens the engine, and starts to poll for changes of other servers. The endpoint need not
    /// answer yet. Credentials come from the usual AWS sources: environment, profile, container,
    /// instance.
    pub async fn open(options: DynamoOptions, clock: Arc<dyn Clock>) -> Result<Self, OpenError> {
        let names = TableNames::new(&options.prefix)?;
        let random = Randomness::from_system().map_err(OpenError::Randomness)?;
        let client = client(&options).await;
        if client.config().region().is_none() {
            return Err(OpenError::NoRegion);
        }
        let database = Arc::new(Database {
            client,
            names,
            clock,
            random,
            deadline: options.deadline,
            retention: options.journal_retention,
            units: Arc::new(Units::new(options.count_units)),
            background: Background::default(),
            max_actions: OnceCell::new(),
        });
        let watchers = Arc::<Watchers>::default();
        let poller = poll(Arc::clone(&database), Arc::clone(&watchers), options.poll_interval);
        let poller = tokio::spawn(poller);
        Ok(Self { database, partitions: Partitions::default(), watchers, poller })
    }

    /// Units consumed so far; zero unless [`DynamoOptions::count_units`] is set.
    pub fn consumed(&self) -> Consumed {
        self.database.units.consumed()
    }

    /// Waits for background tasks of commits.
    pub async fn settled(&self) {
        self.database.background.settled().await;
    }
}

impl Drop for DynamoEngine {
    fn drop(&mut self) {
        self.poller.abort();
    }
}

/// A reading is a record, written together with its batch id by one request.
impl ReadingsAsRecords for DynamoEngine {}

#[async_trait]
impl RecordEngine for DynamoEngine {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        if !table.fits(key) {
            return Ok(None);
        }
        let now_s = self.database.now_s();
        let record = self.database.get(self.database.names.of(table), key).await?;
        Ok(record.and_then(|record| Database::live(table, record, now_s)))
    }

    async fn get_many(&self, table: Table, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        let database = &self.database;
        let (named, now_s) = (database.names.of(table), database.now_s());
        // DynamoDB refuses a request that names a key twice.
        let distinct: HashSet<&Key> = keys.iter().filter(|key| table.fits(key)).collect();
        let wanted: Vec<_> = distinct.into_iter().map(|key| (named, key.clone())).collect();
        let found = database.get_many(&wanted, true).await?;
        let live = |key: &Key| {
            let record = found.get(&(named, key.clone()))?.clone();
            Database::live(table, record, now_s)
        };
        Ok(keys.iter().map(live).collect())
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        self.database.query(query).await
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        self.database.scan(table, start_after, limit).await
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.database.transact(&self.partitions, &self.watchers, &transaction).await
    }

    async fn max_changes(&self) -> Result<usize> {
        // The change, and its change record.
        Ok(self.max_actions().await? / 2)
    }

    async fn max_actions(&self) -> Result<usize> {
        self.database.max_actions().await
    }

    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.database.journal_after(table, pk, after, limit).await
    }

    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.database.journal_of(table, key, before, limit).await
    }

    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64> {
        let newest = self.database.journal_newest(table, pk).await?;
        Ok(newest.map_or(0, Place::sequence))
    }

    async fn journal_floor(&self, table: Table, pk: &str) -> Result<u64> {
        self.database.journal_floor(table, pk).await
    }

    async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize> {
        self.database.forget_changes(table, pk, sk, limit).await
    }

    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        self.watchers.subscribe((table, pk.to_owned()))
    }

    async fn ready(&self) -> Result<()> {
        let database = &self.database;
        let mut wanted = HashMap::new();
        for table in database.names.all() {
            let nobody = from_key(table.keys, &Key::new("READY", "READY"));
            let keys = KeysAndAttributes::builder().keys(nobody).build();
            let keys = keys.map_err(|error| StorageError::Defect(error.to_string()))?;
            wanted.insert(table.name.to_owned(), keys);
        }
        let asked = wanted.len();
        let request = database
            .client
            .batch_get_item()
            .set_request_items(Some(wanted))
            .set_return_consumed_capacity(database.counting());
        let mut retries = RetryBudget::new(&database.random, READY_WITHIN.min(database.deadline));
        let answer = retries.send(|| request.clone().send()).await?;
        database.units.read(answer.consumed_capacity(), asked, false);
        Ok(())
    }
}
