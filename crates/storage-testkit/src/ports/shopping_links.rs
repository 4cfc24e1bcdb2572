//! Entries linked to an item or a shop, and the deletion of either.

use futures_util::future::{join, join_all};
use larder_domain::{ShoppingDetails, ShoppingFilter, ShoppingItem, StoreChoice};
use larder_storage::{AddShoppingItem, ChangeShoppingItem, DeleteItem, ReplaceItem};

use crate::sample::{details, shop, to_buy};
use crate::{Home, StoreHarness};

pub async fn p22_an_item_on_the_list_is_not_added_again_unless_somebody_insists(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, member) = (home.scope, h.join(&home).await);
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let bread = h.add(home.inventory(), details("Bread", "1", "個")).await;
    let first = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    let AddShoppingItem::Added(first) = first else { panic!("{first:?}") };
    for name in ["Milk", "Other words"] {
        let answer = h.try_to_list(member, milk.id, to_buy(name)).await;
        assert_eq!(answer, AddShoppingItem::Duplicate(first.clone()));
    }
    let other = h.try_to_list(scope, bread.id, to_buy("Milk")).await;
    let AddShoppingItem::Added(other) = other else { panic!("{other:?}") };
    // Free text is never the same.
    let (text, write) = (h.entry(scope, None, to_buy("Milk")), h.write());
    let answer = h.store().add_shopping_item(scope, &text, false, write).await.unwrap();
    assert_eq!(answer, AddShoppingItem::Added(text.clone()));
    let twin = h.put_on_list(member, Some(milk.id), to_buy("Milk")).await;
    let mut expected = vec![first, other, text, twin];
    expected.sort_by_key(larder_domain::ShoppingPosition::of);
    h.expect_shopping_list(scope, &expected).await;
}

pub async fn p22_a_twin_keeps_the_refusal_after_the_first_is_bought(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let first = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let twin = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let first = h.check_off(scope, &first).await;
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(twin.clone()));
    h.check_off(scope, &twin).await;
    let third = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    let AddShoppingItem::Added(third) = third else { panic!("{third:?}") };
    // Unchecking is never refused, and counts again.
    let first = h.uncheck(scope, &first).await;
    assert!(h.store().delete_shopping_item(scope, third.id, h.write()).await.unwrap());
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(first.clone()));
    // Purchased entries do not count, and removing one subtracts nothing.
    assert!(h.store().delete_shopping_item(scope, twin.id, h.write()).await.unwrap());
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(first));
}

pub async fn p23_a_deleted_item_leaves_free_text_behind(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let milk = h.add(inventory, details("Milk", "1", "L")).await;
    let bread = h.add(inventory, details("Bread", "1", "個")).await;
    let pending = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let bought = h.put_on_list(scope, Some(milk.id), to_buy("More milk")).await;
    let bought = h.check_off(scope, &bought).await;
    let other = h.put_on_list(scope, Some(bread.id), to_buy("Bread")).await;
    let write = h.write();
    let deleted = h.store().delete_item(inventory, milk.id, None, write).await.unwrap();
    assert_eq!(deleted, DeleteItem::Deleted(milk.clone()));
    let expected = [pending.orphaned(write.at), bought.orphaned(write.at), other];
    for entry in &expected {
        assert_eq!(h.find_entry(scope, entry.id).await.as_ref(), Some(entry));
    }
    h.expect_shopping_list(scope, &expected).await;
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::ItemNotFound);
    // They become free text.
    let [pending, bought, _] = expected;
    h.check_off(scope, &pending).await;
    let again = h.uncheck(scope, &bought).await;
    assert!(h.store().delete_shopping_item(scope, again.id, h.write()).await.unwrap());
}

pub async fn p23_150_entries_of_one_item_become_free_text(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let entries = linked(h, &home, &milk, 150).await;
    let write = h.write();
    h.store().delete_item(home.inventory(), milk.id, None, write).await.unwrap();
    let expected: Vec<_> = entries.iter().map(|entry| entry.orphaned(write.at)).collect();
    h.expect_shopping_list(home.scope, &expected).await;
}

/// So many entries of one item.
pub(super) async fn linked(
    h: &StoreHarness,
    home: &Home,
    item: &larder_domain::Item,
    count: usize,
) -> Vec<ShoppingItem> {
    let mut entries = Vec::new();
    for n in 0..count {
        entries.push(h.put_on_list(home.scope, Some(item.id), to_buy(&n.to_string())).await);
    }
    entries
}

pub async fn p23_an_item_that_merges_into_another_leaves_free_text_behind(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let milk = h.add(inventory, details("Milk", "1", "L")).await;
    let oat = h.add(inventory, details("Oat milk", "1", "L")).await;
    let kept = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let merged = h.put_on_list(scope, Some(oat.id), to_buy("Oat milk")).await;
    let write = h.write();
    let onto = details("Milk", "1", "L");
    let outcome = h.store().replace_item(inventory, oat.id, 1, &onto, true, write).await.unwrap();
    assert!(matches!(outcome, ReplaceItem::Merged(_)), "{outcome:?}");
    h.expect_shopping_list(scope, &[kept, merged.orphaned(write.at)]).await;
}

