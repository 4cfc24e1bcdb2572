//! Fresh stores of the embedded engine.

use std::path::Path;

use crate::it::support::FreshStore;

/// A directory that is not there yet.
#[expect(clippy::unused_async, reason = "fresh stores of the other engines are waited for")]
pub(crate) async fn fresh_store(scratch: &Path) -> FreshStore {
    FreshStore { setting: scratch.join("larder-data").display().to_string(), environment: &[] }
}
