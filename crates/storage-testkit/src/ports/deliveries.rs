//! Deliveries: due, retried, failed permanently and restarted.

use std::slice::from_ref;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Channel, Notification, NotificationTopic, Occasion};
use larder_storage::{Attempt, Delivery};

use crate::sample::{dated, watched};
use crate::store_harness::{NEXT_DAY, stock_of};
use crate::{Home, StoreHarness};

/// A low-stock notification with these channels.
async fn tell(h: &StoreHarness, home: &Home, name: &str, channels: &[Channel]) -> Notification {
    let item = h.add(home.inventory(), watched(name, "1", "2")).await;
    let settlement = h.settlement(stock_of(item.id), Occasion::Changed, channels);
    h.settle_one(home, settlement).await.expect("it is low")
}

fn delivery(said: &Notification, channel: Channel) -> Delivery {
    Delivery {
        household: said.household,
        notification: said.id,
        channel,
        attempts: 0,
        due_at: said.created_at,
        last_error: None,
    }
}

/// Until exactly these are due.
async fn expect_due(h: &StoreHarness, home: &Home, expected: &[Delivery]) {
    h.eventually(&expected.to_vec(), async || h.due_deliveries(home).await).await;
}

async fn try_again(h: &StoreHarness, delivery: &Delivery, at: Timestamp, error: &str) -> Delivery {
    let attempt = Attempt::RetryAt(at, error.to_owned());
    h.store().record_attempt(delivery, &attempt).await.unwrap();
    let (attempts, last_error) = (delivery.attempts + 1, Some(error.to_owned()));
    Delivery { attempts, due_at: at, last_error, ..delivery.clone() }
}

pub async fn p29_a_new_notification_is_due_at_once_over_every_channel(h: &StoreHarness) {
    let home = h.home().await;
    let said = tell(h, &home, "Milk", &Channel::ALL).await;
    expect_due(h, &home, &Channel::ALL.map(|channel| delivery(&said, channel))).await;
    // An open notification is not sent again, and without a channel there is no delivery.
    let again = h.settlement(said.topic(), Occasion::DayBegan, &Channel::ALL);
    assert_eq!(h.settle_one(&home, again).await, None);
    let quiet = h.home().await;
    tell(h, &quiet, "Milk", &[]).await;
    expect_due(h, &home, &Channel::ALL.map(|channel| delivery(&said, channel))).await;
    expect_due(h, &quiet, &[]).await;
}

pub async fn p29_mails_about_what_was_added_due_wait_for_the_next_day(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), dated("Milk", "1", "L", "2031-01-01")).await;
    let topic = NotificationTopic::Dates(milk.id);
    let settlement = h.settlement(topic, Occasion::Changed, &Channel::ALL);
    let said = h.settle_one(&home, settlement).await.expect("it is expired");
    let [webhook, mail] = Channel::ALL.map(|channel| Delivery {
        due_at: settlement.first_delivery_at(channel),
        ..delivery(&said, channel)
    });
    assert!(webhook.due_at == said.created_at && mail.due_at > said.created_at + NEXT_DAY);
    expect_due(h, &home, from_ref(&webhook)).await;
    h.advance_to(mail.due_at, SignedDuration::ZERO);
    expect_due(h, &home, &[webhook, mail]).await;
}

pub async fn p29_what_arrived_is_forgotten(h: &StoreHarness) {
    let home = h.home().await;
    let said = tell(h, &home, "Milk", &Channel::ALL).await;
    let [webhook, mail] = Channel::ALL.map(|channel| delivery(&said, channel));
    expect_due(h, &home, &[webhook.clone(), mail.clone()]).await;
    h.store().record_attempt(&webhook, &Attempt::Delivered).await.unwrap();
    expect_due(h, &home, from_ref(&mail)).await;
    // Recording it twice has no effect.
    for attempt in [Attempt::Delivered, Attempt::RetryAt(h.now(), "late".to_owned())] {
        h.store().record_attempt(&webhook, &attempt).await.unwrap();
    }
    h.store().record_attempt(&mail, &Attempt::Delivered).await.unwrap();
    expect_due(h, &home, &[]).await;
}

