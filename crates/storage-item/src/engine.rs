//! The interface of record engines: DynamoDB's data model, reduced to what our layouts use.
//!
//! The numbered guarantees of every engine are in `docs/engine-criteria.md`.

use std::borrow::Cow;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_storage::{Result, StorageError};
use thiserror::Error;
use tokio::sync::watch;

use crate::{ITEM_ORDERS, Name, Number, Query, QueryPage, Record, Value, item_order, layout::keys};

/// Maximum number of actions per transaction: DynamoDB's limit, and so the limit of every engine.
pub const MAX_ACTIONS: usize = 100;
/// Maximum number of records per query page. Bounds the time of a read.
pub const MAX_QUERY_LIMIT: usize = 1000;
/// The largest record, counted as DynamoDB counts: 400 KB.
pub const MAX_RECORD_BYTES: usize = 400 * 1024;
/// How deep maps and lists may nest in a record: DynamoDB's limit.
pub const MAX_RECORD_DEPTH: usize = 32;
/// Their maximum depth in journaled records: one less, because a change record nests the record in
/// a map.
pub const MAX_JOURNALED_DEPTH: usize = MAX_RECORD_DEPTH - 1;

/// A table of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// Accounts, households and everything in them.
    InventoryManagement,
    /// Resources, their relations, and everything that must be unique (seed 004).
    Relational,
    /// Grants on resources.
    Grants,
    /// Registered devices (seed 002).
    Devices,
    /// Readings (seed 002). Written only by [`crate::ReadingEngine`]; an engine may store them in
    /// its own format, and presents them here as the seed's records.
    DeviceReadings,
    /// Batch ids of readings, for deduplication (seed 002). Written only by
    /// [`crate::ReadingEngine`].
    ProcessedBatches,
    /// API keys of devices (seed 002).
    ApiKeys,
}

/// The attributes that are the primary key of a table's records. All are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyNames {
    /// The attribute that partitions the table.
    pub pk: &'static str,
    /// The sort key attribute; without one, a partition is a single record, whose [`Key::sk`] is
    /// empty.
    pub sk: Option<&'static str>,
}

/// A secondary index: the attributes that are its key. A record that lacks one of them is not in
/// the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Index {
    /// Its name.
    pub name: &'static str,
    /// The attribute that partitions it.
    pub pk: &'static str,
    /// The attribute that orders it; without one, the records of a partition are in no order but that
    /// of their primary keys, and the sort text of each is empty. Of the [`ITEM_ORDERS`] it is a name
    /// for what is derived from the record.
    pub sk: Option<&'static str>,
}

impl Index {
    /// The partition and the sort key of a record in this index; `None` if it is not in it.
    pub fn key_of<'r>(&self, record: &'r Record) -> Option<(&'r str, Cow<'r, str>)> {
        let part = |name| record.text(name).filter(|text| !text.is_empty());
        let sort = if ITEM_ORDERS.contains(self) {
            item_order::sort_key(record, *self)?
        } else {
            self.sk.map_or(Some(""), part)?.into()
        };
        Some((part(self.pk)?, sort))
    }
}

/// First general-purpose index of `InventoryManagement`.
pub const GSI1: Index = Index { name: "GSI1", pk: "GSI1PK", sk: Some("GSI1SK") };
/// Second general-purpose index of `InventoryManagement`.
pub const GSI2: Index = Index { name: "GSI2", pk: "GSI2PK", sk: Some("GSI2SK") };
/// `Relational` with its keys turned round.
pub const INVERTED: Index = Index { name: "InvertedIndex", pk: "SK", sk: Some("PK") };
/// All resources of an account.
pub const BY_ACCOUNT: Index =
    Index { name: "ResourcesByAccountIndex", pk: "_accountUrn", sk: Some("urn") };
/// All grants of an account, by resource and then by principal.
pub const GRANTS_BY_ACCOUNT: Index =
    Index { name: "GrantsByAccountIndex", pk: "_accountUrn", sk: Some("_order") };
