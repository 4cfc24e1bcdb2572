//! Fresh stores on PostgreSQL.

use std::net::SocketAddr;
use std::path::Path;

use larder_test_servers::{Database, PostgresServer};

use crate::it::support::FreshStore;
use crate::remote::larder;

/// How many readings everybody resends while the server is killed.
pub(crate) const RESENT_READINGS: usize = 2000;

/// How large the tree is that is deleted while the server is killed, and how many memberships name what is in it.
pub(crate) const DELETED_TREE: usize = 6_000;
pub(crate) const DELETED_MEMBERSHIPS: usize = 1_000;

/// How often two try to move two resources under each other.
pub(crate) const CYCLE_ROUNDS: usize = 100;

/// How many resources are brought into their newest shape by a command that is killed midway.
pub(crate) const UPCAST_RESOURCES: usize = 600;

/// A database of its own on the server that all tests share.
pub(crate) async fn fresh_store(scratch: &Path) -> FreshStore {
    migrated_database(PostgresServer::shared(), scratch).await
}

/// Migrated once by its owner, then cloned; the server is given the run-time role.
async fn migrated_database(server: &PostgresServer, scratch: &Path) -> FreshStore {
    let migrate = async |template: Database<()>| {
        let printed =
            larder(&["migrate", "up", "--store", &template.owner_url], &[], scratch).await;
        let url = printed.trim().strip_suffix(&template.name);
        url.unwrap_or_else(|| panic!("no URL of {}: {printed:?}", template.name)).to_owned()
    };
    let database = server.fresh_database("migrated", migrate).await;
    FreshStore { setting: format!("{}{}", database.prepared, database.name), environment: &[] }
}

/// Where the engine of [`fresh_store`] listens.
pub(crate) fn shared_address() -> SocketAddr {
    PostgresServer::shared().address()
}

/// The engine of one test, which may kill it, with a database.
pub(crate) async fn killable(scratch: &Path) -> (PostgresServer, FreshStore) {
    let engine = PostgresServer::start();
    let store = migrated_database(&engine, scratch).await;
    (engine, store)
}
