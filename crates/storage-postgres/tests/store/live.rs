//! Changes through one store reach the listeners of another on the same database.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use larder_domain::{Change, ItemId};
use larder_storage::{HouseholdScope, ManualClock, Operations};
use larder_storage_postgres::{PostgresOptions, PostgresStore};
use sqlx::{Connection, PgConnection};
use tokio::sync::watch;

use crate::{
    home::{add, found},
    launch::{clock, database, options, store},
};

/// The promised latency of live changes.
pub(crate) const SOON: Duration = Duration::from_secs(2);

/// Waits for a change of this item, woken only by the watch; returns how long that took.
pub(crate) async fn heard(
    store: &PostgresStore,
    scope: HouseholdScope,
    watch: &mut watch::Receiver<u64>,
    after: &mut u64,
    item: ItemId,
) -> Duration {
    let started = Instant::now();
    let hear = async {
        loop {
            watch.borrow_and_update();
            let feed = store.changes_after(scope.inventory(), *after, 100).await.unwrap().unwrap();
            *after = feed.read_to;
            let concerns = |change: &Change| matches!(change, Change::Item(v) if v.new.as_ref().is_some_and(|i| i.id == item));
            if feed.changes.iter().any(|recorded| concerns(&recorded.change)) {
                return;
            }
            watch.changed().await.unwrap();
        }
    };
    tokio::time::timeout(10 * SOON, hear).await.expect("the change reaches the listener");
    started.elapsed()
}

async fn two_stores(
    adapt: impl Fn(PostgresOptions) -> PostgresOptions,
) -> (String, Arc<ManualClock>, PostgresStore, PostgresStore) {
    let (database, clock) = (database().await, clock());
    let writer = store(adapt(options(&database)), &clock).await;
    let listener = store(adapt(options(&database)), &clock).await;
    (database.superuser_url.clone(), clock, writer, listener)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_through_one_store_wakes_listeners_of_another_soon() {
    let (_, clock, writer, listener) = two_stores(|options| options).await;
    let scope = found(&writer, &clock).await;
    let mut watch = listener.watch_changes(scope.inventory());
    let mut after = 0;
    for n in 10..20 {
        let item = add(&writer, scope, n, &clock).await;
        let took = heard(&listener, scope, &mut watch, &mut after, item).await;
        assert!(took < SOON, "{took:?}");
    }
    assert_eq!(listener.statistics().watched_inventories, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listeners_miss_nothing_when_the_listening_connection_is_lost() {
    let (superuser, clock, writer, listener) = two_stores(|options| options).await;
    let scope = found(&writer, &clock).await;
    let mut watch = listener.watch_changes(scope.inventory());
    let mut after = 0;
    let mut administrator = PgConnection::connect(&superuser).await.unwrap();
    for n in 10..14 {
        let terminated: Vec<bool> = sqlx::query_scalar(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .fetch_all(&mut administrator)
        .await
        .unwrap();
        assert!(!terminated.is_empty());
        let item = add(&writer, scope, n, &clock).await;
        let took = heard(&listener, scope, &mut watch, &mut after, item).await;
        assert!(took < SOON, "{took:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_pooler_changes_are_found_by_asking() {
    let behind = |options| PostgresOptions { through_pooler: true, ..options };
    let (_, clock, writer, listener) = two_stores(behind).await;
    let scope = found(&writer, &clock).await;
    let mut watch = listener.watch_changes(scope.inventory());
    let mut after = 0;
    for n in 10..12 {
        let item = add(&writer, scope, n, &clock).await;
        let took = heard(&listener, scope, &mut watch, &mut after, item).await;
        assert!(took < SOON, "{took:?}");
    }
}
