//! A write under a claim happens once, and its first result is remembered exactly.

use futures_util::future::join_all;
use larder_domain::UserId;
use larder_storage::{
    Acknowledge, AddItem, AddShoppingItem, AddedItem, AdjustedItem, DeleteItem, IdempotencyClaim,
    PutAway, ReplaceItem, Replay, Result, RotateTag, RotatedTag, StorageError, Write,
};

use crate::StoreHarness;
use crate::sample::{delta, details, location, quantity, shop, to_buy, watched};
use crate::store_harness::personal;

/// The digest and the result that are stored under the key.
async fn remembered<T: Replay>(
    h: &StoreHarness,
    user: UserId,
    claim: &IdempotencyClaim,
) -> Option<(String, T)> {
    let found = h.store().find_idempotent(user, &claim.key).await.unwrap()?;
    Some((found.request_hash, T::replay(&found.result).unwrap()))
}

async fn is_free(h: &StoreHarness, user: UserId, claim: &IdempotencyClaim) -> bool {
    h.store().find_idempotent(user, &claim.key).await.unwrap().is_none()
}

/// The kind of write that the key remembers.
async fn kind(h: &StoreHarness, user: UserId, claim: &IdempotencyClaim) -> String {
    h.store().find_idempotent(user, &claim.key).await.unwrap().unwrap().result.kind
}

fn used<T>(claim: &IdempotencyClaim, result: T) -> (String, T) {
    (claim.request_hash.clone(), result)
}

fn refuses<T>(repeated: &Result<T>) -> bool {
    matches!(repeated, Err(StorageError::IdempotencyKeyUsed))
}

pub async fn p14_a_repeated_add_changes_nothing_and_its_first_result_stays(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let claim = h.claim("key");
    assert!(is_free(h, scope.actor(), &claim).await);
    let write = h.claimed(&claim);
    let milk = h.item(scope, details("Milk", "1", "L"));
    let added = h.store().add_item(scope, &milk, write).await.unwrap();
    assert_eq!(added, AddItem::Added(milk.clone()));
    let (now, _) = h.adjust(scope, milk.id, "5").await;
    let again = h.item(scope, details("Milk", "1", "L"));
    assert!(refuses(&h.store().add_item(scope, &again, h.claimed(&claim)).await));
    assert_eq!(h.find(scope, milk.id).await, Some(now));
    h.store().delete_item(scope, milk.id, None, h.write()).await.unwrap();
    let first = used(&claim, AddedItem { item: milk, merged: false });
    assert_eq!(remembered(h, scope.actor(), &claim).await, Some(first));
}

pub async fn p14_a_merge_and_an_adjustment_are_remembered_as_they_were(h: &StoreHarness) {
    let scope = personal(h.user().await.id);
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let merge = h.claim("merge");
    let write = h.claimed(&merge);
    let more = h.item(scope, details("Milk", "2", "L"));
    let merged = h.store().add_item(scope, &more, write).await.unwrap();
    let AddItem::Merged(merged) = merged else { panic!("{merged:?}") };
    let take = h.claim("take");
    let by = delta("-5");
    h.store().adjust_item(scope, milk.id, by, h.claimed(&take)).await.unwrap();
    let taken = h.find(scope, milk.id).await.unwrap();
    assert!(refuses(&h.store().adjust_item(scope, milk.id, by, h.claimed(&take)).await));
    let nothing = h.claim("nothing left");
    h.store().adjust_item(scope, milk.id, by, h.claimed(&nothing)).await.unwrap();
    h.adjust(scope, milk.id, "9").await;
    assert!(refuses(&h.store().adjust_item(scope, milk.id, by, h.claimed(&nothing)).await));

    let user = scope.actor();
    let first = used(&merge, AddedItem { item: merged, merged: true });
    assert_eq!(remembered(h, user, &merge).await, Some(first));
    let adjusted = |applied_hundredths| AdjustedItem { item: taken.clone(), applied_hundredths };
    assert_eq!(remembered(h, user, &take).await, Some(used(&take, adjusted(-300))));
    assert_eq!(remembered(h, user, &nothing).await, Some(used(&nothing, adjusted(0))));
    assert_eq!(h.find(scope, milk.id).await.unwrap().details.quantity, quantity("9"));
}

