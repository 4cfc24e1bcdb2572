//! Wrapper engines: methods that a wrapper does not override are delegated here, once.

use std::ops::Deref;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    Bucket, HardwareId, HouseholdId, Reading, ReadingPosition, SensorName, SeriesSpan,
};
use larder_storage::{Page, ReadingState, Result};
use larder_storage_item::{
    AppendReadings, Committed, JournalEntry, Key, Query, QueryPage, ReadingEngine, ReadingQuery,
    Record, RecordEngine, ScanPage, Table, TransactError, Transaction,
};
use tokio::sync::watch;

/// The calls that wrappers change. Each default passes the call on to the wrapped engine.
#[async_trait]
pub trait Intercept: Send + Sync + 'static {
    /// The wrapped engine.
    type Engine: RecordEngine;

    /// The wrapped engine.
    fn engine(&self) -> &Self::Engine;

    /// Called before every read of records or readings.
    fn before_read(&self) {}

    /// Replaces [`RecordEngine::query`].
    async fn query(&self, query: &Query) -> Result<QueryPage> {
        self.engine().query(query).await
    }

    /// Replaces [`RecordEngine::partition_version`].
    async fn partition_version(&self, table: Table, pk: &str) -> Result<Option<u64>> {
        self.engine().partition_version(table, pk).await
    }

    /// Replaces [`RecordEngine::transact`].
    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.engine().transact(transaction).await
    }

    /// Replaces [`RecordEngine::max_actions`].
    async fn max_actions(&self) -> Result<usize> {
        self.engine().max_actions().await
    }

    /// Replaces [`ReadingEngine::append_readings`].
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>>
    where
        Self::Engine: ReadingEngine,
    {
        self.engine().append_readings(append).await
    }
}

/// A wrapped engine.
pub struct Intercepted<I>(pub I);

impl<I> Deref for Intercepted<I> {
    type Target = I;

    fn deref(&self) -> &I {
        &self.0
    }
}

#[async_trait]
impl<I: Intercept> RecordEngine for Intercepted<I> {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        self.before_read();
        self.engine().get(table, key).await
    }

    async fn get_many(&self, table: Table, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        self.before_read();
        self.engine().get_many(table, keys).await
    }

    async fn query(&self, query: &Query) -> Result<QueryPage> {
        self.before_read();
        self.0.query(query).await
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        self.before_read();
        self.engine().scan(table, start_after, limit).await
    }

    async fn partition_version(&self, table: Table, pk: &str) -> Result<Option<u64>> {
        self.0.partition_version(table, pk).await
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        self.0.transact(transaction).await
    }

    async fn max_changes(&self) -> Result<usize> {
        self.engine().max_changes().await
    }

    async fn max_actions(&self) -> Result<usize> {
        self.0.max_actions().await
    }

    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.engine().journal_after(table, pk, after, limit).await
    }

    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        self.engine().journal_of(table, key, before, limit).await
    }

    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64> {
        self.engine().journal_head(table, pk).await
    }

    async fn journal_floor(&self, table: Table, pk: &str) -> Result<u64> {
        self.engine().journal_floor(table, pk).await
    }

    async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize> {
        self.engine().forget_changes(table, pk, sk, limit).await
    }

    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        self.engine().watch(table, pk)
    }

    async fn ready(&self) -> Result<()> {
        self.engine().ready().await
    }
}

#[async_trait]
impl<I: Intercept<Engine: ReadingEngine>> ReadingEngine for Intercepted<I> {
    async fn append_readings(&self, append: AppendReadings) -> Result<Vec<ReadingState>> {
        self.0.append_readings(append).await
    }

    async fn forget_readings(
        &self,
        device: HardwareId,
        household: Option<HouseholdId>,
        limit: usize,
    ) -> Result<usize> {
        self.engine().forget_readings(device, household, limit).await
    }

    async fn find_readings(
        &self,
        query: ReadingQuery<'_>,
    ) -> Result<Page<Reading, ReadingPosition>> {
        self.before_read();
        self.engine().find_readings(query).await
    }

    async fn latest_reading(&self, device: HardwareId, at: Timestamp) -> Result<Option<Reading>> {
        self.before_read();
        self.engine().latest_reading(device, at).await
    }

    async fn reading_series(
        &self,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        self.before_read();
        self.engine().reading_series(device, sensor, span, at).await
    }
}
