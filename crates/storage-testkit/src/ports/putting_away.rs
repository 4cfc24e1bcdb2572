//! Putting away is atomic: the entry is deleted and the stock grows, or neither.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{
    Item, ItemDetails, ShoppingChange, ShoppingItem, ShoppingStatus, StorageLocationId,
};
use larder_storage::{AddItem, HouseholdScope, PutAway, Write};

use crate::StoreHarness;
use crate::sample::{dated, details, quantity, to_buy};

async fn put_away(
    h: &StoreHarness,
    scope: HouseholdScope,
    entry: &ShoppingItem,
    into: ItemDetails,
) -> PutAway {
    let item = h.item(scope.inventory(), into);
    let write = Write::at(item.created_at);
    h.store().put_away(scope, entry.id, entry.version, &item, write).await.unwrap()
}

async fn bought(h: &StoreHarness, scope: HouseholdScope, item: Option<&Item>) -> ShoppingItem {
    let entry = h.put_on_list(scope, item.map(|item| item.id), to_buy("Milk")).await;
    h.check_off(scope, &entry).await
}

fn with_quantity(item: &Item, amount: &str) -> ItemDetails {
    ItemDetails { quantity: quantity(amount), ..item.details.clone() }
}

pub async fn p67_what_was_bought_is_more_of_the_same_and_off_the_list(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, ben) = (home.inventory(), h.join(&home).await);
    let milk = h.add(scope, details("Milk", "1.5", "L")).await;
    let entry = bought(h, home.scope, Some(&milk)).await;
    let outcome = put_away(h, ben, &entry, details("Milk", "2", "L")).await;
    let more = milk.changed(with_quantity(&milk, "3.5"), ben.actor(), h.now());
    assert_eq!(outcome, PutAway::Added(AddItem::Merged(more.clone())));
    assert_eq!(h.find(scope, milk.id).await, Some(more));
    assert_eq!(h.find_entry(ben, entry.id).await, None);
    h.expect_shopping_list(ben, &[]).await;
    // The item can be listed again, and go.
    h.put_on_list(ben, Some(milk.id), to_buy("Milk")).await;
    assert!(
        h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap().deleted().is_some()
    );
}

