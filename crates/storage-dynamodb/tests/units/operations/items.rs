//! Items, one by one.

use jiff::civil::date;
use larder_domain::{
    Delta, ExpirationDate, Item, ItemDetails, ItemFilter, ItemSort, ProductDetails, ProductFilter,
    ProductSort, Quantity, ShelfLife,
};
use larder_storage::{
    AddItem, AdjustItem, Consume, DeleteProduct, Inventory, Operations, Products, ReplaceItem,
    ReplaceProduct, SplitItem, StockedProduct, SystemScope,
};

use crate::family::{Family, HOME, MIA, details, home};

/// A lot that is taken out of another. Last, because both lots stay.
pub(crate) async fn measure_opening(family: &Family) {
    let scope = home(MIA).inventory();
    let juice = family.add(scope, details("Juice")).await;
    let left = ItemDetails { quantity: Quantity::ONE, ..juice.details.clone() };
    let rest = juice.changed(left, MIA, family.write().at);
    let until = ExpirationDate::parse("2031-01-20").ok();
    let opened = family.item(scope, juice.details.clone().another_lot(Quantity::ONE, until));
    let split = family
        .measure("open one of a lot of two", "split_item", async |store| {
            store.split_item(scope, &rest, &opened, family.write()).await
        })
        .await;
    let SplitItem::Added(AddItem::Added(lot)) = split else { panic!("{split:?}") };
    assert_eq!((lot.id, lot.product), (opened.id, juice.product));
    let product = juice.product.expect("every lot has a product");
    let is_low = family
        .measure("judge the stock of a product with two lots", "is_low", async |store| {
            store.is_low(SystemScope::assume_authorized(HOME), product).await
        })
        .await;
    assert!(!is_low);
}

pub(crate) async fn measure(family: &Family) {
    let milk = add(family).await;
    adjust(family, &milk).await;
    replace_and_delete(family, &milk).await;
    products(family).await;
}

async fn add(family: &Family) -> Item {
    let scope = home(MIA).inventory();
    let milk = family.item(scope, details("Milk"));
    let added = family
        .measure("add a new item", "add_item", async |store| {
            store.add_item(scope, &milk, family.write()).await
        })
        .await;
    assert_eq!(added, AddItem::Added(milk.clone()));

    let bread = family.item(scope, details("Bread"));
    let claim = family.claim("add");
    let added = family
        .measure("add a new item, once", "add_item", async |store| {
            store.add_item(scope, &bread, family.claimed(&claim)).await
        })
        .await;
    assert_eq!(added, AddItem::Added(bread));

    let more = family.item(scope, details("Milk"));
    let merged = family
        .measure("add more of an item", "add_item", async |store| {
            store.add_item(scope, &more, family.write()).await
        })
        .await;
    let AddItem::Merged(milk) = merged else { panic!("there is milk: {merged:?}") };
    assert_eq!(milk.details.quantity, Quantity::parse("4").unwrap());

    let found = family
        .measure("find an item", "find_item", async |store| store.find_item(scope, milk.id).await)
        .await;
    assert_eq!(found, Some(milk.clone()));
    milk
}

async fn adjust(family: &Family, milk: &Item) {
    let scope = home(MIA).inventory();
    let less = Delta::parse("-1").unwrap();
    let adjusted = family
        .measure("adjust a quantity", "adjust_item", async |store| {
            store.adjust_item(scope, milk.id, less, family.write()).await
        })
        .await;
    assert_applied(&adjusted, -100);

    let claim = family.claim("adjust");
    let adjusted = family
        .measure("adjust a quantity, once", "adjust_item", async |store| {
            store.adjust_item(scope, milk.id, less, family.claimed(&claim)).await
        })
        .await;
    assert_applied(&adjusted, -100);

    let used = family
        .measure("repeat what was done once", "find_idempotent", async |store| {
            store.find_idempotent(MIA, &claim.key).await
        })
        .await;
    assert!(used.is_some());

    let adjusted = family
        .measure("take more than there is", "adjust_item", async |store| {
            store.adjust_item(scope, milk.id, Delta::parse("-9").unwrap(), family.write()).await
        })
        .await;
    assert_applied(&adjusted, -200);
}

