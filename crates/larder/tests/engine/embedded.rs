//! Stores of the embedded engine.

use std::path::Path;

use super::Scale;
use crate::it::support::FreshStore;

pub(super) const SCALE: Scale = Scale {
    taps: 1_000,
    kill_rounds: 12,
    version_races: 200,
    resent_readings: 2000,
    deleted_tree: 10_000,
    deleted_memberships: 5_000,
    cycle_rounds: 500,
    upcast_resources: 1_500,
    // Writers take turns in one process, so none is refused.
    refused_of_64_writes: 0,
};

/// A directory that does not exist yet.
pub(super) fn fresh_store(scratch: &Path) -> FreshStore {
    FreshStore {
        setting: scratch.join("larder-data").display().to_string(),
        environment: &[],
        _tables: None,
    }
}
