//! Deletions of trees that are too large for one transaction.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{Deletion, DeletionId};
use larder_storage::{
    Clock, CreateResource, DeleteResource, ManualClock, Resources, StorageError, Upkeep, Write,
};
use larder_storage_postgres::PostgresStore;
use sqlx::{Connection, PgConnection};

use crate::{
    launch::{clock, database, options, store},
    things::{grow, make, rows, scope, thing},
};

async fn begin(store: &PostgresStore, id: u128, clock: &ManualClock) -> Deletion {
    let (id, write) = (DeletionId::fixed(id), Write::at(clock.now()));
    match store.delete_resource(&scope(), &thing(0), id, write).await.unwrap() {
        DeleteResource::Begun(deletion) => deletion,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_tree_of_1_000_goes_at_once_and_one_more_takes_a_job() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    grow(&database.superuser_url, 1001, "(n - 1) / 3").await;
    let deletion = begin(&store, 1, &clock).await;
    assert_eq!((deletion.removed, deletion.total), (0, Some(1001)));
    let leaf = (DeletionId::fixed(2), Write::at(clock.now()));
    let gone = store.delete_resource(&scope(), &thing(1000), leaf.0, leaf.1).await.unwrap();
    assert_eq!(gone, DeleteResource::Deleted(1));
    let gone = store.delete_resource(&scope(), &thing(0), leaf.0, leaf.1).await.unwrap();
    assert_eq!(gone, DeleteResource::Deleted(1000));
    assert_eq!(rows(&database.superuser_url).await, [1, 0, 0, 0]);
    // The job is already done.
    let deletion = store.continue_deletion(&deletion, clock.now()).await.unwrap();
    assert_eq!((deletion.removed, deletion.finished_at), (0, Some(clock.now())));
}

#[tokio::test]
async fn every_batch_leaves_a_smaller_tree_and_says_how_far_it_is() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    grow(&database.superuser_url, 3500, "n - 1").await;
    let mut deletion = begin(&store, 1, &clock).await;
    let mut progress = Vec::new();
    while deletion.finished_at.is_none() {
        deletion = store.continue_deletion(&deletion, clock.now()).await.unwrap();
        progress.push(deletion.removed);
        let left = 3500 - i64::try_from(deletion.removed).unwrap();
        assert_eq!(rows(&database.superuser_url).await[..2], [left + 1, (left - 1).max(0)]);
        let found = store.find_deletion(&scope(), deletion.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(&deletion));
    }
    assert_eq!(progress, [1000, 2000, 3000, 3500]);
    assert_eq!(store.continue_deletion(&deletion, clock.now()).await.unwrap(), deletion);
    assert_eq!(store.resume_work(clock.now(), 10).await.unwrap(), 0);
}

/// Terminates every connection of the run-time role repeatedly during the deletion.
#[tokio::test]
async fn a_deletion_whose_connections_are_cut_again_and_again_ends_and_counts_each_resource_once() {
    let (database, clock) = (database().await, clock());
    let store = Arc::new(store(options(&database), &clock).await);
    grow(&database.superuser_url, 10_000, "(n - 1) / 10").await;
    let deletion = begin(&store, 1, &clock).await;
    let working = {
        let (store, clock) = (Arc::clone(&store), Arc::clone(&clock));
        tokio::spawn(async move {
            let mut cuts = 0;
            loop {
                match store.resume_work(clock.now(), 10).await {
                    Ok(0) => return cuts,
                    Ok(_) => {}
                    Err(StorageError::Unavailable(_)) => cuts += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        })
    };
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    // Only those in a transaction, so that work in progress is interrupted.
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND xact_start IS NOT NULL AND backend_type = 'client backend'";
    let mut cuts = 0;
    while cuts < 8 && !working.is_finished() {
        cuts += sqlx::query_scalar::<_, i64>(cut).fetch_one(&mut superuser).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert!(cuts >= 8, "the deletion ended after {cuts} cuts");
    working.await.unwrap();
    let deletion = store.find_deletion(&scope(), deletion.id).await.unwrap().unwrap();
    assert_eq!((deletion.removed, deletion.total), (10_000, Some(10_000)));
    assert_eq!(deletion.finished_at, Some(clock.now()));
    assert_eq!(rows(&database.superuser_url).await, [1, 0, 0, 0], "what is outside stays");
}

#[tokio::test]
async fn a_root_that_was_made_anew_meanwhile_stays() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    grow(&database.superuser_url, 1500, "0").await;
    let (mut first, second) = (begin(&store, 1, &clock).await, begin(&store, 2, &clock).await);
    while first.finished_at.is_none() {
        first = store.continue_deletion(&first, clock.now()).await.unwrap();
    }
    assert_eq!(make(&store, 0, None, &clock).await, CreateResource::Created);
    let second = store.continue_deletion(&second, clock.now()).await.unwrap();
    assert_eq!((second.removed, second.finished_at), (0, Some(clock.now())));
    assert!(store.find_resource(&scope(), &thing(0)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_deletion_is_remembered_for_a_day_and_then_swept() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    grow(&database.superuser_url, 1500, "0").await;
    let mut deletion = begin(&store, 1, &clock).await;
    while deletion.finished_at.is_none() {
        deletion = store.continue_deletion(&deletion, clock.now()).await.unwrap();
    }
    clock.advance(SignedDuration::from_hours(24) - SignedDuration::from_millis(1));
    assert_eq!(store.find_deletion(&scope(), deletion.id).await.unwrap(), Some(deletion.clone()));
    clock.advance(SignedDuration::from_millis(1));
    assert_eq!(store.find_deletion(&scope(), deletion.id).await.unwrap(), None);
    // The database's own clock is years behind the test's, and the earlier one counts.
    assert_eq!(store.sweep().await.unwrap().deletions, 0);
    let age = "UPDATE resource_deletions SET finished_at = now() - interval '25 hours'";
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    sqlx::raw_sql(age).execute(&mut superuser).await.unwrap();
    assert_eq!(store.sweep().await.unwrap().deletions, 1);
}
