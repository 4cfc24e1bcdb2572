//! Trees that are deep, and trees that several change at once.

use std::sync::Arc;

use larder_domain::{
    AccessAction, CollectionMemberRelationship, DeletionId, Grant, GrantedActions, Urn, UserId,
};
use larder_storage::{
    AccessRequest, AttachResource, Clock, CreateResource, DeleteResource, Grants, Resources, Write,
};
use tokio::task::JoinSet;

use crate::{
    launch::{clock, database, options, store},
    locking::patient_store,
    things::{grow, make, rows, scope, thing, under},
};

const DEPTH: u32 = 10_000;

#[tokio::test]
async fn a_chain_of_10_000_is_climbed_previewed_and_never_closed() {
    let (database, clock) = (database().await, clock());
    let store = store(options(&database), &clock).await;
    grow(&database.superuser_url, DEPTH, "n - 1").await;
    let (bottom, write) = (u128::from(DEPTH) - 1, Write::at(clock.now()));

    let mut climbed = Vec::new();
    let mut after: Option<Urn> = None;
    loop {
        let page = store.list_ancestors(&scope(), &thing(bottom), after.as_ref(), 3000).await;
        let page = page.unwrap().unwrap();
        climbed.extend(page.items.into_iter().map(|resource| resource.urn));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert!(climbed.iter().eq((0..bottom).rev().map(thing).collect::<Vec<_>>().iter()));

    let preview = store.preview_deletion(&scope(), &thing(0), Some(&thing(9000)), 5000).await;
    let preview = preview.unwrap().unwrap();
    let ahead: Vec<_> = preview.items.iter().map(|doomed| doomed.urn.clone()).collect();
    assert_eq!(ahead, (9001..=bottom).map(thing).collect::<Vec<_>>());
    assert_eq!(preview.next, None);
    assert_eq!((preview.items[0].links, preview.items[0].parent.clone()), (0, Some(thing(9000))));
    assert_eq!((preview.items[1].links, preview.items[4].unique_keys.len()), (1, 1));

    let closed = store.attach_resource(&scope(), &under(bottom, 0), write).await.unwrap();
    assert_eq!(closed, AttachResource::Cycle);

    let read = AccessAction::parse("read").unwrap();
    let principal = Urn::of_user(UserId::fixed(7));
    let grant = Grant {
        principal: principal.clone(),
        on: thing(0),
        account: scope().account().clone(),
        actions: GrantedActions::new([read.clone()]).unwrap(),
        created_at: clock.now(),
        updated_at: clock.now(),
    };
    store.put_grant(&scope(), &grant, write).await.unwrap();
    let request =
        AccessRequest { principal: &principal, action: &read, urn: &thing(bottom), implied: None };
    let access = store.authorize(request).await.unwrap().unwrap();
    assert_eq!(access.path.len(), DEPTH as usize);
    assert_eq!(access.path.last().unwrap().urn, thing(0));
}

/// Two servers, each with connections of its own.
#[tokio::test]
async fn of_two_moves_that_would_close_a_cycle_one_is_refused_500_times() {
    let (database, clock) = (database().await, clock());
    let [one, two] =
        [store(options(&database), &clock).await, store(options(&database), &clock).await];
    for n in [1, 2] {
        assert_eq!(make(&one, n, None, &clock).await, CreateResource::Created);
    }
    for round in 0..500 {
        let write = Write::at(clock.now());
        let (scope, link, back) = (scope(), under(1, 2), under(2, 1));
        let (there, back) = tokio::join!(
            one.attach_resource(&scope, &link, write),
            two.attach_resource(&scope, &back, write),
        );
        let outcomes = [there.unwrap(), back.unwrap()];
        let attached = outcomes.iter().filter(|is| matches!(is, AttachResource::Attached(_)));
        assert_eq!(attached.count(), 1, "round {round}: {outcomes:?}");
        assert!(outcomes.contains(&AttachResource::Cycle), "round {round}: {outcomes:?}");
        for n in [1, 2] {
            one.detach_resource(&scope, &thing(n), write).await.unwrap();
        }
    }
}

#[tokio::test]
async fn whoever_puts_something_into_what_is_being_deleted_sees_it_go_or_is_told_that_it_is_gone() {
    let (database, clock) = (database().await, clock());
    let store = Arc::new(store(options(&database), &clock).await);
    for round in 0..20_u32 {
        let root = u128::from(round) << 32;
        make(&store, root, None, &clock).await;
        let mut making = JoinSet::new();
        for n in 1..=6 {
            let (store, clock) = (Arc::clone(&store), Arc::clone(&clock));
            making.spawn(async move { make(&store, root + n, Some(root), &clock).await });
        }
        let (scope, id) = (scope(), DeletionId::fixed(root));
        let gone = store.delete_resource(&scope, &thing(root), id, Write::at(clock.now())).await;
        let made = making.join_all().await;
        let created = made.iter().filter(|is| **is == CreateResource::Created).count();
        let refused = made.iter().filter(|is| **is == CreateResource::ParentNotFound).count();
        assert_eq!(created + refused, 6, "round {round}: {made:?}");
        let all = u64::try_from(created + 1).unwrap();
        assert_eq!(gone.unwrap(), DeleteResource::Deleted(all), "round {round}: {made:?}");
        assert_eq!(rows(&database.superuser_url).await, [0, 0, 0, 0], "round {round}");
    }
}

/// A deadlock would end in an error, because detection is off.
#[tokio::test]
async fn members_that_are_added_while_both_ends_are_deleted_make_nobody_wait_in_a_circle() {
    let clock = clock();
    let store = Arc::new(patient_store(&clock).await);
    for round in 0..40_u32 {
        let (one, two) = (u128::from(round) << 32, (u128::from(round) << 32) + 1);
        for n in [one, two] {
            make(&store, n, None, &clock).await;
        }
        let write = Write::at(clock.now());
        let mut doing = JoinSet::new();
        for (collection, member) in [(one, two), (two, one)] {
            let store = Arc::clone(&store);
            let (collection, member) = (thing(collection), thing(member));
            doing.spawn(async move {
                let link = CollectionMemberRelationship::new(collection, member, true).unwrap();
                store.add_to_collection(&scope(), &link, write).await.map(drop)
            });
        }
        for n in [two, one] {
            let store = Arc::clone(&store);
            doing.spawn(async move {
                let id = DeletionId::fixed(n);
                store.delete_resource(&scope(), &thing(n), id, write).await.map(drop)
            });
        }
        for outcome in doing.join_all().await {
            outcome.unwrap();
        }
        assert_eq!(store.find_resource(&scope(), &thing(one)).await.unwrap(), None);
    }
}
