//! Interrupted work is resumed, and drift is repaired.

use larder_domain::{ItemName, NfcUrl, ShoppingDetails, ShoppingItem};
use larder_storage::{AddShoppingItem, DeleteItem, Drift};

use super::shopping_links::linked;
use crate::sample::{details, to_buy};
use crate::{DriftTarget, Home, StoreHarness};

/// Resumes until no work is left. The store may be shared, and its indexes may lag.
async fn resume(h: &StoreHarness) {
    while h.store().resume_work(h.now(), 3).await.unwrap() > 0 {}
}

/// Whether the entries are free text now, and otherwise as they were.
async fn are_free_text(h: &StoreHarness, home: &Home, entries: &[ShoppingItem]) -> bool {
    let mut are = true;
    for entry in entries {
        let now = h.find_entry(home.scope, entry.id).await.unwrap();
        assert_eq!(now.details, entry.details);
        are &= (now.item, now.version) == (None, entry.version + 1);
    }
    are
}

pub async fn p32_a_deletion_that_was_stopped_anywhere_ends_with_free_text(h: &StoreHarness) {
    let home = h.home().await;
    for transactions in 0..8 {
        let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
        let entries = linked(h, &home, &milk, 12).await;
        let deleting = h.store().delete_item(home.inventory(), milk.id, None, h.write());
        let outcome = h.stopped_after(transactions, deleting).await;
        if h.can_be_stopped() && transactions <= 2 {
            assert!(outcome.is_err(), "{transactions}: there was more to do");
        }
        if h.find(home.inventory(), milk.id).await.is_some() {
            assert!(outcome.is_err(), "{transactions}: it was not even begun");
            let deleted = h.store().delete_item(home.inventory(), milk.id, None, h.write()).await;
            assert_eq!(deleted.unwrap(), DeleteItem::Deleted(milk.clone()));
        }
        let read = async || {
            resume(h).await;
            are_free_text(h, &home, &entries).await
        };
        h.eventually(&true, read).await;
        // The name is free again.
        let again = h.add(home.inventory(), details("Milk", "1", "L")).await;
        let answer = h.try_to_list(home.scope, again.id, to_buy("Milk")).await;
        assert!(matches!(answer, AddShoppingItem::Added(_)), "{transactions}: {answer:?}");
        h.store().delete_item(home.inventory(), again.id, None, h.write()).await.unwrap();
    }
}

pub async fn p32_a_renaming_that_was_stopped_anywhere_ends_with_the_new_name(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    for _ in 0..25 {
        h.store().add_tag(home.scope, &h.new_tag(milk.id), h.write()).await.unwrap();
    }
    for transactions in 0..6 {
        let now = h.find(home.inventory(), milk.id).await.unwrap();
        let renamed = details(&format!("Milk {transactions}"), "1", "L");
        let renaming = h.store().replace_item(
            home.inventory(),
            milk.id,
            now.version,
            &renamed,
            false,
            h.write(),
        );
        let outcome = h.stopped_after(transactions, renaming).await;
        if h.can_be_stopped() && transactions <= 2 {
            assert!(outcome.is_err(), "{transactions}: there was more to do");
        }
        let name = h.find(home.inventory(), milk.id).await.unwrap().details.name;
        let is_named =
            |tags: &[NfcUrl], name: &ItemName| tags.iter().all(|tag| tag.item_name == *name);
        let read = async || {
            resume(h).await;
            is_named(&h.tags(home.scope, Some(milk.id), 50).await, &name)
        };
        h.eventually(&true, read).await;
    }
}

/// A household with all that can drift: tags, entries with and without an item.
async fn furnished(h: &StoreHarness) -> (Home, NfcUrl, ShoppingItem) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let entry = h.put_on_list(home.scope, Some(milk.id), to_buy("Milk")).await;
    let twin = h.put_on_list(home.scope, Some(milk.id), to_buy("Milk")).await;
    h.check_off(home.scope, &twin).await;
    h.put_on_list(home.scope, None, to_buy("Cake")).await;
    (home, tag, entry)
}

pub async fn p33_where_nothing_drifted_reconciling_finds_and_changes_nothing(h: &StoreHarness) {
    let (home, tag, entry) = furnished(h).await;
    let (empty, head) = (h.home().await, h.store().changes_head(home.inventory()).await.unwrap());
    for home in [&home, &empty] {
        let drift = h.store().reconcile(home.system(), h.write().at).await.unwrap();
        assert_eq!(drift, Drift::default());
    }
    assert_eq!(h.find_entry(home.scope, entry.id).await, Some(entry));
    assert_eq!(h.tags(home.scope, Some(tag.item), 10).await, [tag]);
    assert_eq!(h.store().changes_head(home.inventory()).await.unwrap(), head);
}

pub async fn p33_what_drifted_is_repaired_and_reported_once(h: &StoreHarness) {
    let (home, tag, entry) = furnished(h).await;
    let orphan = h.put_on_list(home.scope, None, ShoppingDetails { ..to_buy("Bread") }).await;
    let target = DriftTarget {
        household: home.household.id,
        tag: tag.clone(),
        entry: orphan.id,
        missing_item: h.item_id(),
    };
    let made = h.make_drift(&target).await;
    assert_ne!(made, Drift::default());
    for expected in [made, Drift::default()] {
        let drift = h.store().reconcile(home.system(), h.write().at).await.unwrap();
        assert_eq!(drift, expected);
    }
    assert_eq!(h.tags(home.scope, Some(tag.item), 10).await, std::slice::from_ref(&tag));
    let now = h.find_entry(home.scope, orphan.id).await.unwrap();
    assert_eq!((now.item, now.details), (None, orphan.details));
    let answer = h.try_to_list(home.scope, tag.item, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::Duplicate(entry.clone()));
    h.check_off(home.scope, &entry).await;
    let answer = h.try_to_list(home.scope, tag.item, to_buy("Milk")).await;
    assert!(matches!(answer, AddShoppingItem::Added(_)), "{answer:?}");
    let read = async || {
        let due = h.store().due_households(h.now(), crate::store_harness::ALL).await.unwrap();
        due.iter().any(|due| due.household == home.household.id)
    };
    h.eventually(&true, read).await;
}
