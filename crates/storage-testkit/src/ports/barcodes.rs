//! Barcodes of products.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{
    Barcodes, Gtin, InvalidBarcodes, ItemDetails, ItemName, Product, ProductDetails, ProductId,
};
use larder_storage::{DeleteProduct, ReplaceProduct, Scope, StorageError};

use super::products::resume;
use crate::StoreHarness;
use crate::sample::{barcode, dated, details, quantity};
use crate::store_harness::personal;

fn codes(numbers: impl IntoIterator<Item = u32>) -> Barcodes {
    Barcodes::new(numbers.into_iter().map(barcode).collect()).unwrap()
}

/// A product of this name, with one lot.
async fn product(h: &StoreHarness, scope: Scope, name: &str) -> Product {
    Product::of_lot(&h.add(scope, details(name, "1", "L")).await)
}

async fn replace(
    h: &StoreHarness,
    scope: Scope,
    product: &Product,
    details: &ProductDetails,
    join: bool,
) -> ReplaceProduct {
    let (id, version) = (product.id, product.version);
    h.store().replace_product(scope, id, version, details, join, h.write()).await.unwrap()
}

async fn give(
    h: &StoreHarness,
    scope: Scope,
    product: &Product,
    codes: Barcodes,
) -> ReplaceProduct {
    let details = ProductDetails { barcodes: codes, ..product.details.clone() };
    replace(h, scope, product, &details, false).await
}

/// The product of this name, with these codes.
async fn coded(h: &StoreHarness, scope: Scope, name: &str, codes: Barcodes) -> Product {
    let made = product(h, scope, name).await;
    let outcome = give(h, scope, &made, codes).await;
    let ReplaceProduct::Replaced(product) = outcome else { panic!("{outcome:?}") };
    product
}

async fn holder(h: &StoreHarness, scope: Scope, code: &Gtin) -> Option<Product> {
    h.store().find_product_by_barcode(scope, code).await.unwrap()
}

async fn holder_ids(
    h: &StoreHarness,
    scope: Scope,
    numbers: impl IntoIterator<Item = u32>,
) -> Vec<Option<ProductId>> {
    let mut ids = Vec::new();
    for number in numbers {
        ids.push(holder(h, scope, &barcode(number)).await.map(|product| product.id));
    }
    ids
}

pub async fn p75_a_barcode_is_that_of_one_product_until_it_is_released(h: &StoreHarness) {
    for scope in [h.home().await.inventory(), personal(h.user().await.id)] {
        let milk = coded(h, scope, "Milk", codes([2, 1])).await;
        assert_eq!((milk.version, &milk.details.barcodes), (2, &codes([2, 1])));
        assert_eq!(h.product(scope, milk.id).await.product, milk);
        assert_eq!(holder(h, scope, &barcode(1)).await.as_ref(), Some(&milk));
        let padded = Gtin::parse(&barcode(2).padded()).unwrap();
        assert_eq!(holder(h, scope, &padded).await.as_ref(), Some(&milk));
        assert_eq!(holder(h, scope, &barcode(3)).await, None);
        // Another cannot have one of them, and gets none of the others.
        let oats = product(h, scope, "Oats").await;
        let outcome = give(h, scope, &oats, codes([3, 2])).await;
        assert_eq!(outcome, ReplaceProduct::BarcodeTaken(milk.clone()));
        assert_eq!(holder(h, scope, &barcode(3)).await, None);
        assert_eq!(h.product(scope, oats.id).await.product, oats);
        // The history has them.
        let history = h.store().product_history(scope, milk.id, None, 1).await.unwrap();
        let versions = &history.items[0].versions;
        assert_eq!(versions.new.as_ref(), Some(&milk));
        assert_eq!(versions.old.as_ref().unwrap().details.barcodes, Barcodes::default());
        // A change releases what it leaves out.
        let outcome = give(h, scope, &milk, codes([1, 4])).await;
        let ReplaceProduct::Replaced(milk) = outcome else { panic!("{outcome:?}") };
        let outcome = give(h, scope, &oats, codes([3, 2])).await;
        let ReplaceProduct::Replaced(oats) = outcome else { panic!("{outcome:?}") };
        let (ours, theirs) = (Some(milk.id), Some(oats.id));
        assert_eq!(holder_ids(h, scope, 1..=4).await, [ours, theirs, theirs, ours]);
        // So does the deletion of a product.
        for lot in h.product(scope, milk.id).await.lots {
            h.store().delete_item(scope, lot.id, None, h.write()).await.unwrap();
        }
        let deleted = h.store().delete_product(scope, milk.id, h.write()).await.unwrap();
        assert_eq!(deleted, DeleteProduct::Deleted);
        assert_eq!(holder_ids(h, scope, 1..=4).await, [None, theirs, theirs, None]);
        let again = coded(h, scope, "Milk", codes([1])).await;
        assert_eq!(holder(h, scope, &barcode(1)).await, Some(again));
    }
}

