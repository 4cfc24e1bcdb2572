//! The audit trail of an item.

use larder_domain::{Item, ItemId, Versions};
use larder_storage::{ItemChange, Scope};

use crate::StoreHarness;
use crate::sample::details;

async fn history(h: &StoreHarness, scope: Scope, id: ItemId, limit: usize) -> Vec<ItemChange> {
    let (mut entries, mut before) = (Vec::new(), None);
    loop {
        let page = h.store().item_history(scope, id, before, limit).await.unwrap();
        assert!(page.items.len() <= limit);
        assert!(page.next.is_none() || !page.items.is_empty());
        entries.extend(page.items);
        match page.next {
            Some(next) => before = Some(next),
            None => return entries,
        }
    }
}

fn versions(old: Option<&Item>, new: Option<&Item>) -> Versions<Item> {
    Versions { old: old.cloned(), new: new.cloned() }
}

pub async fn p11_the_history_is_newest_first_complete_and_outlives_the_item(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, member) = (home.inventory(), h.join(&home).await.inventory());
    let one = h.add(scope, details("Milk", "1", "L")).await;
    h.add(scope, details("Bread", "1", "個")).await;
    let (two, _) = h.adjust(member, one.id, "1").await;
    let other = details("Oat milk", "5", "L");
    h.store().replace_item(scope, one.id, 2, &other, false, h.write()).await.unwrap();
    let three = h.find(scope, one.id).await.unwrap();
    h.store().delete_item(member, one.id, None, h.write()).await.unwrap();
    let expected = [
        (member.actor(), h.now(), versions(Some(&three), None)),
        (scope.actor(), three.updated_at, versions(Some(&two), Some(&three))),
        (member.actor(), two.updated_at, versions(Some(&one), Some(&two))),
        (scope.actor(), one.created_at, versions(None, Some(&one))),
    ];
    for limit in 1..=5 {
        let entries = history(h, scope, one.id, limit).await;
        assert!(entries.iter().map(|entry| entry.sequence).is_sorted_by(|a, b| a > b));
        let told: Vec<_> = entries.into_iter().map(|e| (e.by.unwrap(), e.at, e.versions)).collect();
        assert_eq!(told, expected, "limit {limit}");
    }
}

pub async fn p11_what_changed_nothing_leaves_no_trace(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "0", "L")).await;
    h.adjust(scope, milk.id, "-1").await;
    let other = details("Other", "1", "L");
    h.store().replace_item(scope, milk.id, 7, &other, false, h.write()).await.unwrap();
    let write = h.write();
    h.store().add_item(scope, &h.item(scope, details("Milk", "1", "個")), write).await.unwrap();
    assert_eq!(history(h, scope, milk.id, 10).await.len(), 1);
    assert_eq!(h.find(scope, milk.id).await, Some(milk));
    assert_eq!(history(h, scope, h.item_id(), 10).await, []);
}
