//! What is low goes on the shopping list by itself, once for each time that it falls.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{
    AutoList, HouseholdPatch, Item, ItemDetails, NotificationFilter, Occasion, ProductDetails,
    ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingQuantity, ShoppingStatus,
};
use larder_storage::{ReplaceProduct, SettleNotifications};

use crate::sample::{dated, delta, quantity, shop, to_buy};
use crate::store_harness::stock_of;
use crate::{Home, StoreHarness};

/// A lot of milk, of which there should be five litres and not less than three.
fn milk(amount: &str, until: &str) -> ItemDetails {
    ItemDetails {
        low_stock_threshold: Some(quantity("3")),
        desired_quantity: Some(quantity("5")),
        ..dated("Milk", amount, "L", until)
    }
}

/// Name, count and status of everything on the list.
async fn listed(h: &StoreHarness, home: &Home) -> Vec<(String, Option<u32>, ShoppingStatus)> {
    let said = |entry: ShoppingItem| {
        let ShoppingDetails { name, quantity, .. } = entry.details;
        (name.as_str().to_owned(), quantity.map(ShoppingQuantity::get), entry.status)
    };
    entries(h, home).await.into_iter().map(said).collect()
}

async fn entries(h: &StoreHarness, home: &Home) -> Vec<ShoppingItem> {
    h.shopping_list(home.scope, &ShoppingFilter::default(), 50).await
}

async fn expect(h: &StoreHarness, home: &Home, counts: &[u32]) {
    let pending = ShoppingStatus::Pending;
    let expected: Vec<_> =
        counts.iter().map(|count| ("Milk".to_owned(), Some(*count), pending)).collect();
    h.eventually(&expected, async || listed(h, home).await).await;
}

async fn take(h: &StoreHarness, home: &Home, lot: &Item, by: &str) {
    h.adjust(home.inventory(), lot.id, by).await;
    settle(h, home, lot).await;
}

async fn settle(h: &StoreHarness, home: &Home, lot: &Item) {
    h.settle_one(home, h.settlement(stock_of(lot.id), Occasion::Changed, &[])).await;
}

async fn take_off(h: &StoreHarness, home: &Home, entry: &ShoppingItem) {
    assert!(h.store().delete_shopping_item(home.scope, entry.id, h.write()).await.unwrap());
}

pub async fn p79_what_is_low_goes_on_the_list_once_with_what_is_missing(h: &StoreHarness) {
    let home = h.home().await;
    let market = shop(h.store_id(), "Market");
    h.store().add_store(home.scope, &market, h.write()).await.unwrap();
    let details = ItemDetails { preferred_store: Some(market.id), ..milk("2", "2031-06-01") };
    let first = h.add(home.inventory(), details).await;
    let second = h.add(home.inventory(), milk("1", "2031-07-01")).await;
    settle(h, &home, &first).await;
    expect(h, &home, &[]).await;
    h.adjust(home.inventory(), second.id, "-0.25").await;
    let settlement = h.settlement(stock_of(first.id), Occasion::Changed, &[]);
    h.settle_one(&home, settlement).await;
    expect(h, &home, &[3]).await;
    let entry = entries(h, &home).await.remove(0);
    assert_eq!(entry.id, settlement.entry_id);
    assert_eq!((entry.item, entry.details.store), (Some(first.id), Some(market.id)));
    assert_eq!((entry.added_by, entry.version), (home.admin.id, 1), "of nobody else is known");
    take(h, &home, &first, "-1").await;
    h.begin_day(&home, first.id, crate::sample::TODAY).await;
    expect(h, &home, &[3]).await;
    h.eventually(&vec![Some(entry.created_at)], async || {
        let said = h.notifications(home.scope, NotificationFilter::Open, 9).await;
        said.into_iter().map(|said| said.listed_at).collect()
    })
    .await;
}

pub async fn p79_the_entry_is_that_of_the_person_whose_change_made_it_low(h: &StoreHarness) {
    let home = h.home().await;
    let other = h.join(&home).await;
    let lot = h.add(home.inventory(), milk("2", "2031-06-01")).await;
    let settlement = h.settlement(stock_of(lot.id), Occasion::Changed, &[]);
    let settlement = SettleNotifications { by: Some(other.actor()), ..settlement };
    h.settle_one(&home, settlement).await;
    expect(h, &home, &[3]).await;
    assert_eq!(entries(h, &home).await[0].added_by, other.actor());
}