pub async fn p67_what_was_bought_with_another_date_is_an_item_of_its_own(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let old = h.add(scope, dated("Milk", "1", "L", "2026-03-01")).await;
    for date in ["", "2026-03-09"] {
        let entry = bought(h, home.scope, Some(&old)).await;
        let into = match date {
            "" => details("Milk", "2", "L"),
            date => dated("Milk", "2", "L", date),
        };
        let outcome = put_away(h, home.scope, &entry, into.clone()).await;
        let PutAway::Added(AddItem::Added(lot)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(lot.details, into);
        assert_ne!(lot.id, old.id);
        // The same date again is more of that one.
        let entry = bought(h, home.scope, Some(&old)).await;
        let outcome = put_away(h, home.scope, &entry, into).await;
        let PutAway::Added(AddItem::Merged(merged)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((merged.id, merged.details.quantity), (lot.id, quantity("4")));
    }
    assert_eq!(h.find(scope, old.id).await, Some(old));
    h.expect_shopping_list(home.scope, &[]).await;
}

pub async fn p67_free_text_becomes_an_item_or_more_of_one(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let first = bought(h, home.scope, None).await;
    let outcome = put_away(h, home.scope, &first, details("Milk", "1", "L")).await;
    let PutAway::Added(AddItem::Added(new)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(new.details, details("Milk", "1", "L"));
    let second = bought(h, home.scope, None).await;
    let outcome = put_away(h, home.scope, &second, details(" milk", "500", "mL")).await;
    let PutAway::Added(AddItem::Merged(merged)) = outcome else { panic!("{outcome:?}") };
    assert_eq!((merged.id, merged.details.quantity), (new.id, quantity("1.5")));
    h.expect_inventory(scope, &[merged]).await;
    h.expect_shopping_list(home.scope, &[]).await;
}

pub async fn p67_what_cannot_be_stocked_stays_on_the_list(h: &StoreHarness) {
    let home = h.home().await;
    let (list, scope) = (home.scope, home.inventory());
    let sand = h.add(scope, details("Sand", "99999999", "kg")).await;
    let entry = bought(h, list, Some(&sand)).await;

    let refusals = [
        (details("Sand", "1", "kg"), AddItem::Overflow(sand.clone())),
        (details("Sand", "1", "個"), AddItem::UnitMismatch(sand.clone())),
        (
            ItemDetails {
                location: Some(StorageLocationId::fixed(7)),
                ..details("Rice", "1", "kg")
            },
            AddItem::LocationNotFound,
        ),
    ];
    for (details, refusal) in refusals {
        assert_eq!(put_away(h, list, &entry, details).await, PutAway::Added(refusal));
    }
    assert_eq!(h.find_entry(list, entry.id).await.as_ref(), Some(&entry));
    h.expect_shopping_list(list, &[entry]).await;
    h.expect_inventory(scope, &[sand]).await;
}

pub async fn p67_what_is_not_bought_or_not_as_it_was_is_not_stocked(h: &StoreHarness) {
    let home = h.home().await;
    let (list, scope) = (home.scope, home.inventory());
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let pending = h.put_on_list(list, Some(milk.id), to_buy("Milk")).await;
    let once_bought = h.check_off(list, &pending).await;
    let unchecked = h.uncheck(list, &once_bought).await;
    let strangers = h.home().await.scope;
    let unknown = h.entry(list, None, to_buy("Milk"));
    for (who, entry) in [
        (list, &pending),
        (list, &once_bought),
        (list, &unchecked),
        (list, &unknown),
        (strangers, &once_bought),
    ] {
        // A merge, and a new item.
        for name in ["Milk", "Rice"] {
            let into = details(name, "1", "L");
            assert_eq!(put_away(h, who, entry, into).await, PutAway::NotBought);
        }
    }
    h.expect_shopping_list(list, &[unchecked]).await;
    h.expect_inventory(scope, &[milk]).await;
}

pub async fn p67_what_many_put_away_at_once_is_stocked_once(h: &StoreHarness) {
    let home = h.home().await;
    let (mia, ben) = (home.scope, h.join(&home).await);
    let scope = home.inventory();
    let milk = h.add(scope, details("Milk", "0", "L")).await;
    for round in 1..=6 {
        let entry = bought(h, mia, Some(&milk)).await;
        let (id, version, write) = (entry.id, entry.version, h.write());
        let new = h.item(scope, details("Milk", "2", "L"));
        let tasks = (0..6).map(|number| {
            let (store, new) = (Arc::clone(h.store()), new.clone());
            let who = if number % 2 == 0 { mia } else { ben };
            tokio::spawn(
                async move { store.put_away(who, id, version, &new, write).await.unwrap() },
            )
        });
        let outcomes = join_all(tasks).await.into_iter().map(Result::unwrap);
        let stocked = outcomes.filter(|outcome| *outcome != PutAway::NotBought).count();
        assert_eq!(stocked, 1, "round {round}");
        let there = h.find(scope, milk.id).await.unwrap().details.quantity;
        assert_eq!(there, quantity(&(2 * round).to_string()), "round {round}");
    }
    h.expect_shopping_list(mia, &[]).await;
}

pub async fn p67_either_it_is_put_away_or_unchecked_and_never_both(h: &StoreHarness) {
    let home = h.home().await;
    let (list, scope) = (home.scope, home.inventory());
    let milk = h.add(scope, details("Milk", "0", "L")).await;
    let mut stocked = 0;
    for round in 0..12 {
        let entry = bought(h, list, Some(&milk)).await;
        let (id, version, write) = (entry.id, entry.version, h.write());
        let (putting, unchecking) = (Arc::clone(h.store()), Arc::clone(h.store()));
        let new = h.item(scope, details("Milk", "1", "L"));
        let put =
            tokio::spawn(
                async move { putting.put_away(list, id, version, &new, write).await.unwrap() },
            );
        let pending = ShoppingChange::Status(ShoppingStatus::Pending);
        let uncheck = unchecking.change_shopping_item(list, id, version, &pending, write);
        uncheck.await.unwrap();
        let is_stocked = put.await.unwrap() != PutAway::NotBought;
        stocked += u32::from(is_stocked);
        assert_eq!(h.find_entry(list, id).await.is_none(), is_stocked, "round {round}");
        h.store().delete_shopping_item(list, id, h.write()).await.unwrap();
    }
    let there = h.find(scope, milk.id).await.unwrap().details.quantity;
    assert_eq!(there, quantity(&stocked.to_string()));
}
