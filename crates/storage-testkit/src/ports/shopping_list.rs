//! The shopping list: entries, order, and expiry.

use jiff::SignedDuration;
use larder_domain::{
    ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingName, ShoppingNotes,
    ShoppingPatch, ShoppingPosition, ShoppingQuantity, ShoppingStatus, StoreChoice,
};
use larder_storage::{AddShoppingItem, ChangeShoppingItem};

use crate::StoreHarness;
use crate::sample::{details, shop, to_buy};
use crate::store_harness::personal;

const PURCHASE: ShoppingChange = ShoppingChange::Status(ShoppingStatus::Purchased);

fn notes(text: &str) -> Option<ShoppingNotes> {
    ShoppingNotes::parse(text).unwrap()
}

pub async fn p20_an_entry_is_found_at_once_and_exactly_as_added(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let market = shop(h.store_id(), "Market");
    h.store().add_store(home.scope, &market, h.write()).await.unwrap();
    let full = ShoppingDetails {
        name: ShoppingName::parse(" Ｍilk 🥛 50% _ ").unwrap(),
        store: Some(market.id),
        quantity: Some(ShoppingQuantity::new(99_999_999).unwrap()),
        notes: notes("\r\n\tcold\u{200d} \n"),
    };
    let full = h.put_on_list(home.scope, Some(milk.id), full).await;
    let plain = h.put_on_list(home.scope, None, to_buy("Birthday cake")).await;
    assert_eq!((full.version, full.status), (1, ShoppingStatus::Pending));
    assert_eq!(h.find_entry(home.scope, full.id).await.as_ref(), Some(&full));
    assert_eq!(h.find_entry(home.scope, plain.id).await.as_ref(), Some(&plain));
    assert_eq!(h.find_entry(home.scope, h.shopping_item_id()).await, None);
    h.expect_shopping_list(home.scope, &[full, plain]).await;
}

pub async fn p20_checking_off_counts_up_and_sets_the_end_and_unchecking_takes_it_away(
    h: &StoreHarness,
) {
    let home = h.home().await;
    let (scope, member) = (home.scope, h.join(&home).await);
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let pending = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    h.advance_seconds(5);
    let bought = h.check_off(member, &pending).await;
    let end = bought.updated_at.as_second() + 7 * 24 * 60 * 60;
    assert_eq!(
        bought.expires_at.map(|at| (at.as_second(), at.subsec_nanosecond())),
        Some((end, 0))
    );
    assert_eq!((bought.version, bought.added_by), (2, scope.actor()));
    assert_eq!(h.find_entry(scope, pending.id).await.as_ref(), Some(&bought));
    h.advance_seconds(60);
    let again = h.check_off(scope, &bought).await;
    assert_eq!((again.version, again.expires_at), (3, bought.expires_at));
    let unchecked = h.uncheck(scope, &again).await;
    assert_eq!((unchecked.version, unchecked.expires_at), (4, None));
    assert_eq!(h.find_entry(scope, pending.id).await.as_ref(), Some(&unchecked));
    h.expect_shopping_list(scope, &[unchecked]).await;
}

pub async fn p20_an_edit_changes_what_it_names_and_clears_what_it_says(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let market = shop(h.store_id(), "Market");
    h.store().add_store(scope, &market, h.write()).await.unwrap();
    let entry = h.put_on_list(scope, None, to_buy("Cake")).await;
    let said = ShoppingPatch {
        name: Some(ShoppingName::parse("ケーキ").unwrap()),
        store: Some(Some(market.id)),
        quantity: Some(Some(ShoppingQuantity::new(3).unwrap())),
        notes: Some(notes("For Sarah's party")),
    };
    let entry = h.change_entry(scope, &entry, &ShoppingChange::Edit(said)).await;
    let nothing = ShoppingChange::Edit(ShoppingPatch::default());
    let entry = h.change_entry(scope, &entry, &nothing).await;
    assert_eq!((entry.version, entry.details.store), (3, Some(market.id)));
    let bought = h.check_off(scope, &entry).await;
    let cleared = ShoppingPatch {
        store: Some(None),
        quantity: Some(None),
        notes: Some(None),
        ..ShoppingPatch::default()
    };
    let cleared = h.change_entry(scope, &bought, &ShoppingChange::Edit(cleared)).await;
    assert_eq!(cleared.details, to_buy("ケーキ"));
    assert_eq!((cleared.version, cleared.expires_at), (5, bought.expires_at));
    assert_eq!(h.find_entry(scope, entry.id).await.as_ref(), Some(&cleared));
    h.expect_shopping_list(scope, &[cleared]).await;
}

