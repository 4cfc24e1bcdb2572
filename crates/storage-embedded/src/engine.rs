//! The engine: reads on the caller's thread, writes through the committing one.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use larder_storage::{Clock, Result, StorageError};
use larder_storage_item::{
    Committed, JournalEntry, Key, MAX_QUERY_LIMIT, Query, QueryPage, Record, RecordEngine,
    ScanPage, Table, TransactError, Transaction,
};
use tokio::sync::watch;

use crate::commit::{Audience, Committer, DiskFailure, Job, Reply, Swept, WriteFailure, Writer};
use crate::file::DataDirectory;
use crate::journal;
use crate::lookup;
use crate::meta::{self, Counter};
use crate::options::{Durability, EmbeddedOptions, OpenError};
use crate::pool::ReaderPool;
use crate::query::query;
use crate::readings::keeper::Keeper;
use crate::readings::latest::Latest;
use crate::readings::pending::Pending;
use crate::readings::read::Sources;
use crate::readings::records::{is_view, refuse_to_write};
use crate::scan::scan;
use crate::scrub::{ScrubReport, scrub};
use crate::statistics::{Counters, Statistics};
use crate::watch::Watchers;

/// How many probe writes must succeed before writes count as working again. Each takes a page of
/// the log, all together as many as a large change: room for one page is not yet room for a change.
const PROBES: usize = 16;

/// A store of records in a local directory that one process owns.
///
/// Reads run on the caller's thread, inside the async task: a page is bounded by
/// [`MAX_QUERY_LIMIT`] and mostly comes from memory, so that handing it to another thread would
/// take longer than the read. Reads see the last commit and never wait for the current one.
pub struct EmbeddedEngine {
    upgraded_from: Option<i64>,
    committer: Committer,
    pending: Arc<Pending>,
    latest: Arc<Latest>,
    readers: Arc<ReaderPool>,
    clock: Arc<dyn Clock>,
    watchers: Arc<Watchers>,
    counters: Arc<Counters>,
    failure: DiskFailure,
    write_failure: WriteFailure,
}

impl EmbeddedEngine {
    /// Opens the store in a directory, which is created if it does not exist.
    pub fn open(
        directory: &Path,
        clock: Arc<dyn Clock>,
        options: EmbeddedOptions,
    ) -> Result<Self, OpenError> {
        let io = |reason: String| OpenError::Io { path: directory.to_owned(), reason };
        let EmbeddedOptions { durability, journal_retention, reading_buffer } = options;
        let owned = DataDirectory::lock(directory)?;
        let connection = owned.writer()?;
        let (watchers, counters) = (Arc::<Watchers>::default(), Arc::<Counters>::default());
        let failure = DiskFailure::default();
        let write_failure = WriteFailure::default();
        let audience = Audience {
            watchers: watchers.clone(),
            counters: counters.clone(),
            failure: failure.clone(),
            write_failure: write_failure.clone(),
        };
        let (pending, latest) = (Arc::<Pending>::default(), Arc::<Latest>::default());
        let keeper = Keeper::load(
            &connection,
            pending.clone(),
            latest.clone(),
            counters.clone(),
            reading_buffer,
        );
        let keeper = keeper.map_err(|error| owned.damage(&error))?;
        let mut writer =
            Writer::new(connection, clock.clone(), journal_retention, keeper, audience)
                .map_err(|error| io(error.to_string()))?;
        let checkpointing = owned.writer()?;
        writer = writer.checkpointing(checkpointing).map_err(|error| io(error.to_string()))?;
        if durability == Durability::Full {
            writer = writer.flushing(owned.log()).map_err(|error| io(error.to_string()))?;
        }
        let committer = Committer::start(writer).map_err(|error| io(error.to_string()))?;
        let upgraded_from = owned.upgraded_from.get().copied();
        let readers = Arc::new(ReaderPool::new(owned));
        Ok(Self {
            upgraded_from,
            committer,
            pending,
            latest,
            readers,
            clock,
            watchers,
            counters,
            failure,
            write_failure,
        })
    }

    /// The format of the file before this opening, if it was an earlier one.
    pub const fn upgraded_from(&self) -> Option<i64> {
        self.upgraded_from
    }

    /// Deletes everything that has expired, in small batches between other commits. Expired records
    /// are hidden anyway: this only frees their space. The actor in the journal is `system`.
    pub async fn sweep(&self) -> Result<Swept> {
        self.forget_idle_watchers();
        let mut total = Swept::default();
        loop {
            let swept = self.committer.ask(|reply| Job::Sweep { reply }).await?;
            total.records += swept.records;
            total.journal_entries += swept.journal_entries;
            if !swept.may_have_left_some() {
                return Ok(total);
            }
        }
    }

    /// Drops partitions without watchers.
    pub fn forget_idle_watchers(&self) {
        self.watchers.prune();
    }

    /// Reads the whole store and verifies every row and how they agree. Takes as long as reading
    /// the file, on its own thread; reads and writes continue.
    pub async fn scrub(&self) -> Result<ScrubReport> {
        let readers = self.readers.clone();
        tokio::task::spawn_blocking(move || readers.read_snapshot(scrub))
            .await
            .map_err(|error| StorageError::Unavailable(error.to_string()))?
    }

