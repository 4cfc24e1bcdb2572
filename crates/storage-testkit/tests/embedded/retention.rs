//! The journal is kept for its retention, and a late reader gets an error.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{Item, ItemDetails, ItemId, ItemName, Owner, Quantity, Unit, UserId};
use larder_storage::{Inventory, Operations, Scope, Write};
use larder_storage_item::ItemStore;
use larder_storage_testkit::START;
use tempfile::TempDir;

use super::launch;

fn milk() -> ItemDetails {
    ItemDetails::new(
        ItemName::parse("Milk").unwrap(),
        Quantity::parse("1").unwrap(),
        Unit::parse("L").unwrap(),
    )
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test plays the part of authorization")]
async fn e03_a_listener_who_comes_after_the_retention_is_told_so() {
    let (directory, clock) = (TempDir::new().unwrap(), launch::clock());
    let engine = Arc::new(launch::open(directory.path(), &clock));
    let store = ItemStore::new(Arc::clone(&engine), Arc::clone(&clock) as _);
    let user = UserId::fixed(7);
    let scope = Scope::assume_authorized(Owner::User(user), user);
    let item = Item::new(ItemId::fixed(8), scope.owner(), milk(), user, START);
    store.add_item(scope, &item, Write::at(START)).await.unwrap();
    engine.sweep().await.unwrap();
    let kept = store.changes_after(scope, 0, 10).await.unwrap();
    assert_eq!(kept.map(|changes| changes.changes.len()), Some(2), "the product and its lot");
    clock.advance(SignedDuration::from_hours(36 * 24));
    engine.sweep().await.unwrap();
    assert_eq!(store.changes_after(scope, 0, 10).await.unwrap(), None);
    assert_eq!(store.find_item(scope, item.id).await.unwrap(), Some(item));
}
