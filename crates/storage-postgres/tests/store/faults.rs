//! Network faults and server crashes: bounded answers, no acknowledged write lost, none applied
//! twice, and automatic recovery.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::SignedDuration;
use larder_domain::{Delta, ItemId};
use larder_storage::{
    AdjustItem, Clock, HouseholdScope, IdempotencyClaim, IdempotencyKey, Inventory, ManualClock,
    Operations, StorageError, Write,
};
use larder_storage_postgres::{PostgresOptions, PostgresStore};
use larder_test_servers::{Fault, FaultProxy, PostgresServer};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

use crate::{
    home::{add, found},
    launch::{clock, database, database_on, options, store},
};

/// Short, so that tests are; a little more than they promise is allowed for a busy machine.
const CALL_TIMEOUT: Duration = Duration::from_millis(2500);
pub(crate) const BOUND: Duration = Duration::from_secs(6);
const CLIENTS: usize = 8;
const TAPS: usize = 12;

pub(crate) fn impatient(options: PostgresOptions) -> PostgresOptions {
    let acquire_timeout = Duration::from_millis(1500);
    PostgresOptions { acquire_timeout, call_timeout: CALL_TIMEOUT, ..options }
}

pub(crate) fn through(
    proxy: SocketAddr,
    server: SocketAddr,
    options: PostgresOptions,
) -> PostgresOptions {
    let url = options.url.replace(&server.to_string(), &proxy.to_string());
    PostgresOptions { url, ..impatient(options) }
}

