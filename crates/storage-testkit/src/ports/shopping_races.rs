//! Many hands on one shopping list: one version, one winner; one item, one entry.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use larder_domain::{ShoppingChange, ShoppingNotes, ShoppingPatch, ShoppingStatus};
use larder_storage::{AddShoppingItem, ChangeShoppingItem};

use crate::StoreHarness;
use crate::sample::{details, to_buy};

const PURCHASE: ShoppingChange = ShoppingChange::Status(ShoppingStatus::Purchased);
const UNCHECK: ShoppingChange = ShoppingChange::Status(ShoppingStatus::Pending);

fn note(text: &str) -> ShoppingChange {
    let notes = Some(ShoppingNotes::parse(text).unwrap());
    ShoppingChange::Edit(ShoppingPatch { notes, ..ShoppingPatch::default() })
}

pub async fn p21_a_stale_version_is_refused_with_what_is_there(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let entry = h.put_on_list(scope, None, to_buy("Milk")).await;
    let now = h.check_off(scope, &entry).await;
    for version in [1, 3, u64::from(u32::MAX)] {
        for change in [note("late"), PURCHASE, UNCHECK] {
            let answer =
                h.store().change_shopping_item(scope, entry.id, version, &change, h.write()).await;
            assert_eq!(answer.unwrap(), ChangeShoppingItem::VersionConflict(now.clone()));
        }
    }
    assert_eq!(h.find_entry(scope, entry.id).await, Some(now));
    let unknown = h.shopping_item_id();
    let answer = h.store().change_shopping_item(scope, unknown, 1, &PURCHASE, h.write()).await;
    assert_eq!(answer.unwrap(), ChangeShoppingItem::NotFound);
}

pub async fn p21_of_two_who_change_one_version_one_succeeds_in_every_round(h: &StoreHarness) {
    let home = h.home().await;
    let (mia, ben) = (home.scope, h.join(&home).await);
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let mut entry = h.put_on_list(mia, Some(milk.id), to_buy("Milk")).await;
    let rounds = h.rounds(200);
    for round in 0..rounds {
        let (write, id, version) = (h.write(), entry.id, entry.version);
        let toggle = if entry.status == ShoppingStatus::Pending { PURCHASE } else { UNCHECK };
        let changes = [(mia, toggle), (ben, note(&round.to_string()))];
        let tasks = changes.clone().map(|(scope, change)| {
            let store = Arc::clone(h.store());
            tokio::spawn(async move {
                store.change_shopping_item(scope, id, version, &change, write).await.unwrap()
            })
        });
        let [one, two] = tasks;
        let (one, two) = join(one, two).await;
        let outcomes = [one.unwrap(), two.unwrap()];
        let winner = usize::from(!matches!(outcomes[0], ChangeShoppingItem::Changed(_)));
        let won = entry.changed(&changes[winner].1, write.at);
        assert_eq!(outcomes[winner], ChangeShoppingItem::Changed(won.clone()), "round {round}");
        let lost = ChangeShoppingItem::VersionConflict(won.clone());
        assert_eq!(outcomes[1 - winner], lost, "round {round}");
        assert_eq!(h.find_entry(mia, id).await.as_ref(), Some(&won), "round {round}");
        entry = won;
    }
    assert_eq!(entry.version, 1 + rounds as u64);
}

pub async fn p22_of_many_who_list_one_item_at_once_one_succeeds_in_every_round(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    for round in 0..8 {
        let write = h.write();
        let entries: Vec<_> =
            (0..8).map(|_| h.entry(scope, Some(milk.id), to_buy("Milk"))).collect();
        let tasks = entries.into_iter().map(|entry| {
            let store = Arc::clone(h.store());
            tokio::spawn(async move {
                store.add_shopping_item(scope, &entry, false, write).await.unwrap()
            })
        });
        let outcomes: Vec<_> = join_all(tasks).await.into_iter().map(Result::unwrap).collect();
        let added = outcomes.iter().find_map(|outcome| match outcome {
            AddShoppingItem::Added(entry) => Some(entry.clone()),
            _ => None,
        });
        let added = added.expect("one of them succeeds");
        let duplicate = AddShoppingItem::Duplicate(added.clone());
        let refused = outcomes.iter().filter(|outcome| **outcome == duplicate).count();
        assert_eq!(refused, 7, "round {round}: {outcomes:?}");
        // It is purchased in one round, and deleted in the next.
        if round % 2 == 0 {
            h.check_off(scope, &added).await;
        } else {
            assert!(h.store().delete_shopping_item(scope, added.id, h.write()).await.unwrap());
        }
    }
}

pub async fn p22_what_was_checked_off_and_on_again_in_a_hurry_is_counted_right(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let mut entries = Vec::new();
    for _ in 0..6 {
        entries.push(h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await);
    }
    let write = h.write();
    let toggling = entries.iter().map(|entry| {
        let (store, mut entry) = (Arc::clone(h.store()), entry.clone());
        tokio::spawn(async move {
            for change in [PURCHASE, UNCHECK, PURCHASE, PURCHASE, UNCHECK, UNCHECK, PURCHASE] {
                let answer = store
                    .change_shopping_item(scope, entry.id, entry.version, &change, write)
                    .await;
                entry = entry.changed(&change, write.at);
                assert_eq!(answer.unwrap(), ChangeShoppingItem::Changed(entry.clone()));
            }
            entry
        })
    });
    let bought: Vec<_> = join_all(toggling).await.into_iter().map(Result::unwrap).collect();
    // No pending entry is left, so one may be added, but not a second.
    let last = h.uncheck(scope, &bought[3]).await;
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(last.clone()));
    h.check_off(scope, &last).await;
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert!(matches!(answer, AddShoppingItem::Added(_)), "{answer:?}");
}

pub async fn p22_removing_at_once_is_counted_once(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let stays = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let goes = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let removing = (0..8).map(|_| h.store().delete_shopping_item(scope, goes.id, h.write()));
    let removed = join_all(removing).await.into_iter().filter(|outcome| *outcome.as_ref().unwrap());
    assert_eq!(removed.count(), 1);
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(stays));
}
