//! Holders of a tag: what they see, and how their views are counted.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::NfcUrl;
use larder_storage::{HeldTag, TagAccesses};

use crate::StoreHarness;
use crate::sample::details;

pub async fn p25_whoever_holds_a_tag_sees_it_with_its_item(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let bread = h.add(home.inventory(), details("Bread", "1", "個")).await;
    for item in [&milk, &bread] {
        let tag = h.tag(home.scope, item.id, "1").await;
        let expected = HeldTag { tag: tag.clone(), item: Some(item.clone()) };
        assert_eq!(h.held(tag.id).await, Some(expected));
    }
    let (taken, _) = h.adjust(home.inventory(), milk.id, "-0.5").await;
    let tag = h.tags(home.scope, Some(milk.id), 1).await.remove(0);
    assert_eq!(h.held(tag.id).await.unwrap().item, Some(taken));
}

pub async fn p25_an_address_that_no_tag_has_shows_nothing(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    h.tag(home.scope, milk.id, "1").await;
    for _ in 0..3 {
        assert_eq!(h.held(h.url_id()).await, None);
    }
}

pub async fn p25_a_replaced_tag_is_known_as_one_at_once(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let mut tag = h.tag(home.scope, milk.id, "1").await;
    for _ in 0..5 {
        let (write, id) = (h.write(), h.url_id());
        h.store().rotate_tag(home.scope, milk.id, tag.id, id, write).await.unwrap();
        // Immediately, even on a lagging index: a replaced tag must be dead.
        let held = h.held(tag.id).await.expect("a replaced tag is told apart from an unknown one");
        assert_eq!(held.tag.rotated.map(|rotation| rotation.at), Some(write.at));
        h.eventually(&true, async || h.held(id).await.is_some()).await;
        tag = h.held(id).await.unwrap().tag;
        assert!(tag.is_active());
    }
}

pub async fn p25_a_tag_of_a_deleted_item_shows_none(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    h.store().delete_item(home.inventory(), milk.id, None, h.write()).await.unwrap();
    assert_eq!(h.held(tag.id).await, Some(HeldTag { tag, item: None }));
}

fn accesses(h: &StoreHarness, tag: &NfcUrl, count: u64) -> TagAccesses {
    let last_at = h.write().at;
    TagAccesses { household: tag.household, item: tag.item, url: tag.id, count, last_at }
}

pub async fn p25_looks_are_added_up_and_disturb_nobody(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let (one, two) =
        (h.tag(home.scope, milk.id, "1").await, h.tag(home.scope, milk.id, "0.5").await);
    let head = h.store().changes_head(home.inventory()).await.unwrap();
    let looks = [accesses(h, &one, 3), accesses(h, &two, 1)];
    h.store().record_accesses(&looks).await.unwrap();
    let more = accesses(h, &one, 4);
    h.store().record_accesses(&[more]).await.unwrap();
    h.store().record_accesses(&[]).await.unwrap();
    let seen = |tag: &NfcUrl, count, look: &TagAccesses| NfcUrl {
        access_count: count,
        last_accessed_at: Some(look.last_at),
        ..tag.clone()
    };
    let expected = [seen(&two, 1, &looks[1]), seen(&one, 7, &more)];
    assert_eq!(h.tags(home.scope, Some(milk.id), 10).await, expected);
    let (old, _) = h.rotate(home.scope, &expected[1]).await;
    assert_eq!((old.access_count, old.last_accessed_at), (7, Some(more.last_at)));
    assert_eq!(h.find(home.inventory(), milk.id).await, Some(milk.clone()));
    let changes = h.store().changes_after(home.inventory(), head, 100).await.unwrap().unwrap();
    assert_eq!(changes.changes, [], "nobody is told of looks or tags");
}

pub async fn p25_looks_at_a_tag_that_is_not_there_are_passed_over(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let milk = h.add(ours.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(ours.scope, milk.id, "1").await;
    let unknown = TagAccesses { url: h.url_id(), ..accesses(h, &tag, 5) };
    let elsewhere = TagAccesses { household: theirs.household.id, ..accesses(h, &tag, 5) };
    let right = accesses(h, &tag, 2);
    h.store().record_accesses(&[unknown, elsewhere, right]).await.unwrap();
    let found = h.tags(ours.scope, Some(milk.id), 10).await;
    assert_eq!(found.iter().map(|tag| tag.access_count).collect::<Vec<_>>(), [2]);
    assert_eq!(h.held(unknown.url).await, None);
    assert_eq!(h.tags(theirs.scope, Some(milk.id), 10).await, []);
}

pub async fn p25_servers_that_tell_of_looks_at_once_lose_none(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let mut tags = Vec::new();
    for _ in 0..12 {
        tags.push(h.tag(home.scope, milk.id, "1").await);
    }
    let looks: Vec<_> = tags.iter().map(|tag| accesses(h, tag, 2)).collect();
    let servers = (0..8).map(|_| {
        let (store, looks) = (Arc::clone(h.store()), looks.clone());
        tokio::spawn(async move { store.record_accesses(&looks).await.unwrap() })
    });
    for outcome in join_all(servers).await {
        outcome.unwrap();
    }
    let counts = h.tags(home.scope, Some(milk.id), 50).await;
    assert_eq!(counts.iter().map(|tag| tag.access_count).collect::<Vec<_>>(), [16; 12]);
}