/// Adds 1 under a key, again and again until it is acknowledged, as a client does.
async fn tap_until_acknowledged(
    store: &PostgresStore,
    scope: HouseholdScope,
    item: ItemId,
    key: &str,
    clock: &ManualClock,
) {
    let claim = IdempotencyClaim {
        key: IdempotencyKey::parse(key).unwrap(),
        request_hash: "tap".to_owned(),
        expires_at: clock.now() + SignedDuration::from_hours(1),
    };
    let write = Write { at: clock.now(), claim: Some(&claim) };
    let one = Delta::parse("1").unwrap();
    loop {
        match store.adjust_item(scope.inventory(), item, one, write).await {
            Ok(AdjustItem::Adjusted { .. }) | Err(StorageError::IdempotencyKeyUsed) => return,
            Err(StorageError::Unavailable(_) | StorageError::Contention(_)) => {
                tokio::task::yield_now().await;
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Many clients tap while `meanwhile` happens; afterwards each tap was counted exactly once.
async fn taps_are_exact_while(
    store: &Arc<PostgresStore>,
    scope: HouseholdScope,
    clock: &Arc<ManualClock>,
    meanwhile: impl Future<Output = ()>,
) {
    let item = add(store, scope, 100, clock).await;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (store, clock) = (Arc::clone(store), Arc::clone(clock));
            tokio::spawn(async move {
                for tap in 0..TAPS {
                    let key = format!("{client}-{tap}");
                    tap_until_acknowledged(&store, scope, item, &key, &clock).await;
                }
            })
        })
        .collect();
    meanwhile.await;
    for client in clients {
        client.await.unwrap();
    }
    let left = store.find_item(scope.inventory(), item).await.unwrap().unwrap();
    let expected = i64::try_from(100 + 100 * CLIENTS * TAPS).unwrap();
    assert_eq!(left.details.quantity.hundredths(), expected);
}

pub(crate) async fn until_ready(store: &PostgresStore) {
    while store.ready().await.is_err() {
        tokio::task::yield_now().await;
    }
}

/// A crash and restart of the server, as the store sees it.
pub(crate) async fn kill_and_start_again(server: &PostgresServer, store: &PostgresStore) {
    server.kill();
    // A connection may still answer while its process dies.
    let failure = async {
        loop {
            if let Err(failure) = store.ready().await {
                return failure;
            }
        }
    };
    let failure = tokio::time::timeout(BOUND, failure).await.expect("the loss is noticed");
    assert!(matches!(failure, StorageError::Unavailable(_)), "{failure:?}");
    server.start_again();
    tokio::time::timeout(5 * BOUND, until_ready(store)).await.expect("the store recovers");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_end_in_time_when_nothing_answers_and_all_recovers() {
    let (database, clock) = (database().await, clock());
    let server = PostgresServer::shared().address();
    let proxy = FaultProxy::in_front_of(server).await;
    let store = store(through(proxy.address(), server, options(&database)), &clock).await;
    let scope = found(&store, &clock).await;
    let item = add(&store, scope, 10, &clock).await;
    for fault in [Fault::Blackhole, Fault::Drop] {
        proxy.set(fault).await;
        let started = Instant::now();
        for _ in 0..2 {
            let failed = store.find_item(scope.inventory(), item).await;
            assert!(matches!(failed, Err(StorageError::Unavailable(_))), "{fault:?}: {failed:?}");
        }
        assert!(store.ready().await.is_err(), "{fault:?}");
        let took = started.elapsed();
        assert!(took < 3 * BOUND, "{fault:?} took {took:?}");
        proxy.set(Fault::None).await;
        tokio::time::timeout(BOUND, until_ready(&store)).await.expect("the store recovers");
        assert!(store.find_item(scope.inventory(), item).await.unwrap().is_some());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_that_break_off_lose_and_double_nothing() {
    let (database, clock) = (database().await, clock());
    let server = PostgresServer::shared().address();
    let proxy = FaultProxy::in_front_of(server).await;
    let options = through(proxy.address(), server, options(&database));
    let store = Arc::new(store(options, &clock).await);
    let scope = found(&store, &clock).await;
    let breaking = async {
        for round in 0..6 {
            // About the size of one transaction's answers, so that every message gets truncated in
            // some round.
            proxy.set(Fault::TruncateAfter(3000 + 217 * round)).await;
            let _ = store.find_item(scope.inventory(), ItemId::fixed(1)).await;
            proxy.set(Fault::Drop).await;
            proxy.set(Fault::Delay(Duration::from_millis(5))).await;
            let _ = store.ready().await;
        }
        proxy.set(Fault::None).await;
    };
    taps_are_exact_while(&store, scope, &clock, breaking).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_under_load_loses_and_doubles_nothing() {
    let server = PostgresServer::start();
    let (database, clock) = (database_on(&server).await, clock());
    let store = Arc::new(store(impatient(options(&database)), &clock).await);
    let scope = found(&store, &clock).await;
    let killing = async {
        for _ in 0..2 {
            until_ready(&store).await;
            kill_and_start_again(&server, &store).await;
        }
    };
    taps_are_exact_while(&store, scope, &clock, killing).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_abandoned_call_gives_its_connection_back() {
    let (database, clock) = (database().await, clock());
    let options = PostgresOptions { max_connections: 2, ..options(&database) };
    let store = store(options, &clock).await;
    let scope = found(&store, &clock).await;
    let item = add(&store, scope, 10, &clock).await;
    let one = Delta::parse("1").unwrap();
    for _ in 0..20 {
        let adjusting = store.adjust_item(scope.inventory(), item, one, Write::at(clock.now()));
        // Polled once, so that it is under way, and dropped.
        let _ = tokio::time::timeout(Duration::ZERO, adjusting).await;
    }
    let adjusted = store.adjust_item(scope.inventory(), item, one, Write::at(clock.now())).await;
    assert!(matches!(adjusted, Ok(AdjustItem::Adjusted { .. })), "{adjusted:?}");
}

/// As while a database is dropped and restored from a backup.
#[tokio::test]
async fn a_store_whose_database_is_gone_is_unavailable_and_goes_on_when_it_is_back() {
    let (database, clock) = (database().await, clock());
    let store = store(impatient(options(&database)), &clock).await;
    store.ready().await.unwrap();
    let elsewhere = PostgresServer::shared().superuser_url("postgres");
    let mut superuser = PgConnection::connect(&elsewhere).await.unwrap();
    let name = &database.name;
    for statement in [
        format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"),
        format!(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"
        ),
        format!("ALTER DATABASE {name} RENAME TO {name}_away"),
    ] {
        superuser.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    let refused = store.ready().await;
    assert!(matches!(refused, Err(StorageError::Unavailable(_))), "{refused:?}");
    for statement in [
        format!("ALTER DATABASE {name}_away RENAME TO {name}"),
        format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true"),
    ] {
        superuser.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    store.ready().await.unwrap();
}