fn assert_applied(adjusted: &AdjustItem, hundredths: i64) {
    let AdjustItem::Adjusted { applied_hundredths, .. } = adjusted else {
        panic!("there is milk: {adjusted:?}");
    };
    assert_eq!(*applied_hundredths, hundredths);
}

async fn replace_and_delete(family: &Family, milk: &Item) {
    let scope = home(MIA).inventory();
    let now = family.store.find_item(scope, milk.id).await.unwrap().unwrap();
    let noted = ItemDetails { quantity: Quantity::parse("3").unwrap(), ..details("Milk") };
    let replaced = family
        .measure("edit an item", "replace_item", async |store| {
            store.replace_item(scope, milk.id, now.version, &noted, false, family.write()).await
        })
        .await;
    let ReplaceItem::Replaced(now) = replaced else { panic!("the version is right: {replaced:?}") };

    let renamed = details("Oat milk");
    let replaced = family
        .measure("rename an item", "replace_item", async |store| {
            store.replace_item(scope, milk.id, now.version, &renamed, false, family.write()).await
        })
        .await;
    assert!(matches!(replaced, ReplaceItem::Replaced(_)), "{replaced:?}");

    let history = family
        .measure("history of 7 changes", "item_history", async |store| {
            store.item_history(scope, milk.id, None, 50).await
        })
        .await;
    assert_eq!(history.items.len(), 7);

    let deleted = family
        .measure("delete an item", "delete_item", async |store| {
            store.delete_item(scope, milk.id, None, family.write()).await
        })
        .await;
    assert_eq!(deleted.deleted().map(|item| item.id), Some(milk.id));
}

/// A product with two lots.
async fn products(family: &Family) {
    let scope = home(MIA).inventory();
    let lot = |date: &str| ItemDetails {
        expiration: ExpirationDate::parse(date).ok(),
        ..details("Yoghurt")
    };
    let first = family.item(scope, lot("2031-03-01"));
    family.store.add_item(scope, &first, family.write()).await.unwrap();
    let second = family.item(scope, lot("2031-03-09"));
    let added = family
        .measure("add another lot of a product", "add_item", async |store| {
            store.add_item(scope, &second, family.write()).await
        })
        .await;
    let AddItem::Added(second) = added else { panic!("it has another date: {added:?}") };
    let id = second.product.unwrap();

    let stocked = family
        .measure("find a product with two lots", "find_product", async |store| {
            store.find_product(scope, id).await
        })
        .await;
    let StockedProduct { product, lots } = stocked.unwrap();
    assert_eq!(lots.len(), 2);

    let name = &product.details.name;
    let named = family
        .measure("find a product by its name", "find_product_named", async |store| {
            store.find_product_named(scope, name).await
        })
        .await;
    assert_eq!(named.as_ref(), Some(&product));

    let known =
        ProductDetails { shelf_life: ShelfLife::from_days(9).ok(), ..product.details.clone() };
    let replaced = family
        .measure("change a product with two lots", "replace_product", async |store| {
            store.replace_product(scope, id, 1, &known, false, family.write()).await
        })
        .await;
    assert!(matches!(replaced, ReplaceProduct::Replaced(_)), "{replaced:?}");

    let all = Quantity::parse("4").unwrap();
    let consumed = family
        .measure("take from two lots of a product", "consume", async |store| {
            store.consume(scope, id, all, None, family.write()).await
        })
        .await;
    assert!(matches!(consumed, Consume::Done { .. }), "{consumed:?}");

    let history = family
        .measure("history of 2 changes of a product", "product_history", async |store| {
            store.product_history(scope, id, None, 50).await
        })
        .await;
    assert_eq!(history.items.len(), 2);

    let filter = ProductFilter::default();
    let listed = family
        .measure("list six products", "list_products", async |store| {
            store.list_products(scope, &filter, ProductSort::Name, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 6);

    let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let listed = family
        .measure("list five products in stock", "list_lots", async |store| {
            store.list_lots(scope, &filter, date(2031, 1, 1), ItemSort::Created, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 5);

    for lot in [&first, &second] {
        family.store.delete_item(scope, lot.id, None, family.write()).await.unwrap();
    }
    let deleted = family
        .measure("delete a product", "delete_product", async |store| {
            store.delete_product(scope, id, family.write()).await
        })
        .await;
    assert_eq!(deleted, DeleteProduct::Deleted);
}