    /// Counters and gauges.
    pub fn statistics(&self) -> Statistics {
        let (queue, file) = (self.committer.queue_depth(), self.readers.file_bytes());
        self.counters.read(queue, file, self.pending.size())
    }

    /// Finishes queued jobs, accepts no more, and merges the write-ahead log into the file. Reads
    /// still work. Dropping the engine does the same, but blocks the thread.
    pub async fn close(&self) {
        self.readers.close_idle();
        // An error means that it is closed already.
        let _ = self.committer.ask(|reply| Job::Close { reply }).await;
    }

    /// Queues a job for the committing thread and waits for its result.
    pub(crate) async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T> {
        self.committer.ask(job).await
    }

    /// The sources that readings are read from.
    pub(crate) fn reading_sources(&self) -> Sources<'_> {
        Sources { readers: &self.readers, pending: &self.pending, latest: &self.latest }
    }
}

impl Drop for EmbeddedEngine {
    fn drop(&mut self) {
        self.readers.close_idle();
        self.committer.stop();
    }
}

#[async_trait]
impl RecordEngine for EmbeddedEngine {
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>> {
        let now = self.clock.now();
        if is_view(table) {
            return self.reading_sources().record(table, key, now);
        }
        lookup::one(&self.readers, table, key, now.as_second())
    }

    /// All from one snapshot.
    async fn get_many(&self, table: Table, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        let now = self.clock.now();
        if is_view(table) {
            let sources = self.reading_sources();
            return keys.iter().map(|key| sources.record(table, key, now)).collect();
        }
        let now_s = now.as_second();
        if let [key] = keys {
            return Ok(vec![lookup::one(&self.readers, table, key, now_s)?]);
        }
        self.readers.read_snapshot(|connection| lookup::many(connection, table, keys, now_s))
    }

    async fn query(&self, wanted: &Query) -> Result<QueryPage> {
        let now = self.clock.now();
        if is_view(wanted.table) {
            return self.reading_sources().query(wanted, now);
        }
        let now_s = now.as_second();
        self.readers.read_snapshot(|connection| query(connection, wanted, now_s))
    }

    async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        let now = self.clock.now();
        if is_view(table) {
            return self.reading_sources().scan(table, start_after, limit, now);
        }
        let now_s = now.as_second();
        self.readers.read_snapshot(|connection| scan(connection, table, start_after, limit, now_s))
    }

    fn has_item_orders(&self) -> bool {
        true
    }

    async fn partition_version(&self, table: Table, pk: &str) -> Result<Option<u64>> {
        Ok(Some(self.watchers.version(table, pk)))
    }

    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError> {
        transaction.validate()?;
        refuse_to_write(&transaction)?;
        self.committer.ask(|reply| Job::Transact { transaction, reply }).await?
    }

    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let hash = journal::partition_hash(table, pk);
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let limit = limit.min(MAX_QUERY_LIMIT);
        let mut entries = self
            .readers
            .read_snapshot(|connection| journal::read::after(connection, hash, after, limit))?;
        // Two partitions may share a hash.
        entries.retain(|entry| entry.table == table && entry.key.pk == pk);
        Ok(entries)
    }

    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let before = before.and_then(|before| i64::try_from(before).ok());
        let limit = limit.min(MAX_QUERY_LIMIT);
        self.readers.read_snapshot(|connection| {
            journal::history::before(connection, (table, key), before, limit)
        })
    }

    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64> {
        let hash = journal::partition_hash(table, pk);
        self.readers.read_snapshot(|connection| {
            let newest = journal::read::newest(connection, hash)?.unwrap_or(0);
            // If the last change of the partition was trimmed, a reader that starts at the floor
            // misses nothing either.
            let floor = meta::read(connection, Counter::JournalFloor)?;
            Ok(newest.max(floor - 1).cast_unsigned())
        })
    }

    async fn journal_floor(&self, _table: Table, _pk: &str) -> Result<u64> {
        let floor =
            self.readers.read(|connection| meta::read(connection, Counter::JournalFloor))?;
        Ok(floor.cast_unsigned())
    }

    async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize> {
        let (pk, sk) = (pk.to_owned(), sk.map(str::to_owned));
        self.committer.ask(|reply| Job::ForgetChanges { table, pk, sk, limit, reply }).await
    }

    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        self.watchers.subscribe(table, pk)
    }

    async fn ready(&self) -> Result<()> {
        if !self.committer.is_open() || self.failure.has_happened() {
            return Err(StorageError::Unavailable("the store is closed".into()));
        }
        // Only a write can show that the disk has room again.
        if self.write_failure.has_happened() {
            for _ in 0..PROBES {
                self.committer.ask(|reply| Job::Probe { reply }).await?;
            }
            self.write_failure.is_over();
        }
        self.readers.read(|connection| meta::read(connection, Counter::NextSequence)).map(|_| ())
    }
}
