//! Fresh stores of the embedded engine.

use std::path::Path;

use crate::it::support::FreshStore;

/// How many readings everybody resends while the server is killed.
pub(crate) const RESENT_READINGS: usize = 2000;

/// How large the tree is that is deleted while the server is killed, and how many memberships name what is in it.
pub(crate) const DELETED_TREE: usize = 10_000;
pub(crate) const DELETED_MEMBERSHIPS: usize = 5_000;

/// How often two try to move two resources under each other.
pub(crate) const CYCLE_ROUNDS: usize = 500;

/// How many resources are brought into their newest shape by a command that is killed midway.
pub(crate) const UPCAST_RESOURCES: usize = 1_500;

/// A directory that is not there yet.
#[expect(clippy::unused_async, reason = "fresh stores of the other engines are waited for")]
pub(crate) async fn fresh_store(scratch: &Path) -> FreshStore {
    FreshStore { setting: scratch.join("larder-data").display().to_string(), environment: &[] }
}
