//! Needs of the platform itself: idempotency, live changes, health.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Change, UserId};
use tokio::sync::watch;

use crate::{IdempotencyKey, Result, Scope, UsedKey};

/// A committed change, as listeners hear of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedChange {
    /// Its number: of two changes of one inventory, the later has the greater.
    pub sequence: u64,
    /// The time.
    pub at: Timestamp,
    /// The user; `None` for the system.
    pub by: Option<UserId>,
    /// The change.
    pub change: Change,
}

/// A stretch of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The changes, oldest first.
    pub changes: Vec<RecordedChange>,
    /// How far the journal was read: continue after this. May skip entries that are invisible to
    /// listeners.
    pub read_to: u64,
    /// Whether more follow at once.
    pub more: bool,
}

/// Needs of the platform itself.
#[async_trait]
pub trait Operations: Send + Sync {
    /// The stored result of a key that this user sent before, unless it has expired.
    async fn find_idempotent(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<UsedKey>>;

    /// The changes of an inventory and its household after a sequence number, without gaps. `None`
    /// if the journal no longer reaches back that far.
    async fn changes_after(
        &self,
        scope: Scope,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>>;

    /// The sequence number from which on a new listener starts.
    async fn changes_head(&self, scope: Scope) -> Result<u64>;

    /// A number that changes whenever a list of this inventory may have changed, for invalidating
    /// caches. `None` if lists may lag behind writes.
    async fn list_version(&self, scope: Scope) -> Result<Option<u64>>;

    /// Wakes listeners: the value changes whenever there may be new changes.
    fn watch_changes(&self, scope: Scope) -> watch::Receiver<u64>;

    /// Whether the store can serve.
    async fn ready(&self) -> Result<()>;
}
