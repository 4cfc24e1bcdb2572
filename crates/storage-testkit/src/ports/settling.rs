//! Notifications follow the state of their item, each once.

use std::slice::from_ref;
use std::sync::Arc;

use futures_util::future::join_all;
use jiff::civil::date;
use larder_domain::{
    Delta, ExpirationDate, Item, ItemDetails, LowProducts, Notification, NotificationFilter,
    NotificationId, NotificationSubject, NotificationTopic, Occasion, Quantity, notification_id,
};
use larder_storage::ReplaceItem;

use crate::sample::{TODAY, dated, delta, details, quantity, watched};
use crate::store_harness::stock_of;
use crate::{Home, StoreHarness};

/// The notification of an item now.
fn said(
    h: &StoreHarness,
    id: NotificationId,
    item: &Item,
    subject: NotificationSubject,
) -> Notification {
    let larder_domain::Owner::Household(household) = item.owner else {
        panic!("only households are told")
    };
    Notification {
        id,
        household,
        item: item.id,
        product: item.product.filter(|_| subject.date().is_none()),
        item_name: item.details.name.clone(),
        subject,
        created_at: h.now(),
        acknowledged: None,
        resolved_at: None,
        listed_at: None,
    }
}

fn low_stock(item: &Item) -> NotificationSubject {
    NotificationSubject::LowStock {
        quantity: item.details.quantity,
        threshold: item.details.low_stock_threshold.unwrap(),
        unit: item.details.unit.clone(),
    }
}

/// What the open notifications say.
async fn open_subjects(h: &StoreHarness, home: &Home) -> Vec<NotificationSubject> {
    let open = h.notifications(home.scope, NotificationFilter::Open, 50).await;
    open.into_iter().map(|said| said.subject).collect()
}

/// The item after an edit.
async fn edit(h: &StoreHarness, home: &Home, item: &Item, details: ItemDetails) -> Item {
    let inventory = home.inventory();
    let outcome =
        h.store().replace_item(inventory, item.id, item.version, &details, false, h.write()).await;
    let ReplaceItem::Replaced(item) = outcome.unwrap() else { panic!("the version is right") };
    item
}

pub async fn p27_low_stock_is_said_once_and_ends_on_recovery(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), watched("Milk", "1", "1")).await;
    assert_eq!(h.settle(&home, milk.id).await, [], "as much as there should be is enough");
    let (low, _) = h.adjust(home.inventory(), milk.id, "-0.01").await;
    let opened = h.settle(&home, milk.id).await;
    let expected = said(h, opened[0].id, &low, low_stock(&low));
    assert_eq!(opened, from_ref(&expected));
    assert_eq!(h.find_notification(&home, expected.id).await.as_ref(), Some(&expected));
    let (lower, _) = h.adjust(home.inventory(), milk.id, "-0.5").await;
    assert_eq!(h.settle(&home, milk.id).await, [], "it was said already");
    let expected = Notification { subject: low_stock(&lower), ..expected };
    assert_eq!(h.begin_day(&home, milk.id, TODAY).await, []);
    h.expect_notifications(&home, NotificationFilter::Open, from_ref(&expected)).await;

    h.adjust(home.inventory(), milk.id, "5").await;
    assert_eq!(h.settle(&home, milk.id).await, []);
    let over = Notification { resolved_at: Some(h.now()), ..expected };
    assert_eq!(h.find_notification(&home, over.id).await.as_ref(), Some(&over));
    h.settle(&home, milk.id).await;
    assert_eq!(h.find_notification(&home, over.id).await.as_ref(), Some(&over), "it ended once");
    h.expect_notifications(&home, NotificationFilter::Open, &[]).await;

    let (low, _) = h.adjust(home.inventory(), milk.id, "-4.5").await;
    let again = h.settle(&home, milk.id).await;
    let expected = said(h, again[0].id, &low, low_stock(&low));
    assert_eq!(again, from_ref(&expected));
    assert_ne!(expected.id, over.id);
    h.expect_notifications(&home, NotificationFilter::All, &[expected, over]).await;
}