pub async fn p79_a_deleted_entry_comes_back_only_when_the_stock_falls_again(h: &StoreHarness) {
    let home = h.home().await;
    let lot = h.add(home.inventory(), milk("4", "2031-06-01")).await;
    take(h, &home, &lot, "-2").await;
    expect(h, &home, &[3]).await;
    take_off(h, &home, &entries(h, &home).await[0]).await;
    take(h, &home, &lot, "-1").await;
    h.begin_day(&home, lot.id, crate::sample::TODAY).await;
    expect(h, &home, &[]).await;
    take(h, &home, &lot, "2").await;
    expect(h, &home, &[]).await;
    take(h, &home, &lot, "-2").await;
    expect(h, &home, &[4]).await;
}

pub async fn p79_what_is_to_be_bought_anyway_is_not_added(h: &StoreHarness) {
    for is_linked in [true, false] {
        let home = h.home().await;
        let first = h.add(home.inventory(), milk("2", "2031-06-01")).await;
        let second = h.add(home.inventory(), milk("2", "2031-07-01")).await;
        let item = is_linked.then_some(second.id);
        let name = if is_linked { "The white one" } else { " ＭＩＬＫ" };
        let by_hand = h.put_on_list(home.scope, item, to_buy(name)).await;
        take(h, &home, &first, "-2").await;
        h.expect_shopping_list(home.scope, std::slice::from_ref(&by_hand)).await;
        // That was dealt with: also without the entry, nothing is added while it is low.
        take_off(h, &home, &by_hand).await;
        take(h, &home, &first, "0.5").await;
        expect(h, &home, &[]).await;
    }
}

pub async fn p79_nothing_is_added_while_it_is_switched_off(h: &StoreHarness) {
    let home = h.home().await;
    let switch = async |auto_list| {
        let patch = HouseholdPatch { auto_list: Some(auto_list), ..HouseholdPatch::default() };
        let home = h.store().update_household(home.scope, &patch, h.write()).await.unwrap();
        assert_eq!(home.map(|home| home.auto_list), Some(auto_list));
    };
    switch(AutoList::OFF).await;
    let found = h.store().find_household(home.scope).await.unwrap();
    assert_eq!(found.map(|home| home.auto_list), Some(AutoList::OFF));
    let lot = h.add(home.inventory(), milk("1", "2031-06-01")).await;
    settle(h, &home, &lot).await;
    expect(h, &home, &[]).await;
    switch(AutoList::ON).await;
    settle(h, &home, &lot).await;
    expect(h, &home, &[4]).await;

    let quiet = h.home().await;
    let lot = h.add(quiet.inventory(), milk("4", "2031-06-01")).await;
    let id = lot.product.unwrap();
    let product = h.product(quiet.inventory(), id).await.product;
    let by_hand = ProductDetails { auto_list: false, ..product.details };
    let changed = h
        .store()
        .replace_product(quiet.inventory(), id, product.version, &by_hand, false, h.write())
        .await;
    assert!(matches!(changed.unwrap(), ReplaceProduct::Replaced(_)), "nobody else changes it");
    take(h, &quiet, &lot, "-3").await;
    expect(h, &quiet, &[]).await;
}

pub async fn p79_of_many_who_take_at_once_one_entry_is_made(h: &StoreHarness) {
    let home = h.home().await;
    let (system, inventory) = (home.system(), home.inventory());
    let first = h.add(inventory, milk("3", "2031-06-01")).await;
    let second = h.add(inventory, milk("3", "2031-07-01")).await;
    for round in 0..4 {
        let tasks = [&first, &second, &first, &second, &first, &second].map(|lot| {
            let (store, lot, write) = (Arc::clone(h.store()), lot.id, h.write());
            let settlement = h.settlement(stock_of(first.id), Occasion::Changed, &[]);
            tokio::spawn(async move {
                store.adjust_item(inventory, lot, delta("-1"), write).await.unwrap();
                store.settle_notifications(system, settlement).await.unwrap();
            })
        });
        for outcome in join_all(tasks).await {
            outcome.unwrap();
        }
        h.eventually(&1, async || listed(h, &home).await.len()).await;
        let entry = entries(h, &home).await.remove(0);
        // Whoever was first saw 2, 1 or none left of 5.
        let count = entry.details.quantity.unwrap().get();
        assert!((3..=5).contains(&count), "round {round}: {count}");
        take_off(h, &home, &entry).await;
        for lot in [&first, &second] {
            h.adjust(inventory, lot.id, "3").await;
        }
        settle(h, &home, &first).await;
        expect(h, &home, &[]).await;
    }
}