pub async fn p20_an_entry_refers_only_to_things_that_exist(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let gone = h.add(home.inventory(), details("Milk", "1", "L")).await;
    h.store().delete_item(home.inventory(), gone.id, None, h.write()).await.unwrap();
    let own = h.add(personal(home.admin.id), details("Tea", "1", "L")).await;
    for item in [gone.id, own.id, h.item_id()] {
        for force in [false, true] {
            let write = h.write();
            let entry = h.entry(scope, Some(item), to_buy("Milk"));
            let answer = h.store().add_shopping_item(scope, &entry, force, write).await.unwrap();
            assert_eq!(answer, AddShoppingItem::ItemNotFound);
        }
    }
    let nowhere = ShoppingDetails { store: Some(h.store_id()), ..to_buy("Milk") };
    let (entry, write) = (h.entry(scope, None, nowhere.clone()), h.write());
    let answer = h.store().add_shopping_item(scope, &entry, false, write).await.unwrap();
    assert_eq!(answer, AddShoppingItem::StoreNotFound);
    let entry = h.put_on_list(scope, None, to_buy("Milk")).await;
    let there = ShoppingPatch { store: Some(nowhere.store), ..ShoppingPatch::default() };
    let there = ShoppingChange::Edit(there);
    let answer = h.store().change_shopping_item(scope, entry.id, 1, &there, h.write()).await;
    assert_eq!(answer.unwrap(), ChangeShoppingItem::StoreNotFound);
    h.expect_shopping_list(scope, &[entry]).await;
}

/// Entries of two shops and without one, of both statuses, two of them added at the same time; in
/// list order.
async fn fill(h: &StoreHarness, home: &crate::Home) -> (Vec<ShoppingItem>, Vec<StoreChoice>) {
    let scope = home.scope;
    let mut choices = vec![StoreChoice::Unassigned];
    for name in ["Market", "Bakery"] {
        let shop = shop(h.store_id(), name);
        h.store().add_store(scope, &shop, h.write()).await.unwrap();
        choices.push(StoreChoice::Store(shop.id));
    }
    let mut entries = Vec::new();
    for n in 0..17 {
        let store = match choices[n % 3] {
            StoreChoice::Store(id) => Some(id),
            StoreChoice::Unassigned => None,
        };
        let write = h.write();
        for twin in 0..=(n % 2) {
            let details = ShoppingDetails { store, ..to_buy(&format!("{n}.{twin}")) };
            let entry = h.entry(scope, None, details);
            let added = h.store().add_shopping_item(scope, &entry, false, write).await.unwrap();
            assert_eq!(added, AddShoppingItem::Added(entry.clone()));
            entries.push(entry);
        }
    }
    for entry in entries.iter_mut().step_by(4) {
        *entry = h.check_off(scope, entry).await;
    }
    entries.sort_by_key(ShoppingPosition::of);
    (entries, choices)
}

pub async fn p20_every_filter_shows_its_part_in_the_order_of_adding_in_pages(h: &StoreHarness) {
    let home = h.home().await;
    let (entries, choices) = fill(h, &home).await;
    let stores = choices.into_iter().map(Some).chain([None]);
    for store in stores.chain([Some(StoreChoice::Store(h.store_id()))]) {
        for status in [None, Some(ShoppingStatus::Pending), Some(ShoppingStatus::Purchased)] {
            let filter = ShoppingFilter { store, status };
            let shown = entries.iter().filter(|entry| filter.matches(entry));
            let expected: Vec<_> = shown.cloned().collect();
            for limit in [1, 2, 5, 100] {
                let read = async || h.shopping_list(home.scope, &filter, limit).await;
                h.eventually(&expected, read).await;
            }
        }
    }
}