pub async fn p27_low_stock_is_said_again_by_whoever_has_used_their_id(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), watched("Milk", "1", "2")).await;
    // As one who is overtaken by others does: it has opened a notification that they resolved.
    let overtaken = h.settlement(stock_of(milk.id), Occasion::Changed, &[]);
    let settle = async || h.store().settle_notifications(home.system(), overtaken).await.unwrap();
    let first = settle().await.expect("it is low");
    assert_eq!(first.id, overtaken.fresh_id);
    h.adjust(home.inventory(), milk.id, "5").await;
    h.settle(&home, milk.id).await;
    h.expect_notifications(&home, NotificationFilter::Open, &[]).await;
    h.adjust(home.inventory(), milk.id, "-5").await;
    let second = settle().await.expect("it is low again");
    assert_ne!(second.id, first.id);
    assert_eq!(settle().await, None, "it is said");
    h.expect_notifications(&home, NotificationFilter::Open, &[second]).await;
}

pub async fn p27_a_new_threshold_or_none_is_judged_like_a_quantity(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let milk = edit(h, &home, &milk, watched("Milk", "1", "2")).await;
    let opened = h.settle(&home, milk.id).await;
    assert_eq!(opened, [said(h, opened[0].id, &milk, low_stock(&milk))]);
    edit(h, &home, &milk, details("Milk", "1", "L")).await;
    assert_eq!(h.settle(&home, milk.id).await, []);
    let over = h.find_notification(&home, opened[0].id).await.unwrap();
    assert_eq!(over.resolved_at, Some(h.now()));
}

fn soon(text: &str) -> NotificationSubject {
    NotificationSubject::ExpiringSoon(ExpirationDate::parse(text).unwrap())
}

fn expired(text: &str) -> NotificationSubject {
    NotificationSubject::Expired(ExpirationDate::parse(text).unwrap())
}

pub async fn p27_a_date_is_told_when_it_is_near_and_when_it_has_passed(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), dated("Milk", "1", "L", "2031-01-15")).await;
    assert_eq!(h.begin_day(&home, milk.id, date(2031, 1, 11)).await, []);
    let opened = h.begin_day(&home, milk.id, date(2031, 1, 12)).await;
    let subject = soon("2031-01-15");
    let near = said(h, notification_id(milk.id, &subject, h.notification_id()), &milk, subject);
    assert_eq!(opened, from_ref(&near));
    assert_eq!(h.begin_day(&home, milk.id, date(2031, 1, 13)).await, []);
    assert_eq!(h.settle(&home, milk.id).await, []);
    h.expect_notifications(&home, NotificationFilter::Open, from_ref(&near)).await;

    let opened = h.begin_day(&home, milk.id, date(2031, 1, 16)).await;
    let subject = expired("2031-01-15");
    let passed = said(h, notification_id(milk.id, &subject, h.notification_id()), &milk, subject);
    assert_eq!(opened, from_ref(&passed));
    let over = Notification { resolved_at: Some(h.now()), ..near };
    assert_eq!(h.find_notification(&home, over.id).await, Some(over));
    h.expect_notifications(&home, NotificationFilter::Open, &[passed]).await;
}

pub async fn p27_what_is_due_when_it_is_added_or_dated_is_told_at_once(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), dated("Milk", "1", "L", "2031-01-01")).await;
    let subject = expired("2031-01-01");
    let passed = said(h, notification_id(milk.id, &subject, h.notification_id()), &milk, subject);
    let opened = h.settle(&home, milk.id).await;
    let passed = Notification { created_at: h.now(), ..passed };
    assert_eq!(opened, from_ref(&passed));
    let milk = edit(h, &home, &milk, dated("Milk", "1", "L", "2031-01-16")).await;
    let opened = h.settle(&home, milk.id).await;
    let subject = soon("2031-01-16");
    let near = said(h, notification_id(milk.id, &subject, h.notification_id()), &milk, subject);
    assert_eq!(opened, from_ref(&near));
    let over = Notification { resolved_at: Some(h.now()), ..passed };
    h.expect_notifications(&home, NotificationFilter::All, &[near, over]).await;
    let rice = h.add(home.inventory(), dated("Rice", "1", "kg", "2031-12-01")).await;
    assert_eq!(h.settle(&home, rice.id).await, [], "that is far away");
}