/// All devices by their last activity, or all API keys by their creation.
pub const TELEMETRY_GSI1: Index = Index { name: "gsi1", pk: "gsi1pk", sk: Some("gsi1sk") };
/// The devices or API keys of one household, in the same order.
pub const BY_FAMILY: Index = Index { name: "family_index", pk: "family_id", sk: Some("gsi1sk") };
/// API keys by their hash, for use before authorization.
pub const API_KEY_HASH: Index = Index { name: "api_key_hash_index", pk: "api_key_hash", sk: None };

impl Table {
    /// Every table.
    pub const ALL: [Self; 7] = [
        Self::InventoryManagement,
        Self::Relational,
        Self::Grants,
        Self::Devices,
        Self::DeviceReadings,
        Self::ProcessedBatches,
        Self::ApiKeys,
    ];

    /// The name of the table, without any prefix.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InventoryManagement => "InventoryManagement",
            Self::Relational => "Relational",
            Self::Grants => "grants",
            Self::Devices => "devices",
            Self::DeviceReadings => "device_readings",
            Self::ProcessedBatches => "processed_batches",
            Self::ApiKeys => "api_keys",
        }
    }

    /// The attributes that are the primary key.
    pub const fn key_names(self) -> KeyNames {
        match self {
            Self::InventoryManagement | Self::Relational | Self::Grants => {
                KeyNames { pk: "PK", sk: Some("SK") }
            }
            Self::Devices => KeyNames { pk: "hardware_id", sk: None },
            Self::DeviceReadings => KeyNames { pk: "hardware_id", sk: Some("ts_batch") },
            Self::ProcessedBatches => KeyNames { pk: "batch_id", sk: None },
            Self::ApiKeys => KeyNames { pk: "key_id", sk: None },
        }
    }

    /// The primary key of a record of this table. Records from an engine always have one.
    pub fn key_of(self, record: &Record) -> Option<Key> {
        let KeyNames { pk, sk } = self.key_names();
        let pk = record.text(pk)?.to_owned();
        let sk = sk.map_or(Some(""), |sk| record.text(sk))?.to_owned();
        Some(Key { pk, sk })
    }

    /// A record with only this key.
    pub fn record_with(self, key: &Key) -> Record {
        let KeyNames { pk, sk } = self.key_names();
        Record::new()
            .with(pk, key.pk.as_str())
            .with_some(sk.unwrap_or_default(), sk.map(|_| key.sk.as_str()))
    }

    /// Whether the key has all parts that the table requires.
    pub const fn fits(self, key: &Key) -> bool {
        !key.pk.is_empty() && key.sk.is_empty() == self.key_names().sk.is_none()
    }

    /// The secondary indexes of the table.
    pub const fn indexes(self) -> &'static [Index] {
        match self {
            Self::InventoryManagement => &[GSI1, GSI2],
            Self::Relational => &[INVERTED, BY_ACCOUNT],
            Self::Grants => &[GRANTS_BY_ACCOUNT],
            Self::Devices => &[TELEMETRY_GSI1, BY_FAMILY],
            Self::DeviceReadings | Self::ProcessedBatches => &[],
            Self::ApiKeys => &[API_KEY_HASH, TELEMETRY_GSI1, BY_FAMILY],
        }
    }

    /// The attribute with the second (Unix time) at which a record expires.
    pub const fn ttl_attribute(self) -> Option<&'static str> {
        match self {
            Self::InventoryManagement => Some("ttl"),
            Self::DeviceReadings | Self::ProcessedBatches => Some("expiration_time"),
            Self::Relational | Self::Grants | Self::Devices | Self::ApiKeys => None,
        }
    }

    /// Whether changes of this record are journaled, and so produce events. Sessions,
    /// tokens for programs, used idempotency keys and the store's own bookkeeping are not, nor are tags, whose keys are
    /// secret and whose counts change with every page view, nor any record of devices or of the
    /// relational store.
    pub fn is_journaled(self, key: &Key) -> bool {
        const UNJOURNALED_PREFIXES: [&str; 16] = [
            keys::SESSION_PREFIX,
            keys::PROGRAM_TOKEN_PREFIX,
            keys::PROGRAM_TOKEN_COUNT,
            keys::IDEMPOTENCY_PREFIX,
            keys::NONCE_PREFIX,
            keys::SHOPPING_LINK_PREFIX,
            keys::PRODUCT_LOTS_PREFIX,
            keys::PRODUCTS_MADE,
            keys::PHOTO_PREFIX,
            keys::PHOTO_COUNT,
            keys::JOB_PREFIX,
            keys::DELIVERY_PREFIX,
            keys::LEASE_PREFIX,
            keys::BOOKMARK_PREFIX,
            keys::TREE_PREFIX,
            keys::ERASURE_PREFIX,
        ];
        self == Self::InventoryManagement
            && !keys::is_tag_sk(&key.sk)
            && !UNJOURNALED_PREFIXES.iter().any(|prefix| key.sk.starts_with(prefix))
    }
}

