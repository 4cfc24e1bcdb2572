//! Lists of a large household, and its feed of changes.

use larder_domain::{Delta, ItemFilter, ItemSort};
use larder_storage::{Inventory, Operations};

use crate::family::{Family, HOME, MIA, details, home};

/// As many as the tables of costs speak of.
const ITEMS: usize = 1000;
const PAGE: usize = 50;

pub(crate) async fn measure(family: &Family) {
    let scope = home(MIA).inventory();
    let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let sort = ItemSort::Created;
    let present = family.store.list_items(scope, &everything, today(), sort, None, ITEMS).await;
    let present = present.unwrap().items.len();
    for number in present..ITEMS {
        family.add(scope, details(&format!("Thing {number:04}"))).await;
    }
    for (operation, sort) in [
        ("first 50 of 1,000 items, newest first", ItemSort::Created),
        ("first 50 of 1,000 items, by name", ItemSort::Name),
        ("first 50 of 1,000 items, by date", ItemSort::Expiration),
    ] {
        let filter = ItemFilter::default();
        let page = family
            .measure(operation, "list_items", async |store| {
                store.list_items(scope, &filter, today(), sort, None, PAGE).await
            })
            .await;
        assert_eq!(page.items.len(), PAGE);
        assert!(page.next.is_some(), "there are 1,000 items in {HOME}");
    }

    let news = family.add(scope, details("News")).await;
    let head = family
        .measure("begin to listen", "changes_head", async |store| store.changes_head(scope).await)
        .await;
    let more = Delta::parse("1").unwrap();
    family.store.adjust_item(scope, news.id, more, family.write()).await.unwrap();
    let told = family
        .measure("hear of one change", "changes_after", async |store| {
            store.changes_after(scope, head, 100).await
        })
        .await;
    assert_eq!(told.unwrap().changes.len(), 1);

    let version = family
        .measure("ask whether a list changed", "list_version", async |store| {
            store.list_version(scope).await
        })
        .await;
    assert_eq!(version, None, "lists may lag on DynamoDB");
}

fn today() -> jiff::civil::Date {
    jiff::civil::date(2031, 1, 15)
}