pub async fn p27_a_date_is_told_once_for_an_item_whatever_comes_between(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), dated("Milk", "1", "L", "2031-01-16")).await;
    let opened = h.begin_day(&home, milk.id, TODAY).await;
    assert_eq!(opened.len(), 1);
    h.adjust(home.inventory(), milk.id, "-1").await;
    assert_eq!(h.settle(&home, milk.id).await, []);
    let over = h.find_notification(&home, opened[0].id).await.unwrap();
    assert_eq!(over.resolved_at, Some(h.now()), "nothing goes off where nothing is left");
    h.adjust(home.inventory(), milk.id, "1").await;
    assert_eq!(h.begin_day(&home, milk.id, TODAY).await, [], "it was said of this date");
    assert_eq!(h.find_notification(&home, over.id).await, Some(over.clone()));
    // A different date is a new notification.
    let milk = h.find(home.inventory(), milk.id).await.unwrap();
    let milk = edit(h, &home, &milk, dated("Milk", "1", "L", "2031-01-17")).await;
    let opened = h.begin_day(&home, milk.id, TODAY).await;
    let subject = soon("2031-01-17");
    let id = notification_id(milk.id, &subject, h.notification_id());
    assert_eq!(opened, [said(h, id, &milk, subject)]);
    h.expect_notifications(&home, NotificationFilter::Open, &opened).await;
}

pub async fn p27_stock_and_date_are_told_side_by_side_and_end_with_the_item(h: &StoreHarness) {
    let home = h.home().await;
    let both = ItemDetails {
        low_stock_threshold: Some(quantity("5")),
        ..dated("Milk", "1", "L", "2031-01-01")
    };
    let milk = h.add(home.inventory(), both).await;
    let opened = h.begin_day(&home, milk.id, TODAY).await;
    let subjects: Vec<_> = opened.iter().map(|notification| notification.subject.clone()).collect();
    assert_eq!(subjects, [low_stock(&milk), expired("2031-01-01")]);
    h.store().delete_item(home.inventory(), milk.id, None, h.write()).await.unwrap();
    assert_eq!(h.settle(&home, milk.id).await, []);
    for notification in opened {
        let over = Notification { resolved_at: Some(h.now()), ..notification };
        assert_eq!(h.find_notification(&home, over.id).await, Some(over));
    }
    h.expect_notifications(&home, NotificationFilter::Open, &[]).await;
    assert_eq!(h.settle(&home, h.item_id()).await, [], "of what never was there is nothing to say");
}

pub async fn p27_of_many_who_settle_at_once_one_opens_and_one_ends(h: &StoreHarness) {
    let home = h.home().await;
    let system = home.system();
    let both = ItemDetails {
        low_stock_threshold: Some(quantity("5")),
        ..dated("Milk", "9", "L", "2031-01-01")
    };
    let milk = h.add(home.inventory(), both).await;
    for round in 0..4 {
        h.adjust(home.inventory(), milk.id, "-8").await;
        let tasks = (0..8).map(|_| {
            let store = Arc::clone(h.store());
            let topics = [stock_of(milk.id), NotificationTopic::Dates(milk.id)];
            let settlements = topics.map(|topic| h.settlement(topic, Occasion::DayBegan, &[]));
            tokio::spawn(async move {
                let mut opened = Vec::new();
                for settlement in settlements {
                    opened.extend(store.settle_notifications(system, settlement).await.unwrap());
                }
                opened
            })
        });
        let opened: Vec<_> = join_all(tasks).await.into_iter().flat_map(Result::unwrap).collect();
        let count = if round == 0 { 2 } else { 1 };
        assert_eq!(opened.len(), count, "round {round}: {opened:?}");
        h.adjust(home.inventory(), milk.id, "8").await;
        let tasks = (0..8).map(|_| h.settle(&home, milk.id));
        assert!(join_all(tasks).await.concat().is_empty(), "round {round}");
        let stock = opened.iter().find(|n| n.subject.date().is_none()).unwrap();
        let over = h.find_notification(&home, stock.id).await.unwrap();
        assert!(!over.is_open(), "round {round}");
    }
    let dates = |all: Vec<Notification>| all.iter().filter(|n| n.subject.date().is_some()).count();
    h.eventually(&(5, 1), async || {
        let all = h.notifications(home.scope, NotificationFilter::All, 3).await;
        (all.len(), dates(all))
    })
    .await;
}