pub async fn p29_what_did_not_arrive_is_due_again_later_and_counted(h: &StoreHarness) {
    let home = h.home().await;
    let said = tell(h, &home, "Milk", &[Channel::Mail]).await;
    let first = delivery(&said, Channel::Mail);
    expect_due(h, &home, from_ref(&first)).await;
    let later = h.now() + SignedDuration::from_secs(10);
    let second = try_again(h, &first, later, "421 busy").await;
    expect_due(h, &home, &[]).await;
    h.advance_to(later, SignedDuration::from_millis(1));
    assert_eq!(h.due_deliveries(&home).await, []);
    h.advance_to(later, SignedDuration::ZERO);
    expect_due(h, &home, from_ref(&second)).await;
    // A late result of the first attempt does not count for the second.
    for late in [Attempt::Delivered, Attempt::RetryAt(Timestamp::MAX, "stale".to_owned())] {
        h.store().record_attempt(&first, &late).await.unwrap();
    }
    expect_due(h, &home, from_ref(&second)).await;
    let third = try_again(h, &second, h.now(), "421 still").await;
    expect_due(h, &home, from_ref(&third)).await;
    assert_eq!(third.attempts, 2);
}

pub async fn p29_those_who_wait_longest_come_first_and_a_limit_is_kept(h: &StoreHarness) {
    let home = h.home().await;
    let mut waiting = Vec::new();
    for n in 0..5 {
        let said = tell(h, &home, &format!("Item {n}"), &[Channel::Webhook]).await;
        waiting.push(delivery(&said, Channel::Webhook));
    }
    let later = h.now() + SignedDuration::from_secs(1);
    waiting[0] = {
        expect_due(h, &home, &waiting).await;
        try_again(h, &waiting[0], later, "busy").await
    };
    waiting.rotate_left(1);
    h.advance_to(later, SignedDuration::ZERO);
    expect_due(h, &home, &waiting).await;
    // Others may share the store and wait longer.
    let few = h.store().due_deliveries(h.now(), 3).await.unwrap();
    assert_eq!(few.len(), 3);
    assert!(few.is_sorted_by_key(|delivery| delivery.due_at));
    assert!(few.iter().all(|delivery| delivery.due_at <= h.now()));
}

/// The only test with dead letters: taking them up concerns all households of a store.
pub async fn p29_what_was_given_up_is_kept_30_days_and_can_be_taken_up_again(h: &StoreHarness) {
    let home = h.home().await;
    let said = tell(h, &home, "Milk", &Channel::ALL).await;
    let [webhook, mail] = Channel::ALL.map(|channel| delivery(&said, channel));
    expect_due(h, &home, &[webhook.clone(), mail.clone()]).await;
    h.advance_seconds(5);
    for alive in [&webhook, &mail] {
        let dead = Attempt::Dead(h.now(), "404 gone".to_owned());
        h.store().record_attempt(alive, &dead).await.unwrap();
    }
    expect_due(h, &home, &[]).await;
    let given_up = |delivery: &Delivery, at| Delivery {
        attempts: 1,
        due_at: at,
        last_error: Some("404 gone".to_owned()),
        ..delivery.clone()
    };
    let dead = vec![given_up(&webhook, h.now()), given_up(&mail, h.now())];
    h.eventually(&dead, async || h.dead_letters(&home).await).await;
    let one = h.store().dead_letters(1).await.unwrap();
    assert_eq!(one.len(), 1);

    h.advance_seconds(60);
    assert!(h.store().revive_dead_letters(h.now()).await.unwrap() >= 2);
    h.eventually(&vec![], async || h.dead_letters(&home).await).await;
    // They restart; the last error is kept.
    let anew = |delivery: &Delivery| Delivery { attempts: 0, ..given_up(delivery, h.now()) };
    let revived = [anew(&webhook), anew(&mail)];
    expect_due(h, &home, &revived).await;
    h.store().record_attempt(&revived[0], &Attempt::Delivered).await.unwrap();
    let dead = Attempt::Dead(h.now(), "404 gone".to_owned());
    h.store().record_attempt(&revived[1], &dead).await.unwrap();
    let letter = vec![given_up(&mail, h.now())];
    h.eventually(&letter, async || h.dead_letters(&home).await).await;
    expect_due(h, &home, &[]).await;

    h.advance_seconds(30 * 24 * 60 * 60 + 1);
    h.eventually(&vec![], async || h.dead_letters(&home).await).await;
    h.store().revive_dead_letters(h.now()).await.unwrap();
    expect_due(h, &home, &[]).await;
}
