//! Notifications as people see them: seen, over, forgotten; and whom they concern.

use std::collections::HashSet;

use futures_util::future::join_all;
use jiff::SignedDuration;
use larder_domain::{
    Acknowledgement, HouseholdId, Item, Notification, NotificationFilter, NotificationPosition,
    NotificationStatus,
};
use larder_storage::{Acknowledge, Audience, SystemScope};

use crate::sample::watched;
use crate::{Home, StoreHarness};

/// A low item and its notification.
async fn low(h: &StoreHarness, home: &Home, name: &str) -> (Item, Notification) {
    let item = h.add(home.inventory(), watched(name, "1", "2")).await;
    let opened = h.settle(home, item.id).await;
    assert_eq!(opened.len(), 1);
    (item, opened[0].clone())
}

/// The notification after its item was restocked.
async fn restock(h: &StoreHarness, home: &Home, item: &Item, said: &Notification) -> Notification {
    h.adjust(home.inventory(), item.id, "9").await;
    h.settle(home, item.id).await;
    let over = Notification { resolved_at: Some(h.now()), ..said.clone() };
    assert_eq!(h.find_notification(home, said.id).await.as_ref(), Some(&over));
    over
}

async fn acknowledge(
    h: &StoreHarness,
    scope: larder_storage::HouseholdScope,
    id: larder_domain::NotificationId,
) -> Acknowledge {
    h.store().acknowledge_notification(scope, id, h.write()).await.unwrap()
}

pub async fn p28_a_notification_goes_from_active_to_acknowledged_to_resolved(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await;
    let (milk, active) = low(h, &home, "Milk").await;
    assert_eq!(active.status(), NotificationStatus::Active);
    let answer = acknowledge(h, member, active.id).await;
    let seen = Acknowledgement { by: member.actor(), at: h.now() };
    let acknowledged = Notification { acknowledged: Some(seen), ..active };
    assert_eq!(answer, Acknowledge::Done(acknowledged.clone()));
    assert_eq!(h.find_notification(&home, acknowledged.id).await.as_ref(), Some(&acknowledged));
    // The first acknowledgement is kept.
    assert_eq!(
        acknowledge(h, home.scope, acknowledged.id).await,
        Acknowledge::Done(acknowledged.clone())
    );
    assert_eq!(h.settle(&home, milk.id).await, [], "seen is not over");
    let over = restock(h, &home, &milk, &acknowledged).await;
    assert_eq!((over.status(), over.acknowledged), (NotificationStatus::Resolved, Some(seen)));
    // It was seen, and is so for good.
    assert_eq!(acknowledge(h, home.scope, over.id).await, Acknowledge::Done(over.clone()));
    assert_eq!(h.find_notification(&home, over.id).await, Some(over));
}

pub async fn p28_what_ended_unseen_cannot_be_acknowledged(h: &StoreHarness) {
    let home = h.home().await;
    let (milk, active) = low(h, &home, "Milk").await;
    let over = restock(h, &home, &milk, &active).await;
    assert_eq!(acknowledge(h, home.scope, over.id).await, Acknowledge::Resolved(over.clone()));
    assert_eq!(h.find_notification(&home, over.id).await, Some(over));
    assert_eq!(acknowledge(h, home.scope, h.notification_id()).await, Acknowledge::NotFound);
}

pub async fn p28_of_many_who_saw_it_at_once_the_first_stays(h: &StoreHarness) {
    let home = h.home().await;
    let (_, active) = low(h, &home, "Milk").await;
    let mut members = vec![home.scope];
    for _ in 0..7 {
        members.push(h.join(&home).await);
    }
    let seeing = members
        .iter()
        .map(|scope| h.store().acknowledge_notification(*scope, active.id, h.write()));
    let outcomes: Vec<_> = join_all(seeing).await.into_iter().map(|o| o.unwrap()).collect();
    let now = h.find_notification(&home, active.id).await.unwrap();
    assert!(now.acknowledged.is_some());
    assert_eq!(outcomes, vec![Acknowledge::Done(now); 8]);
}