pub async fn p27_whoever_changes_and_then_settles_leaves_what_is_right(h: &StoreHarness) {
    let home = h.home().await;
    let (system, inventory) = (home.system(), home.inventory());
    let milk = h.add(inventory, watched("Milk", "10", "5")).await;
    for round in 0..12 {
        // Each crosses the threshold and back and then settles, all concurrently; there is no
        // settling afterwards.
        let tasks = (0..4).map(|n| {
            let (store, id) = (Arc::clone(h.store()), milk.id);
            let moves: Vec<_> = (0..3)
                .map(|_| (h.write(), h.settlement(stock_of(id), Occasion::Changed, &[])))
                .collect();
            tokio::spawn(async move {
                for (m, (write, settlement)) in moves.into_iter().enumerate() {
                    let by = if (round + n + m) % 2 == 0 { "-7" } else { "7" };
                    store.adjust_item(inventory, id, delta(by), write).await.unwrap();
                    store.settle_notifications(system, settlement).await.unwrap();
                }
            })
        });
        for outcome in join_all(tasks).await {
            outcome.unwrap();
        }
        let now = h.find(inventory, milk.id).await.unwrap();
        let wanted = usize::from(now.details.quantity < quantity("5"));
        let expected = vec![low_stock(&now); wanted];
        h.eventually(&expected, async || open_subjects(h, &home).await).await;
        // Back to the middle, where one move is enough to cross.
        let back = 800 - now.details.quantity.hundredths();
        if let Ok(back) = Delta::from_hundredths(back) {
            h.store().adjust_item(inventory, milk.id, back, h.write()).await.unwrap();
            h.settle(&home, milk.id).await;
        }
    }
}

pub async fn p27_a_day_concerns_what_is_dated_low_or_told_already(h: &StoreHarness) {
    let home = h.home().await;
    let inventory = home.inventory();
    let until = date(2031, 1, 18);
    let near = h.add(inventory, dated("Near", "1", "L", "2031-01-18")).await;
    let passed = h.add(inventory, dated("Passed", "1", "L", "2030-01-01")).await;
    let low = h.add(inventory, watched("Low", "1", "2")).await;
    h.add(inventory, dated("Far", "1", "L", "2031-01-19")).await;
    h.add(inventory, watched("Enough", "2", "2")).await;
    h.add(inventory, details("Undated", "0", "L")).await;
    let told = h.add(inventory, watched("Told", "1", "2")).await;
    assert_eq!(h.settle(&home, told.id).await.len(), 1);
    h.adjust(inventory, told.id, "5").await;
    let deleted = h.add(inventory, watched("Deleted", "1", "2")).await;
    assert_eq!(h.settle(&home, deleted.id).await.len(), 1);
    h.store().delete_item(inventory, deleted.id, None, h.write()).await.unwrap();
    let dates = [near.id, passed.id].map(NotificationTopic::Dates);
    let stock = [low.id, told.id, deleted.id].map(stock_of);
    let mut expected = [&dates[..], &stock].concat();
    expected.sort();
    let read = async || h.store().topics_to_settle(home.system(), until).await.unwrap();
    h.eventually(&expected, read).await;
    for topic in expected {
        h.settle_one(&home, h.settlement(topic, Occasion::DayBegan, &[])).await;
    }
    let mut expected = [&dates[..], &stock[..1]].concat();
    expected.sort();
    h.eventually(&expected, read).await;
}

