//! Storage locations and shops.

use futures_util::future::join_all;
use larder_domain::{
    Change, DeviceReference, ItemDetails, LocationName, SortOrder, StorageLocation, Store,
    StoreAddress, StoreName, Versions,
};
use larder_storage::{AddItem, ReplaceItem, SavePlace};

use crate::StoreHarness;
use crate::sample::{details, location, shop};

pub async fn p13_locations_are_added_changed_and_listed_by_id(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let mut all = Vec::new();
    for n in 0..5 {
        let place = location(h.location_id(), &format!("Shelf {n}"));
        let outcome = h.store().add_location(scope, &place, h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(place.clone()));
        all.push(place);
    }
    let device = Some(DeviceReference::parse("aa:bb").unwrap());
    all[2] =
        StorageLocation { name: LocationName::parse("棚 2").unwrap(), device, ..all[2].clone() };
    let outcome = h.store().replace_location(scope, &all[2], h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::Saved(all[2].clone()));
    let found = h.store().find_location(scope, all[2].id).await.unwrap();
    assert_eq!(found.as_ref(), Some(&all[2]));
    all.sort_by_key(|place| place.id);
    assert_eq!(h.store().list_locations(scope).await.unwrap(), all);
}

pub async fn p13_shops_are_added_changed_and_listed_by_id(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let mut all = Vec::new();
    for n in 0..5 {
        let place = shop(h.store_id(), &format!("Market {n}"));
        let outcome = h.store().add_store(scope, &place, h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(place.clone()));
        all.push(place);
    }
    let address = Some(StoreAddress::parse("1-2-3 銀座").unwrap());
    all[2] = Store { name: StoreName::parse("市場").unwrap(), address, ..all[2].clone() };
    let outcome = h.store().replace_store(scope, &all[2], h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::Saved(all[2].clone()));
    assert_eq!(h.store().find_store(scope, all[2].id).await.unwrap().as_ref(), Some(&all[2]));
    all.sort_by_key(|place| place.id);
    assert_eq!(h.store().list_stores(scope).await.unwrap(), all);
}

pub async fn p13_shops_keep_their_place_in_the_order_until_it_is_cleared(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let place = |number| Some(SortOrder::new(number).unwrap());
    let shops = [("Zoo", place(1)), ("Market", place(10_000)), ("Bakery", None)];
    let mut all = Vec::new();
    for (name, sort_order) in shops {
        let shop = Store { sort_order, ..shop(h.store_id(), name) };
        let outcome = h.store().add_store(scope, &shop, h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(shop.clone()));
        all.push(shop);
    }
    for (index, sort_order) in [(0, None), (1, place(1)), (2, place(1))] {
        all[index].sort_order = sort_order;
        let outcome = h.store().replace_store(scope, &all[index], h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(all[index].clone()));
        let found = h.store().find_store(scope, all[index].id).await.unwrap();
        assert_eq!(found.as_ref(), Some(&all[index]));
    }
    let changes = h.store().changes_after(scope.inventory(), 0, 100).await.unwrap().unwrap();
    let told = changes.changes.into_iter().filter_map(|recorded| match recorded.change {
        Change::Store(Versions { new: Some(new), .. }) => Some((new.name, new.sort_order)),
        _ => None,
    });
    let expected = [
        ("Zoo", place(1)),
        ("Market", place(10_000)),
        ("Bakery", None),
        ("Zoo", None),
        ("Market", place(1)),
        ("Bakery", place(1)),
    ];
    let expected = expected.map(|(name, place)| (StoreName::parse(name).unwrap(), place));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let mut listed = h.store().list_stores(scope).await.unwrap();
    Store::sort(&mut listed);
    let names: Vec<_> = listed.iter().map(|shop| shop.name.as_str()).collect();
    assert_eq!(names, ["Bakery", "Market", "Zoo"]);
}

pub async fn p13_a_name_is_one_places_whatever_its_case_and_width(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let cellar = location(h.location_id(), "Cellar");
    h.store().add_location(scope, &cellar, h.write()).await.unwrap();
    let same = location(h.location_id(), " ＣＥＬＬＡＲ");
    let outcome = h.store().add_location(scope, &same, h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::NameTaken);
    let attic = location(h.location_id(), "Attic");
    h.store().add_location(scope, &attic, h.write()).await.unwrap();
    let onto = StorageLocation { id: attic.id, ..same };
    let outcome = h.store().replace_location(scope, &onto, h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::NameTaken);
    assert_eq!(h.store().find_location(scope, attic.id).await.unwrap(), Some(attic.clone()));
    // Another spelling of its own name is no conflict, and a former name is free.
    let upper = StorageLocation { name: LocationName::parse("ATTIC").unwrap(), ..attic.clone() };
    let outcome = h.store().replace_location(scope, &upper, h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::Saved(upper));
    let garage = StorageLocation { name: LocationName::parse("Garage").unwrap(), ..attic };
    h.store().replace_location(scope, &garage, h.write()).await.unwrap();
    let second = location(h.location_id(), "attic");
    let outcome = h.store().add_location(scope, &second, h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::Saved(second));
}

