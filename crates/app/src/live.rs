//! Live changes, and the health check.

use larder_storage::Changes;
use tokio::sync::watch;

use crate::{App, Caller, Result, authorize};

impl App {
    /// The changes of the caller's inventory and household after a sequence number, without gaps.
    /// `None` if the journal no longer reaches back that far.
    pub async fn changes_after(
        &self,
        caller: &Caller,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>> {
        Ok(self.storage.changes_after(authorize::inventory(caller), after, limit).await?)
    }

    /// The sequence number from which on a new listener starts.
    pub async fn changes_head(&self, caller: &Caller) -> Result<u64> {
        Ok(self.storage.changes_head(authorize::inventory(caller)).await?)
    }

    /// A number that changes whenever a list of the caller's inventory may have changed; `None` if
    /// the store does not provide one.
    pub async fn list_version(&self, caller: &Caller) -> Result<Option<u64>> {
        Ok(self.storage.list_version(authorize::inventory(caller)).await?)
    }

    /// Changes whenever there may be new changes for the caller.
    pub fn watch_changes(&self, caller: &Caller) -> watch::Receiver<u64> {
        self.storage.watch_changes(authorize::inventory(caller))
    }

    /// Whether the store can serve.
    pub async fn ready(&self) -> Result<()> {
        Ok(self.storage.ready().await?)
    }
}