pub async fn p28_lists_show_each_status_newest_first_in_pages(h: &StoreHarness) {
    let home = h.home().await;
    let mut all = Vec::new();
    for n in 0..9 {
        let (item, said) = low(h, &home, &format!("Item {n}")).await;
        let said = match n % 3 {
            0 => said,
            1 => match acknowledge(h, home.scope, said.id).await {
                Acknowledge::Done(said) => said,
                other => panic!("{other:?}"),
            },
            _ => restock(h, &home, &item, &said).await,
        };
        all.push(said);
    }
    all.sort_by_key(|said| std::cmp::Reverse(NotificationPosition::of(said)));
    let statuses = NotificationStatus::ALL.map(NotificationFilter::Status);
    for filter in statuses.into_iter().chain([NotificationFilter::Open, NotificationFilter::All]) {
        let shown = all.iter().filter(|said| filter.matches(said.status()));
        let expected: Vec<_> = shown.cloned().collect();
        assert!(!expected.is_empty());
        for limit in [1, 2, 50] {
            let read = async || h.notifications(home.scope, filter, limit).await;
            h.eventually(&expected, read).await;
        }
    }
}

pub async fn p28_what_nobody_has_seen_is_counted_up_to_a_limit(h: &StoreHarness) {
    let home = h.home().await;
    let strangers = h.home().await;
    low(h, &strangers, "Salt").await;
    let count = async |expected, most| {
        let read = async || h.store().count_active_notifications(home.scope, most).await.unwrap();
        h.eventually(&expected, read).await;
    };
    count(0, 10).await;
    let mut said = Vec::new();
    for name in ["Milk", "Rice", "Tea", "Flour"] {
        said.push(low(h, &home, name).await);
    }
    count(4, 10).await;
    count(4, 4).await;
    count(3, 3).await;
    let [(milk, over), (_, seen), ..] = &said[..] else { panic!("{said:?}") };
    restock(h, &home, milk, over).await;
    acknowledge(h, home.scope, seen.id).await;
    count(2, 10).await;
}

pub async fn p28_what_is_over_is_forgotten_after_30_days_and_what_is_open_never(h: &StoreHarness) {
    let home = h.home().await;
    let (milk, said) = low(h, &home, "Milk").await;
    let (_, open) = low(h, &home, "Bread").await;
    let over = restock(h, &home, &milk, &said).await;
    let end = over.expires_at().unwrap();
    h.advance_to(end, SignedDuration::from_millis(1));
    let expected = [open.clone(), over.clone()];
    h.expect_notifications(&home, NotificationFilter::All, &expected).await;
    h.advance_to(end, SignedDuration::ZERO);
    h.expect_notifications(&home, NotificationFilter::All, std::slice::from_ref(&open)).await;
    assert_eq!(h.find_notification(&home, over.id).await, None);
    assert_eq!(acknowledge(h, home.scope, over.id).await, Acknowledge::NotFound);
    h.advance_seconds(100 * 24 * 60 * 60);
    assert_eq!(h.find_notification(&home, open.id).await, Some(open));
}

pub async fn p28_notifications_concern_the_household_and_all_its_members(h: &StoreHarness) {
    let home = h.home().await;
    for _ in 0..3 {
        h.join(&home).await;
    }
    let audience = h.store().find_audience(home.system()).await.unwrap().unwrap();
    let members = h.household_members(home.scope).await;
    assert_eq!(members.len(), 4);
    let nobody = HashSet::new();
    assert_eq!(
        audience,
        Audience { household: home.household.clone(), members: members.clone(), confirmed: nobody }
    );
    let reader = &members[2];
    let at = h.write().at;
    assert!(h.store().confirm_email(reader.user, &reader.email, at).await.unwrap());
    let audience = h.store().find_audience(home.system()).await.unwrap().unwrap();
    assert_eq!(audience.confirmed, HashSet::from([reader.user]));
    let nowhere = SystemScope::assume_authorized(HouseholdId::from_random([7; 16]));
    assert_eq!(h.store().find_audience(nowhere).await.unwrap(), None);
}
