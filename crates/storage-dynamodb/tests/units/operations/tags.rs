//! NFC tags and taps.

use jiff::SignedDuration;
use larder_domain::{
    Item, NfcUrl, Quantity, TagLabel, TagPatch, TagStep, TapDirection, TapNonce, UrlId,
};
use larder_storage::{
    Inventory, NewTag, NewTap, ReplaceItem, RotateTag, TagAccesses, Tags, Tap, TapDone, UpdateTag,
};

use crate::family::{Family, HOME, MIA, details, home};

fn url(number: u8) -> UrlId {
    UrlId::from_random([number; 16])
}

pub(crate) async fn measure(family: &Family) {
    let inventory = home(MIA).inventory();
    let eggs = family.add(inventory, details("Eggs")).await;
    let tag = make(family, &eggs).await;
    tap(family, &tag).await;
    rename(family, &eggs).await;
    change(family, &eggs, &tag).await;
    rotate(family, &tag).await;
    delete(family, &tag).await;
}

async fn make(family: &Family, eggs: &Item) -> NfcUrl {
    let scope = home(MIA);
    let label = Some(TagLabel::parse("Pantry").unwrap());
    let new = NewTag { id: url(1), item: eggs.id, label, step: TagStep::ONE };
    let claim = family.claim("tag");
    let tag = family
        .measure("make a tag, once", "add_tag", async |store| {
            store.add_tag(scope, &new, family.claimed(&claim)).await
        })
        .await;
    let tag = tag.expect("there are eggs");
    let second = NewTag { id: url(2), ..new };
    family.store.add_tag(scope, &second, family.write()).await.unwrap();

    let listed = family
        .measure("list two tags of an item", "list_item_tags", async |store| {
            store.list_item_tags(scope, eggs.id, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 2);
    let listed = family
        .measure("list two tags of a household", "list_tags", async |store| {
            store.list_tags(scope, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 2);
    tag
}

async fn tap(family: &Family, tag: &NfcUrl) {
    let held = family
        .measure("open a tag's page", "find_held_tag", async |store| {
            store.find_held_tag(tag.id).await
        })
        .await;
    assert!(held.expect("the tag is there").item.is_some());
    let last_at = family.write().at;
    let looks = TagAccesses { household: HOME, item: tag.item, url: tag.id, count: 3, last_at };
    family
        .measure("count looks at a tag", "record_accesses", async |store| {
            store.record_accesses(&[looks]).await
        })
        .await;

    let nonce = TapNonce::parse("0123456789abcdef").unwrap();
    let at = family.write().at;
    let remember_until = at + SignedDuration::from_hours(24);
    let tap =
        NewTap { url: tag.id, direction: TapDirection::Take, nonce: &nonce, remember_until, at };
    let tapped = family.measure("tap", "tap", async |store| store.tap(tap).await).await;
    assert!(matches!(tapped, Tap::Done(TapDone { applied_hundredths: -100, .. })), "{tapped:?}");
    let again =
        family.measure("tap with the same nonce", "tap", async |store| store.tap(tap).await).await;
    assert!(matches!(again, Tap::Done(TapDone { is_repeated: true, .. })), "{again:?}");
    let unknown = NewTap { url: url(9), ..tap };
    let answer =
        family.measure("tap what is no tag", "tap", async |store| store.tap(unknown).await).await;
    assert_eq!(answer, Tap::Unknown);
}

async fn rename(family: &Family, eggs: &Item) {
    let scope = home(MIA).inventory();
    let now = family.store.find_item(scope, eggs.id).await.unwrap().unwrap();
    assert_eq!(now.details.quantity, Quantity::parse("1").unwrap());
    let renamed = details("Brown eggs");
    let replaced = family
        .measure("rename an item with two tags", "replace_item", async |store| {
            store.replace_item(scope, eggs.id, now.version, &renamed, false, family.write()).await
        })
        .await;
    assert!(matches!(replaced, ReplaceItem::Replaced(_)), "{replaced:?}");
}

async fn rotate(family: &Family, tag: &NfcUrl) {
    let scope = home(MIA);
    let claim = family.claim("rotate");
    let rotated = family
        .measure("replace a tag, once", "rotate_tag", async |store| {
            store.rotate_tag(scope, tag.item, tag.id, url(3), family.claimed(&claim)).await
        })
        .await;
    assert!(matches!(rotated, RotateTag::Rotated { .. }), "{rotated:?}");
}

async fn change(family: &Family, eggs: &Item, tag: &NfcUrl) {
    let scope = home(MIA);
    let patch = TagPatch { step: Some(TagStep::parse("0.5").unwrap()), ..TagPatch::default() };
    let changed = family
        .measure("change a tag", "update_tag", async |store| {
            store.update_tag(scope, tag.id, &patch, family.write()).await
        })
        .await;
    assert!(matches!(changed, UpdateTag::Updated(_)), "{changed:?}");
    let items = family
        .measure("find the items of a page of tags", "find_items", async |store| {
            store.find_items(scope.inventory(), &[eggs.id]).await
        })
        .await;
    assert_eq!(items.len(), 1);
}

async fn delete(family: &Family, tag: &NfcUrl) {
    let deleted = family
        .measure("delete a tag", "delete_tag", async |store| {
            store.delete_tag(home(MIA), tag.id, family.write()).await
        })
        .await;
    assert!(deleted, "it was there");
}
