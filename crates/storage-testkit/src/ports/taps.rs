//! Taps: exact, once per nonce, and without a user.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use jiff::SignedDuration;
use larder_domain::{Item, ItemDetails, NfcUrl, Quantity, TapDirection};
use larder_storage::{NewTap, Tap, TapDone};

use crate::StoreHarness;
use crate::sample::{details, quantity};

const TAKE: TapDirection = TapDirection::Take;
const PUT_BACK: TapDirection = TapDirection::PutBack;

/// The item after a tap that left this quantity at this time. `updated_by` is unchanged.
fn left(item: &Item, amount: &str, h: &StoreHarness) -> Item {
    let details = ItemDetails { quantity: quantity(amount), ..item.details.clone() };
    item.changed(details, item.updated_by, h.now())
}

fn done(item: &Item, applied_hundredths: i64) -> Tap {
    Tap::Done(TapDone { item: item.clone(), applied_hundredths, is_repeated: false })
}

fn repeated(item: &Item, applied_hundredths: i64) -> Tap {
    Tap::Done(TapDone { item: item.clone(), applied_hundredths, is_repeated: true })
}

pub async fn p26_a_tap_takes_or_puts_back_one_step_and_says_what_is_left(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await;
    let milk = h.add(home.inventory(), details("Milk", "2", "L")).await;
    let tag = h.tag(member, milk.id, "0.25").await;
    let answer = h.take(tag.id).await;
    let less = left(&milk, "1.75", h);
    assert_eq!(answer, done(&less, -25));
    assert_eq!(less.updated_by, home.admin.id, "a tap is nobody's");
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(less.clone()));
    let answer = h.tap(tag.id, PUT_BACK, &h.nonce()).await;
    let again = left(&less, "2", h);
    assert_eq!(answer, done(&again, 25));
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(again));
}

pub async fn p26_taking_stops_at_zero_and_says_what_was_taken(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "0.5", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let answer = h.take(tag.id).await;
    let empty = left(&milk, "0", h);
    assert_eq!(answer, done(&empty, -50));
    for _ in 0..2 {
        assert_eq!(h.take(tag.id).await, done(&empty, 0), "taking from nothing changes nothing");
    }
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(empty));
}

pub async fn p26_too_much_is_refused_and_changes_nothing(h: &StoreHarness) {
    let home = h.home().await;
    let sand = h.add(home.inventory(), details("Sand", "99999999.5", "kg")).await;
    let tag = h.tag(home.scope, sand.id, "1").await;
    let nonce = h.nonce();
    assert_eq!(h.tap(tag.id, PUT_BACK, &nonce).await, Tap::Overflow(sand.clone()));
    assert_eq!(h.find(home.inventory(), sand.id).await, Some(sand.clone()));
    // A refusal uses no nonce: a retry succeeds once the quantity fits.
    let (less, _) = h.adjust(home.inventory(), sand.id, "-1").await;
    let answer = h.tap(tag.id, PUT_BACK, &nonce).await;
    let more = left(&less, "99999999.5", h);
    assert_eq!(answer, done(&more, 100));
}

pub async fn p26_the_same_nonce_answers_the_first_result_and_changes_nothing(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1.5", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let [full, part, none] = [h.nonce(), h.nonce(), h.nonce()];
    let first = h.tap(tag.id, TAKE, &full).await;
    let half = left(&milk, "0.5", h);
    assert_eq!(first, done(&half, -100));
    let second = h.tap(tag.id, TAKE, &part).await;
    let empty = left(&half, "0", h);
    assert_eq!(second, done(&empty, -50));
    assert_eq!(h.tap(tag.id, TAKE, &none).await, done(&empty, 0));

    let (now, _) = h.adjust(home.inventory(), milk.id, "7").await;
    for direction in [TAKE, PUT_BACK] {
        assert_eq!(h.tap(tag.id, direction, &full).await, repeated(&half, -100));
        assert_eq!(h.tap(tag.id, direction, &part).await, repeated(&empty, -50));
        assert_eq!(h.tap(tag.id, direction, &none).await, repeated(&empty, 0));
    }
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(now));
}

