//! Storage locations and shops.

use larder_domain::{
    ItemDetails, LocationName, StorageLocation, StorageLocationId, Store, StoreId, StoreName,
};
use larder_storage::{Places, SavePlace};

use crate::family::{Family, MIA, details, home};

const SHELF: StorageLocationId =
    StorageLocationId::fixed(0x4444_4444_4444_4444_8444_4444_4444_0001);
const MARKET: StoreId = StoreId::fixed(0x5555_5555_5555_4555_8555_5555_5555_0001);

pub(crate) async fn measure(family: &Family) {
    locations(family).await;
    shops(family).await;
}

fn location(name: &str) -> StorageLocation {
    StorageLocation { id: SHELF, name: LocationName::parse(name).unwrap(), device: None }
}

fn shop(name: &str) -> Store {
    Store { id: MARKET, name: StoreName::parse(name).unwrap(), address: None, sort_order: None }
}

async fn locations(family: &Family) {
    let shelf = location("Shelf");
    let saved = family
        .measure("add a location", "add_location", async |store| {
            store.add_location(home(MIA), &shelf, family.write()).await
        })
        .await;
    assert_eq!(saved, SavePlace::Saved(shelf.clone()));

    let listed = family
        .measure("list one location", "list_locations", async |store| {
            store.list_locations(home(MIA)).await
        })
        .await;
    assert_eq!(listed, std::slice::from_ref(&shelf));

    let found = family
        .measure("find a location", "find_location", async |store| {
            store.find_location(home(MIA), SHELF).await
        })
        .await;
    assert_eq!(found, Some(shelf));

    let renamed = location("Tall Shelf");
    let saved = family
        .measure("rename a location", "replace_location", async |store| {
            store.replace_location(home(MIA), &renamed, family.write()).await
        })
        .await;
    assert_eq!(saved, SavePlace::Saved(renamed));

    let scope = home(MIA).inventory();
    family.add(scope, ItemDetails { location: Some(SHELF), ..details("Jam") }).await;
    let deleted =
        family.measure("delete a location of one item", "delete_location", async |store| {
            store.delete_location(home(MIA), SHELF, family.write()).await
        });
    assert!(deleted.await);
}

async fn shops(family: &Family) {
    let market = shop("Market");
    let saved = family
        .measure("add a shop", "add_store", async |store| {
            store.add_store(home(MIA), &market, family.write()).await
        })
        .await;
    assert_eq!(saved, SavePlace::Saved(market.clone()));

    let listed = family
        .measure("list one shop", "list_stores", async |store| store.list_stores(home(MIA)).await)
        .await;
    assert_eq!(listed, std::slice::from_ref(&market));

    let found = family
        .measure("find a shop", "find_store", async |store| {
            store.find_store(home(MIA), MARKET).await
        })
        .await;
    assert_eq!(found, Some(market));

    let renamed = shop("Market Hall");
    let saved = family
        .measure("rename a shop", "replace_store", async |store| {
            store.replace_store(home(MIA), &renamed, family.write()).await
        })
        .await;
    assert_eq!(saved, SavePlace::Saved(renamed));

    let deleted = family
        .measure("delete a shop of no item", "delete_store", async |store| {
            store.delete_store(home(MIA), MARKET, family.write()).await
        })
        .await;
    assert!(deleted);
}
