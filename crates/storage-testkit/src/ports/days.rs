//! Households due for the daily job, and iterating over all households.

use jiff::{SignedDuration, Timestamp};
use larder_domain::{HouseholdId, HouseholdName, HouseholdPatch, Zone};
use larder_storage::DueHousehold;

use crate::store_harness::ALL;
use crate::{Home, StoreHarness};

/// Those of these homes that are due; the store may be shared.
async fn due(h: &StoreHarness, homes: &[&Home]) -> Vec<DueHousehold> {
    let mut due = h.store().due_households(h.now(), ALL).await.unwrap();
    assert!(due.is_sorted_by_key(|due| due.due_at), "the longest waiting first");
    due.retain(|due| homes.iter().any(|home| home.household.id == due.household));
    due
}

/// Waits until exactly this household is due, since this time.
async fn expect_due(h: &StoreHarness, home: &Home, zone: &Zone, due_at: Timestamp) -> DueHousehold {
    let expected = DueHousehold { household: home.household.id, zone: zone.clone(), due_at };
    h.eventually(&vec![expected.clone()], async || due(h, &[home]).await).await;
    expected
}

async fn expect_not_due(h: &StoreHarness, home: &Home) {
    h.eventually(&vec![], async || due(h, &[home]).await).await;
}

pub async fn p31_a_new_household_is_due_at_once_and_then_every_day_where_it_is(h: &StoreHarness) {
    let home = h.home().await;
    let zone = home.household.zone.clone();
    let first = h.now();
    h.eventually(&1, async || due(h, &[&home]).await.len()).await;
    let founded = due(h, &[&home]).await.remove(0);
    assert!(founded.due_at <= first, "{founded:?}");
    assert_eq!(founded.zone, zone);
    let mut today = founded;
    for _ in 0..3 {
        let next = zone.next_day(h.now());
        h.store().finish_day(&today, next).await.unwrap();
        expect_not_due(h, &home).await;
        h.advance_to(next, SignedDuration::from_millis(1));
        assert_eq!(due(h, &[&home]).await, []);
        h.advance_to(next, SignedDuration::ZERO);
        today = expect_due(h, &home, &zone, next).await;
    }
    // This is not announced: the household is unchanged.
    let found = h.store().find_household(home.scope).await.unwrap();
    assert_eq!(found.as_ref(), Some(&home.household));
}

pub async fn p31_a_day_that_was_dealt_with_is_not_dealt_with_again(h: &StoreHarness) {
    let home = h.home().await;
    h.eventually(&1, async || due(h, &[&home]).await.len()).await;
    let today = due(h, &[&home]).await.remove(0);
    let next = h.now() + SignedDuration::from_hours(5);
    h.store().finish_day(&today, next).await.unwrap();
    // A late server does not move it again.
    h.store().finish_day(&today, Timestamp::MAX).await.unwrap();
    h.advance_to(next, SignedDuration::ZERO);
    expect_due(h, &home, &home.household.zone, next).await;
}

pub async fn p31_a_household_that_moves_to_another_zone_is_due_at_once(h: &StoreHarness) {
    let home = h.home().await;
    h.eventually(&1, async || due(h, &[&home]).await.len()).await;
    let today = due(h, &[&home]).await.remove(0);
    let next = h.now() + SignedDuration::from_hours(5);
    h.store().finish_day(&today, next).await.unwrap();
    expect_not_due(h, &home).await;
    let renamed = HouseholdPatch {
        name: Some(HouseholdName::parse("家").unwrap()),
        ..HouseholdPatch::default()
    };
    h.store().update_household(home.scope, &renamed, h.write()).await.unwrap();
    expect_not_due(h, &home).await;
    let berlin = Zone::parse("Europe/Berlin").unwrap();
    let moved = HouseholdPatch { zone: Some(berlin.clone()), ..HouseholdPatch::default() };
    let write = h.write();
    h.store().update_household(home.scope, &moved, write).await.unwrap();
    let due = expect_due(h, &home, &berlin, write.at).await;
    // Finishing the day from before the move has no effect.
    h.store().finish_day(&today, Timestamp::MAX).await.unwrap();
    assert_eq!(expect_due(h, &home, &berlin, write.at).await, due);
}

pub async fn p31_those_who_wait_longest_come_first_and_a_limit_is_kept(h: &StoreHarness) {
    let mut homes = Vec::new();
    for _ in 0..4 {
        homes.push(h.home().await);
    }
    let homes: Vec<_> = homes.iter().collect();
    h.eventually(&4, async || due(h, &homes).await.len()).await;
    let start = h.now();
    let mut expected = Vec::new();
    for (n, today) in (1..).zip(due(h, &homes).await) {
        let next = start + SignedDuration::from_secs(100 - 20 * n);
        h.store().finish_day(&today, next).await.unwrap();
        expected.push((today.household, next));
    }
    expected.reverse();
    h.advance_seconds(100);
    let read = async || {
        let due = due(h, &homes).await;
        due.into_iter().map(|due| (due.household, due.due_at)).collect::<Vec<_>>()
    };
    h.eventually(&expected, read).await;
    assert_eq!(h.store().due_households(h.now(), 2).await.unwrap().len(), 2);
}

pub async fn p31_going_through_all_households_meets_each_once(h: &StoreHarness) {
    let mut own = Vec::new();
    for _ in 0..7 {
        own.push(h.home().await.household.id);
    }
    own.sort();
    for limit in [2, 1000] {
        let mut met: Vec<HouseholdId> = Vec::new();
        let mut after = None;
        loop {
            let (households, next) = h.store().households_after(after, limit).await.unwrap();
            assert!(households.len() <= limit);
            met.extend(households);
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        met.retain(|id| own.contains(id));
        met.sort();
        assert_eq!(met, own, "limit {limit}");
    }
}
