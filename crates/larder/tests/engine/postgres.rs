//! Stores on PostgreSQL.

use std::path::Path;

use larder_test_servers::{Database, PostgresServer};

use super::{Scale, larder};
use crate::it::support::FreshStore;

pub(super) const SCALE: Scale = Scale {
    taps: 1_000,
    kill_rounds: 12,
    version_races: 200,
    resent_readings: 2000,
    deleted_tree: 6_000,
    deleted_memberships: 1_000,
    cycle_rounds: 100,
    upcast_resources: 600,
    // Writers wait for the row in turn, up to `postgres_lock_timeout_ms`. None was refused when
    // measured, with up to nine busy processes per core.
    refused_of_64_writes: 0,
};

/// A database of its own on the server that all tests share.
pub(super) async fn fresh_store(scratch: &Path) -> FreshStore {
    migrated_database(PostgresServer::shared(), scratch).await
}

/// Migrated once by its owner, then cloned; the server gets the run-time role.
async fn migrated_database(server: &PostgresServer, scratch: &Path) -> FreshStore {
    let migrate = async |template: Database<()>| {
        let printed =
            larder(&["migrate", "up", "--store", &template.owner_url], &[], scratch).await;
        let url = printed.trim().strip_suffix(&template.name);
        url.unwrap_or_else(|| panic!("no URL of {}: {printed:?}", template.name)).to_owned()
    };
    let database = server.fresh_database("migrated", migrate).await;
    FreshStore {
        setting: format!("{}{}", database.prepared, database.name),
        environment: &[],
        _tables: None,
    }
}

/// A server of one test, which may kill it, with a database.
pub(super) async fn killable(scratch: &Path) -> (PostgresServer, FreshStore) {
    let engine = PostgresServer::start();
    let store = migrated_database(&engine, scratch).await;
    (engine, store)
}
