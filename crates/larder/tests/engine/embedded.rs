//! Fresh stores of the embedded engine.

use std::path::Path;

use crate::it::support::FreshStore;

/// How many readings everybody resends while the server is killed.
pub(crate) const RESENT_READINGS: usize = 2000;

/// A directory that is not there yet.
#[expect(clippy::unused_async, reason = "fresh stores of the other engines are waited for")]
pub(crate) async fn fresh_store(scratch: &Path) -> FreshStore {
    FreshStore { setting: scratch.join("larder-data").display().to_string(), environment: &[] }
}
