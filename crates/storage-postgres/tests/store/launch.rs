//! A store on a database of its own.

use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_postgres::{PostgresOptions, PostgresStore, migrate};
use larder_storage_testkit::{START, StoreHarness, seed};
use larder_test_servers::{Database, PostgresServer};

use crate::drift::Superuser;

/// The run-time role of every test, with its password.
pub(crate) const ROLE: &str = "larder_store_tests";
pub(crate) const PASSWORD: &str = "sesame";

pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::new(START))
}

/// A migrated database, with weeks for readings of the time at which the tests' clocks start.
pub(crate) async fn database_on(server: &PostgresServer) -> Database<()> {
    let prepare = |empty: Database<()>| async move {
        migrate_up(&empty.owner_url).await;
        let store = store(options(&empty), &clock()).await;
        store.sweep().await.unwrap();
        store.close().await;
    };
    server.fresh_database("larder", prepare).await
}

pub(crate) async fn database() -> Database<()> {
    database_on(PostgresServer::shared()).await
}

async fn migrate_up(owner_url: &str) {
    let options = migrate::UpOptions {
        runtime_role: Some(ROLE.to_owned()),
        password: Some(migrate::Password::new(PASSWORD)),
        reset_password: false,
    };
    migrate::up(owner_url, &options).await.unwrap();
}

/// Few connections each, because many tests share one server.
pub(crate) fn options(database: &Database<()>) -> PostgresOptions {
    let url = database.url(ROLE, PASSWORD);
    PostgresOptions { min_connections: 0, max_connections: 8, ..PostgresOptions::new(url) }
}

pub(crate) async fn store(options: PostgresOptions, clock: &Arc<ManualClock>) -> PostgresStore {
    PostgresStore::open(options, Arc::clone(clock) as _).await.unwrap()
}

pub(crate) async fn harness() -> StoreHarness {
    let (database, clock) = (database().await, clock());
    let store = Arc::new(store(options(&database), &clock).await);
    let superuser = Superuser { url: database.superuser_url };
    StoreHarness::new(store, clock, seed()).with_readings(3000).with_past_ports(superuser)
}
