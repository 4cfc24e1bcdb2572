//! Tags that are changed and deleted.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use larder_domain::{NfcUrl, TagLabel, TagPatch, TagStep, TapDirection, UrlId};
use larder_storage::{HeldTag, HouseholdScope, RotateTag, TagAccesses, Tap, TapDone, UpdateTag};

use crate::StoreHarness;
use crate::sample::details;

fn label(text: &str) -> TagLabel {
    TagLabel::parse(text).unwrap()
}

fn with_step(step: &str) -> TagPatch {
    TagPatch { step: Some(TagStep::parse(step).unwrap()), ..TagPatch::default() }
}

impl StoreHarness {
    async fn change(&self, scope: HouseholdScope, url: UrlId, patch: &TagPatch) -> UpdateTag {
        self.store().update_tag(scope, url, patch, self.write()).await.unwrap()
    }

    async fn delete_tag(&self, scope: HouseholdScope, url: UrlId) -> bool {
        self.store().delete_tag(scope, url, self.write()).await.unwrap()
    }
}

pub async fn p78_label_and_step_are_changed_separately_and_seen_at_once(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let other = h.tag(home.scope, milk.id, "1").await;
    let mut tag = h.tag(home.scope, milk.id, "0.5").await;
    let start = h.store().changes_head(home.inventory()).await.unwrap();
    for (patch, label, step) in [
        (TagPatch::default(), tag.label.clone(), "0.5"),
        (
            TagPatch { label: Some(Some(label("fridge 🧊"))), step: None },
            Some(label("fridge 🧊")),
            "0.5",
        ),
        (with_step("0.01"), Some(label("fridge 🧊")), "0.01"),
        (TagPatch { label: Some(None), step: None }, None, "0.01"),
        (TagPatch { label: Some(Some(label("棚"))), ..with_step("1") }, Some(label("棚")), "1"),
        (with_step("1000"), Some(label("棚")), "1000"),
    ] {
        // Also when a holder has just seen how it was.
        assert_eq!(h.held(tag.id).await.map(|held| held.tag), Some(tag.clone()));
        tag = NfcUrl { label, step: TagStep::parse(step).unwrap(), ..tag };
        assert_eq!(
            h.change(member, tag.id, &patch).await,
            UpdateTag::Updated(Box::new(tag.clone()))
        );
        let expected = HeldTag { tag: tag.clone(), item: Some(milk.clone()) };
        assert_eq!(h.held(tag.id).await, Some(expected));
        let both = vec![tag.clone(), other.clone()];
        assert_eq!(h.tags(home.scope, Some(milk.id), 10).await, both);
        h.eventually(&both, async || h.tags(home.scope, None, 10).await).await;
    }
    let told = h.store().changes_after(home.inventory(), start, 10).await.unwrap().unwrap();
    assert_eq!(told.changes, [], "nobody is told of tags");
}

pub async fn p78_taps_have_the_new_step_at_once(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "10", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let nonce = h.nonce();
    let first = h.tap(tag.id, TapDirection::Take, &nonce).await;
    for (step, applied) in [("0.25", -25), ("1", -100), ("3", -300), ("2.5", -250)] {
        let outcome = h.change(home.scope, tag.id, &with_step(step)).await;
        assert!(matches!(outcome, UpdateTag::Updated(_)), "{outcome:?}");
        let Tap::Done(done) = h.take(tag.id).await else { panic!("there is milk") };
        assert_eq!(done.applied_hundredths, applied, "{step}");
    }
    // The rest, and then nothing, with a step that the last tap did not have.
    for applied in [-225, 0] {
        h.change(home.scope, tag.id, &with_step(if applied == 0 { "7" } else { "5" })).await;
        let Tap::Done(done) = h.take(tag.id).await else { panic!("the tag is active") };
        assert_eq!(done.applied_hundredths, applied);
    }
    let Tap::Done(TapDone { item, applied_hundredths, .. }) = first else { panic!("{first:?}") };
    let again = Tap::Done(TapDone { item, applied_hundredths, is_repeated: true });
    assert_eq!(h.tap(tag.id, TapDirection::Take, &nonce).await, again, "as it was then");
}