/// The primary key of a record.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The partition.
    pub pk: String,
    /// The place within the partition. Compared byte by byte.
    pub sk: String,
}

impl Key {
    /// A key from its two parts.
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }
}

/// One page of a whole table.
#[derive(Debug, Clone, Default)]
pub struct ScanPage {
    /// The records, expired ones left out.
    pub records: Vec<Record>,
    /// Where to continue; `None` at the end of the table. A page with fewer records than requested,
    /// or none, may still have a continuation.
    pub next: Option<Key>,
}

/// A condition on a record for a transaction to commit. An expired record counts as absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The record exists.
    Exists,
    /// The record does not exist.
    NotExists,
    /// The attribute exists and equals this.
    Equals(Name, Value),
    /// The record exists and this attribute is absent.
    Absent(Name),
    /// The attribute is a number and at least this.
    AtLeast(Name, Number),
    /// The attribute is a number and at most this.
    AtMost(Name, Number),
}

/// A change of one attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Set it.
    Set(Name, Value),
    /// Add to the number that it is; a missing one counts as 0.
    Add(Name, Number),
    /// Remove it.
    Remove(Name),
}

/// One action of a transaction. A transaction touches each record at most once.
#[derive(Debug, Clone)]
pub enum Action {
    /// Write a whole record, replacing an existing one.
    Put {
        /// The table.
        table: Table,
        /// The record, with its key.
        record: Record,
        /// Conditions.
        when: Vec<Condition>,
        /// Store under this attribute the record that another action (by position) leaves behind.
        embed: Option<(Name, usize)>,
    },
    /// Change attributes of a record, which is created if it does not exist.
    Update {
        /// The table.
        table: Table,
        /// The record.
        key: Key,
        /// Conditions.
        when: Vec<Condition>,
        /// The changes, in order.
        changes: Vec<Change>,
    },
    /// Delete a record. Deleting an absent one succeeds.
    Delete {
        /// The table.
        table: Table,
        /// The record.
        key: Key,
        /// Conditions.
        when: Vec<Condition>,
    },
    /// Change nothing, but make the transaction depend on this record.
    Check {
        /// The table.
        table: Table,
        /// The record.
        key: Key,
        /// Conditions.
        when: Vec<Condition>,
    },
}

/// A change set: applied completely or not at all.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The actor, for the journal. Never empty.
    pub actor: String,
    /// When, for the journal.
    pub at: Timestamp,
    /// The actions, at most [`MAX_ACTIONS`], of which at most [`RecordEngine::max_changes`] change
    /// journaled records.
    pub actions: Vec<Action>,
}

/// The result of a committed transaction.
#[derive(Debug, Clone)]
pub struct Committed {
    /// For each action the new record: `None` after `Delete` and `Check`.
    pub images: Vec<Option<Record>>,
}

