//! A real pooler in transaction mode between the store and the server.

use std::sync::Arc;

use larder_domain::{Delta, Quantity};
use larder_storage::{AdjustItem, Clock, Inventory, Operations, StorageError, Write};
use larder_storage_postgres::{OpenError, PostgresOptions, PostgresStore};
use larder_test_servers::{Database, PgBouncer, PostgresServer};
use sqlx::{Connection, PgConnection};

use crate::{
    home::{add, found},
    launch::{PASSWORD, ROLE, clock, database, options, store},
    live::{SOON, heard},
};

const CLIENTS: usize = 8;
const TAPS: usize = 12;

pub(crate) fn pooler_for(database: &Database<()>) -> PgBouncer {
    PgBouncer::in_front_of(PostgresServer::shared(), &database.name, ROLE, PASSWORD)
}

/// A store's options that lead through the pooler, and say so.
pub(crate) fn through(pooler: &PgBouncer, database: &Database<()>) -> PostgresOptions {
    let (options, server) = (options(database), PostgresServer::shared().address());
    let url = options.url.replace(&server.to_string(), &pooler.address().to_string());
    PostgresOptions { url, through_pooler: true, ..options }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_adjusts_through_a_pooler_are_exact() {
    let (database, clock) = (database().await, clock());
    let pooler = pooler_for(&database);
    let store = Arc::new(store(through(&pooler, &database), &clock).await);
    let scope = found(&store, &clock).await;
    let item = add(&store, scope, 10, &clock).await;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (store, write) = (Arc::clone(&store), Write::at(clock.now()));
            tokio::spawn(async move {
                let one = Delta::parse("1").unwrap();
                for _ in 0..TAPS {
                    let adjusted = store.adjust_item(scope.inventory(), item, one, write).await;
                    assert!(matches!(adjusted, Ok(AdjustItem::Adjusted { .. })), "{adjusted:?}");
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let item = store.find_item(scope.inventory(), item).await.unwrap().unwrap();
    assert_eq!(item.details.quantity, Quantity::parse("97").unwrap());

    // They were lent the same few connections in turn.
    let lent = "SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND usename = $1";
    let mut administrator = PgConnection::connect(&database.superuser_url).await.unwrap();
    let lent: i64 =
        sqlx::query_scalar(lent).bind(ROLE).fetch_one(&mut administrator).await.unwrap();
    assert!((1..=i64::from(PgBouncer::CONNECTIONS)).contains(&lent), "{lent}");
    let asked_for = store.statistics().connections;
    assert!(asked_for > PgBouncer::CONNECTIONS, "{asked_for}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_behind_a_pooler_hear_of_each_others_changes_soon() {
    let (database, clock) = (database().await, clock());
    let pooler = pooler_for(&database);
    let one = store(through(&pooler, &database), &clock).await;
    let other = store(through(&pooler, &database), &clock).await;
    let scope = found(&one, &clock).await;
    let mut n = 10;
    for (writer, listener) in [(&one, &other), (&other, &one)] {
        let mut watch = listener.watch_changes(scope.inventory());
        let mut after = 0;
        for _ in 0..2 {
            let item = add(writer, scope, n, &clock).await;
            let took = heard(listener, scope, &mut watch, &mut after, item).await;
            assert!(took < SOON, "{took:?}");
            n += 1;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_was_not_told_of_the_pooler_names_the_setting() {
    let (database, clock) = (database().await, clock());
    let direct = store(options(&database), &clock).await;
    let scope = found(&direct, &clock).await;
    let item = add(&direct, scope, 10, &clock).await;
    let (server, name) = (PostgresServer::shared(), &database.name);
    let pooler = PgBouncer::lenient_in_front_of(server, name, ROLE, PASSWORD);
    let untold = through(&pooler, &database);
    let untold = PostgresOptions { through_pooler: false, ..untold };
    let store = Arc::new(store(untold, &clock).await);
    // More clients than server connections prepare their first statement under the same name, so
    // two must collide; all run the same query, so nothing else can fail.
    let mut failures = Vec::new();
    for _ in 0..100 {
        let asking: Vec<_> = (0..CLIENTS)
            .map(|_| {
                let store = Arc::clone(&store);
                tokio::spawn(async move { store.find_item(scope.inventory(), item).await })
            })
            .collect();
        for asked in asking {
            failures.extend(asked.await.unwrap().err());
        }
        if !failures.is_empty() {
            break;
        }
    }
    assert!(!failures.is_empty(), "no two prepared statements met");
    for failure in failures {
        let StorageError::Unavailable(reason) = &failure else { panic!("{failure:?}") };
        assert!(reason.contains("postgres_pooler = transaction"), "{reason}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_refuses_what_a_connection_asks_for_names_the_setting() {
    let (database, clock) = (database().await, clock());
    let pooler = pooler_for(&database);
    let untold = PostgresOptions { through_pooler: false, ..through(&pooler, &database) };
    let refusal = PostgresStore::open(untold, clock).await.err();
    let Some(OpenError::Refused(reason)) = refusal else { panic!("{refusal:?}") };
    assert!(reason.contains("postgres_pooler = transaction"), "{reason}");
}