pub async fn p78_a_replaced_tag_is_not_changed_and_passes_on_what_was(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    let patch = TagPatch { label: Some(Some(label("door"))), ..with_step("0.2") };
    assert!(matches!(h.change(home.scope, tag.id, &patch).await, UpdateTag::Updated(_)));
    let (old, new) = h.rotate(home.scope, &tag).await;
    assert_eq!((&new.label, new.step), (&Some(label("door")), TagStep::parse("0.2").unwrap()));
    for patch in [TagPatch::default(), with_step("3"), TagPatch { label: Some(None), step: None }] {
        assert_eq!(h.change(home.scope, old.id, &patch).await, UpdateTag::Rotated);
    }
    assert_eq!(h.change(home.scope, h.url_id(), &with_step("3")).await, UpdateTag::NotFound);
    assert_eq!(h.tags(home.scope, Some(milk.id), 10).await, [new, old]);
}

pub async fn p78_a_tag_changed_while_it_is_replaced_is_changed_before_or_not_at_all(
    h: &StoreHarness,
) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    for _ in 0..8 {
        let tag = h.tag(home.scope, milk.id, "1").await;
        let (patch, write, id) = (with_step("2"), h.write(), h.url_id());
        let changing = h.store().update_tag(home.scope, tag.id, &patch, write);
        let rotating = h.store().rotate_tag(home.scope, milk.id, tag.id, id, write);
        let (changed, rotated) = join(changing, rotating).await;
        let RotateTag::Rotated { old, new } = rotated.unwrap() else { panic!("it was active") };
        let step = match changed.unwrap() {
            UpdateTag::Updated(changed) => changed.step,
            UpdateTag::Rotated => tag.step,
            UpdateTag::NotFound => panic!("there is such a tag"),
        };
        assert_eq!((old.step, new.step), (step, step));
    }
}

pub async fn p78_a_deleted_tag_is_as_one_that_never_was(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "5", "L")).await;
    let stays = h.tag(home.scope, milk.id, "1").await;
    let active = h.tag(home.scope, milk.id, "1").await;
    let replaced = h.tag(home.scope, milk.id, "1").await;
    let nonce = h.nonce();
    for tag in [&active, &replaced] {
        // It was seen and tapped, so what can be cached is.
        assert!(h.held(tag.id).await.is_some());
        assert!(matches!(h.tap(tag.id, TapDirection::Take, &nonce).await, Tap::Done(_)));
    }
    h.rotate(home.scope, &replaced).await;
    let successor = h.tags(home.scope, Some(milk.id), 1).await.remove(0);
    let left = h.find(home.inventory(), milk.id).await;
    let start = h.store().changes_head(home.inventory()).await.unwrap();
    for tag in [&active, &replaced] {
        assert!(h.delete_tag(home.scope, tag.id).await);
        assert!(!h.delete_tag(home.scope, tag.id).await, "it is gone");
        assert_eq!(h.held(tag.id).await, None);
        for nonce in [&nonce, &h.nonce()] {
            assert_eq!(h.tap(tag.id, TapDirection::Take, nonce).await, Tap::Unknown);
        }
        assert_eq!(h.change(home.scope, tag.id, &with_step("2")).await, UpdateTag::NotFound);
        assert_eq!(h.change(home.scope, tag.id, &TagPatch::default()).await, UpdateTag::NotFound);
        let again = h.store().rotate_tag(home.scope, milk.id, tag.id, h.url_id(), h.write()).await;
        assert_eq!(again.unwrap(), RotateTag::NotFound);
        let looks = TagAccesses {
            household: tag.household,
            item: tag.item,
            url: tag.id,
            count: 3,
            last_at: h.write().at,
        };
        h.store().record_accesses(&[looks]).await.unwrap();
        assert_eq!(h.held(tag.id).await, None, "a count does not bring it back");
    }
    let rest = vec![successor, stays];
    assert_eq!(h.tags(home.scope, Some(milk.id), 10).await, rest);
    h.eventually(&rest, async || h.tags(home.scope, None, 10).await).await;
    assert_eq!(h.find(home.inventory(), milk.id).await, left);
    let told = h.store().changes_after(home.inventory(), start, 10).await.unwrap().unwrap();
    assert_eq!(told.changes, [], "nobody is told of tags");
}