/// Why a transaction did not happen.
#[derive(Debug, Error)]
pub enum TransactError {
    /// A condition of this action failed; nothing was changed.
    #[error("the condition of action {action} was not met")]
    ConditionFailed {
        /// The position of the first action that failed.
        action: usize,
        /// The record as it is, unless it is absent. Boxed: errors travel far.
        current: Option<Box<Record>>,
    },
    /// The engine failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// One committed change of one record.
#[derive(Debug, Clone)]
pub struct JournalEntry {
    /// Its number: of two changes of one partition, the later has the greater.
    pub sequence: u64,
    /// The time given by the transaction.
    pub at: Timestamp,
    /// The actor given by the transaction.
    pub actor: String,
    /// The table.
    pub table: Table,
    /// The record.
    pub key: Key,
    /// The old record; `None` if it was created.
    pub old: Option<Record>,
    /// The new record; `None` if it was deleted.
    pub new: Option<Record>,
}

/// A store of records.
#[async_trait]
pub trait RecordEngine: Send + Sync + 'static {
    /// Reads one record as the last acknowledged write left it.
    async fn get(&self, table: Table, key: &Key) -> Result<Option<Record>>;

    /// Reads several records of a table, up to [`MAX_ACTIONS`], each as [`RecordEngine::get`] does
    /// and in the order of the keys. Keys may repeat. Not from one snapshot: a concurrent write may
    /// be visible in only some of them.
    async fn get_many(&self, table: Table, keys: &[Key]) -> Result<Vec<Option<Record>>> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.push(self.get(table, key).await?);
        }
        Ok(found)
    }

    /// Reads a page of a partition. Reads of the table see every acknowledged write; reads of an index
    /// may lag.
    async fn query(&self, query: &Query) -> Result<QueryPage>;

    /// Reads a page of a whole table, after this record, which need not exist any more: up to
    /// `limit` records and at most [`MAX_QUERY_LIMIT`], in an engine-specific order. Over all
    /// pages, each record is returned once; one that is written or deleted meanwhile may be
    /// missing. For background jobs: the cost is proportional to the table.
    async fn scan(&self, table: Table, start_after: Option<&Key>, limit: usize)
    -> Result<ScanPage>;

    /// A number that changes whenever a journaled record of this partition may have changed, for
    /// invalidating caches. `None` by default, and if index reads lag.
    async fn partition_version(&self, _table: Table, _pk: &str) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Whether the engine keeps the [`ITEM_ORDERS`], which are not in [`Table::indexes`].
    fn has_item_orders(&self) -> bool {
        false
    }

    /// Commits a change set. `Ok` means that it is durable.
    async fn transact(&self, transaction: Transaction) -> Result<Committed, TransactError>;

    /// This engine's limit of changed journaled records per transaction. At least 5; larger work is
    /// split into such transactions.
    async fn max_changes(&self) -> Result<usize> {
        Ok(MAX_ACTIONS)
    }

    /// This engine's limit of actions per transaction without journaled changes. At least 10;
    /// larger work is split into such transactions.
    async fn max_actions(&self) -> Result<usize> {
        Ok(MAX_ACTIONS)
    }

    /// The changes of a partition after a sequence number, oldest first, expired ones left out.
    async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>>;

    /// The changes of one record before a sequence number (`None`: from the newest), newest first.
    /// May lag behind writes if read from an index.
    async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>>;

    /// The newest sequence number of a partition that a reader may rely on; 0 if there is none.
    async fn journal_head(&self, table: Table, pk: &str) -> Result<u64>;

    /// The oldest sequence number that the journal still has, for late readers: earlier changes are
    /// deleted.
    async fn journal_floor(&self, table: Table, pk: &str) -> Result<u64>;

    /// Forgets changes of a partition, or of one record of it (by its sort key), up to about `limit`
    /// of them, and returns how many; 0 when none are left. No method returns them any more, and
    /// the engine keeps nothing of what they contained. Numbers are not used again.
    async fn forget_changes(
        &self,
        table: Table,
        pk: &str,
        sk: Option<&str>,
        limit: usize,
    ) -> Result<usize>;

    /// Notifies of new changes of a partition: the value changes whenever journaled changes were
    /// committed. It may also change without one.
    fn watch(&self, table: Table, pk: &str) -> watch::Receiver<u64>;

    /// Whether the engine can serve. Cheap enough to call every second.
    async fn ready(&self) -> Result<()>;
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
