//! Notifications, their deliveries, and background jobs.

use jiff::SignedDuration;
use jiff::civil::date;
use larder_domain::{
    Channel, Delta, Item, ItemDetails, Notification, NotificationFilter, NotificationId,
    NotificationTopic, Occasion, Quantity, ShoppingItemId,
};
use larder_storage::{
    Acknowledge, AdjustItem, Attempt, Drift, Inventory, Notifications, SettleNotifications,
    ShoppingList, SystemScope, Upkeep,
};

use crate::family::{Family, HOME, MIA, details, home};

const SYSTEM: SystemScope = SystemScope::assume_authorized(HOME);
const JOB: &str = "daily";

pub(crate) async fn measure(family: &Family) {
    let low = ItemDetails {
        low_stock_threshold: Some(Quantity::parse("5").unwrap()),
        expiration: None,
        ..details("Butter")
    };
    let butter = family.add(home(MIA).inventory(), low).await;
    let said = settle(family, &butter).await;
    deliver(family).await;
    read(family, &said).await;
    keep_up(family).await;
}

fn settlement(family: &Family, item: &Item) -> SettleNotifications<'static> {
    let at = family.write().at;
    SettleNotifications {
        topic: NotificationTopic::Stock(item.product.expect("every lot has a product")),
        today: date(2031, 1, 15),
        occasion: Occasion::Changed,
        fresh_id: NotificationId::fixed(0x8888_8888_8888_4888_8888_8888_8888_0001),
        entry_id: ShoppingItemId::fixed(0x9999_9999_9999_4999_8999_9999_9999_0099),
        by: None,
        channels: &Channel::ALL,
        at,
        next_day: at,
    }
}

async fn settle(family: &Family, butter: &Item) -> Notification {
    let opening = settlement(family, butter);
    let opened = family
        .measure("tell of low stock over two channels", "settle_notifications", async |store| {
            store.settle_notifications(SYSTEM, opening).await
        })
        .await;
    let again = settlement(family, butter);
    let nothing = family
        .measure("find nothing new to tell", "settle_notifications", async |store| {
            store.settle_notifications(SYSTEM, again).await
        })
        .await;
    assert_eq!(nothing, None);
    let less = Delta::parse("-1").unwrap();
    let taken = family.store.adjust_item(home(MIA).inventory(), butter.id, less, family.write());
    assert!(matches!(taken.await, Ok(AdjustItem::Adjusted { .. })), "there is butter");
    let less = settlement(family, butter);
    let nothing = family
        .measure("say how much is left now", "settle_notifications", async |store| {
            store.settle_notifications(SYSTEM, less).await
        })
        .await;
    assert_eq!(nothing, None);
    let opened = opened.expect("it is low");
    let now = family.store.find_notification(SYSTEM, opened.id).await;
    now.expect("it can be read").expect("it is open")
}

/// Later, because it adds an item, an entry and a notification.
pub(crate) async fn measure_listing(family: &Family) {
    let low = ItemDetails {
        low_stock_threshold: Some(Quantity::parse("5").unwrap()),
        desired_quantity: Some(Quantity::parse("9").unwrap()),
        expiration: None,
        ..details("Cheese")
    };
    let cheese = family.add(home(MIA).inventory(), low).await;
    let fresh_id = NotificationId::fixed(0x8888_8888_8888_4888_8888_8888_8888_0002);
    let opening = SettleNotifications { fresh_id, channels: &[], ..settlement(family, &cheese) };
    let opened = family
        .measure(
            "tell of low stock and put it on the list",
            "settle_notifications",
            async |store| store.settle_notifications(SYSTEM, opening).await,
        )
        .await;
    assert_eq!(opened.map(|said| said.id), Some(fresh_id));
    let entry = family.store.find_shopping_item(home(MIA), opening.entry_id).await;
    assert!(entry.expect("it can be read").is_some());
}

async fn deliver(family: &Family) {
    let now = family.write().at;
    let due = family
        .measure("look for due deliveries, two", "due_deliveries", async |store| {
            store.due_deliveries(now, 10).await
        })
        .await;
    assert_eq!(due.len(), 2);
    family
        .measure("note that it arrived", "record_attempt", async |store| {
            store.record_attempt(&due[0], &Attempt::Delivered).await
        })
        .await;
    let dead = Attempt::Dead(now, "550 no such mailbox".to_owned());
    family
        .measure("give a delivery up", "record_attempt", async |store| {
            store.record_attempt(&due[1], &dead).await
        })
        .await;
    let letters = family
        .measure("look at one dead letter", "dead_letters", async |store| {
            store.dead_letters(10).await
        })
        .await;
    assert_eq!(letters.len(), 1);
    let revived = family
        .measure("take one dead letter up again", "revive_dead_letters", async |store| {
            store.revive_dead_letters(now).await
        })
        .await;
    assert_eq!(revived, 1);
}

async fn read(family: &Family, said: &Notification) {
    let scope = home(MIA);
    let listed = family
        .measure("list one open notification", "list_notifications", async |store| {
            store.list_notifications(scope, NotificationFilter::Open, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 1);
    let active = family
        .measure("count active notifications", "count_active_notifications", async |store| {
            store.count_active_notifications(scope, 100).await
        })
        .await;
    assert_eq!(active, 1);
    let found = family
        .measure("find a notification", "find_notification", async |store| {
            store.find_notification(SYSTEM, said.id).await
        })
        .await;
    assert_eq!(found.as_ref(), Some(said));
    let claim = family.claim("seen");
    let seen = family
        .measure("acknowledge, once", "acknowledge_notification", async |store| {
            store.acknowledge_notification(scope, said.id, family.claimed(&claim)).await
        })
        .await;
    assert!(matches!(seen, Acknowledge::Done(_)), "{seen:?}");
    let audience = family
        .measure("look up who is concerned", "find_audience", async |store| {
            store.find_audience(SYSTEM).await
        })
        .await;
    assert_eq!(audience.expect("there is a household").members.len(), 2);
}

async fn keep_up(family: &Family) {
    let at = family.write().at;
    let until = at + SignedDuration::from_mins(1);
    let taken = family
        .measure("take a lease", "take_lease", async |store| {
            store.take_lease(JOB, "server 1", until, at).await
        })
        .await;
    assert!(taken.is_some());
    family
        .measure("give a lease back", "release_lease", async |store| {
            store.release_lease(JOB, "server 1", Some(at)).await
        })
        .await;
    let resumed = family
        .measure("look for interrupted work, none", "resume_work", async |store| {
            store.resume_work(at, 10).await
        })
        .await;
    assert_eq!(resumed, 0);
    let due = family
        .measure("look for households whose day began, one", "due_households", async |store| {
            store.due_households(at, 10).await
        })
        .await;
    assert_eq!(due.len(), 1);
    let topics = family
        .measure("look for what a day concerns", "topics_to_settle", async |store| {
            store.topics_to_settle(SYSTEM, date(2031, 1, 18)).await
        })
        .await;
    assert_eq!(topics.len(), 1);
    let next = due[0].zone.next_day(at);
    family
        .measure("finish a day", "finish_day", async |store| store.finish_day(&due[0], next).await)
        .await;
    let (households, end) = family
        .measure("go through all households, one", "households_after", async |store| {
            store.households_after(None, 100).await
        })
        .await;
    assert_eq!((households, end), (vec![HOME], None));
    let drift = family
        .measure("reconcile a household", "reconcile", async |store| {
            store.reconcile(SYSTEM, at).await
        })
        .await;
    assert_eq!(drift, Drift::default());
}
