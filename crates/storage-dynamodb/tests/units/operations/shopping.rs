//! The shopping list.

use larder_domain::{
    Item, ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingItemId,
    ShoppingName, ShoppingNotes, ShoppingQuantity, ShoppingStatus,
};
use larder_storage::{
    AddItem, AddShoppingItem, ChangeShoppingItem, Inventory, PutAway, ShoppingList,
};

use crate::family::{Family, HOME, MIA, details, home};

/// An ordinary entry: half a kilobyte as a record.
fn entry(family: &Family, number: u128, item: Option<&Item>) -> ShoppingItem {
    let details = ShoppingDetails {
        name: ShoppingName::parse("Paper towels").unwrap(),
        store: None,
        quantity: Some(ShoppingQuantity::new(2).unwrap()),
        notes: ShoppingNotes::parse("Prefer double-roll").unwrap(),
    };
    let id = ShoppingItemId::fixed(0x7777_7777_7777_4777_8777_7777_7777_0000 + number);
    let item = item.map(|item| item.id);
    ShoppingItem::new(id, HOME, item, details, MIA, family.write().at)
}

pub(crate) async fn measure(family: &Family) {
    let towels = family.add(home(MIA).inventory(), details("Towels")).await;
    let linked = add(family, &towels).await;
    read(family, &linked).await;
    check_off_and_remove(family, linked).await;
    put_away(family, &towels).await;
    delete_linked_item(family, &towels).await;
}

async fn add(family: &Family, towels: &Item) -> ShoppingItem {
    let scope = home(MIA);
    let cake = entry(family, 1, None);
    let added = family
        .measure("list free text", "add_shopping_item", async |store| {
            store.add_shopping_item(scope, &cake, false, family.write()).await
        })
        .await;
    assert_eq!(added, AddShoppingItem::Added(cake));

    let claim = family.claim("list");
    let linked = entry(family, 2, Some(towels));
    let added = family
        .measure("list an item, once", "add_shopping_item", async |store| {
            store.add_shopping_item(scope, &linked, false, family.claimed(&claim)).await
        })
        .await;
    assert_eq!(added, AddShoppingItem::Added(linked.clone()));

    let twin = entry(family, 3, Some(towels));
    let refused = family
        .measure("list an item that is on the list", "add_shopping_item", async |store| {
            store.add_shopping_item(scope, &twin, false, family.write()).await
        })
        .await;
    assert_eq!(refused, AddShoppingItem::Duplicate(linked.clone()));
    linked
}

async fn read(family: &Family, linked: &ShoppingItem) {
    let scope = home(MIA);
    let found = family
        .measure("find an entry", "find_shopping_item", async |store| {
            store.find_shopping_item(scope, linked.id).await
        })
        .await;
    assert_eq!(found.as_ref(), Some(linked));

    for number in 10..58 {
        let more = entry(family, number, None);
        family.store.add_shopping_item(scope, &more, false, family.write()).await.unwrap();
    }
    let listed = family
        .measure("list of 50 entries", "list_shopping_items", async |store| {
            store.list_shopping_items(scope, &ShoppingFilter::default(), None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 50);
}

async fn check_off_and_remove(family: &Family, linked: ShoppingItem) {
    let scope = home(MIA);
    let purchase = ShoppingChange::Status(ShoppingStatus::Purchased);
    let changed = family
        .measure("check off a linked entry", "change_shopping_item", async |store| {
            store.change_shopping_item(scope, linked.id, 1, &purchase, family.write()).await
        })
        .await;
    assert!(matches!(changed, ChangeShoppingItem::Changed(_)), "{changed:?}");

    let id = entry(family, 10, None).id;
    let changed = family
        .measure("check off free text", "change_shopping_item", async |store| {
            store.change_shopping_item(scope, id, 1, &purchase, family.write()).await
        })
        .await;
    assert!(matches!(changed, ChangeShoppingItem::Changed(_)), "{changed:?}");

    let cleared = family
        .measure("take two bought entries off a list of 50", "clear_purchased", async |store| {
            store.clear_purchased(scope, family.write()).await
        })
        .await;
    assert_eq!(cleared, 2);

    let id = entry(family, 11, None).id;
    let removed = family
        .measure("remove an entry", "delete_shopping_item", async |store| {
            store.delete_shopping_item(scope, id, family.write()).await
        })
        .await;
    assert!(removed);
}

async fn put_away(family: &Family, towels: &Item) {
    let scope = home(MIA);
    let linked = bought(family, 100, Some(towels)).await;
    let more = family.item(scope.inventory(), towels.details.clone());
    let put = family
        .measure("put away more of an item", "put_away", async |store| {
            store.put_away(scope, linked.id, linked.version, &more, family.write()).await
        })
        .await;
    assert!(matches!(put, PutAway::Added(AddItem::Merged(_))), "{put:?}");

    let free = bought(family, 101, None).await;
    let new = family.item(scope.inventory(), details("Napkins"));
    let put = family
        .measure("put away free text as a new item", "put_away", async |store| {
            store.put_away(scope, free.id, free.version, &new, family.write()).await
        })
        .await;
    assert_eq!(put, PutAway::Added(AddItem::Added(new.clone())));
    // Later measurements depend on the number of items, so it is restored.
    let deleted = family.store.delete_item(scope.inventory(), new.id, None, family.write()).await;
    assert!(deleted.unwrap().deleted().is_some());
}

/// An entry that was checked off.
async fn bought(family: &Family, number: u128, item: Option<&Item>) -> ShoppingItem {
    let (scope, new) = (home(MIA), entry(family, number, item));
    family.store.add_shopping_item(scope, &new, true, family.write()).await.unwrap();
    let purchase = ShoppingChange::Status(ShoppingStatus::Purchased);
    let write = family.write();
    let changed = family.store.change_shopping_item(scope, new.id, 1, &purchase, write).await;
    match changed.unwrap() {
        ChangeShoppingItem::Changed(bought) => bought,
        other => panic!("{other:?}"),
    }
}

/// With a list of 50 entries in all.
async fn delete_linked_item(family: &Family, towels: &Item) {
    let scope = home(MIA);
    for number in 2..5 {
        let linked = entry(family, number, Some(towels));
        family.store.add_shopping_item(scope, &linked, true, family.write()).await.unwrap();
    }
    let deleted = family
        .measure("delete an item with three entries", "delete_item", async |store| {
            store.delete_item(scope.inventory(), towels.id, None, family.write()).await
        })
        .await;
    assert_eq!(deleted.deleted().map(|item| item.id), Some(towels.id));
}
