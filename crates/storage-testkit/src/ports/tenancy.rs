//! Another household's ids reveal nothing.

use larder_domain::{
    ItemDetails, NotificationFilter, Role, ShoppingChange, ShoppingDetails, ShoppingStatus,
    TagPatch,
};
use larder_storage::{
    Acknowledge, AddItem, AddShoppingItem, AdjustItem, ChangeMember, ChangeShoppingItem,
    DeleteItem, RemoveMember, ReplaceItem, RotateTag, SavePlace, UpdateTag,
};

use crate::StoreHarness;
use crate::sample::{delta, details, location, shop, to_buy, watched};
use crate::store_harness::personal;

pub async fn p16_another_households_items_cannot_be_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let item = h.add(theirs.inventory(), details("Milk", "5", "L")).await;
    let strangers = [ours.inventory(), ours.scope.personal_inventory(), personal(theirs.admin.id)];
    for scope in strangers {
        assert_eq!(h.find(scope, item.id).await, None);
        assert_eq!(h.store().find_items(scope, &[item.id]).await.unwrap(), []);
        let changed = details("Stolen", "1", "L");
        let outcome = h.store().replace_item(scope, item.id, 1, &changed, true, h.write()).await;
        assert_eq!(outcome.unwrap(), ReplaceItem::NotFound);
        let outcome = h.store().adjust_item(scope, item.id, delta("-1"), h.write()).await;
        assert_eq!(outcome.unwrap(), AdjustItem::NotFound);
        let outcome = h.store().delete_item(scope, item.id, None, h.write()).await;
        assert_eq!(outcome.unwrap(), DeleteItem::NotFound);
        let history = h.store().item_history(scope, item.id, None, 10).await.unwrap();
        assert_eq!((history.items, history.next), (vec![], None));
        h.expect_inventory(scope, &[]).await;
    }
    h.expect_inventory(theirs.inventory(), &[item]).await;
}

pub async fn p16_another_households_places_cannot_be_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let cellar = location(h.location_id(), "Cellar");
    let market = shop(h.store_id(), "Market");
    h.store().add_location(theirs.scope, &cellar, h.write()).await.unwrap();
    h.store().add_store(theirs.scope, &market, h.write()).await.unwrap();

    assert_eq!(h.store().find_location(ours.scope, cellar.id).await.unwrap(), None);
    assert_eq!(h.store().find_store(ours.scope, market.id).await.unwrap(), None);
    assert_eq!(h.store().list_locations(ours.scope).await.unwrap(), []);
    assert_eq!(h.store().list_stores(ours.scope).await.unwrap(), []);
    let outcome = h.store().replace_location(ours.scope, &cellar, h.write()).await;
    assert_eq!(outcome.unwrap(), SavePlace::NotFound);
    let outcome = h.store().replace_store(ours.scope, &market, h.write()).await;
    assert_eq!(outcome.unwrap(), SavePlace::NotFound);
    assert!(!h.store().delete_location(ours.scope, cellar.id, h.write()).await.unwrap());
    assert!(!h.store().delete_store(ours.scope, market.id, h.write()).await.unwrap());

    let there = ItemDetails { location: Some(cellar.id), ..details("Wine", "1", "本") };
    let from_there =
        ItemDetails { preferred_store: Some(market.id), ..details("Wine", "1", "本") };
    let scope = ours.inventory();
    let (wine, write) = (h.item(scope, there), h.write());
    let outcome = h.store().add_item(scope, &wine, write).await.unwrap();
    assert_eq!(outcome, AddItem::LocationNotFound);
    let (wine, write) = (h.item(scope, from_there), h.write());
    let outcome = h.store().add_item(scope, &wine, write).await.unwrap();
    assert_eq!(outcome, AddItem::StoreNotFound);
    assert_eq!(h.store().find_location(theirs.scope, cellar.id).await.unwrap(), Some(cellar));
    assert_eq!(h.store().find_store(theirs.scope, market.id).await.unwrap(), Some(market));
}

pub async fn p16_the_same_names_live_side_by_side(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    for home in [&ours, &theirs] {
        let cellar = location(h.location_id(), "Cellar");
        let outcome = h.store().add_location(home.scope, &cellar, h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(cellar));
        let market = shop(h.store_id(), "Market");
        let outcome = h.store().add_store(home.scope, &market, h.write()).await.unwrap();
        assert_eq!(outcome, SavePlace::Saved(market));
        h.add(home.inventory(), details("Milk", "1", "L")).await;
    }
}

