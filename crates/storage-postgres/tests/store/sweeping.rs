//! Sweeping deletes expired rows, and no others.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    Channel, Delta, NotificationId, NotificationTopic, Occasion, PhotoId, ProductId, SessionId,
    SessionKind, SessionLabel, ShoppingChange, ShoppingDetails, ShoppingItem, ShoppingItemId,
    ShoppingName, ShoppingStatus, TagStep, TapDirection, TapNonce, UrlId,
};
use larder_storage::{
    Accounts, Attempt, Clock, HouseholdScope, Inventory, ManualClock, NewTag, NewTap,
    Notifications, Operations, Photo, PhotoSize, Photos, Session, SettleNotifications,
    ShoppingList, SystemScope, Tags, Tap, TapDone, Write,
};
use larder_storage_postgres::{PostgresOptions, PostgresStore, Swept};

use crate::{
    home::{add, add_watched, found},
    launch::{database, options, store},
};

/// Long past for the database's own clock, which bounds every sweep.
fn long_ago() -> Arc<ManualClock> {
    Arc::new(ManualClock::new("2020-01-01T00:00:00Z".parse().unwrap()))
}

fn session(user: larder_domain::UserId, n: u128, expires_at: Timestamp) -> Session {
    Session {
        id: SessionId::fixed(n),
        user,
        kind: SessionKind::Browser,
        label: SessionLabel::default(),
        token_hash: "token".to_owned(),
        began_at: Timestamp::UNIX_EPOCH,
        last_used_at: Timestamp::UNIX_EPOCH,
        expires_at,
    }
}

fn now(clock: &ManualClock) -> Write<'static> {
    Write::at(clock.now())
}

async fn put_on_list(
    store: &PostgresStore,
    scope: HouseholdScope,
    id: ShoppingItemId,
    clock: &ManualClock,
) {
    let name = ShoppingName::parse("Bread").unwrap();
    let details = ShoppingDetails { name, store: None, quantity: None, notes: None };
    let (household, actor) = (scope.household(), scope.actor());
    let entry = ShoppingItem::new(id, household, None, details, actor, clock.now());
    store.add_shopping_item(scope, &entry, false, now(clock)).await.unwrap();
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
    assert_eq!(left.changes.len(), 2, "the product and its lot");
    let history = async |item| {
        let page = store.item_history(inventory, item, None, 10);
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
    let left = store.list_sessions(user, None, 10, clock.now()).await.unwrap();
    assert_eq!(left.items, [lasting]);
}

#[tokio::test]
async fn what_is_past_its_time_leaves_lists_and_queues_without_a_word() {
    let (database, clock) = (database().await, long_ago());
    let store = store(options(&database), &clock).await;
    let scope = found(&store, &clock).await;
    let system = SystemScope::assume_authorized(scope.household());
    let item = add_watched(&store, scope, 10, Some("5"), &clock).await;

    // A purchased entry, a tap, a failed delivery, and a resolved notification.
    let bought = ShoppingItemId::fixed(1);
    put_on_list(&store, scope, bought, &clock).await;
    let purchased = ShoppingChange::Status(ShoppingStatus::Purchased);
    store.change_shopping_item(scope, bought, 1, &purchased, now(&clock)).await.unwrap();
    let id = UrlId::from_random([1; 16]);
    let tag = NewTag { id, item, label: None, step: TagStep::ONE };
    store.add_tag(scope, &tag, now(&clock)).await.unwrap().unwrap();
    let nonce = TapNonce::parse("nonce-of-a-tap").unwrap();
    let remember_until = clock.now() + SignedDuration::from_hours(24);
    let direction = TapDirection::Take;
    let tap = NewTap { url: id, direction, nonce: &nonce, remember_until, at: clock.now() };
    assert!(matches!(store.tap(tap).await.unwrap(), Tap::Done(TapDone { .. })));
    let settle = SettleNotifications {
        topic: NotificationTopic::Stock(ProductId::of_lot(item, 1)),
        today: jiff::civil::date(2020, 1, 1),
        occasion: Occasion::Changed,
        fresh_id: NotificationId::fixed(1),
        entry_id: ShoppingItemId::fixed(1),
        by: None,
        channels: &[Channel::Mail],
        at: clock.now(),
        next_day: clock.now(),
    };
    assert!(store.settle_notifications(system, settle).await.unwrap().is_some());
    let due = store.due_deliveries(clock.now(), 10).await.unwrap();
    let dead = Attempt::Dead(clock.now(), "550 no such mailbox".to_owned());
    store.record_attempt(&due[0], &dead).await.unwrap();
    let enough = Delta::parse("8").unwrap();
    store.adjust_item(scope.inventory(), item, enough, now(&clock)).await.unwrap();
    assert_eq!(store.settle_notifications(system, settle).await.unwrap(), None);

    let told = store.changes_head(scope.inventory()).await.unwrap();
    assert_eq!(store.sweep().await.unwrap(), Swept::default(), "nothing is old enough");
    clock.advance(SignedDuration::from_hours(30 * 24));
    let swept = store.sweep().await.unwrap();
    let expected = Swept {
        shopping_items: 1,
        tap_nonces: 1,
        notifications: 1,
        dead_letters: 1,
        ..Swept::default()
    };
    assert_eq!(swept, expected);
    assert_eq!(store.changes_head(scope.inventory()).await.unwrap(), told);
}

#[tokio::test]
async fn a_photo_that_no_product_names_is_swept_a_month_later() {
    let database = database().await;
    let clock = Arc::new(ManualClock::new("2020-01-01T12:00:00Z".parse().unwrap()));
    let store = store(options(&database), &clock).await;
    let scope = found(&store, &clock).await.inventory();
    let id = PhotoId::from_sha256(&[7; 32]);
    let photo = Photo { id, full: vec![1, 2], thumbnail: vec![3] };
    store.put_photo(scope, &photo, clock.now(), 1).await.unwrap();
    clock.advance(SignedDuration::from_hours(30 * 24));
    assert_eq!(store.sweep().await.unwrap(), Swept::default());
    let found = store.find_photo(scope, id, PhotoSize::Full).await.unwrap();
    assert_eq!(found, Some(photo.full));
    clock.advance(SignedDuration::from_hours(24));
    assert_eq!(store.sweep().await.unwrap(), Swept { photos: 1, ..Swept::default() });
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