pub async fn p14_replacing_merging_and_deleting_are_remembered(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let user = scope.actor();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let tea = h.add(scope, details("Tea", "2", "L")).await;
    let (replace, merge, delete) = (h.claim("replace"), h.claim("merge"), h.claim("delete"));
    let oat = details("Oat milk", "3", "L");
    let replaced = h.store().replace_item(scope, milk.id, 1, &oat, false, h.claimed(&replace));
    let ReplaceItem::Replaced(replaced) = replaced.await.unwrap() else { panic!("not replaced") };
    let merged = h.store().replace_item(scope, tea.id, 1, &oat, true, h.claimed(&merge));
    let ReplaceItem::Merged(merged) = merged.await.unwrap() else { panic!("not merged") };
    let deleted = h.store().delete_item(scope, milk.id, Some(3), h.claimed(&delete)).await;
    assert_eq!(deleted.unwrap(), DeleteItem::Deleted(merged.clone()));

    // The claim comes before whatever else would be refused.
    let again = h.store().replace_item(scope, milk.id, 1, &oat, false, h.claimed(&replace)).await;
    assert!(refuses(&again));
    let again = h.store().replace_item(scope, tea.id, 1, &oat, true, h.claimed(&merge)).await;
    assert!(refuses(&again));
    let again = h.store().delete_item(scope, milk.id, Some(3), h.claimed(&delete)).await;
    assert!(refuses(&again));
    for (claim, item, name) in [
        (&replace, replaced, "ItemReplaced"),
        (&merge, merged.clone(), "ItemMerged"),
        (&delete, merged, "ItemDeleted"),
    ] {
        assert_eq!(remembered(h, user, claim).await, Some(used(claim, item)));
        assert_eq!(kind(h, user, claim).await, name);
    }
}

pub async fn p14_putting_away_is_remembered(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, stock) = (home.scope, home.inventory());
    let mut remembers = Vec::new();
    for (name, merged) in [("first", false), ("second", true)] {
        let entry = h.put_on_list(scope, None, to_buy("Milk")).await;
        let entry = h.check_off(scope, &entry).await;
        let (claim, new) = (h.claim(name), h.item(stock, details("Milk", "1", "L")));
        let put = h.store().put_away(scope, entry.id, entry.version, &new, h.claimed(&claim)).await;
        let PutAway::Added(AddItem::Added(item) | AddItem::Merged(item)) = put.unwrap() else {
            panic!("{name} was not put away")
        };
        let again =
            h.store().put_away(scope, entry.id, entry.version, &new, h.claimed(&claim)).await;
        assert!(refuses(&again), "{again:?}");
        remembers.push((claim, AddedItem { item, merged }));
    }
    for (claim, added) in remembers {
        assert_eq!(remembered(h, home.admin.id, &claim).await, Some(used(&claim, added)));
    }
}

pub async fn p14_a_refused_change_deletion_or_putting_away_uses_no_key(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, claim) = (home.inventory(), h.claim("key"));
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let oat = details("Oat milk", "3", "L");
    let answer = h.store().replace_item(scope, milk.id, 7, &oat, false, h.claimed(&claim)).await;
    assert_eq!(answer.unwrap(), ReplaceItem::VersionConflict(milk.clone()));
    let answer = h.store().delete_item(scope, milk.id, Some(7), h.claimed(&claim)).await;
    assert_eq!(answer.unwrap(), DeleteItem::VersionConflict(milk.clone()));
    let entry = h.put_on_list(home.scope, None, to_buy("Milk")).await;
    let more = h.item(scope, milk.details.clone());
    let answer = h.store().put_away(home.scope, entry.id, 1, &more, h.claimed(&claim)).await;
    assert_eq!(answer.unwrap(), PutAway::NotBought);
    assert!(is_free(h, scope.actor(), &claim).await);
    assert_eq!(h.find(scope, milk.id).await, Some(milk));
}

