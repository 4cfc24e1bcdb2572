//! Concurrent changes of one inventory are exact.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{Item, ItemId, Quantity};
use larder_storage::{AddItem, AdjustItem, ReplaceItem, Scope, Store, Write};

use crate::StoreHarness;
use crate::sample::{delta, details, quantity};

const CLIENTS: usize = 64;

/// The results of concurrent clients, each in its own task.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    client: impl Fn(Arc<dyn Store>, usize) -> F,
    h: &StoreHarness,
) -> Vec<T> {
    let tasks: Vec<_> =
        (0..CLIENTS).map(|n| tokio::spawn(client(Arc::clone(h.store()), n))).collect();
    join_all(tasks).await.into_iter().map(|outcome| outcome.unwrap()).collect()
}

fn adding(
    h: &StoreHarness,
    scope: Scope,
    amounts: impl Fn(usize) -> (&'static str, &'static str),
) -> Vec<(Item, Write<'static>)> {
    let item = |n| {
        let (amount, unit) = amounts(n);
        let write = h.write();
        (h.item(scope, details("Rice", amount, unit)), write)
    };
    (0..CLIENTS).map(item).collect()
}

pub async fn p08_64_who_add_the_same_at_once_make_one_item_with_the_exact_sum(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let items = adding(h, scope, |_| ("0.37", "kg"));
    let outcomes = at_once(
        |store, n| {
            let (item, write) = items[n].clone();
            async move { store.add_item(scope, &item, write).await.unwrap() }
        },
        h,
    )
    .await;
    let added: Vec<ItemId> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            AddItem::Added(item) => Some(item.id),
            AddItem::Merged(_) => None,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(added.len(), 1);
    let total = h.find(scope, added[0]).await.unwrap();
    assert_eq!((total.details.quantity, total.version), (quantity("23.68"), 64));
    h.expect_inventory(scope, &[total]).await;
}

pub async fn p08_64_who_add_in_two_units_at_once_make_the_exact_sum(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let rice = h.add(scope, details("Rice", "0", "kg")).await;
    let items = adding(h, scope, |n| if n % 2 == 0 { ("10", "g") } else { ("0.02", "kg") });
    at_once(
        |store, n| {
            let (item, write) = items[n].clone();
            async move {
                let outcome = store.add_item(scope, &item, write).await.unwrap();
                assert!(matches!(outcome, AddItem::Merged(_)), "{outcome:?}");
            }
        },
        h,
    )
    .await;
    let total = h.find(scope, rice.id).await.unwrap();
    assert_eq!(total.details.quantity, quantity("0.96"));
}

pub async fn p08_64_who_take_one_of_32_take_32(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let eggs = h.add(scope, details("Eggs", "32", "個")).await;
    let write = h.write();
    let outcomes =
        at_once(
            |store, _| async move {
                store.adjust_item(scope, eggs.id, delta("-1"), write).await.unwrap()
            },
            h,
        )
        .await;
    let mut left = Vec::new();
    let mut applied = 0;
    for outcome in outcomes {
        let AdjustItem::Adjusted { item, applied_hundredths } = outcome else {
            panic!("{outcome:?}")
        };
        applied += applied_hundredths;
        if applied_hundredths != 0 {
            assert_eq!(applied_hundredths, -100);
            left.push(item.details.quantity.hundredths() / 100);
        }
    }
    left.sort_unstable();
    assert_eq!(left, (0..32).collect::<Vec<i64>>(), "each taker saw a state of its own");
    assert_eq!(applied, -3200);
    let empty = h.find(scope, eggs.id).await.unwrap();
    assert_eq!((empty.details.quantity, empty.version), (Quantity::ZERO, 33));
}

pub async fn p08_takers_near_the_floor_leave_nothing_uncounted(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let rice = h.add(scope, details("Rice", "10", "kg")).await;
    let write = h.write();
    let outcomes = at_once(
        |store, n| async move {
            let by = delta(if n % 4 == 0 { "0.5" } else { "-0.75" });
            match store.adjust_item(scope, rice.id, by, write).await.unwrap() {
                AdjustItem::Adjusted { applied_hundredths, .. } => applied_hundredths,
                other => panic!("{other:?}"),
            }
        },
        h,
    )
    .await;
    let left = h.find(scope, rice.id).await.unwrap().details.quantity.hundredths();
    assert_eq!(left, 1000 + outcomes.iter().sum::<i64>());
}

pub async fn p09_of_64_who_replace_one_version_one_succeeds(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let write = h.write();
    let id = milk.id;
    let outcomes = at_once(
        |store, n| async move {
            let other = details(&format!("Milk {n}"), "1", "L");
            store.replace_item(scope, id, 1, &other, false, write).await.unwrap()
        },
        h,
    )
    .await;
    let now = h.find(scope, id).await.unwrap();
    assert_eq!(now.version, 2);
    let replaced =
        outcomes.iter().filter(|outcome| **outcome == ReplaceItem::Replaced(now.clone())).count();
    let conflicts = outcomes
        .iter()
        .filter(|outcome| **outcome == ReplaceItem::VersionConflict(now.clone()))
        .count();
    assert_eq!((replaced, conflicts), (1, CLIENTS - 1), "{outcomes:?}");
    h.expect_inventory(scope, &[now]).await;
}

pub async fn p09_of_64_who_take_one_name_one_succeeds(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let mut ids = Vec::new();
    for n in 0..CLIENTS {
        ids.push(h.add(scope, details(&format!("Box {n}"), "1", "個")).await.id);
    }
    let write = h.write();
    let outcomes = at_once(
        |store, n| {
            let id = ids[n];
            async move {
                let same = details("The box", "1", "個");
                store.replace_item(scope, id, 1, &same, false, write).await.unwrap()
            }
        },
        h,
    )
    .await;
    let taken = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            ReplaceItem::Replaced(item) => Some(item.id),
            ReplaceItem::Duplicate(_) => None,
            other => panic!("{other:?}"),
        })
        .collect::<Vec<_>>();
    assert_eq!(taken.len(), 1);
    let holder = h.find(scope, taken[0]).await.unwrap();
    assert_eq!(holder.details.name.as_str(), "The box");
}
