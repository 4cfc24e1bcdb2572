//! What the platform itself needs: repeated requests, live changes, health.

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
    /// When.
    pub at: Timestamp,
    /// Who; `None` if the system did it.
    pub by: Option<UserId>,
    /// What.
    pub change: Change,
}

/// A stretch of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The changes, oldest first.
    pub changes: Vec<RecordedChange>,
    /// Up to where the journal was read: continue after this. Moves past what listeners don't hear of.
    pub read_to: u64,
    /// Whether more follow at once.
    pub more: bool,
}

/// What the platform itself needs of a store.
#[async_trait]
pub trait Operations: Send + Sync {
    /// What is known of a key that this user sent before, unless its time has passed.
    async fn find_idempotent(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<UsedKey>>;

    /// The changes of an inventory and its household after a sequence number, without a gap. `None` if the
    /// journal no longer reaches back that far.
    async fn changes_after(
        &self,
        scope: Scope,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>>;

    /// The sequence number from which on a new listener starts.
    async fn changes_head(&self, scope: Scope) -> Result<u64>;

    /// A number that has changed whenever what a list of this inventory shows may have changed, for answers
    /// that are kept and shown again. `None` where lists may lag behind writes: there, no number tells.
    async fn list_version(&self, scope: Scope) -> Result<Option<u64>>;

    /// Wakes listeners: the value moves whenever there may be new changes.
    fn watch_changes(&self, scope: Scope) -> watch::Receiver<u64>;

    /// Whether the store can serve.
    async fn ready(&self) -> Result<()>;
}
