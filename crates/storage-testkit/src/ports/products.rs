//! Products and their lots.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{
    Consumed, Item, ItemDetails, ItemName, Product, ProductDetails, ProductFilter, ProductId,
    ProductSort, Quantity, SearchTerm, ShelfLife, Taken, Unit,
};
use larder_storage::{
    AddItem, Consume, DeleteProduct, ReplaceItem, ReplaceProduct, Replay as _, Scope,
    StockedProduct, StorageError, Write,
};

use crate::StoreHarness;
use crate::sample::{dated, details, quantity, watched};
use crate::store_harness::personal;

fn name(text: &str) -> ItemName {
    ItemName::parse(text).unwrap()
}

fn unit(text: &str) -> Unit {
    Unit::parse(text).unwrap()
}

fn product_of(item: &Item) -> ProductId {
    item.product.expect("every item has a product")
}

async fn lots(h: &StoreHarness, scope: Scope, id: ProductId) -> Vec<Item> {
    h.product(scope, id).await.lots
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

async fn consume(
    h: &StoreHarness,
    scope: Scope,
    id: ProductId,
    amount: &str,
    of: &str,
) -> (Vec<Taken>, Quantity) {
    let outcome =
        h.store().consume(scope, id, quantity(amount), Some(&unit(of)), h.write()).await.unwrap();
    let Consume::Done { consumed: Consumed { taken, missing }, .. } = outcome else {
        panic!("{outcome:?}")
    };
    (taken.0, missing)
}

fn taken(item: &Item, applied_hundredths: i64) -> Taken {
    Taken { item: item.id, applied_hundredths }
}

pub async fn p70_the_first_lot_of_a_name_makes_a_product_that_outlives_the_last(h: &StoreHarness) {
    for scope in [h.home().await.inventory(), personal(h.user().await.id)] {
        let milk = h.add(scope, watched("Milk", "1", "2")).await;
        let product = Product::of_lot(&milk);
        let stocked = StockedProduct { product: product.clone(), lots: vec![milk.clone()] };
        assert_eq!(h.product(scope, product_of(&milk)).await, stocked);
        h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap();
        assert_eq!(h.product(scope, product.id).await.lots, []);
        // What was known is known again.
        let again = h.add(scope, dated("ＭＩＬＫ", "3", "L", "2031-03-01")).await;
        assert_eq!(again.details.low_stock_threshold, Some(quantity("2")));
        assert_eq!((again.product, again.details.name), (Some(product.id), name("Milk")));
        let found = h.store().find_product_named(scope, &name(" milk")).await.unwrap();
        assert_eq!(found, Some(product));
        let none = h.store().find_product_named(scope, &name("Oat milk")).await.unwrap();
        assert_eq!(none, None);
    }
}

pub async fn p70_what_an_item_says_of_its_product_all_lots_say(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let first = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    let mut more = dated("Milk", "1", "L", "2031-03-09");
    more.shelf_life = ShelfLife::from_days(7).ok();
    let second = h.add(scope, more).await;
    let id = product_of(&first);
    let told = h.find(scope, first.id).await.unwrap();
    assert_eq!((told.details.shelf_life, told.version), (second.details.shelf_life, 2));
    // And what a change of one says.
    let changed = ItemDetails {
        low_stock_threshold: Some(quantity("3")),
        shelf_life: None,
        ..second.details.clone()
    };
    let outcome = h.store().replace_item(scope, second.id, 1, &changed, false, h.write()).await;
    let by = scope.actor();
    let second = second.changed(changed, by, h.now());
    assert_eq!(outcome.unwrap(), ReplaceItem::Replaced(second.clone()));
    let product = h.product(scope, id).await.product;
    assert_eq!(product.details.low_stock_threshold, Some(quantity("3")));
    assert_eq!(product.details.shelf_life, None);
    assert_eq!(product.version, 3);
    let first = told.changed(told.details.clone(), by, h.now()).of_product(&product);
    assert_eq!(lots(h, scope, id).await, [first, second]);
}

pub async fn p70_a_lot_with_another_name_is_one_of_another_product(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let one = h.add(scope, watched("Milk", "1", "2")).await;
    let two = h.add(scope, dated("Milk", "1", "L", "2031-03-09")).await;
    let oats = h.add(scope, details("Oats", "1", "kg")).await;
    let rename = async |lot: &Item, to: &str| {
        let renamed = ItemDetails { name: name(to), ..lot.details.clone() };
        let version = h.find(scope, lot.id).await.unwrap().version;
        let outcome =
            h.store().replace_item(scope, lot.id, version, &renamed, false, h.write()).await;
        let ReplaceItem::Replaced(item) = outcome.unwrap() else { panic!("it is renamed") };
        item
    };
    // It makes one that knows the same.
    let whole = rename(&two, "Whole milk").await;
    assert_eq!(whole.details.low_stock_threshold, Some(quantity("2")));
    assert_ne!(whole.product, one.product);
    assert_eq!(lots(h, scope, product_of(&one)).await, std::slice::from_ref(&one));
    // It joins one that is there, and takes what that knows.
    let joined = rename(&whole, "OATS").await;
    assert_eq!((joined.product, joined.details.name.clone()), (oats.product, name("Oats")));
    assert_eq!(joined.details.low_stock_threshold, None);
    assert_eq!(lots(h, scope, product_of(&oats)).await, [joined, oats]);
    assert_eq!(lots(h, scope, product_of(&whole)).await, []);
    // The only lot takes its product along.
    let corrected = rename(&one, "Rice milk").await;
    assert_eq!(corrected.product, one.product);
    let product = h.product(scope, product_of(&one)).await.product;
    assert_eq!(product.details.name, name("Rice milk"));
    let named = h.store().find_product_named(scope, &name("Milk")).await.unwrap();
    assert_eq!(named, None);
}

pub async fn p70_a_product_without_lots_is_deleted_and_no_other(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let id = product_of(&milk);
    let delete = async || h.store().delete_product(scope, id, h.write()).await.unwrap();
    assert_eq!(delete().await, DeleteProduct::HasLots(1));
    h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap();
    assert_eq!(delete().await, DeleteProduct::Deleted);
    assert_eq!(delete().await, DeleteProduct::NotFound);
    assert_eq!(h.store().find_product(scope, id).await.unwrap(), None);
    let again = h.add(scope, details("Milk", "1", "L")).await;
    assert_ne!(again.product, milk.product);
}

pub async fn p70_what_is_known_is_listed_by_name_and_by_total(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    for (text, amount) in [("Rice", "2"), ("bread", "5"), ("Milk", "1"), ("Oats", "7")] {
        h.add(scope, details(text, amount, "kg")).await;
    }
    let names = async |sort| {
        let listed = h.list_products(scope, sort, 2).await.into_iter();
        listed.map(|it| it.product.details.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(ProductSort::Name).await, ["bread", "Milk", "Oats", "Rice"]);
    assert_eq!(names(ProductSort::Total).await, ["Milk", "Rice", "bread", "Oats"]);
    let filter = ProductFilter { search: SearchTerm::parse("mi"), with_gaps: false };
    let page = h.store().list_products(scope, &filter, ProductSort::Name, None, 5).await.unwrap();
    assert_eq!((page.items.len(), page.next), (1, None));
}

pub async fn p70_products_of_others_are_out_of_reach(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let id = product_of(&milk);
    let product = h.product(scope, id).await.product;
    for other in [h.home().await.inventory(), personal(h.user().await.id)] {
        assert_eq!(h.store().find_product(other, id).await.unwrap(), None);
        let found = h.store().find_product_named(other, &name("Milk")).await.unwrap();
        assert_eq!(found, None);
        let details = &product.details;
        assert_eq!(replace(h, other, &product, details, true).await, ReplaceProduct::NotFound);
        let gone = h.store().delete_product(other, id, h.write()).await.unwrap();
        assert_eq!(gone, DeleteProduct::NotFound);
        let took = h.store().consume(other, id, Quantity::ONE, Some(&unit("L")), h.write()).await;
        assert_eq!(took.unwrap(), Consume::NotFound);
        assert_eq!(h.list_products(other, ProductSort::Name, 5).await, []);
    }
    assert_eq!(h.product(scope, id).await, StockedProduct { product, lots: vec![milk] });
}

pub async fn p71_a_changed_product_changes_its_lots_and_their_tags(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let mut all = Vec::new();
    for day in 1..=7 {
        all.push(h.add(scope, dated("Milk", "1", "L", &format!("2031-03-0{day}"))).await);
    }
    let tag = h.tag(home.scope, all[2].id, "1").await;
    let product = h.product(scope, product_of(&all[0])).await.product;
    let known = ProductDetails {
        name: name("Whole milk"),
        low_stock_threshold: Some(quantity("4")),
        ..product.details.clone()
    };
    let outcome = replace(h, scope, &product, &known, false).await;
    let changed = product.changed(known, scope.actor(), h.now());
    assert_eq!(outcome, ReplaceProduct::Replaced(changed.clone()));
    let told = all
        .iter()
        .map(|lot| lot.changed(lot.details.clone(), scope.actor(), h.now()).of_product(&changed));
    let told: Vec<Item> = told.collect();
    assert_eq!(h.product(scope, product.id).await, StockedProduct { product: changed, lots: told });
    let tags = h.store().list_item_tags(home.scope, all[2].id, None, 5).await.unwrap().items;
    assert_eq!((tags[0].id, tags[0].item_name.as_str()), (tag.id, "Whole milk"));
    // Its name is free, and the new one is not.
    let milk = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    assert_ne!(milk.product, Some(product.id));
    let item = h.item(scope, dated("whole MILK", "2", "L", "2031-03-01"));
    let added = h.store().add_item(scope, &item, h.write()).await.unwrap();
    let AddItem::Merged(more) = added else { panic!("{added:?}") };
    assert_eq!((more.id, more.details.quantity), (all[0].id, quantity("3")));
}

pub async fn p71_a_stale_or_taken_name_is_refused_with_what_is_there(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let oats = h.add(scope, details("Oats", "1", "kg")).await;
    let [milk, oats] = [milk, oats].map(|item| Product::of_lot(&item));
    let renamed = ProductDetails { name: name("oats"), ..milk.details.clone() };
    let outcome = replace(h, scope, &milk, &renamed, false).await;
    assert_eq!(outcome, ReplaceProduct::Duplicate(oats.clone()));
    let stale = Product { version: 2, ..milk.clone() };
    let outcome = replace(h, scope, &stale, &milk.details, false).await;
    assert_eq!(outcome, ReplaceProduct::VersionConflict(milk.clone()));
    let mut elsewhere = milk.details.clone();
    elsewhere.location = Some(h.location_id());
    let outcome = replace(h, scope, &milk, &elsewhere, false).await;
    assert_eq!(outcome, ReplaceProduct::LocationNotFound);
    let mut elsewhere = milk.details.clone();
    elsewhere.preferred_store = Some(h.store_id());
    let outcome = replace(h, scope, &milk, &elsewhere, false).await;
    assert_eq!(outcome, ReplaceProduct::StoreNotFound);
    // Another spelling is no other name.
    let respelled = ProductDetails { name: name("MILK"), ..milk.details.clone() };
    let outcome = replace(h, scope, &milk, &respelled, false).await;
    let respelled = milk.changed(respelled, scope.actor(), h.now());
    assert_eq!(outcome, ReplaceProduct::Replaced(respelled));
}

/// Two products with a lot of the same date each, and one of another.
async fn two(h: &StoreHarness, scope: Scope) -> [(Product, Vec<Item>); 2] {
    let mut both = Vec::new();
    for (text, amounts) in [("Milk", ["1", "2"]), ("Whole milk", ["3", "4"])] {
        let other_date = if text == "Milk" { "2031-03-09" } else { "2031-03-05" };
        let same = h.add(scope, dated(text, amounts[0], "L", "2031-03-01")).await;
        let other = h.add(scope, dated(text, amounts[1], "L", other_date)).await;
        let product = h.product(scope, product_of(&same)).await.product;
        both.push((product, vec![same, other]));
    }
    both.try_into().expect("two were made")
}

pub async fn p71_two_products_become_one_with_all_lots(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let [(milk, own), (whole, theirs)] = two(h, scope).await;
    let entry = h.put_on_list(home.scope, Some(own[0].id), crate::sample::to_buy("Milk")).await;
    let mut known = milk.details.clone();
    known.shelf_life = ShelfLife::from_days(9).ok();
    let ReplaceProduct::Replaced(milk) = replace(h, scope, &milk, &known, false).await else {
        panic!("it is changed")
    };
    let renamed = ProductDetails { name: name("whole MILK"), ..milk.details.clone() };
    let outcome = replace(h, scope, &milk, &renamed, true).await;
    let joined =
        whole.changed(whole.details.joined(&milk.details).unwrap(), scope.actor(), h.now());
    assert_eq!(outcome, ReplaceProduct::Joined(joined.clone()));
    assert_eq!(h.store().find_product(scope, milk.id).await.unwrap(), None);
    let StockedProduct { product, lots } = h.product(scope, whole.id).await;
    assert_eq!(product, joined);
    let found: Vec<_> = lots.iter().map(|lot| (lot.id, lot.details.quantity)).collect();
    let expected =
        [(theirs[0].id, quantity("4")), (theirs[1].id, quantity("4")), (own[1].id, quantity("2"))];
    assert_eq!(found, expected);
    for lot in &lots {
        assert_eq!(lot.clone().of_product(&joined), *lot, "all say the same");
    }
    // The entry of the lot that has gone is free text, and its name is free.
    assert_eq!(h.find_entry(home.scope, entry.id).await.unwrap().item, None);
    let again = h.add(scope, details("Milk", "1", "L")).await;
    assert_ne!(again.product, Some(whole.id));
}

pub async fn p71_a_join_that_cannot_be_changes_nothing(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let bag = h.add(scope, details("Bag of rice", "1", "個")).await;
    let rice = h.add(scope, details("Rice", "2", "kg")).await;
    let product = Product::of_lot(&bag);
    let renamed = ProductDetails { name: name("Rice"), ..product.details.clone() };
    let outcome = replace(h, scope, &product, &renamed, true).await;
    assert_eq!(outcome, ReplaceProduct::UnitMismatch(rice.clone()));
    let stocked = StockedProduct { product: product.clone(), lots: vec![bag.clone()] };
    assert_eq!(h.product(scope, product.id).await, stocked);
    assert_eq!(lots(h, scope, product_of(&rice)).await, [rice]);
}

/// Resumes until no work is found, which a lagging index may delay.
pub(super) async fn resume(h: &StoreHarness, is_done: impl AsyncFn() -> bool) {
    let read = async || {
        match h.store().resume_work(h.write().at, 10).await {
            Ok(_) | Err(StorageError::Contention(_)) => {}
            Err(error) => panic!("{error}"),
        }
        is_done().await
    };
    h.eventually(&true, read).await;
}

pub async fn p71_a_change_that_was_stopped_anywhere_reaches_all_lots(h: &StoreHarness) {
    for transactions in 0..6 {
        let scope = h.home().await.inventory();
        for day in 1..=3 {
            h.add(scope, dated("Milk", "1", "L", &format!("2031-03-0{day}"))).await;
        }
        let milk = h.store().find_product_named(scope, &name("Milk")).await.unwrap().unwrap();
        let known = ProductDetails {
            name: name("Whole milk"),
            desired_quantity: Some(quantity("6")),
            ..milk.details.clone()
        };
        let write = h.write();
        let changing = h.store().replace_product(scope, milk.id, 1, &known, false, write);
        let outcome = h.stopped_after(transactions, changing).await;
        if h.can_be_stopped() && transactions == 0 {
            assert!(outcome.is_err(), "it was stopped");
        }
        let now = h.product(scope, milk.id).await.product;
        resume(h, async || {
            let StockedProduct { product, lots } = h.product(scope, milk.id).await;
            lots.iter().all(|lot| lot.clone().of_product(&product) == *lot)
        })
        .await;
        let StockedProduct { product, lots } = h.product(scope, milk.id).await;
        assert_eq!(product, now);
        let total: i64 = lots.iter().map(|lot| lot.details.quantity.hundredths()).sum();
        assert_eq!((lots.len(), total), (3, 300), "{transactions}");
    }
}

pub async fn p71_a_join_that_was_stopped_anywhere_ends_with_one_product(h: &StoreHarness) {
    for transactions in 0..7 {
        let scope = h.home().await.inventory();
        let [(milk, _), (whole, _)] = two(h, scope).await;
        let renamed = ProductDetails { name: name("Whole milk"), ..milk.details.clone() };
        let write = h.write();
        let joining = h.store().replace_product(scope, milk.id, 1, &renamed, true, write);
        let outcome = h.stopped_after(transactions, joining).await;
        let is_begun = h.store().find_product(scope, milk.id).await.unwrap().is_none();
        if !is_begun {
            assert!(outcome.is_err(), "{transactions}: {outcome:?}");
            continue;
        }
        resume(h, async || {
            let all = lots(h, scope, whole.id).await;
            let total: i64 = all.iter().map(|lot| lot.details.quantity.hundredths()).sum();
            (all.len(), total) == (3, 1000)
        })
        .await;
        assert_eq!(h.list_products(scope, ProductSort::Name, 5).await.len(), 1);
    }
}

pub async fn p71_of_many_who_change_and_add_at_once_all_lots_say_the_same(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let first = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    let id = product_of(&first);
    let write = h.write();
    let adding = (2..=9).map(|day| {
        let store = Arc::clone(h.store());
        let item = h.item(scope, dated("Milk", "1", "L", &format!("2031-03-0{day}")));
        tokio::spawn(async move { store.add_item(scope, &item, write).await.map(drop) })
    });
    let changing = (1..=4_u64).map(|days| {
        let store = Arc::clone(h.store());
        tokio::spawn(async move {
            loop {
                let product = store.find_product(scope, id).await?.expect("it stays").product;
                let shelf_life = ShelfLife::from_days(days).ok();
                let details = ProductDetails { shelf_life, ..product.details };
                let version = product.version;
                match store.replace_product(scope, id, version, &details, false, write).await {
                    Ok(ReplaceProduct::VersionConflict(_)) | Err(StorageError::Contention(_)) => {}
                    outcome => return outcome.map(drop),
                }
            }
        })
    });
    for done in join_all(adding.chain(changing).collect::<Vec<_>>()).await {
        match done.expect("no client panics") {
            Ok(()) | Err(StorageError::Contention(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    resume(h, async || {
        let StockedProduct { product, lots } = h.product(scope, id).await;
        lots.iter().all(|lot| lot.clone().of_product(&product) == *lot)
    })
    .await;
    assert!(h.product(scope, id).await.product.details.shelf_life.is_some());
}

pub async fn p72_the_first_to_expire_is_taken_first(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let undated = h.add(scope, details("Milk", "1", "L")).await;
    let late = h.add(scope, dated("Milk", "500", "ml", "2031-03-09")).await;
    let early = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    let id = product_of(&undated);
    let nothing = Quantity::ZERO;
    assert_eq!(consume(h, scope, id, "0.4", "L").await, (vec![taken(&early, -40)], nothing));
    let both = vec![taken(&early, -60), taken(&late, -20_000)];
    assert_eq!(consume(h, scope, id, "800", "ml").await, (both, nothing));
    let rest = vec![taken(&late, -30_000), taken(&undated, -100)];
    assert_eq!(consume(h, scope, id, "2", "L").await, (rest, quantity("0.7")));
    assert_eq!(consume(h, scope, id, "1", "L").await, (vec![], quantity("1")));
    let left = lots(h, scope, id).await;
    assert!(left.iter().all(|lot| lot.details.is_depleted()), "{left:?}");
    let versions: Vec<_> = left.iter().map(|lot| (lot.id, lot.version)).collect();
    assert_eq!(versions, [(early.id, 3), (late.id, 3), (undated.id, 2)]);
}

pub async fn p72_64_who_take_at_once_leave_the_exact_sum(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    for (date, amount) in [("2031-03-01", "10"), ("2031-03-05", "13"), ("2031-03-09", "20")] {
        h.add(scope, dated("Egg", amount, "個", date)).await;
    }
    let id = h.store().find_product_named(scope, &name("Egg")).await.unwrap().unwrap().id;
    let write = h.write();
    let takers = (0..64).map(|_| {
        let store = Arc::clone(h.store());
        tokio::spawn(async move {
            loop {
                match store.consume(scope, id, Quantity::ONE, Some(&unit("個")), write).await {
                    Err(StorageError::Contention(_)) => {}
                    outcome => return outcome,
                }
            }
        })
    });
    let mut got = 0;
    for done in join_all(takers.collect::<Vec<_>>()).await {
        let outcome = done.expect("no client panics").unwrap();
        let Consume::Done { consumed, .. } = outcome else { panic!("{outcome:?}") };
        let taken: i64 = consumed.taken.0.iter().map(|taken| -taken.applied_hundredths).sum();
        assert_eq!(taken + consumed.missing.hundredths(), 100);
        got += taken;
    }
    assert_eq!(got, 4300, "43 of 64 get one");
    let left = lots(h, scope, id).await;
    assert!(left.iter().all(|lot| lot.details.is_depleted()), "{left:?}");
}

pub async fn p72_taking_is_remembered_and_refused_in_units_that_do_not_convert(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let flour = h.add(scope, details("Flour", "1", "kg")).await;
    let id = product_of(&flour);
    let claim = h.claim("taking");
    let write = Write { claim: Some(&claim), ..h.write() };
    let refused = h.store().consume(scope, id, Quantity::ONE, Some(&unit("個")), write).await;
    assert_eq!(refused.unwrap(), Consume::UnitMismatch);
    let refused = h.store().consume(scope, id, Quantity::ONE, Some(&unit("g")), write).await;
    assert_eq!(refused.unwrap(), Consume::NotExact);
    // Refusals have used no key.
    let took =
        h.store().consume(scope, id, quantity("1.5"), Some(&unit("kg")), write).await.unwrap();
    let Consume::Done { consumed, items } = took else { panic!("{took:?}") };
    assert_eq!((items.len(), consumed.missing), (1, quantity("0.5")));
    let again = h.store().consume(scope, id, quantity("1.5"), Some(&unit("kg")), write).await;
    assert!(matches!(again, Err(StorageError::IdempotencyKeyUsed)), "{again:?}");
    let used = h.store().find_idempotent(scope.actor(), &claim.key).await.unwrap().unwrap();
    assert_eq!(Consumed::replay(&used.result).unwrap(), consumed);
}
