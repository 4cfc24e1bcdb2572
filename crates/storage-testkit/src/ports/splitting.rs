//! Taking a lot out of another, as opening a part of it does.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{Item, ItemDetails, OpenedItem, Opening, Quantity, ShelfLife};
use larder_storage::{AddItem, Replay as _, Scope, SplitItem, StorageError, Write};

use crate::StoreHarness;
use crate::sample::{TODAY, dated, quantity};
use crate::store_harness::personal;

/// Three litres that keep for four days once they are open.
async fn milk(h: &StoreHarness, scope: Scope) -> Item {
    let opened_shelf_life = ShelfLife::from_days(4).ok();
    let milk = ItemDetails { opened_shelf_life, ..dated("Milk", "3", "L", "2031-03-01") };
    h.add(scope, milk).await
}

/// The rest of a lot and the part of it that is open, both at this time.
fn parts(h: &StoreHarness, scope: Scope, lot: &Item, write: Write<'_>) -> (Item, Item) {
    let opening = lot.details.open(Some(Quantity::ONE), TODAY);
    let Ok(Opening::Part { rest, opened }) = opening else { panic!("{opening:?}") };
    let by = scope.actor();
    (lot.changed(rest, by, write.at), Item::new(h.item_id(), lot.owner, opened, by, write.at))
}

async fn split(h: &StoreHarness, scope: Scope, lot: &Item) -> (Item, SplitItem) {
    let write = h.write();
    let (rest, part) = parts(h, scope, lot, write);
    (rest.clone(), h.store().split_item(scope, &rest, &part, write).await.unwrap())
}

async fn lots(h: &StoreHarness, scope: Scope, of: &Item) -> Vec<Item> {
    h.product(scope, of.product.expect("every item has a product")).await.lots
}

pub async fn p73_a_part_becomes_a_lot_of_the_same_product(h: &StoreHarness) {
    for scope in [h.home().await.inventory(), personal(h.user().await.id)] {
        let milk = milk(h, scope).await;
        let (rest, outcome) = split(h, scope, &milk).await;
        let SplitItem::Added(AddItem::Added(part)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((rest.details.quantity, rest.version), (quantity("2"), 2));
        assert_eq!((part.details.quantity, part.version), (quantity("1"), 1));
        assert_eq!(part.product, milk.product);
        assert_eq!(part.details.expiration.unwrap().to_string(), "2031-01-19");
        assert_eq!(lots(h, scope, &milk).await, [part.clone(), rest.clone()]);
        let history = h.store().item_history(scope, milk.id, None, 5).await.unwrap().items;
        assert_eq!(history[0].versions.old.as_ref(), Some(&milk));
        assert_eq!(history[0].versions.new.as_ref(), Some(&rest));
        // The next one joins it, because it has the same date.
        let (rest, outcome) = split(h, scope, &rest).await;
        let SplitItem::Added(AddItem::Merged(more)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((more.id, more.details.quantity), (part.id, quantity("2")));
        assert_eq!(lots(h, scope, &milk).await, [more, rest]);
    }
}

pub async fn p73_what_has_changed_or_gone_is_not_split(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let old = milk(h, scope).await;
    h.adjust(scope, old.id, "-1").await;
    let now = lots(h, scope, &old).await;
    assert_eq!(split(h, scope, &old).await.1, SplitItem::Changed);
    assert_eq!(lots(h, scope, &old).await, now);
    // Nor by those whose it is not.
    let other = h.home().await.inventory();
    let (write, current) = (h.write(), &now[0]);
    let (rest, part) = parts(h, scope, current, write);
    let part = Item { owner: other.owner(), ..part };
    let outcome = h.store().split_item(other, &rest, &part, write).await.unwrap();
    assert_eq!(outcome, SplitItem::Changed);
    assert_eq!(lots(h, scope, &old).await, now);
    h.store().delete_item(scope, old.id, None, h.write()).await.unwrap();
    assert_eq!(split(h, scope, current).await.1, SplitItem::Changed);
    assert_eq!(h.list_products(other, larder_domain::ProductSort::Name, 5).await, []);
}

pub async fn p73_a_part_that_fits_nowhere_leaves_the_lot_whole(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = milk(h, scope).await;
    let bags = h.add(scope, dated("Milk", "1", "袋", "2031-01-19")).await;
    let before = lots(h, scope, &milk).await;
    let (_, outcome) = split(h, scope, &milk).await;
    assert_eq!(outcome, SplitItem::Added(AddItem::UnitMismatch(bags)));
    assert_eq!(lots(h, scope, &milk).await, before);
}

pub async fn p73_of_many_who_split_one_version_one_does(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = milk(h, scope).await;
    let write = h.write();
    let splitting = (0..8).map(|_| {
        let (store, (rest, part)) = (Arc::clone(h.store()), parts(h, scope, &milk, write));
        tokio::spawn(async move { store.split_item(scope, &rest, &part, write).await })
    });
    let mut done = 0;
    for outcome in join_all(splitting.collect::<Vec<_>>()).await {
        match outcome.expect("no client panics") {
            Ok(SplitItem::Added(AddItem::Added(_))) => done += 1,
            Ok(SplitItem::Changed) | Err(StorageError::Contention(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(done, 1);
    let found: Vec<_> =
        lots(h, scope, &milk).await.iter().map(|lot| lot.details.quantity).collect();
    assert_eq!(found, [quantity("1"), quantity("2")]);
}

pub async fn p73_a_repetition_finds_both_parts(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = milk(h, scope).await;
    let claim = h.claim("open");
    let write = h.claimed(&claim);
    let (rest, part) = parts(h, scope, &milk, write);
    let outcome = h.store().split_item(scope, &rest, &part, write).await.unwrap();
    let SplitItem::Added(AddItem::Added(opened)) = outcome else { panic!("{outcome:?}") };
    let again = h.store().split_item(scope, &rest, &part, write).await;
    assert!(matches!(again, Err(StorageError::IdempotencyKeyUsed)), "{again:?}");
    let used = h.store().find_idempotent(scope.actor(), &claim.key).await.unwrap().unwrap();
    let first = OpenedItem::replay(&used.result).unwrap();
    assert_eq!(first, OpenedItem { opened, rest: Some(rest) });
}
