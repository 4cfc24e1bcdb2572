//! Lists of products of which something is unknown.

use larder_domain::{
    ProductDetails, ProductFilter, ProductSort, Quantity, SEEDED_LOCATIONS, ShelfLife,
};
use larder_storage::ReplaceProduct;

use crate::StoreHarness;
use crate::sample::{details, shop};

pub async fn p70_what_is_not_fully_known_is_listed_by_itself(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let market = shop(h.store_id(), "Market");
    h.store().add_store(home.scope, &market, h.write()).await.unwrap();
    for name in ["Bread", "Milk", "Oats", "Rice"] {
        h.add(scope, details(name, "1", "kg")).await;
    }
    let filter = ProductFilter { with_gaps: true, ..ProductFilter::default() };
    let names = async |sort| {
        let (mut names, mut after) = (Vec::new(), None);
        loop {
            let list = h.store().list_products(scope, &filter, sort, after.as_ref(), 2);
            let page = list.await.unwrap();
            names.extend(page.items.iter().map(|it| it.product.details.name.to_string()));
            after = page.next;
            if after.is_none() {
                return names;
            }
        }
    };
    assert_eq!(names(ProductSort::Name).await, ["Bread", "Milk", "Oats", "Rice"]);
    let bread = h.list_products(scope, ProductSort::Name, 5).await.remove(0).product;
    let known = ProductDetails {
        shelf_life: ShelfLife::from_days(3).ok(),
        location: Some(SEEDED_LOCATIONS[0].id),
        low_stock_threshold: Some(Quantity::ONE),
        preferred_store: Some(market.id),
        ..bread.details.clone()
    };
    let replace =
        h.store().replace_product(scope, bread.id, bread.version, &known, false, h.write());
    assert!(matches!(replace.await.unwrap(), ReplaceProduct::Replaced(_)));
    assert_eq!(names(ProductSort::Name).await, ["Milk", "Oats", "Rice"]);
    assert_eq!(names(ProductSort::Total).await.len(), 3);
}