pub async fn p75_a_product_has_at_most_twenty_and_changes_all_at_once(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let mut milk = product(h, scope, "Milk").await;
    let outcome = give(h, scope, &milk, codes(1..=20)).await;
    if let ReplaceProduct::Replaced(full) = outcome {
        let outcome = give(h, scope, &full, codes(21..=40)).await;
        let ReplaceProduct::Replaced(changed) = outcome else { panic!("{outcome:?}") };
        milk = changed;
    } else {
        // An engine with small transactions says so, and takes them one by one.
        assert_eq!(outcome, ReplaceProduct::TooManyBarcodes);
        assert_eq!(h.product(scope, milk.id).await.product, milk);
        for most in 21..=40 {
            let outcome = give(h, scope, &milk, codes(21..=most)).await;
            let ReplaceProduct::Replaced(changed) = outcome else { panic!("{outcome:?}") };
            milk = changed;
        }
    }
    assert_eq!(
        holder_ids(h, scope, [1, 20, 21, 40]).await,
        [None, None, Some(milk.id), Some(milk.id)]
    );
    assert_eq!(Barcodes::new((1..=21).map(barcode).collect()), Err(InvalidBarcodes::TooMany));
    // Nor by joining.
    let oats = coded(h, scope, "Oats", codes([1])).await;
    let joining = ProductDetails { name: ItemName::parse("Milk").unwrap(), ..oats.details.clone() };
    let outcome = replace(h, scope, &oats, &joining, true).await;
    assert_eq!(outcome, ReplaceProduct::TooManyBarcodes);
    assert_eq!(holder(h, scope, &barcode(1)).await, Some(oats));
    // All of them are released with it.
    for lot in h.product(scope, milk.id).await.lots {
        h.store().delete_item(scope, lot.id, None, h.write()).await.unwrap();
    }
    let deleted = h.store().delete_product(scope, milk.id, h.write()).await.unwrap();
    assert_eq!(deleted, DeleteProduct::Deleted);
    assert_eq!(holder_ids(h, scope, 21..=40).await, [None; 20]);
}

pub async fn p75_inventories_have_their_barcodes_apart(h: &StoreHarness) {
    let home = h.home().await;
    let scopes = [
        home.inventory(),
        home.scope.personal_inventory(),
        h.home().await.inventory(),
        personal(h.user().await.id),
    ];
    let mut products = Vec::new();
    for scope in scopes {
        assert_eq!(holder(h, scope, &barcode(1)).await, None);
        products.push(coded(h, scope, "Milk", codes([1])).await);
    }
    for (scope, product) in scopes.into_iter().zip(products) {
        assert_eq!(holder(h, scope, &barcode(1)).await, Some(product));
    }
}

pub async fn p75_of_many_who_claim_one_barcode_one_gets_it(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let write = h.write();
    let mut claiming = Vec::new();
    for n in 0..12 {
        let product = product(h, scope, &format!("Product {n}")).await;
        // In another order each, and with one that nobody else claims.
        let mut wanted = vec![barcode(1), barcode(2), barcode(100 + n)];
        wanted.rotate_left(n as usize % 3);
        let barcodes = Barcodes::new(wanted).unwrap();
        let details = ProductDetails { barcodes, ..product.details.clone() };
        let store = Arc::clone(h.store());
        claiming.push(async move {
            loop {
                let version = product.version;
                match store
                    .replace_product(scope, product.id, version, &details, false, write)
                    .await
                {
                    Err(StorageError::Contention(_)) => {}
                    outcome => return outcome,
                }
            }
        });
    }
    let claiming = claiming.into_iter().map(tokio::spawn).collect::<Vec<_>>();
    let (mut winners, mut holders) = (Vec::new(), Vec::new());
    for done in join_all(claiming).await {
        match done.expect("no client panics").unwrap() {
            ReplaceProduct::Replaced(product) => winners.push(product),
            ReplaceProduct::BarcodeTaken(product) => holders.push(product),
            outcome => panic!("{outcome:?}"),
        }
    }
    assert_eq!((winners.len(), holders.len()), (1, 11));
    assert!(holders.iter().all(|holder| *holder == winners[0]));
    let winner = Some(winners[0].id);
    assert_eq!(holder_ids(h, scope, [1, 2]).await, [winner, winner]);
    let own = holder_ids(h, scope, 100..112).await;
    assert_eq!(own.iter().flatten().collect::<Vec<_>>(), [&winners[0].id]);
}