pub async fn p14_households_codes_and_places_are_remembered(h: &StoreHarness) {
    let (founder, guest) = (h.user().await, h.user().await);
    let household = h.new_household(&founder);
    let create = h.claim("create");
    let write = h.claimed(&create);
    h.store().create_household(&household, &founder, false, write).await.unwrap();
    let scope = larder_storage::HouseholdScope::assume_authorized(household.id, founder.id);
    let join = h.claim("join");
    let (id, code) = (household.id, &household.invite_code);
    h.store().join_household(id, code, &guest, false, h.claimed(&join)).await.unwrap();
    let new_code = h.claim("code");
    let code = h.invite_code();
    h.store().replace_invite_code(scope, &code, h.claimed(&new_code)).await.unwrap();
    let (place, market) = (location(h.location_id(), "Cellar"), shop(h.store_id(), "Market"));
    let add_place = h.claim("place");
    h.store().add_location(scope, &place, h.claimed(&add_place)).await.unwrap();
    let add_shop = h.claim("shop");
    h.store().add_store(scope, &market, h.claimed(&add_shop)).await.unwrap();

    assert!(refuses(&h.store().add_store(scope, &market, h.claimed(&add_shop)).await));
    let mut recoded = household.clone();
    recoded.invite_code = code;
    for (user, claim, household, name) in [
        (founder.id, &create, household.clone(), "HouseholdCreated"),
        (guest.id, &join, household.clone(), "HouseholdJoined"),
        (founder.id, &new_code, recoded, "InviteCodeReplaced"),
    ] {
        assert_eq!(remembered(h, user, claim).await, Some(used(claim, household)));
        assert_eq!(kind(h, user, claim).await, name);
    }
    assert_eq!(remembered(h, founder.id, &add_place).await, Some(used(&add_place, place)));
    assert_eq!(remembered(h, founder.id, &add_shop).await, Some(used(&add_shop, market)));
}

pub async fn p14_what_was_refused_uses_no_key(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "1", "L")).await;
    let claim = h.claim("key");
    let write = h.claimed(&claim);
    let pieces = h.item(scope, details("Milk", "1", "個"));
    let refused = h.store().add_item(scope, &pieces, write).await.unwrap();
    assert_eq!(refused, AddItem::UnitMismatch(milk));
    assert!(is_free(h, scope.actor(), &claim).await);
    let write = h.claimed(&claim);
    let bread = h.item(scope, details("Bread", "1", "個"));
    let added = h.store().add_item(scope, &bread, write).await.unwrap();
    assert_eq!(added, AddItem::Added(bread));
}

pub async fn p14_a_key_is_its_users_own(h: &StoreHarness) {
    let home = h.home().await;
    let (mia, ben) = (home.inventory(), h.join(&home).await.inventory());
    let claim = h.claim("key");
    for (n, scope) in [mia, ben].into_iter().enumerate() {
        let write = h.claimed(&claim);
        let item = h.item(scope, details(&format!("Box {n}"), "1", "個"));
        h.store().add_item(scope, &item, write).await.unwrap();
        let first = used(&claim, AddedItem { item, merged: false });
        assert_eq!(remembered(h, scope.actor(), &claim).await, Some(first));
    }
}

pub async fn p14_a_key_may_be_used_again_when_its_time_has_passed(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let claim = h.claim("key");
    let write = h.claimed(&claim);
    h.store().add_item(scope, &h.item(scope, details("Milk", "1", "L")), write).await.unwrap();
    h.advance_seconds(3601);
    assert!(is_free(h, scope.actor(), &claim).await);
    let claim = h.claim("key");
    let write = h.claimed(&claim);
    let bread = h.item(scope, details("Bread", "1", "個"));
    let added = h.store().add_item(scope, &bread, write).await.unwrap();
    assert_eq!(added, AddItem::Added(bread));
}

pub async fn p14_of_many_repetitions_at_once_one_happens(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let eggs = h.add(scope, details("Eggs", "10", "個")).await;
    let claim = h.claim("key");
    let write = Write { claim: Some(&claim), ..h.write() };
    let taking = (0..16).map(|_| h.store().adjust_item(scope, eggs.id, delta("-1"), write));
    let outcomes = join_all(taking).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| refuses(outcome)).count(), 15);
    assert_eq!(h.find(scope, eggs.id).await.unwrap().details.quantity, quantity("9"));
}