pub async fn p26_of_many_repetitions_at_once_one_happens(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "20", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let (nonce, at) = (h.nonce(), h.write().at);
    let tasks = (0..16).map(|_| {
        let (store, nonce, url) = (Arc::clone(h.store()), nonce.clone(), tag.id);
        tokio::spawn(async move {
            let remember_until = at + SignedDuration::from_hours(24);
            let tap = NewTap { url, direction: TAKE, nonce: &nonce, remember_until, at };
            store.tap(tap).await.unwrap()
        })
    });
    let outcomes: Vec<_> = join_all(tasks).await.into_iter().map(Result::unwrap).collect();
    let less = left(&milk, "19", h);
    let count = |tap: &Tap| outcomes.iter().filter(|outcome| *outcome == tap).count();
    let counts = (count(&done(&less, -100)), count(&repeated(&less, -100)));
    assert_eq!(counts, (1, 15), "{outcomes:?}");
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(less));
}

pub async fn p26_a_nonce_is_its_tags_own(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "5", "L")).await;
    let (one, two) = (h.tag(home.scope, milk.id, "1").await, h.tag(home.scope, milk.id, "2").await);
    let nonce = h.nonce();
    h.tap(one.id, TAKE, &nonce).await;
    let answer = h.tap(two.id, TAKE, &nonce).await;
    assert!(
        matches!(answer, Tap::Done(TapDone { applied_hundredths: -200, is_repeated: false, .. })),
        "{answer:?}"
    );
    let now = h.find(home.inventory(), milk.id).await.unwrap();
    assert_eq!(now.details.quantity, quantity("2"));
}

pub async fn p26_a_nonce_is_forgotten_when_its_time_has_passed(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "5", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let nonce = h.nonce();
    h.tap(tag.id, TAKE, &nonce).await;
    h.advance_seconds(24 * 60 * 60 - 2);
    let answer = h.tap(tag.id, TAKE, &nonce).await;
    assert!(matches!(answer, Tap::Done(TapDone { is_repeated: true, .. })), "{answer:?}");
    h.advance_seconds(3);
    let answer = h.tap(tag.id, TAKE, &nonce).await;
    assert!(
        matches!(answer, Tap::Done(TapDone { applied_hundredths: -100, is_repeated: false, .. })),
        "{answer:?}"
    );
    let now = h.find(home.inventory(), milk.id).await.unwrap();
    assert_eq!((now.details.quantity, now.version), (quantity("3"), 3));
}

pub async fn p26_a_replaced_tag_an_unknown_one_and_one_without_an_item_do_nothing(
    h: &StoreHarness,
) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "5", "L")).await;
    let bread = h.add(home.inventory(), details("Bread", "5", "個")).await;
    let orphan = h.tag(home.scope, bread.id, "1").await;
    h.store().delete_item(home.inventory(), bread.id, None, h.write()).await.unwrap();
    let tag = h.tag(home.scope, milk.id, "1").await;
    let new = h.url_id();
    h.store().rotate_tag(home.scope, milk.id, tag.id, new, h.write()).await.unwrap();
    for direction in [TAKE, PUT_BACK] {
        // No waiting: a replaced tag is dead at once.
        assert_eq!(h.tap(tag.id, direction, &h.nonce()).await, Tap::Rotated);
        assert_eq!(h.tap(orphan.id, direction, &h.nonce()).await, Tap::ItemDeleted);
        assert_eq!(h.tap(h.url_id(), direction, &h.nonce()).await, Tap::Unknown);
    }
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(milk.clone()));
    assert_eq!(h.find(home.inventory(), bread.id).await, None);
    h.eventually(&true, async || h.held(new).await.is_some()).await;
    assert_eq!(h.take(new).await, done(&left(&milk, "4", h), -100));
}

/// The applied deltas of each concurrent task, by item.
type Applied = Vec<(larder_domain::ItemId, i64)>;

/// So many tasks, each tapping every tag once, first in one direction, and again with the same nonce.
async fn hurry(h: &StoreHarness, tags: &[NfcUrl], tasks: usize) -> Applied {
    let at = h.write().at;
    let tasks = (0..tasks).map(|n| {
        let own: Vec<_> = tags.iter().map(|tag| (tag.id, tag.item, h.nonce())).collect();
        let store = Arc::clone(h.store());
        tokio::spawn(async move {
            let mut applied = Applied::new();
            for (url, item, nonce) in &own {
                let direction = if n % 5 == 4 { PUT_BACK } else { TAKE };
                let remember_until = at + SignedDuration::from_hours(24);
                let tap = NewTap { url: *url, direction, nonce, remember_until, at };
                let first = store.tap(tap).await.unwrap();
                let Tap::Done(TapDone { item: left, applied_hundredths, is_repeated: false }) =
                    &first
                else {
                    panic!("{first:?}");
                };
                let expected = repeated(left, *applied_hundredths);
                assert_eq!(store.tap(tap).await.unwrap(), expected);
                applied.push((*item, *applied_hundredths));
            }
            applied
        })
    });
    join_all(tasks).await.into_iter().flat_map(Result::unwrap).collect()
}