pub async fn p13_of_many_who_add_one_shop_exactly_one_succeeds(h: &StoreHarness) {
    let scope = h.home().await.scope;
    let shops: Vec<_> = (0..16).map(|_| shop(h.store_id(), "Market")).collect();
    let adding = shops.iter().map(|shop| h.store().add_store(scope, shop, h.write()));
    let outcomes: Vec<_> = join_all(adding).await.into_iter().map(|o| o.unwrap()).collect();
    let taken = outcomes.iter().filter(|outcome| **outcome == SavePlace::NameTaken).count();
    assert_eq!(taken, 15, "{outcomes:?}");
    assert_eq!(h.store().list_stores(scope).await.unwrap().len(), 1);
}

pub async fn p13_a_deleted_place_is_gone_its_name_free_and_its_items_without_it(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let cellar = location(h.location_id(), "Cellar");
    let market = shop(h.store_id(), "Market");
    h.store().add_location(scope, &cellar, h.write()).await.unwrap();
    h.store().add_store(scope, &market, h.write()).await.unwrap();
    let placed = |name: &str| ItemDetails {
        location: Some(cellar.id),
        preferred_store: Some(market.id),
        ..details(name, "1", "本")
    };
    let wine = h.add(inventory, placed("Wine")).await;
    let beer = h.add(inventory, placed("Beer")).await;
    let elsewhere = h.add(inventory, details("Milk", "1", "L")).await;

    assert!(h.store().delete_location(scope, cellar.id, h.write()).await.unwrap());
    assert_eq!(h.store().find_location(scope, cellar.id).await.unwrap(), None);
    assert_eq!(h.store().list_locations(scope).await.unwrap(), []);
    for item in [&wine, &beer] {
        let now = h.find(inventory, item.id).await.unwrap().details;
        assert_eq!(now, ItemDetails { location: None, ..item.details.clone() });
    }
    assert!(h.store().delete_store(scope, market.id, h.write()).await.unwrap());
    assert_eq!(h.store().list_stores(scope).await.unwrap(), []);
    for item in [&wine, &beer] {
        let now = h.find(inventory, item.id).await.unwrap().details;
        assert_eq!((now.location, now.preferred_store), (None, None));
    }
    assert_eq!(h.find(inventory, elsewhere.id).await, Some(elsewhere));
    assert!(!h.store().delete_location(scope, cellar.id, h.write()).await.unwrap());
    assert!(!h.store().delete_store(scope, market.id, h.write()).await.unwrap());
    let again = location(h.location_id(), "CELLAR");
    let outcome = h.store().add_location(scope, &again, h.write()).await.unwrap();
    assert_eq!(outcome, SavePlace::Saved(again));
}

pub async fn p13_a_place_with_more_items_than_a_transaction_holds_is_deleted(h: &StoreHarness) {
    let home = h.home().await;
    let cellar = location(h.location_id(), "Cellar");
    h.store().add_location(home.scope, &cellar, h.write()).await.unwrap();
    let mut ids = Vec::new();
    for n in 0..120 {
        let there =
            ItemDetails { location: Some(cellar.id), ..details(&n.to_string(), "1", "本") };
        ids.push(h.add(home.inventory(), there).await.id);
    }
    assert!(h.store().delete_location(home.scope, cellar.id, h.write()).await.unwrap());
    for id in ids {
        let item = h.find(home.inventory(), id).await.unwrap();
        assert_eq!(item.details.location, None);
    }
    assert_eq!(h.store().find_location(home.scope, cellar.id).await.unwrap(), None);
}

pub async fn p13_items_refer_only_to_places_that_exist(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let nowhere = ItemDetails { location: Some(h.location_id()), ..details("Milk", "1", "L") };
    let no_shop = ItemDetails { preferred_store: Some(h.store_id()), ..details("Milk", "1", "L") };
    let (item, write) = (h.item(scope, nowhere.clone()), h.write());
    let outcome = h.store().add_item(scope, &item, write).await.unwrap();
    assert_eq!(outcome, AddItem::LocationNotFound);
    let (item, write) = (h.item(scope, no_shop.clone()), h.write());
    let outcome = h.store().add_item(scope, &item, write).await.unwrap();
    assert_eq!(outcome, AddItem::StoreNotFound);
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let outcome = h.store().replace_item(scope, milk.id, 1, &nowhere, false, h.write()).await;
    assert_eq!(outcome.unwrap(), ReplaceItem::LocationNotFound);
    let outcome = h.store().replace_item(scope, milk.id, 1, &no_shop, false, h.write()).await;
    assert_eq!(outcome.unwrap(), ReplaceItem::StoreNotFound);
    h.expect_inventory(scope, &[milk]).await;
}

pub async fn p13_no_item_keeps_a_place_that_is_deleted_meanwhile(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let cellar = location(h.location_id(), "Cellar");
    h.store().add_location(home.scope, &cellar, h.write()).await.unwrap();
    let items: Vec<_> = (0..16)
        .map(|n| {
            let there =
                ItemDetails { location: Some(cellar.id), ..details(&n.to_string(), "1", "本") };
            h.item(scope, there)
        })
        .collect();
    let adding = join_all(items.iter().map(|item| h.store().add_item(scope, item, h.write())));
    let deleting = h.store().delete_location(home.scope, cellar.id, h.write());
    let (added, deleted) = futures_util::future::join(adding, deleting).await;
    assert!(deleted.unwrap());
    for (item, outcome) in items.iter().zip(added) {
        let found = h.find(scope, item.id).await;
        match outcome.unwrap() {
            AddItem::Added(_) => assert_eq!(found.unwrap().details.location, None),
            AddItem::LocationNotFound => assert_eq!(found, None),
            other => panic!("{other:?}"),
        }
    }
}