pub async fn p20_a_page_goes_on_behind_what_is_gone_or_new(h: &StoreHarness) {
    let home = h.home().await;
    let (mut entries, _) = fill(h, &home).await;
    h.expect_shopping_list(home.scope, &entries).await;
    let all = ShoppingFilter::default();
    let page = h.store().list_shopping_items(home.scope, &all, None, 5).await.unwrap();
    assert_eq!(
        (&page.items[..], page.next),
        (&entries[..5], Some(ShoppingPosition::of(&entries[4])))
    );
    for gone in [entries[4].id, entries[5].id] {
        assert!(h.store().delete_shopping_item(home.scope, gone, h.write()).await.unwrap());
    }
    entries.drain(4..6);
    entries.push(h.put_on_list(home.scope, None, to_buy("Last")).await);
    h.expect_shopping_list(home.scope, &entries).await;
    let rest = h.store().list_shopping_items(home.scope, &all, page.next.as_ref(), 100).await;
    let rest = rest.unwrap();
    assert_eq!((&rest.items[..], rest.next), (&entries[4..], None));
}

pub async fn p20_an_empty_list_is_one_empty_page(h: &StoreHarness) {
    let home = h.home().await;
    let all = ShoppingFilter::default();
    let page = h.store().list_shopping_items(home.scope, &all, None, 5).await.unwrap();
    assert_eq!((page.items, page.next), (vec![], None));
}

pub async fn p20_what_was_bought_is_gone_from_the_very_second_on(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let kept = h.put_on_list(scope, None, to_buy("Bread")).await;
    let entry = h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let bought = h.check_off(scope, &entry).await;
    let kept = h.check_off(scope, &kept).await;
    let kept = h.uncheck(scope, &kept).await;
    let end = bought.expires_at.unwrap();
    h.advance_to(end, SignedDuration::from_millis(1));
    assert_eq!(h.find_entry(scope, bought.id).await.as_ref(), Some(&bought));
    h.expect_shopping_list(scope, &[kept.clone(), bought.clone()]).await;

    h.advance_to(end, SignedDuration::ZERO);
    assert_eq!(h.find_entry(scope, bought.id).await, None);
    h.expect_shopping_list(scope, std::slice::from_ref(&kept)).await;
    let only_bought =
        ShoppingFilter { status: Some(ShoppingStatus::Purchased), ..ShoppingFilter::default() };
    assert_eq!(h.shopping_list(scope, &only_bought, 10).await, []);
    let back = ShoppingChange::Status(ShoppingStatus::Pending);
    let answer = h.store().change_shopping_item(scope, bought.id, 2, &back, h.write()).await;
    assert_eq!(answer.unwrap(), ChangeShoppingItem::NotFound);
    assert!(!h.store().delete_shopping_item(scope, bought.id, h.write()).await.unwrap());
    assert_eq!(h.store().clear_purchased(scope, h.write()).await.unwrap(), 0);
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert!(matches!(answer, AddShoppingItem::Added(_)), "{answer:?}");
    assert_eq!(h.find_entry(scope, kept.id).await, Some(kept));
}

pub async fn p20_a_removed_entry_is_gone_and_answered_once(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let entry = h.put_on_list(scope, None, to_buy("Milk")).await;
    let bought = h.put_on_list(scope, None, to_buy("Bread")).await;
    h.check_off(scope, &bought).await;
    for id in [entry.id, bought.id] {
        assert!(h.store().delete_shopping_item(scope, id, h.write()).await.unwrap());
        assert!(!h.store().delete_shopping_item(scope, id, h.write()).await.unwrap());
        assert_eq!(h.find_entry(scope, id).await, None);
        let answer = h.store().change_shopping_item(scope, id, 1, &PURCHASE, h.write()).await;
        assert_eq!(answer.unwrap(), ChangeShoppingItem::NotFound);
    }
    h.expect_shopping_list(scope, &[]).await;
}

pub async fn p20_clearing_takes_all_that_was_bought_and_nothing_else(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let mut left = Vec::new();
    // More than fit into a transaction, on any engine.
    for n in 0..110 {
        let item = (n % 2 == 0).then_some(milk.id);
        let entry = h.put_on_list(scope, item, to_buy(&n.to_string())).await;
        if n % 22 == 0 {
            left.push(entry);
        } else {
            h.check_off(scope, &entry).await;
        }
    }
    assert_eq!(h.store().clear_purchased(scope, h.write()).await.unwrap(), 105);
    h.expect_shopping_list(scope, &left).await;
    assert_eq!(h.store().clear_purchased(scope, h.write()).await.unwrap(), 0);
    // Those that are left still prevent a duplicate.
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert!(
        matches!(&answer, AddShoppingItem::Duplicate(entry) if left.contains(entry)),
        "{answer:?}"
    );
}