pub async fn p26_taps_at_once_are_all_counted_and_stop_at_zero(h: &StoreHarness) {
    let home = h.home().await;
    let mut start = BTreeMap::new();
    let mut tags = Vec::new();
    for (name, amount) in [("Eggs", "7"), ("Milk", "10.25"), ("Rice", "1000")] {
        let item = h.add(home.inventory(), details(name, amount, "kg")).await;
        start.insert(item.id, item.details.quantity.hundredths());
        for step in ["1", "0.75"] {
            tags.push(h.tag(home.scope, item.id, step).await);
        }
    }
    let applied = hurry(h, &tags, 16).await;
    for (id, start) in start {
        let changes: Vec<_> =
            applied.iter().filter(|(item, _)| *item == id).map(|(_, by)| *by).collect();
        let now = h.find(home.inventory(), id).await.unwrap();
        assert_eq!(now.details.quantity.hundredths(), start + changes.iter().sum::<i64>());
        let effective = changes.iter().filter(|by| **by != 0).count();
        assert_eq!(
            now.version,
            1 + u64::try_from(effective).unwrap(),
            "each change counts up once"
        );
    }
}

pub async fn p26_of_64_taps_for_32_eggs_32_take_one(h: &StoreHarness) {
    let home = h.home().await;
    let eggs = h.add(home.inventory(), details("Eggs", "32", "個")).await;
    let tag = h.tag(home.scope, eggs.id, "1").await;
    let tasks = (0..64).map(|_| {
        let (store, nonce, at, url) = (Arc::clone(h.store()), h.nonce(), h.now(), tag.id);
        tokio::spawn(async move {
            let remember_until = at + SignedDuration::from_hours(24);
            let tap = NewTap { url, direction: TAKE, nonce: &nonce, remember_until, at };
            match store.tap(tap).await.unwrap() {
                Tap::Done(TapDone { applied_hundredths, is_repeated: false, .. }) => {
                    applied_hundredths
                }
                other => panic!("{other:?}"),
            }
        })
    });
    let mut applied: Vec<_> = join_all(tasks).await.into_iter().map(Result::unwrap).collect();
    applied.sort_unstable();
    assert_eq!(applied, [[-100; 32], [0; 32]].concat());
    let empty = h.find(home.inventory(), eggs.id).await.unwrap();
    assert_eq!((empty.details.quantity, empty.version), (Quantity::ZERO, 33));
}

pub async fn p26_a_tap_is_in_the_history_and_the_feed_as_nobodys(h: &StoreHarness) {
    let home = h.home().await;
    let inventory = home.inventory();
    let milk = h.add(inventory, details("Milk", "2", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let head = h.store().changes_head(inventory).await.unwrap();
    let nonce = h.nonce();
    h.tap(tag.id, TAKE, &nonce).await;
    let (at, less) = (h.now(), left(&milk, "1", h));
    h.tap(tag.id, TAKE, &nonce).await;
    let changes = h.store().changes_after(inventory, head, 100).await.unwrap().unwrap().changes;
    let versions = larder_domain::Versions { old: Some(milk.clone()), new: Some(less) };
    let told: Vec<_> = changes.iter().map(|c| (c.by, c.at, c.change.clone())).collect();
    let expected = larder_domain::Change::Item(Box::new(versions.clone()));
    assert_eq!(told, [(None, at, expected)]);
    let read = async || {
        let page = h.store().item_history(inventory, milk.id, None, 10).await.unwrap();
        page.items.into_iter().map(|change| (change.by, change.at)).collect::<Vec<_>>()
    };
    h.eventually(&vec![(None, at), (Some(home.admin.id), milk.created_at)], read).await;
    let newest = h.store().item_history(inventory, milk.id, None, 1).await.unwrap();
    assert_eq!(newest.items[0].versions, versions);
}
