//! Settling is serialized with changes: it waits for changes in progress, and later ones wait for
//! it.

use std::sync::Arc;

use larder_domain::{
    NotificationFilter, NotificationId, NotificationTopic, Occasion, ProductId, ShoppingItemId,
};
use larder_storage::{
    Clock, HouseholdScope, Inventory, ManualClock, Notifications, SettleNotifications, SystemScope,
    Write,
};
use larder_storage_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::{
    home::{add_watched, found},
    launch::{PASSWORD, ROLE, clock, database, options, store},
};

async fn settle(
    store: &PostgresStore,
    scope: HouseholdScope,
    item: larder_domain::ItemId,
    clock: &ManualClock,
) -> usize {
    let settle = SettleNotifications {
        topic: NotificationTopic::Stock(ProductId::of_lot(item, 1)),
        today: jiff::civil::date(2031, 1, 1),
        occasion: Occasion::Changed,
        fresh_id: NotificationId::fixed(99),
        entry_id: ShoppingItemId::fixed(99),
        by: None,
        channels: &[],
        at: clock.now(),
        next_day: clock.now(),
    };
    let system = SystemScope::assume_authorized(scope.household());
    store.settle_notifications(system, settle).await.unwrap().map_or(0, |_| 1)
}

/// Until someone waits for a lock.
async fn until_someone_waits(connection: &mut PgConnection) {
    let sql = "SELECT count(*) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut *connection).await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn settling_waits_for_a_change_that_is_under_way_and_judges_what_it_left() {
    let (database, clock) = (database().await, clock());
    let store = Arc::new(store(options(&database), &clock).await);
    let scope = found(&store, &clock).await;
    let item = add_watched(&store, scope, 10, Some("5"), &clock).await;

    // Someone fills the shelf, but has not committed yet.
    let mut other = PgConnection::connect(&database.url(ROLE, PASSWORD)).await.unwrap();
    let begin = format!(
        "BEGIN; SELECT set_config('app.household_id', '{}', true);
         UPDATE inventory_items SET quantity = 9",
        scope.household()
    );
    other.execute(AssertSqlSafe(begin)).await.unwrap();
    let settling = {
        let (store, clock) = (Arc::clone(&store), Arc::clone(&clock));
        tokio::spawn(async move { settle(&store, scope, item, &clock).await })
    };
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    until_someone_waits(&mut superuser).await;
    other.execute("COMMIT").await.unwrap();
    assert_eq!(settling.await.unwrap(), 0, "there is enough by now");
}

#[tokio::test]
async fn a_change_waits_for_settling_and_references_to_the_item_do_not() {
    let (database, clock) = (database().await, clock());
    let store = Arc::new(store(options(&database), &clock).await);
    let scope = found(&store, &clock).await;
    let item = add_watched(&store, scope, 10, Some("5"), &clock).await;

    // The household's sequence number is locked, so settling stops between its check and its first
    // write.
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    superuser.execute("BEGIN; SELECT FROM change_sequences FOR UPDATE").await.unwrap();
    let settling = {
        let (store, clock) = (Arc::clone(&store), Arc::clone(&clock));
        tokio::spawn(async move { settle(&store, scope, item, &clock).await })
    };
    let mut watcher = PgConnection::connect(&database.superuser_url).await.unwrap();
    until_someone_waits(&mut watcher).await;
    let locked = |strength: &str| {
        let sql = format!(
            "SELECT count(*) FROM (SELECT FROM inventory_items FOR {strength} SKIP LOCKED)"
        );
        sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql))
    };
    assert_eq!(locked("NO KEY UPDATE").fetch_one(&mut watcher).await.unwrap(), 0);
    assert_eq!(locked("KEY SHARE").fetch_one(&mut watcher).await.unwrap(), 1);
    superuser.execute("COMMIT").await.unwrap();
    assert_eq!(settling.await.unwrap(), 1);

    let enough = larder_domain::Delta::parse("8").unwrap();
    store.adjust_item(scope.inventory(), item, enough, Write::at(clock.now())).await.unwrap();
    assert_eq!(settle(&store, scope, item, &clock).await, 0);
    let open = store.list_notifications(scope, NotificationFilter::Open, None, 10).await.unwrap();
    assert_eq!(open.items, []);
}
