//! What has expired goes, and nothing else.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::SessionId;
use larder_storage::{Accounts, Clock, ManualClock, Operations, Rotation, Session};
use larder_storage_postgres::{PostgresOptions, Swept};

use crate::{
    home::{add, found},
    launch::{database, options, store},
};

/// Long past for the database's own clock, which bounds every sweep.
fn long_ago() -> Arc<ManualClock> {
    Arc::new(ManualClock::new("2020-01-01T00:00:00Z".parse().unwrap()))
}

fn session(user: larder_domain::UserId, n: u128, expires_at: Timestamp) -> Session {
    Session { id: SessionId::fixed(n), user, token_hash: "token".to_owned(), expires_at }
}

#[tokio::test]
async fn history_goes_when_its_time_has_passed_and_the_feed_says_so() {
    let (database, clock) = (database().await, long_ago());
    let journal_retention = SignedDuration::from_hours(35 * 24);
    let options = PostgresOptions { journal_retention, ..options(&database) };
    let store = store(options, &clock).await;
    let scope = found(&store, &clock).await;
    let inventory = scope.inventory();
    let old = add(&store, scope, 10, &clock).await;
    let swept_to = store.changes_head(inventory).await.unwrap();
    clock.advance(SignedDuration::from_hours(20 * 24));
    let new = add(&store, scope, 11, &clock).await;
    assert_eq!(store.sweep().await.unwrap(), Swept::default(), "nothing is old enough");

    clock.advance(SignedDuration::from_hours(16 * 24));
    let swept = store.sweep().await.unwrap();
    assert_eq!((swept.audit_entries, swept.feed_entries), (1, swept_to));
    assert_eq!(store.changes_after(inventory, swept_to - 1, 10).await.unwrap(), None);
    let left = store.changes_after(inventory, swept_to, 10).await.unwrap().unwrap();
    assert_eq!(left.changes.len(), 1);
    let history = async |item| {
        let page = larder_storage::Inventory::item_history(&store, inventory, item, None, 10);
        page.await.unwrap().items.len()
    };
    assert_eq!((history(old).await, history(new).await), (0, 1));
    assert_eq!(store.sweep().await.unwrap(), Swept::default(), "once is enough");
}

#[tokio::test]
async fn expired_logins_go_and_others_stay() {
    let (database, clock) = (database().await, long_ago());
    let store = store(options(&database), &clock).await;
    let user = found(&store, &clock).await.actor();
    let at = clock.now();
    store.create_session(&session(user, 1, at + SignedDuration::from_hours(1)), at).await.unwrap();
    let lasting = session(user, 2, at + SignedDuration::from_hours(48));
    store.create_session(&lasting, at).await.unwrap();
    clock.advance(SignedDuration::from_hours(2));
    assert_eq!(store.sweep().await.unwrap(), Swept { sessions: 1, ..Swept::default() });
    let rotation = store.rotate_session("token", &lasting, clock.now()).await.unwrap();
    assert_eq!(rotation, Rotation::Rotated);
}

#[tokio::test]
async fn a_clock_that_runs_ahead_sweeps_nothing_that_the_database_thinks_is_good() {
    let database = database().await;
    let clock = Arc::new(ManualClock::new("2090-01-01T00:00:00Z".parse().unwrap()));
    let store = store(options(&database), &clock).await;
    let user = found(&store, &clock).await.actor();
    let expires_at: Timestamp = "2080-01-01T00:00:00Z".parse().unwrap();
    store.create_session(&session(user, 1, expires_at), expires_at).await.unwrap();
    assert_eq!(store.sweep().await.unwrap(), Swept::default());
}