pub async fn p14_entries_tags_and_what_was_seen_are_remembered(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, user) = (home.scope, home.admin.id);
    let milk = h.add(home.inventory(), watched("Milk", "1", "2")).await;
    let add = h.claim("entry");
    let write = h.claimed(&add);
    let entry = h.entry(scope, Some(milk.id), to_buy("Milk"));
    h.store().add_shopping_item(scope, &entry, false, write).await.unwrap();
    let make = h.claim("tag");
    let new = h.new_tag(milk.id);
    let tag = h.store().add_tag(scope, &new, h.claimed(&make)).await.unwrap().unwrap();
    let rotate = h.claim("rotate");
    let answer =
        h.store().rotate_tag(scope, milk.id, tag.id, h.url_id(), h.claimed(&rotate)).await.unwrap();
    let RotateTag::Rotated { old, new } = answer else { panic!("{answer:?}") };
    let said = h.settle(&home, milk.id).await.remove(0);
    let see = h.claim("see");
    let answer = h.store().acknowledge_notification(scope, said.id, h.claimed(&see)).await.unwrap();
    let Acknowledge::Done(seen) = answer else { panic!("{answer:?}") };

    // All of it changes later; the stored answers remain.
    h.check_off(scope, &entry).await;
    h.rotate(scope, &new).await;
    h.adjust(home.inventory(), milk.id, "9").await;
    h.settle(&home, milk.id).await;
    let other = h.entry(scope, Some(milk.id), to_buy("Milk"));
    assert!(refuses(&h.store().add_shopping_item(scope, &other, true, h.claimed(&add)).await));
    assert!(refuses(&h.store().add_tag(scope, &h.new_tag(milk.id), h.claimed(&make)).await));
    let tags = h.tags(scope, Some(milk.id), 10).await;
    let newest = h.url_id();
    let again = h.store().rotate_tag(scope, milk.id, tags[0].id, newest, h.claimed(&rotate)).await;
    assert!(refuses(&again));
    assert_eq!(h.tags(scope, Some(milk.id), 10).await, tags);
    assert_eq!(remembered(h, user, &add).await, Some(used(&add, entry)));
    assert_eq!(remembered(h, user, &make).await, Some(used(&make, tag)));
    let rotated = RotatedTag { old: *old, new: *new };
    assert_eq!(remembered(h, user, &rotate).await, Some(used(&rotate, rotated)));
    assert_eq!(remembered(h, user, &see).await, Some(used(&see, seen)));
}

pub async fn p14_a_duplicate_and_an_unknown_thing_use_no_key(h: &StoreHarness) {
    let home = h.home().await;
    let (scope, claim) = (home.scope, h.claim("key"));
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    h.put_on_list(scope, Some(milk.id), to_buy("Milk")).await;
    let write = h.claimed(&claim);
    let twin = h.entry(scope, Some(milk.id), to_buy("Milk"));
    let answer = h.store().add_shopping_item(scope, &twin, false, write).await.unwrap();
    assert!(matches!(answer, AddShoppingItem::Duplicate(_)), "{answer:?}");
    let unknown = h.new_tag(h.item_id());
    assert_eq!(h.store().add_tag(scope, &unknown, h.claimed(&claim)).await.unwrap(), None);
    let answer = h.store().rotate_tag(scope, milk.id, h.url_id(), h.url_id(), h.claimed(&claim));
    assert_eq!(answer.await.unwrap(), RotateTag::NotFound);
    let nothing = h.notification_id();
    let answer = h.store().acknowledge_notification(scope, nothing, h.claimed(&claim)).await;
    assert_eq!(answer.unwrap(), Acknowledge::NotFound);
    assert!(is_free(h, scope.actor(), &claim).await);
    let write = h.claimed(&claim);
    let answer = h.store().add_shopping_item(scope, &twin, true, write).await.unwrap();
    assert_eq!(answer, AddShoppingItem::Added(twin));
}
