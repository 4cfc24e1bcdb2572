//! Photos of products.

use std::sync::Arc;

use futures_util::future::join_all;
use jiff::SignedDuration;
use larder_domain::{ItemName, PhotoId, Product, ProductDetails, unused_photo_expiry};
use larder_storage::{
    Photo, PhotoSize, PutPhoto, ReplaceItem, ReplaceProduct, Scope, StorageError,
};

use super::products::resume;
use crate::StoreHarness;
use crate::sample::{dated, details, quantity};
use crate::store_harness::personal;

const QUOTA: usize = 100;

/// A photo of this number, of the size of a real one.
fn photo(number: u8) -> Photo {
    let mut digest = [number; 32];
    digest[0] = 0x5a;
    let full = (0..60_000_u32).map(|at| number.wrapping_add((at % 251) as u8)).collect();
    Photo { id: PhotoId::from_sha256(&digest), full, thumbnail: vec![number, 0, 255] }
}

async fn put(h: &StoreHarness, scope: Scope, number: u8, quota: usize) -> PutPhoto {
    h.store().put_photo(scope, &photo(number), h.write().at, quota).await.unwrap()
}

/// Whether the photos of these numbers are there.
async fn there(h: &StoreHarness, scope: Scope, numbers: &[u8]) -> Vec<bool> {
    let mut found = Vec::new();
    for number in numbers {
        let expected = photo(*number);
        let full = h.store().find_photo(scope, expected.id, PhotoSize::Full).await.unwrap();
        let small = h.store().find_photo(scope, expected.id, PhotoSize::Thumbnail).await.unwrap();
        assert_eq!(full.is_some(), small.is_some());
        assert!(full.is_none_or(|full| full == expected.full));
        assert!(small.as_ref().is_none_or(|small| *small == expected.thumbnail));
        found.push(small.is_some());
    }
    found
}

async fn show(
    h: &StoreHarness,
    scope: Scope,
    product: &Product,
    photo: Option<PhotoId>,
) -> Product {
    let details = ProductDetails { photo, ..product.details.clone() };
    let (id, version) = (product.id, product.version);
    let outcome = h.store().replace_product(scope, id, version, &details, false, h.write()).await;
    let ReplaceProduct::Replaced(product) = outcome.unwrap() else { panic!("it is changed") };
    product
}

/// A product of this name with the photo of this number.
async fn shown(h: &StoreHarness, scope: Scope, name: &str, number: u8) -> Product {
    let product = Product::of_lot(&h.add(scope, details(name, "1", "L")).await);
    assert_eq!(put(h, scope, number, QUOTA).await, PutPhoto::Stored);
    show(h, scope, &product, Some(photo(number).id)).await
}

/// The last moment at which a photo is there that nothing has shown since now.
fn just_before_expiry(h: &StoreHarness) -> impl Fn() + '_ {
    let expiry = unused_photo_expiry(h.now());
    move || h.advance_to(expiry, SignedDuration::from_secs(1))
}

