//! Taking and putting back.

use larder_domain::Quantity;
use larder_storage::AdjustItem;

use crate::StoreHarness;
use crate::sample::{delta, details, quantity};
use crate::store_harness::personal;

pub async fn p08_an_adjustment_answers_with_what_it_left(h: &StoreHarness) {
    let home = h.home().await;
    let scope = home.inventory();
    let milk = h.add(scope, details("Milk", "1.5", "L")).await;
    let member = h.join(&home).await.inventory();
    let (item, applied) = h.adjust(member, milk.id, "-0.25").await;
    let mut expected = milk.changed(milk.details.clone(), member.actor(), h.now());
    expected.details.quantity = quantity("1.25");
    assert_eq!((&item, applied), (&expected, -25));
    assert_eq!(h.find(scope, milk.id).await, Some(expected));
    assert_eq!(h.adjust(scope, milk.id, "10").await.1, 1000);
}

pub async fn p08_taking_stops_at_zero_and_says_what_was_taken(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let milk = h.add(scope, details("Milk", "0.5", "L")).await;
    let (empty, applied) = h.adjust(scope, milk.id, "-1").await;
    assert_eq!((empty.details.quantity, applied), (Quantity::ZERO, -50));
    let (still, applied) = h.adjust(scope, milk.id, "-1").await;
    assert_eq!((&still, applied), (&empty, 0), "taking from nothing changes nothing");
    assert_eq!(h.find(scope, milk.id).await, Some(empty));
    assert_eq!(h.adjust(scope, milk.id, "2").await.0.details.quantity, quantity("2"));
}

pub async fn p08_too_much_is_refused_and_changes_nothing(h: &StoreHarness) {
    let scope = personal(h.user().await.id);
    let sand = h.add(scope, details("Sand", "99999999.99", "kg")).await;
    let refused = h.store().adjust_item(scope, sand.id, delta("0.01"), h.write()).await.unwrap();
    assert_eq!(refused, AdjustItem::Overflow(sand.clone()));
    assert_eq!(h.find(scope, sand.id).await, Some(sand));
}

pub async fn p08_what_is_not_there_cannot_be_adjusted(h: &StoreHarness) {
    let scope = h.home().await.inventory();
    let id = h.item_id();
    for by in ["1", "-1"] {
        let outcome = h.store().adjust_item(scope, id, delta(by), h.write()).await.unwrap();
        assert_eq!(outcome, AdjustItem::NotFound);
    }
    assert_eq!(h.find(scope, id).await, None);
}
