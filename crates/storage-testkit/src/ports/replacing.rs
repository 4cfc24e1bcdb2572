//! Changing and deleting items.

use futures_util::future::join;
use larder_domain::{ItemDetails, Notes, OpeningDate, Price};
use larder_storage::{AddItem, AdjustItem, DeleteItem, ReplaceItem};

use crate::StoreHarness;
use crate::sample::{dated, delta, details, quantity, to_buy};

pub async fn p09_a_replacement_changes_what_it_says_and_counts_up(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, member) = (home.inventory(), h.join(&home).await.inventory());
    let milk = h.add(scope, dated("Milk", "1", "L", "2031-02-01")).await;
    let notes = Some(Notes::parse("for the cat").unwrap());
    let opened_on = Some(OpeningDate::parse("2100-12-31").unwrap());
    let price_paid = Some(Price::parse("0").unwrap());
    let other = ItemDetails { notes, opened_on, price_paid, ..details("Cat milk", "200", "mL") };
    let outcome = h.store().replace_item(member, milk.id, 1, &other, false, h.write()).await;
    let expected = milk.changed(other, member.actor(), h.now());
    assert_eq!(outcome.unwrap(), ReplaceItem::Replaced(expected.clone()));
    assert_eq!(h.find(scope, milk.id).await, Some(expected.clone()));
    let plain = details("Cat milk", "200", "mL");
    let outcome = h.store().replace_item(member, milk.id, 2, &plain, false, h.write()).await;
    let expected = expected.changed(plain, member.actor(), h.now());
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
    // The name of the merged item is free, and the other's is still taken.
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
    let deleted = h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap();
    assert_eq!(deleted, DeleteItem::Deleted(milk.clone()));
    assert_eq!(h.find(scope, milk.id).await, None);
    let again = h.store().delete_item(scope, milk.id, None, h.write()).await;
    assert_eq!(again.unwrap(), DeleteItem::NotFound);
    h.expect_inventory(scope, &[]).await;
}

pub async fn p10_a_deletion_with_a_stale_version_is_refused_with_what_is_there(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let entry = h.put_on_list(home.scope, Some(milk.id), to_buy("Milk")).await;
    let (current, _) = h.adjust(scope, milk.id, "1").await;
    for version in [0, 1, 3] {
        let outcome = h.store().delete_item(scope, milk.id, Some(version), h.write()).await;
        assert_eq!(outcome.unwrap(), DeleteItem::VersionConflict(current.clone()));
    }
    assert_eq!(h.find(scope, milk.id).await, Some(current.clone()));
    assert_eq!(h.find_entry(home.scope, entry.id).await, Some(entry));
    let outcome = h.store().delete_item(scope, milk.id, Some(2), h.write()).await;
    assert_eq!(outcome.unwrap(), DeleteItem::Deleted(current));
    let outcome = h.store().delete_item(scope, milk.id, Some(2), h.write()).await;
    assert_eq!(outcome.unwrap(), DeleteItem::NotFound);
}

pub async fn p10_a_deletion_and_a_change_of_one_version_do_not_both_happen(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    for _ in 0..16 {
        let milk = h.add(scope, details("Milk", "1", "L")).await;
        let deleting = h.store().delete_item(scope, milk.id, Some(1), h.write());
        let adjusting = h.store().adjust_item(scope, milk.id, delta("1"), h.write());
        let (deleted, adjusted) = join(deleting, adjusting).await;
        match (deleted.unwrap(), adjusted.unwrap()) {
            (DeleteItem::Deleted(gone), AdjustItem::NotFound) => assert_eq!(gone, milk),
            (DeleteItem::VersionConflict(now), AdjustItem::Adjusted { item, .. }) => {
                assert_eq!(now, item);
                h.store().delete_item(scope, milk.id, Some(2), h.write()).await.unwrap();
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(h.find(scope, milk.id).await, None);
    }
}