pub async fn p76_a_photo_is_there_as_long_as_a_product_shows_it(h: &StoreHarness) {
    for scope in [h.home().await.inventory(), personal(h.user().await.id)] {
        let milk = shown(h, scope, "Milk", 1).await;
        assert_eq!(milk.details.photo, Some(photo(1).id));
        let lot = &h.product(scope, milk.id).await.lots[0];
        assert_eq!(lot.details.photo, milk.details.photo, "its lots show it too");
        h.advance_seconds(40 * 24 * 3600);
        assert_eq!(there(h, scope, &[1, 2]).await, [true, false]);
        // Replaced, it stays for thirty days, and the other one for good.
        assert_eq!(put(h, scope, 2, QUOTA).await, PutPhoto::Stored);
        let milk = show(h, scope, &milk, Some(photo(2).id)).await;
        let expiring = just_before_expiry(h);
        expiring();
        assert_eq!(there(h, scope, &[1, 2]).await, [true, true]);
        h.advance_seconds(2);
        assert_eq!(there(h, scope, &[1, 2]).await, [false, true]);
        // Removed, the same; with the product, too.
        let milk = show(h, scope, &milk, None).await;
        h.advance_seconds(32 * 24 * 3600);
        assert_eq!(there(h, scope, &[2]).await, [false]);
        assert_eq!(put(h, scope, 3, QUOTA).await, PutPhoto::Stored);
        show(h, scope, &milk, Some(photo(3).id)).await;
        for lot in h.product(scope, milk.id).await.lots {
            h.store().delete_item(scope, lot.id, None, h.write()).await.unwrap();
        }
        h.store().delete_product(scope, milk.id, h.write()).await.unwrap();
        assert_eq!(there(h, scope, &[3]).await, [true]);
        h.advance_seconds(32 * 24 * 3600);
        assert_eq!(there(h, scope, &[3]).await, [false]);
    }
}

pub async fn p76_a_photo_comes_back_until_it_has_expired(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = shown(h, scope, "Milk", 1).await;
    let without = show(h, scope, &milk, None).await;
    let expiring = just_before_expiry(h);
    expiring();
    let again = show(h, scope, &without, milk.details.photo).await;
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1]).await, [true]);
    // Also by undoing what a lot was told.
    let without = show(h, scope, &again, None).await;
    let lot = h.product(scope, milk.id).await.lots.remove(0);
    let mut before = lot.details.clone();
    before.photo = milk.details.photo;
    let outcome =
        h.store().replace_item(scope, lot.id, lot.version, &before, false, h.write()).await;
    let ReplaceItem::Replaced(lot) = outcome.unwrap() else { panic!("it is undone") };
    assert_eq!(lot.details.photo, milk.details.photo);
    let product = h.product(scope, milk.id).await.product;
    assert_eq!((product.details.photo, product.version), (lot.details.photo, without.version + 1));
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1]).await, [true]);
    // One that has expired does not.
    let without = show(h, scope, &product, None).await;
    h.advance_seconds(40 * 24 * 3600);
    let gone = ProductDetails { photo: milk.details.photo, ..without.details.clone() };
    let version = without.version;
    let outcome = h.store().replace_product(scope, milk.id, version, &gone, false, h.write()).await;
    assert_eq!(outcome.unwrap(), ReplaceProduct::PhotoNotFound);
    let lot = h.product(scope, milk.id).await.lots.remove(0);
    let mut before = lot.details.clone();
    before.photo = milk.details.photo;
    let outcome =
        h.store().replace_item(scope, lot.id, lot.version, &before, false, h.write()).await;
    let ReplaceItem::Replaced(lot) = outcome.unwrap() else { panic!("it is undone") };
    assert_eq!(lot.details.photo, None);
}

pub async fn p76_a_photo_of_two_products_stays_until_both_are_without_it(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = shown(h, scope, "Milk", 1).await;
    let cream = shown(h, scope, "Cream", 1).await;
    show(h, scope, &milk, None).await;
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1]).await, [true]);
    show(h, scope, &cream, None).await;
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1]).await, [false]);
}

pub async fn p76_of_two_that_become_one_the_photo_remains(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let whole = Product::of_lot(&h.add(scope, dated("Whole milk", "1", "L", "2031-03-01")).await);
    let join = async |from: &Product| {
        let name = ItemName::parse("Whole milk").unwrap();
        let details = ProductDetails { name, ..from.details.clone() };
        let (id, version) = (from.id, from.version);
        let joined = h.store().replace_product(scope, id, version, &details, true, h.write()).await;
        assert!(matches!(joined, Ok(ReplaceProduct::Joined(_))), "{joined:?}");
    };
    // It takes over the one, and leaves the other.
    join(&shown(h, scope, "Milk", 1).await).await;
    join(&shown(h, scope, "Mlik", 2).await).await;
    resume(h, async || {
        let lots = h.product(scope, whole.id).await.lots;
        let total: i64 = lots.iter().map(|lot| lot.details.quantity.hundredths()).sum();
        total == 300 && lots.iter().all(|lot| lot.details.photo == Some(photo(1).id))
    })
    .await;
    assert_eq!(h.product(scope, whole.id).await.product.details.photo, Some(photo(1).id));
    assert_eq!(there(h, scope, &[1, 2]).await, [true, true]);
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1, 2]).await, [true, false]);
    assert_eq!(h.product(scope, whole.id).await.lots[0].details.quantity, quantity("1"));
}