/// A lot of milk with this date, of which three litres should be there.
fn milk(quantity: &str, unit: &str, until: &str) -> ItemDetails {
    ItemDetails {
        low_stock_threshold: Some(crate::sample::quantity("3")),
        ..dated("Milk", quantity, unit, until)
    }
}

pub async fn p27_lots_are_low_together_or_not_at_all(h: &StoreHarness) {
    let home = h.home().await;
    let (inventory, system) = (home.inventory(), home.system());
    let first = h.add(inventory, milk("2", "L", "2031-06-01")).await;
    let second = h.add(inventory, milk("1000", "ml", "2031-07-01")).await;
    let stock = stock_of(first.id);
    let product = first.product.unwrap();
    let settle = async || h.settle_one(&home, h.settlement(stock, Occasion::Changed, &[])).await;
    assert_eq!(settle().await, None, "three litres are there");
    assert!(!h.store().is_low(system, product).await.unwrap());
    let (_, _) = h.adjust(inventory, second.id, "-500").await;
    let opened = settle().await.unwrap();
    let subject = NotificationSubject::LowStock {
        quantity: quantity("2.5"),
        threshold: quantity("3"),
        unit: first.details.unit.clone(),
    };
    assert_eq!(opened, said(h, opened.id, &first, subject));
    assert!(h.store().is_low(system, product).await.unwrap());
    let low = async || h.store().low_products(inventory).await.unwrap();
    h.eventually(&[product].into_iter().collect(), low).await;

    // The lot that it names goes: it is still about the others.
    h.store().delete_item(inventory, first.id, None, h.write()).await.unwrap();
    assert_eq!(settle().await, None);
    let subject = NotificationSubject::LowStock {
        quantity: quantity("0.5"),
        threshold: quantity("3"),
        unit: first.details.unit.clone(),
    };
    let opened = Notification { subject, ..opened };
    assert_eq!(h.find_notification(&home, opened.id).await.as_ref(), Some(&opened));
    // A new lot ends it.
    h.add(inventory, milk("2.5", "L", "2031-08-01")).await;
    assert_eq!(settle().await, None);
    let over = Notification { resolved_at: Some(h.now()), ..opened };
    assert_eq!(h.find_notification(&home, over.id).await, Some(over));
    h.eventually(&LowProducts::default(), low).await;
}

pub async fn p27_whoever_changes_any_lot_and_then_settles_leaves_what_is_right(h: &StoreHarness) {
    let home = h.home().await;
    let (system, inventory) = (home.system(), home.inventory());
    let first = h.add(inventory, milk("2", "L", "2031-06-01")).await;
    let second = h.add(inventory, milk("2", "L", "2031-07-01")).await;
    let stock = stock_of(first.id);
    for round in 0..8 {
        let tasks = [first.id, second.id, first.id, second.id].into_iter().enumerate();
        let tasks = tasks.map(|(n, id)| {
            let store = Arc::clone(h.store());
            let moves: Vec<_> =
                (0..3).map(|_| (h.write(), h.settlement(stock, Occasion::Changed, &[]))).collect();
            tokio::spawn(async move {
                for (m, (write, settlement)) in moves.into_iter().enumerate() {
                    let by = if (round + n + m) % 2 == 0 { "-2" } else { "2" };
                    store.adjust_item(inventory, id, delta(by), write).await.unwrap();
                    store.settle_notifications(system, settlement).await.unwrap();
                }
            })
        });
        for outcome in join_all(tasks.collect::<Vec<_>>()).await {
            outcome.unwrap();
        }
        let wanted = usize::from(h.store().is_low(system, first.product.unwrap()).await.unwrap());
        let mut hundredths = 0;
        for lot in [first.id, second.id] {
            let lot = h.find(inventory, lot).await.unwrap();
            hundredths += lot.details.quantity.hundredths();
        }
        let subject = NotificationSubject::LowStock {
            quantity: Quantity::from_hundredths(hundredths).unwrap(),
            threshold: quantity("3"),
            unit: first.details.unit.clone(),
        };
        let expected = vec![subject; wanted];
        h.eventually(&expected, async || open_subjects(h, &home).await).await;
    }
}
