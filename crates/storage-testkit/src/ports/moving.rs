//! Moving personal items into the household.

use std::pin::pin;
use std::task::Poll;

use futures_util::future::join_all;
use larder_domain::{Barcodes, Household, Item, ItemDetails, Membership, Owner, Role, Whose};
use larder_storage::{HouseholdScope, JoinHousehold, MoveItem, MoveReport, StorageError};

use crate::sample::{barcode, details, location, quantity, shop, to_buy};
use crate::store_harness::personal;
use crate::{Home, StoreHarness};

/// The creator of a household, with these personal items to move.
async fn mover(h: &StoreHarness, names: &[&str]) -> (Home, Vec<Item>) {
    let user = h.user().await;
    let mut items = Vec::new();
    for name in names {
        items.push(h.add(personal(user.id), details(name, "1", "個")).await);
    }
    (h.found(&user, true).await, items)
}

/// Polls a future this many times and then drops it, like a server that stops.
async fn interrupted<T>(future: impl Future<Output = T>, polls: usize) -> Option<T> {
    let mut future = pin!(future);
    let mut left = polls;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

pub async fn p06_without_the_wish_own_items_stay(h: &StoreHarness) {
    let user = h.user().await;
    let milk = h.add(personal(user.id), details("Milk", "1", "L")).await;
    let home = h.found(&user, false).await;
    assert!(!home.admin.is_moving_items);
    h.expect_inventory(personal(user.id), &[milk]).await;
    h.expect_inventory(home.inventory(), &[]).await;
}

pub async fn p06_items_move_as_they_were(h: &StoreHarness) {
    let (home, items) = mover(h, &["Milk", "Bread"]).await;
    assert!(home.admin.is_moving_items);
    let household = home.household.id;
    assert_eq!(home.admin.membership, Some(Membership { household, role: Role::Admin }));
    let report = h.store().move_personal_items(home.scope, h.write()).await.unwrap();
    assert_eq!(report, MoveReport { moved: 2, merged: 0, kept: 0 });
    for item in &items {
        assert_eq!(h.find(home.scope.personal_inventory(), item.id).await, None);
        let moved = h.find(home.inventory(), item.id).await.unwrap();
        assert_eq!(moved.owner, home.inventory().owner());
        assert_eq!(
            (moved.details, moved.created_at, moved.created_by),
            (item.details.clone(), item.created_at, item.created_by)
        );
    }
    assert!(!h.reread(home.admin.id).await.is_moving_items);
    h.expect_inventory(home.scope.personal_inventory(), &[]).await;
    let again = h.store().move_personal_items(home.scope, h.write()).await.unwrap();
    assert_eq!(again, MoveReport::default());
}

pub async fn p06_what_the_household_has_already_is_merged_or_kept(h: &StoreHarness) {
    let home = h.home().await;
    let rice = h.add(home.inventory(), details("Rice", "1", "kg")).await;
    let eggs = h.add(home.inventory(), details("Eggs", "6", "個")).await;
    let sand = h.add(home.inventory(), details("Sand", "99999999.99", "kg")).await;
    let user = h.user().await;
    let own = personal(user.id);
    h.add(own, details("RICE", "500", "g")).await;
    let kept = [
        h.add(own, details("eggs", "1", "kg")).await,
        h.add(own, details("Sand", "1", "kg")).await,
    ];
    let Household { id, invite_code, .. } = &home.household;
    let joined = h.store().join_household(*id, invite_code, &user, true, h.write()).await.unwrap();
    assert_eq!(joined, JoinHousehold::Joined(home.household.clone()));
    assert!(h.reread(user.id).await.is_moving_items);
    let scope = HouseholdScope::assume_authorized(*id, user.id);
    let report = h.store().move_personal_items(scope, h.write()).await.unwrap();
    assert_eq!(report, MoveReport { moved: 0, merged: 1, kept: 2 });
    let merged = h.find(home.inventory(), rice.id).await.unwrap();
    assert_eq!(merged.details.quantity, quantity("1.5"));
    h.expect_inventory(home.inventory(), &[sand, eggs, merged]).await;
    let [eggs, sand] = kept;
    h.expect_inventory(own, &[sand, eggs]).await;
    assert!(!h.reread(user.id).await.is_moving_items);
}

pub async fn p06_an_interrupted_move_goes_on_where_it_stopped(h: &StoreHarness) {
    let names = ["a", "b", "c", "d"];
    // Interrupted after every number of polls until one run completes; at reduced scale after every
    // fourth.
    let step = h.scaled(&[1], &[4])[0];
    for polls in (0..1000).step_by(step) {
        let (home, items) = mover(h, &names).await;
        h.add(home.inventory(), details("a", "1", "個")).await;
        let first = h.store().move_personal_items(home.scope, h.write());
        let undisturbed = interrupted(first, polls).await.is_some();
        h.store().move_personal_items(home.scope, h.write()).await.unwrap();
        assert!(!h.reread(home.admin.id).await.is_moving_items);
        for item in &items {
            assert_eq!(h.find(home.scope.personal_inventory(), item.id).await, None);
        }
        let expected: Vec<_> = names
            .iter()
            .map(|name| ((*name).to_owned(), if *name == "a" { 200 } else { 100 }))
            .collect();
        h.eventually(&expected, async || {
            let everything = larder_domain::ItemFilter::default();
            let sort = larder_domain::ItemSort::Name;
            let items = h.list(home.inventory(), &everything, sort, 50).await;
            let told =
                |item: Item| (item.details.name.to_string(), item.details.quantity.hundredths());
            items.into_iter().map(told).collect()
        })
        .await;
        if undisturbed {
            return;
        }
    }
    panic!("a move takes less than a thousand polls");
}

pub async fn p06_moves_at_once_count_each_item_once(h: &StoreHarness) {
    let (home, items) = mover(h, &["a", "b", "c"]).await;
    let shared = h.add(home.inventory(), details("b", "1", "個")).await;
    let moves = (0..4).map(|_| h.store().move_personal_items(home.scope, h.write()));
    let reports = join_all(moves).await;
    let total = reports.into_iter().map(|report| report.unwrap()).fold((0, 0), |sum, report| {
        assert_eq!(report.kept, 0);
        (sum.0 + report.moved, sum.1 + report.merged)
    });
    assert_eq!(total, (2, 1));
    let merged = h.find(home.inventory(), shared.id).await.unwrap();
    assert_eq!(merged.details.quantity, quantity("2"));
    for item in items {
        assert_eq!(h.find(home.scope.personal_inventory(), item.id).await, None);
    }
}

async fn move_item(h: &StoreHarness, scope: HouseholdScope, item: &Item, to: Whose) -> MoveItem {
    h.store().move_item(scope, item.id, to, h.write()).await.unwrap()
}

pub async fn p82_an_item_moves_out_and_back_again(h: &StoreHarness) {
    let home = h.home().await;
    let ben = h.join(&home).await;
    let (place, store) = (location(h.location_id(), "Cellar"), shop(h.store_id(), "Corner shop"));
    h.store().add_location(home.scope, &place, h.write()).await.unwrap();
    h.store().add_store(home.scope, &store, h.write()).await.unwrap();
    let (location, preferred_store) = (Some(place.id), Some(store.id));
    let milk = ItemDetails { location, preferred_store, ..details("Milk", "2", "L") };
    let milk = h.add(home.inventory(), milk).await;
    let product = h.product(home.inventory(), milk.product.unwrap()).await.product;
    let mut known = product.details.clone();
    known.barcodes = Barcodes::new(vec![barcode(7)]).unwrap();
    h.store()
        .replace_product(home.inventory(), product.id, 1, &known, false, h.write())
        .await
        .unwrap();
    let linked = h.put_on_list(home.scope, Some(milk.id), to_buy("Milk")).await;

    assert_eq!(move_item(h, ben, &milk, Whose::Household).await, MoveItem::NotFound);
    let MoveItem::Moved(own) = move_item(h, ben, &milk, Whose::Personal).await else { panic!() };
    assert_eq!((own.id, own.owner), (milk.id, Owner::User(ben.actor())));
    assert_eq!((own.created_by, own.version), (ben.actor(), milk.version + 1));
    assert_eq!(own.details, details("Milk", "2", "L"), "places of the household stay there");
    assert_eq!(h.find(ben.personal_inventory(), milk.id).await, Some(own.clone()));
    h.expect_inventory(home.inventory(), &[]).await;
    h.expect_inventory(ben.personal_inventory(), std::slice::from_ref(&own)).await;
    let known = h.product(ben.personal_inventory(), own.product.unwrap()).await.product.details;
    assert_eq!((known.preferred_store, known.location), (None, None));
    assert_eq!(known.barcodes.iter().collect::<Vec<_>>(), [&barcode(7)]);
    let entry = h.find_entry(home.scope, linked.id).await.unwrap();
    assert_eq!(entry.item, None, "it is text now");
    // Others neither see it nor take it back.
    assert_eq!(h.find(home.scope.personal_inventory(), milk.id).await, None);
    assert_eq!(move_item(h, home.scope, &milk, Whose::Household).await, MoveItem::NotFound);

    let MoveItem::Moved(back) = move_item(h, ben, &milk, Whose::Household).await else { panic!() };
    assert_eq!((back.id, back.owner), (milk.id, home.inventory().owner()));
    assert_eq!(back.product, milk.product, "the household still knew it");
    assert_eq!(back.details.preferred_store, Some(store.id), "and where it is bought");
    h.expect_inventory(home.inventory(), &[back]).await;
    h.expect_inventory(ben.personal_inventory(), &[]).await;
}

pub async fn p82_a_move_merges_by_the_rule_or_changes_nothing(h: &StoreHarness) {
    let home = h.home().await;
    let (shared, own) = (home.inventory(), home.scope.personal_inventory());
    let rice = [h.add(shared, details("Rice", "1", "kg")).await];
    let other = [h.add(own, details("RICE", "500", "g")).await];
    let eggs = [h.add(shared, details("Eggs", "6", "個")).await];
    let dozen = [h.add(own, details("eggs", "1", "kg")).await];
    let sand = [h.add(shared, details("Sand", "1", "kg")).await];
    let much = [h.add(own, details("Sand", "99999999.99", "kg")).await];

    let outcome = move_item(h, home.scope, &eggs[0], Whose::Personal).await;
    assert_eq!(outcome, MoveItem::UnitMismatch(dozen[0].clone()));
    let outcome = move_item(h, home.scope, &much[0], Whose::Household).await;
    assert_eq!(outcome, MoveItem::Overflow(sand[0].clone()));
    h.expect_inventory(shared, &[&sand[..], &eggs, &rice].concat()).await;
    h.expect_inventory(own, &[&much[..], &dozen, &other].concat()).await;

    let outcome = move_item(h, home.scope, &rice[0], Whose::Personal).await;
    let MoveItem::Merged(merged) = outcome else { panic!("{outcome:?}") };
    assert_eq!(merged.id, other[0].id);
    assert_eq!((merged.details.quantity, merged.details.unit.as_str()), (quantity("1500"), "g"));
    assert_eq!(merged.version, other[0].version + 1);
    h.expect_inventory(shared, &[&sand[..], &eggs].concat()).await;
    h.expect_inventory(own, &[&much[..], &dozen, &[merged]].concat()).await;
}

pub async fn p82_a_repeated_move_moves_once(h: &StoreHarness) {
    let home = h.home().await;
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let claim = h.claim("move");
    let write = h.claimed(&claim);
    let moved = h.store().move_item(home.scope, milk.id, Whose::Personal, write).await.unwrap();
    let MoveItem::Moved(own) = moved else { panic!("{moved:?}") };
    let again = h.store().move_item(home.scope, milk.id, Whose::Personal, h.claimed(&claim)).await;
    assert!(matches!(again, Err(StorageError::IdempotencyKeyUsed)), "{again:?}");
    h.expect_inventory(home.scope.personal_inventory(), &[own]).await;
}

pub async fn p82_of_many_who_move_one_item_out_one_gets_it(h: &StoreHarness) {
    let home = h.home().await;
    let others = [h.join(&home).await, h.join(&home).await];
    let milk = h.add(home.inventory(), details("Milk", "1", "L")).await;
    let scopes = [home.scope, others[0], others[1], others[0]];
    let all = scopes.map(|scope| h.store().move_item(scope, milk.id, Whose::Personal, h.write()));
    let outcomes = join_all(all).await.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    let moved: Vec<_> = outcomes.iter().filter(|one| matches!(one, MoveItem::Moved(_))).collect();
    let [MoveItem::Moved(item)] = moved[..] else { panic!("{outcomes:?}") };
    assert_eq!(outcomes.iter().filter(|one| **one == MoveItem::NotFound).count(), 3);
    h.expect_inventory(home.inventory(), &[]).await;
    for scope in [home.scope, others[0], others[1]] {
        let own = scope.personal_inventory();
        let expected = (own.owner() == item.owner).then(|| item.clone());
        h.expect_inventory(own, expected.as_slice()).await;
    }
}