pub async fn p76_an_inventory_has_so_many_photos_and_no_more(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = shown(h, scope, "Milk", 1).await;
    assert_eq!(put(h, scope, 2, 3).await, PutPhoto::Stored);
    assert_eq!(put(h, scope, 3, 3).await, PutPhoto::Stored);
    assert_eq!(put(h, scope, 4, 3).await, PutPhoto::QuotaExceeded);
    // One that is there is there.
    assert_eq!(put(h, scope, 1, 3).await, PutPhoto::Stored);
    assert_eq!(put(h, scope, 3, 3).await, PutPhoto::Stored);
    // One that nothing shows counts until it expires.
    let milk = show(h, scope, &milk, Some(photo(2).id)).await;
    assert_eq!(put(h, scope, 4, 3).await, PutPhoto::QuotaExceeded);
    h.advance_seconds(40 * 24 * 3600);
    assert_eq!(there(h, scope, &[1, 2, 3, 4]).await, [false, true, false, false]);
    assert_eq!(put(h, scope, 4, 2).await, PutPhoto::Stored);
    assert_eq!(put(h, scope, 1, 2).await, PutPhoto::QuotaExceeded);
    let milk = show(h, scope, &milk, Some(photo(4).id)).await;
    let milk = show(h, scope, &milk, Some(photo(2).id)).await;
    show(h, scope, &milk, Some(photo(4).id)).await;
    assert_eq!(put(h, scope, 1, 2).await, PutPhoto::QuotaExceeded);
    assert_eq!(put(h, scope, 1, 3).await, PutPhoto::Stored);
    // Others have their own.
    assert_eq!(put(h, h.home().await.inventory(), 1, 1).await, PutPhoto::Stored);
}

pub async fn p76_of_many_who_store_photos_at_once_no_more_than_the_quota_succeed(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let at = h.write().at;
    let putting = (0..12).map(|number| {
        let store = Arc::clone(h.store());
        tokio::spawn(async move {
            loop {
                match store.put_photo(scope, &photo(number), at, 5).await {
                    Err(StorageError::Contention(_)) => {}
                    outcome => return outcome,
                }
            }
        })
    });
    let mut stored = 0;
    for done in join_all(putting.collect::<Vec<_>>()).await {
        if done.expect("no client panics").unwrap() == PutPhoto::Stored {
            stored += 1;
        }
    }
    assert_eq!(stored, 5);
    let numbers: Vec<u8> = (0..12).collect();
    let found = there(h, scope, &numbers).await;
    assert_eq!(found.into_iter().filter(|is_there| *is_there).count(), 5);
}

pub async fn p76_photos_of_others_are_out_of_reach(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    shown(h, scope, "Milk", 1).await;
    let others =
        [home.scope.personal_inventory(), h.home().await.inventory(), personal(h.user().await.id)];
    for other in others {
        assert_eq!(there(h, other, &[1]).await, [false]);
        let product = Product::of_lot(&h.add(other, details("Milk", "1", "L")).await);
        let details = ProductDetails { photo: Some(photo(1).id), ..product.details.clone() };
        let outcome =
            h.store().replace_product(other, product.id, 1, &details, false, h.write()).await;
        assert_eq!(outcome.unwrap(), ReplaceProduct::PhotoNotFound);
    }
}