pub async fn p75_of_two_that_become_one_the_barcodes_remain(h: &StoreHarness) {
    for transactions in [None, Some(0), Some(1), Some(2), Some(3), Some(4)] {
        let scope = h.home().await.inventory();
        let milk = coded(h, scope, "Milk", codes([1, 2])).await;
        let whole = coded(h, scope, "Whole milk", codes([3])).await;
        let write = h.write();
        let renamed = ProductDetails { name: whole.details.name.clone(), ..milk.details.clone() };
        let joining = h.store().replace_product(scope, milk.id, 2, &renamed, true, write);
        let outcome = match transactions {
            Some(transactions) => h.stopped_after(transactions, joining).await,
            None => joining.await,
        };
        if h.store().find_product(scope, milk.id).await.unwrap().is_some() {
            assert!(outcome.is_err(), "{transactions:?}: {outcome:?}");
            let (ours, theirs) = (Some(milk.id), Some(whole.id));
            assert_eq!(holder_ids(h, scope, 1..=3).await, [ours, ours, theirs]);
            continue;
        }
        // As soon as the one is gone, the other has all of them, and can let go of them.
        assert_eq!(holder_ids(h, scope, 1..=3).await, [Some(whole.id); 3], "{transactions:?}");
        let begun = h.product(scope, whole.id).await.product;
        assert_eq!(begun.details.barcodes, codes([3, 1, 2]), "{transactions:?}");
        let cream = product(h, scope, "Cream").await;
        let taken = give(h, scope, &cream, codes([2])).await;
        assert_eq!(taken, ReplaceProduct::BarcodeTaken(begun.clone()), "{transactions:?}");
        let outcome = give(h, scope, &begun, codes([3, 2])).await;
        assert!(matches!(outcome, ReplaceProduct::Replaced(_)), "{transactions:?}: {outcome:?}");
        resume(h, async || {
            let lots = h.product(scope, whole.id).await.lots;
            lots.len() == 1 && lots[0].details.quantity == quantity("2")
        })
        .await;
        let joined = h.product(scope, whole.id).await.product;
        assert_eq!(joined.details.barcodes, codes([3, 2]), "{transactions:?}");
        assert_eq!(holder(h, scope, &barcode(1)).await, None, "{transactions:?}");
        assert_eq!(holder(h, scope, &barcode(2)).await, Some(joined));
    }
}

pub async fn p75_a_lot_with_another_name_leaves_the_barcodes_behind(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = coded(h, scope, "Milk", codes([1])).await;
    let lot = h.add(scope, dated("Milk", "1", "L", "2031-03-09")).await;
    let renamed = ItemDetails { name: ItemName::parse("Oat milk").unwrap(), ..lot.details.clone() };
    h.store().replace_item(scope, lot.id, 1, &renamed, false, h.write()).await.unwrap();
    let other = h.find(scope, lot.id).await.unwrap().product.unwrap();
    assert_ne!(other, milk.id);
    assert_eq!(h.product(scope, other).await.product.details.barcodes, Barcodes::default());
    assert_eq!(holder(h, scope, &barcode(1)).await, Some(milk));
}

pub async fn p75_what_moves_into_a_household_keeps_barcodes_that_are_free(h: &StoreHarness) {
    let user = h.user().await;
    coded(h, personal(user.id), "Milk", codes([1, 2])).await;
    coded(h, personal(user.id), "Oats", codes([3])).await;
    let home = h.found(&user, true).await;
    let theirs = coded(h, home.inventory(), "Cream", codes([2])).await;
    h.store().move_personal_items(home.scope, h.write()).await.unwrap();
    let milk = holder(h, home.inventory(), &barcode(1)).await.expect("it came along");
    assert_eq!((milk.details.name.as_str(), &milk.details.barcodes), ("Milk", &codes([1])));
    assert_eq!(holder(h, home.inventory(), &barcode(2)).await, Some(theirs));
    assert!(holder(h, home.inventory(), &barcode(3)).await.is_some());
    assert_eq!(holder_ids(h, personal(user.id), 1..=3).await, [None; 3]);
}
