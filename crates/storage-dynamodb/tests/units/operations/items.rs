//! Items, one by one.

use larder_domain::{Delta, Item, ItemDetails, Quantity};
use larder_storage::{AddItem, AdjustItem, Inventory, Operations, ReplaceItem};

use crate::family::{Family, MIA, details, home};

pub(crate) async fn measure(family: &Family) {
    let milk = add(family).await;
    adjust(family, &milk).await;
    replace_and_delete(family, &milk).await;
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
