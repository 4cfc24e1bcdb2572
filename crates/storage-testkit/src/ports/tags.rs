//! NFC tags as admins see them.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use larder_domain::{ItemName, NfcUrl, TagLabel, TagPosition, TagRotation, TagStep};
use larder_storage::{NewTag, ReplaceItem, RotateTag};

use crate::StoreHarness;
use crate::sample::details;
use crate::store_harness::personal;

pub async fn p24_a_tag_is_made_of_an_item_and_has_its_name(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let milk = h.add(inventory, details(" Ｍilk", "1", "L")).await;
    let label = Some(TagLabel::parse("fridge 🧊").unwrap());
    let labelled = NewTag { label, step: TagStep::parse("0.01").unwrap(), ..h.new_tag(milk.id) };
    for new in [h.new_tag(milk.id), labelled] {
        let write = h.write();
        let added = h.store().add_tag(scope, &new, write).await.unwrap();
        let expected = NfcUrl {
            id: new.id,
            item: milk.id,
            household: home.household.id,
            item_name: milk.details.name.clone(),
            label: new.label,
            step: new.step,
            rotated: None,
            created_by: scope.actor(),
            created_at: write.at,
            last_accessed_at: None,
            access_count: 0,
        };
        assert_eq!(added.as_ref(), Some(&expected));
        assert_eq!(h.tags(scope, Some(milk.id), 10).await[0], expected);
    }
    let gone = h.add(inventory, details("Bread", "1", "個")).await;
    h.store().delete_item(inventory, gone.id, None, h.write()).await.unwrap();
    let own = h.add(personal(home.admin.id), details("Tea", "1", "L")).await;
    for item in [gone.id, own.id, h.item_id()] {
        let added = h.store().add_tag(scope, &h.new_tag(item), h.write()).await.unwrap();
        assert_eq!(added, None);
        assert_eq!(h.tags(scope, Some(item), 10).await, []);
    }
}

pub async fn p24_tags_are_listed_by_item_and_household_newest_first(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let items = [
        h.add(inventory, details("Milk", "1", "L")).await,
        h.add(inventory, details("Bread", "1", "個")).await,
    ];
    let mut tags = Vec::new();
    for n in 0..12 {
        // Every third pair is created at the same time.
        let write = h.write();
        for _ in 0..=(n % 3 / 2) {
            let new = h.new_tag(items[n % 2].id);
            tags.push(h.store().add_tag(scope, &new, write).await.unwrap().unwrap());
        }
    }
    tags.sort_by_key(|tag| std::cmp::Reverse(TagPosition::of(tag)));
    for limit in [1, 2, 5, 100] {
        for item in &items {
            let of_item = tags.iter().filter(|tag| tag.item == item.id);
            let expected: Vec<_> = of_item.cloned().collect();
            assert_eq!(h.tags(scope, Some(item.id), limit).await, expected, "limit {limit}");
        }
        h.eventually(&tags, async || h.tags(scope, None, limit).await).await;
    }
    // Tags are stored beside the items, but not listed as items.
    let newest_first = [items[1].clone(), items[0].clone()];
    h.expect_inventory(inventory, &newest_first).await;
}

pub async fn p24_rotating_replaces_a_tag_for_good(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, member) = (home.scope, h.join(&home).await);
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let bread = h.add(home.inventory(), details("Bread", "1", "個")).await;
    let tag = h.tag(scope, milk.id, "0.5").await;
    let (write, id) = (h.write(), h.url_id());
    let rotated = h.store().rotate_tag(member, milk.id, tag.id, id, write).await.unwrap();
    let by = member.actor();
    let old = NfcUrl { rotated: Some(TagRotation { at: write.at, by }), ..tag.clone() };
    let new = NfcUrl { id, created_by: by, created_at: write.at, ..tag.clone() };
    let expected = RotateTag::Rotated { old: Box::new(old.clone()), new: Box::new(new.clone()) };
    assert_eq!(rotated, expected);
    let both = vec![new.clone(), old.clone()];
    assert_eq!(h.tags(scope, Some(milk.id), 10).await, both);
    h.eventually(&both, async || h.tags(scope, None, 10).await).await;

    let again = h.store().rotate_tag(scope, milk.id, tag.id, h.url_id(), h.write()).await;
    assert_eq!(again.unwrap(), RotateTag::AlreadyRotated(old));
    for (item, url) in [(milk.id, h.url_id()), (bread.id, id), (h.item_id(), id)] {
        let answer = h.store().rotate_tag(scope, item, url, h.url_id(), h.write()).await;
        assert_eq!(answer.unwrap(), RotateTag::NotFound);
    }
    assert_eq!(h.tags(scope, Some(milk.id), 10).await, both);
}