pub async fn p23_a_deleted_shop_leaves_entries_without_one(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let (market, bakery) = (shop(h.store_id(), "Market"), shop(h.store_id(), "Bakery"));
    for shop in [&market, &bakery] {
        h.store().add_store(scope, shop, h.write()).await.unwrap();
    }
    let at = |store| move |n: usize| ShoppingDetails { store, ..to_buy(&n.to_string()) };
    let mut entries = Vec::new();
    for n in 0..30 {
        let entry = h.put_on_list(scope, None, at(Some(market.id))(n)).await;
        entries.push(if n % 3 == 0 { h.check_off(scope, &entry).await } else { entry });
    }
    let elsewhere = h.put_on_list(scope, None, at(Some(bakery.id))(99)).await;
    let write = h.write();
    assert!(h.store().delete_store(scope, market.id, write).await.unwrap());
    let mut expected: Vec<_> = entries
        .into_iter()
        .map(|entry| ShoppingItem {
            details: ShoppingDetails { store: None, ..entry.details },
            version: entry.version + 1,
            updated_at: write.at,
            ..entry
        })
        .collect();
    for entry in &expected {
        assert_eq!(h.find_entry(scope, entry.id).await.as_ref(), Some(entry));
    }
    let unassigned = ShoppingFilter { store: Some(StoreChoice::Unassigned), status: None };
    h.eventually(&expected, async || h.shopping_list(scope, &unassigned, 7).await).await;
    let there = ShoppingFilter { store: Some(StoreChoice::Store(market.id)), status: None };
    h.eventually(&vec![], async || h.shopping_list(scope, &there, 7).await).await;
    expected.push(elsewhere);
    h.expect_shopping_list(scope, &expected).await;
}

pub async fn p23_no_entry_keeps_an_item_or_shop_that_is_deleted_meanwhile(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let market = shop(h.store_id(), "Market");
    h.store().add_store(scope, &market, h.write()).await.unwrap();
    let write = h.write();
    let linked: Vec<_> = (0..8).map(|_| h.entry(scope, Some(milk.id), to_buy("Milk"))).collect();
    let placed = ShoppingDetails { store: Some(market.id), ..to_buy("Bread") };
    let placed: Vec<_> = (0..8).map(|_| h.entry(scope, None, placed.clone())).collect();
    let entries: Vec<_> = linked.into_iter().chain(placed).collect();
    let adding = join_all(
        entries.iter().map(|entry| h.store().add_shopping_item(scope, entry, true, write)),
    );
    let deleting = join(
        h.store().delete_item(home.inventory(), milk.id, None, write),
        h.store().delete_store(scope, market.id, write),
    );
    let (added, (item, store)) = join(adding, deleting).await;
    assert_eq!((item.unwrap(), store.unwrap()), (DeleteItem::Deleted(milk), true));
    for (entry, outcome) in entries.iter().zip(added) {
        let found = h.find_entry(scope, entry.id).await;
        match outcome.unwrap() {
            AddShoppingItem::Added(_) => {
                let found = found.unwrap();
                assert_eq!((found.item, found.details.store), (None, None));
            }
            AddShoppingItem::ItemNotFound | AddShoppingItem::StoreNotFound => {
                assert_eq!(found, None);
            }
            AddShoppingItem::Duplicate(twin) => panic!("{twin:?} was no obstacle"),
        }
    }
}

pub async fn p23_entries_change_while_their_item_is_deleted(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let entries = linked(h, &home, &milk, 12).await;
    let write = h.write();
    let purchase = larder_domain::ShoppingChange::Status(larder_domain::ShoppingStatus::Purchased);
    let buying = join_all(entries.iter().map(|entry| {
        h.store().change_shopping_item(scope, entry.id, entry.version, &purchase, write)
    }));
    let deleting = h.store().delete_item(home.inventory(), milk.id, None, write);
    let (bought, deleted) = join(buying, deleting).await;
    assert_eq!(deleted.unwrap(), DeleteItem::Deleted(milk));
    for (entry, outcome) in entries.iter().zip(bought) {
        let now = h.find_entry(scope, entry.id).await.unwrap();
        assert_eq!(now.item, None);
        match outcome.unwrap() {
            ChangeShoppingItem::Changed(_) => {
                assert_eq!((now.version, now.expires_at.is_some()), (3, true));
            }
            ChangeShoppingItem::VersionConflict(_) => assert_eq!(now, entry.orphaned(write.at)),
            other => panic!("{other:?}"),
        }
    }
}
