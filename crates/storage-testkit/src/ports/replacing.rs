//! Changing and deleting items.

use larder_domain::{ItemDetails, Notes};
use larder_storage::{AddItem, ReplaceItem};

use crate::StoreHarness;
use crate::sample::{dated, details, quantity};

pub async fn p09_a_replacement_changes_what_it_says_and_counts_up(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, member) = (home.inventory(), h.join(&home).await.inventory());
    let milk = h.add(scope, dated("Milk", "1", "L", "2031-02-01")).await;
    let notes = Some(Notes::parse("for the cat").unwrap());
    let other = ItemDetails { notes, ..details("Cat milk", "200", "mL") };
    let outcome = h.store().replace_item(member, milk.id, 1, &other, false, h.write()).await;
    let expected = milk.changed(other, member.actor(), h.now());
    assert_eq!(outcome.unwrap(), ReplaceItem::Replaced(expected.clone()));
    assert_eq!(h.find(scope, milk.id).await, Some(expected.clone()));
    h.expect_inventory(scope, &[expected]).await;
}

pub async fn p09_a_stale_version_is_refused_with_what_is_there(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let (current, _) = h.adjust(scope, milk.id, "1").await;
    for version in [0, 1, 3] {
        let other = details("Other", "1", "L");
        let outcome =
            h.store().replace_item(scope, milk.id, version, &other, false, h.write()).await;
        assert_eq!(outcome.unwrap(), ReplaceItem::VersionConflict(current.clone()));
    }
    assert_eq!(h.find(scope, milk.id).await, Some(current));
    let nobody = h.item_id();
    let other = details("Other", "1", "L");
    let outcome = h.store().replace_item(scope, nobody, 1, &other, false, h.write()).await;
    assert_eq!(outcome.unwrap(), ReplaceItem::NotFound);
}

pub async fn p09_another_items_name_and_date_are_refused(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, dated("Milk", "1", "L", "2031-02-01")).await;
    let other = h.add(scope, dated("Milk", "1", "L", "2031-03-01")).await;
    let onto = dated("ＭＩＬＫ", "1", "L", "2031-02-01");
    let outcome = h.store().replace_item(scope, other.id, 1, &onto, false, h.write()).await;
    assert_eq!(outcome.unwrap(), ReplaceItem::Duplicate(milk.clone()));
    h.expect_inventory(scope, &[other, milk]).await;
}

pub async fn p09_an_item_keeps_its_own_name_in_another_spelling(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("milk", "1", "L")).await;
    let upper = details("MILK", "1", "L");
    let outcome = h.store().replace_item(scope, milk.id, 1, &upper, false, h.write()).await;
    let expected = milk.changed(upper, scope.actor(), h.now());
    assert_eq!(outcome.unwrap(), ReplaceItem::Replaced(expected));
}

pub async fn p09_merging_leaves_the_other_item_with_both_quantities(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let kilo = h.add(scope, details("Flour", "1", "kg")).await;
    let bag = h.add(scope, details("Bag", "1", "g")).await;
    let onto = details("Flour", "250", "g");
    let outcome = h.store().replace_item(scope, bag.id, 1, &onto, true, h.write()).await.unwrap();
    let mut expected = kilo.changed(kilo.details.clone(), scope.actor(), h.now());
    expected.details.quantity = quantity("1.25");
    assert_eq!(outcome, ReplaceItem::Merged(expected.clone()));
    assert_eq!(h.find(scope, bag.id).await, None);
    h.expect_inventory(scope, std::slice::from_ref(&expected)).await;
    // The name that the vanished item had is free, and the other's is still taken.
    h.add(scope, details("Bag", "1", "個")).await;
    let write = h.write();
    let again = h.item(scope, details("flour", "1", "個"));
    let refused = h.store().add_item(scope, &again, write).await.unwrap();
    assert_eq!(refused, AddItem::UnitMismatch(expected));
}

pub async fn p09_a_merge_that_cannot_be_changes_nothing(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let sand = h.add(scope, details("Sand", "99999999", "kg")).await;
    let bag = h.add(scope, details("Bag", "1", "kg")).await;
    for (onto, expected) in [
        (details("Sand", "1", "L"), ReplaceItem::UnitMismatch(sand.clone())),
        (details("Sand", "1", "kg"), ReplaceItem::Overflow(sand.clone())),
    ] {
        let outcome = h.store().replace_item(scope, bag.id, 1, &onto, true, h.write()).await;
        assert_eq!(outcome.unwrap(), expected);
    }
    h.expect_inventory(scope, &[bag, sand]).await;
}

pub async fn p09_merge_without_another_item_is_a_replacement(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let other = details("Oat milk", "1", "L");
    let outcome = h.store().replace_item(scope, milk.id, 1, &other, true, h.write()).await;
    let expected = milk.changed(other, scope.actor(), h.now());
    assert_eq!(outcome.unwrap(), ReplaceItem::Replaced(expected));
}

pub async fn p10_a_deleted_item_is_gone_and_answered_once(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let (milk, _) = h.adjust(scope, milk.id, "1").await;
    let deleted = h.store().delete_item(scope, milk.id, h.write()).await.unwrap();
    assert_eq!(deleted.as_ref(), Some(&milk));
    assert_eq!(h.find(scope, milk.id).await, None);
    assert_eq!(h.store().delete_item(scope, milk.id, h.write()).await.unwrap(), None);
    h.expect_inventory(scope, &[]).await;
}