pub async fn p16_another_households_members_cannot_be_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let member = h.join(&theirs).await.actor();
    let outcome = h.store().change_role(ours.scope, member, Role::Admin, h.write()).await;
    assert_eq!(outcome.unwrap(), ChangeMember::NotFound);
    let outcome = h.remove_from_household(ours.scope, member).await;
    assert_eq!(outcome.unwrap(), RemoveMember::NotFound);
    let members = h.household_members(ours.scope).await;
    assert_eq!(members.iter().map(|member| member.user).collect::<Vec<_>>(), [ours.admin.id]);
    assert_eq!(h.household_members(theirs.scope).await.len(), 2);
}

pub async fn p16_another_households_changes_are_not_heard(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let start = h.store().changes_head(ours.inventory()).await.unwrap();
    h.add(theirs.inventory(), details("Milk", "1", "L")).await;
    let heard = h.store().changes_after(ours.inventory(), start, 100).await.unwrap().unwrap();
    assert_eq!((heard.changes, heard.more), (vec![], false));
}

pub async fn p16_another_households_list_cannot_be_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let milk = h.add(theirs.inventory(), details("Milk", "1", "L")).await;
    let market = shop(h.store_id(), "Market");
    h.store().add_store(theirs.scope, &market, h.write()).await.unwrap();
    let entry = h.put_on_list(theirs.scope, Some(milk.id), to_buy("Milk")).await;
    let bought = h.put_on_list(theirs.scope, None, to_buy("Bread")).await;
    let bought = h.check_off(theirs.scope, &bought).await;

    let scope = ours.scope;
    assert_eq!(h.find_entry(scope, entry.id).await, None);
    let purchase = ShoppingChange::Status(ShoppingStatus::Purchased);
    let answer = h.store().change_shopping_item(scope, entry.id, 1, &purchase, h.write()).await;
    assert_eq!(answer.unwrap(), ChangeShoppingItem::NotFound);
    assert!(!h.store().delete_shopping_item(scope, entry.id, h.write()).await.unwrap());
    assert_eq!(h.store().clear_purchased(scope, h.write()).await.unwrap(), 0);
    let answer = h.try_to_list(scope, milk.id, to_buy("Milk")).await;
    assert_eq!(answer, AddShoppingItem::ItemNotFound);
    let there = ShoppingDetails { store: Some(market.id), ..to_buy("Milk") };
    let (wanted, write) = (h.entry(scope, None, there), h.write());
    let answer = h.store().add_shopping_item(scope, &wanted, false, write).await.unwrap();
    assert_eq!(answer, AddShoppingItem::StoreNotFound);
    h.expect_shopping_list(scope, &[]).await;
    h.expect_shopping_list(theirs.scope, &[entry, bought]).await;
}

pub async fn p16_another_households_tags_cannot_be_seen_or_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let milk = h.add(theirs.inventory(), details("Milk", "1", "L")).await;
    let tag = h.tag(theirs.scope, milk.id, "1").await;
    let made = h.store().add_tag(ours.scope, &h.new_tag(milk.id), h.write()).await.unwrap();
    assert_eq!(made, None);
    assert_eq!(h.tags(ours.scope, Some(milk.id), 10).await, []);
    assert_eq!(h.tags(ours.scope, None, 10).await, []);
    let answer = h.store().rotate_tag(ours.scope, milk.id, tag.id, h.url_id(), h.write()).await;
    assert_eq!(answer.unwrap(), RotateTag::NotFound);
    for patch in [TagPatch::default(), TagPatch { label: Some(None), step: None }] {
        let answer = h.store().update_tag(ours.scope, tag.id, &patch, h.write()).await;
        assert_eq!(answer.unwrap(), UpdateTag::NotFound);
    }
    assert!(!h.store().delete_tag(ours.scope, tag.id, h.write()).await.unwrap());
    assert_eq!(h.tags(theirs.scope, Some(milk.id), 10).await, [tag]);
}

pub async fn p16_another_households_notifications_cannot_be_touched(h: &StoreHarness) {
    let (ours, theirs) = (h.home().await, h.home().await);
    let milk = h.add(theirs.inventory(), watched("Milk", "1", "2")).await;
    assert_eq!(h.settle(&ours, milk.id).await, [], "it is none of ours");
    let said = h.settle(&theirs, milk.id).await.remove(0);
    assert_eq!(h.find_notification(&ours, said.id).await, None);
    let answer = h.store().acknowledge_notification(ours.scope, said.id, h.write()).await;
    assert_eq!(answer.unwrap(), Acknowledge::NotFound);
    assert_eq!(h.settle(&ours, milk.id).await, []);
    assert_eq!(h.notifications(ours.scope, NotificationFilter::All, 10).await, []);
    let until = jiff::civil::date(2100, 1, 1);
    assert_eq!(h.store().topics_to_settle(ours.system(), until).await.unwrap(), []);
    assert_eq!(h.find_notification(&theirs, said.id).await, Some(said));
}