pub async fn p24_of_many_who_rotate_one_tag_one_succeeds(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(scope, milk.id, "1").await;
    let write = h.write();
    let tasks = (0..16).map(|_| {
        let (store, new) = (Arc::clone(h.store()), h.url_id());
        tokio::spawn(
            async move { store.rotate_tag(scope, tag.item, tag.id, new, write).await.unwrap() },
        )
    });
    let outcomes: Vec<_> = join_all(tasks).await.into_iter().map(Result::unwrap).collect();
    let tags = h.tags(scope, Some(milk.id), 50).await;
    let old = tags.iter().find(|found| found.id == tag.id).unwrap();
    let new = tags.iter().find(|found| found.id != tag.id).unwrap();
    assert_eq!((tags.len(), old.is_active(), new.is_active()), (2, false, true));
    let won = RotateTag::Rotated { old: Box::new(old.clone()), new: Box::new(new.clone()) };
    let lost = RotateTag::AlreadyRotated(old.clone());
    let count = |outcome: &RotateTag| outcomes.iter().filter(|o| *o == outcome).count();
    assert_eq!((count(&won), count(&lost)), (1, 15), "{outcomes:?}");
}

/// Every name that the tags of an item give it.
async fn names(h: &StoreHarness, home: &crate::Home, item: larder_domain::ItemId) -> Vec<ItemName> {
    let mut names: Vec<_> =
        h.tags(home.scope, Some(item), 50).await.into_iter().map(|tag| tag.item_name).collect();
    names.dedup();
    names
}

pub async fn p24_renaming_an_item_renames_all_its_tags(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let milk = h.add(inventory, details("Milk", "1", "L")).await;
    let bread = h.add(inventory, details("Bread", "1", "個")).await;
    let other = h.tag(scope, bread.id, "1").await;
    let replaced = h.tag(scope, milk.id, "1").await;
    h.rotate(scope, &replaced).await;
    // More than fit into a transaction, on any engine.
    for _ in 0..103 {
        h.store().add_tag(scope, &h.new_tag(milk.id), h.write()).await.unwrap();
    }
    // A different spelling must be copied to the tags, too.
    for (version, name) in [(1, "Oat milk"), (2, "OAT MILK")] {
        let renamed = details(name, "1", "L");
        let outcome =
            h.store().replace_item(inventory, milk.id, version, &renamed, false, h.write()).await;
        assert!(matches!(outcome.unwrap(), ReplaceItem::Replaced(_)), "{name}");
        assert_eq!(h.tags(scope, Some(milk.id), 50).await.len(), 105);
        assert_eq!(names(h, &home, milk.id).await, [renamed.name], "{name}");
    }
    assert_eq!(h.tags(scope, Some(bread.id), 10).await, [other]);
}

pub async fn p24_a_tag_made_while_its_item_is_renamed_has_the_new_name(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, inventory) = (home.scope, home.inventory());
    let milk = h.add(inventory, details("Milk", "1", "L")).await;
    for round in 1..=8 {
        let write = h.write();
        let new: Vec<_> = (0..4).map(|_| h.new_tag(milk.id)).collect();
        let adding = join_all(new.iter().map(|tag| h.store().add_tag(scope, tag, write)));
        let renamed = details(&format!("Milk {round}"), "1", "L");
        let renaming = h.store().replace_item(inventory, milk.id, round, &renamed, false, write);
        let (added, outcome) = join(adding, renaming).await;
        assert!(matches!(outcome.unwrap(), ReplaceItem::Replaced(_)), "round {round}");
        assert!(added.into_iter().all(|tag| tag.unwrap().is_some()), "round {round}");
        assert_eq!(names(h, &home, milk.id).await, [renamed.name], "round {round}");
    }
}

pub async fn p24_tags_outlive_their_item(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(scope, milk.id, "1").await;
    h.store().delete_item(home.inventory(), milk.id, None, h.write()).await.unwrap();
    assert_eq!(h.tags(scope, Some(milk.id), 10).await, std::slice::from_ref(&tag));
    h.eventually(&vec![tag], async || h.tags(scope, None, 10).await).await;
    let more = h.store().add_tag(scope, &h.new_tag(milk.id), h.write()).await.unwrap();
    assert_eq!(more, None);
}