pub async fn p78_the_tag_of_a_deleted_item_is_changed_and_deleted_like_any_other(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(home.scope, milk.id, "1").await;
    h.store().delete_item(home.inventory(), milk.id, None, h.write()).await.unwrap();
    let changed = NfcUrl { label: None, ..tag.clone() };
    let patch = TagPatch { label: Some(None), step: None };
    assert_eq!(h.change(home.scope, tag.id, &patch).await, UpdateTag::Updated(Box::new(changed)));
    assert!(h.delete_tag(home.scope, tag.id).await);
    assert_eq!(h.held(tag.id).await, None);
    assert_eq!(h.take(tag.id).await, Tap::Unknown);
    assert_eq!(h.tags(home.scope, Some(milk.id), 10).await, []);
}

pub async fn p78_taps_while_a_tag_is_changed_or_deleted_are_exact(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.scope;
    for round in 0..6 {
        let eggs = h.add(home.inventory(), details(&format!("Eggs {round}"), "1000", "個")).await;
        let tag = h.tag(scope, eggs.id, "1").await;
        let taps = (0..12).map(|_| {
            let (store, nonce) = (Arc::clone(h.store()), h.nonce());
            let (url, at) = (tag.id, h.write().at);
            let remember_until = at + jiff::SignedDuration::from_hours(24);
            tokio::spawn(async move {
                let direction = TapDirection::Take;
                let tap =
                    larder_storage::NewTap { url, direction, nonce: &nonce, remember_until, at };
                store.tap(tap).await.unwrap()
            })
        });
        let (store, write) = (Arc::clone(h.store()), h.write());
        let meddling = tokio::spawn(async move {
            store.update_tag(scope, tag.id, &with_step("10"), write).await.unwrap();
            if round % 2 == 0 {
                assert!(store.delete_tag(scope, tag.id, write).await.unwrap());
            }
        });
        let mut taken = 0;
        for tap in join_all(taps).await {
            match tap.unwrap() {
                Tap::Done(TapDone { applied_hundredths, is_repeated: false, .. }) => {
                    assert!([-100, -1000].contains(&applied_hundredths), "{applied_hundredths}");
                    taken -= applied_hundredths;
                }
                Tap::Unknown => assert_eq!(round % 2, 0, "it was not deleted"),
                other => panic!("{other:?}"),
            }
        }
        meddling.await.unwrap();
        let left = h.find(home.inventory(), eggs.id).await.unwrap().details.quantity;
        assert_eq!(left.hundredths(), 100_000 - taken);
    }
}

pub async fn p78_the_items_of_tags_are_found_together(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let mut items = Vec::new();
    // More than fit into one request, on any engine.
    for number in 0..130 {
        items.push(h.add(scope, details(&format!("Item {number:03}"), "1", "個")).await);
    }
    let own = h.add(home.scope.personal_inventory(), details("Tea", "1", "L")).await;
    let gone = items.pop().expect("there are many");
    h.store().delete_item(scope, gone.id, None, h.write()).await.unwrap();
    let mut wanted = vec![own.id, gone.id, h.item_id()];
    wanted.extend(items.iter().map(|item| item.id));
    let mut found = h.store().find_items(scope, &wanted).await.unwrap();
    found.sort_by(|one, other| one.details.name.as_str().cmp(other.details.name.as_str()));
    assert_eq!(found, items);
    assert_eq!(h.store().find_items(scope, &[]).await.unwrap(), []);
}
