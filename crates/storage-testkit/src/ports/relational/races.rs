//! Many hands on the same resources.

use std::sync::Arc;

use futures_util::future::{join, join_all};
use larder_domain::{CollectionMemberRelationship, Resource, UniqueKeys};
use larder_storage::{AddMember, CreateResource, ReplaceResource, Write};

use super::attributes;
use crate::StoreHarness;
use crate::store_harness::{unique, urns};

const CLIENTS: usize = 16;

pub async fn p55_of_many_who_take_one_value_exactly_one_gets_it(h: &StoreHarness) {
    let (scope, other, mark) = (h.account(), h.account(), h.mark());
    let tasks: Vec<_> = (0..CLIENTS)
        .map(|n| {
            let scope = if n % 2 == 0 { scope.clone() } else { other.clone() };
            let keys =
                vec![unique("serial", &mark, true), unique("own", &format!("{mark}-{n}"), false)];
            let unique_keys = UniqueKeys::new(keys).unwrap();
            let resource = Resource { unique_keys, ..h.plain(&scope, h.urn()) };
            let (store, write) = (Arc::clone(h.store()), Write::at(resource.created_at));
            tokio::spawn(async move {
                let answer = store.create_resource(&scope, &resource, write).await.unwrap();
                (scope, resource, answer)
            })
        })
        .collect();
    let mut winners = Vec::new();
    for task in join_all(tasks).await {
        let (scope, resource, answer) = task.expect("no client panics");
        let found = h.resource(&scope, &resource.urn).await;
        match answer {
            CreateResource::Created => {
                assert_eq!(found.as_ref(), Some(&resource));
                winners.push(resource.urn);
            }
            CreateResource::UniqueKeyTaken(taken) => {
                assert_eq!(taken.key, unique("serial", &mark, true));
                assert_eq!(found, None);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(winners.len(), 1, "{winners:?}");
}

pub async fn p49_of_many_who_replace_one_version_exactly_one_succeeds(h: &StoreHarness) {
    let scope = h.account();
    let resource = h.made(&scope, None).await;
    let tasks: Vec<_> = (0..CLIENTS)
        .map(|n| {
            let json = format!(r#"{{"by": {n}}}"#);
            let wished = Resource { attributes: attributes(&json), ..resource.clone() };
            let (store, scope, write) = (Arc::clone(h.store()), scope.clone(), h.write());
            tokio::spawn(async move {
                store.replace_resource(&scope, &wished, Some(1), write).await.unwrap()
            })
        })
        .collect();
    let answers: Vec<_> = join_all(tasks).await.into_iter().map(Result::unwrap).collect();
    let now = Box::new(h.resource(&scope, &resource.urn).await.unwrap());
    assert_eq!(now.version, 2);
    let won = answers.iter().filter(|answer| **answer == ReplaceResource::Replaced(now.clone()));
    assert_eq!(won.count(), 1, "{answers:?}");
    let lost = answers.iter().filter(|answer| **answer == ReplaceResource::Stale(now.clone()));
    assert_eq!(lost.count(), CLIENTS - 1, "{answers:?}");
}

pub async fn p54_no_membership_outlives_either_end(h: &StoreHarness) {
    let scope = h.account();
    for round in 0..8 {
        let gear = h.made(&scope, None).await;
        let mut things = Vec::new();
        for _ in 0..6 {
            things.push(h.made(&scope, None).await);
        }
        let adding = things.iter().map(|thing| {
            let (store, scope, write) = (Arc::clone(h.store()), scope.clone(), h.write());
            let ends = (gear.urn.clone(), thing.urn.clone());
            let link = CollectionMemberRelationship::new(ends.0, ends.1, true).unwrap();
            async move {
                match store.add_to_collection(&scope, &link, write).await.unwrap() {
                    AddMember::Added => true,
                    AddMember::CollectionNotFound | AddMember::MemberNotFound => false,
                    AddMember::AlreadyMember => panic!("nobody added it before"),
                }
            }
        });
        // In one round the collection is deleted meanwhile, in the next one of its members.
        let victim = if round % 2 == 0 { &gear } else { &things[3] };
        let deleting = h.delete_to_its_end(&scope, &victim.urn);
        let (added, deleted) = join(join_all(adding), deleting).await;
        assert_eq!(deleted, Some(1), "round {round}");
        assert_eq!(h.resource(&scope, &victim.urn).await, None);
        let survivors = things.iter().filter(|thing| thing.urn != victim.urn);
        if round % 2 == 0 {
            for thing in survivors {
                let read = async || h.collections(&scope, &thing.urn, 5).await;
                h.eventually(&Some(vec![]), read).await;
            }
        } else {
            let members = h.members(&scope, &gear.urn, 9).await.unwrap();
            let members: Vec<_> = members.into_iter().map(|link| link.resource).collect();
            let expected: Vec<_> = survivors.cloned().collect();
            assert_eq!(urns(&members), urns(&expected), "round {round}: {added:?}");
        }
    }
}

pub async fn p57_no_child_outlives_its_parent(h: &StoreHarness) {
    let scope = h.account();
    for round in 0..8 {
        let chain = h.chain(&scope, 2).await;
        let loose = h.made(&scope, None).await;
        let newborn: Vec<_> = (0..6)
            .map(|n| {
                let parent = Some(chain[n % 2].urn.clone());
                Resource { parent, ..h.plain(&scope, h.urn()) }
            })
            .collect();
        let making = join_all(newborn.iter().map(|child| h.create(&scope, child)));
        let attaching = h.attach(&scope, &chain[1].urn, &loose.urn);
        let deleting = h.delete_to_its_end(&scope, &chain[0].urn);
        let ((made, _), deleted) = join(join(making, attaching), deleting).await;
        assert!(deleted >= Some(2), "round {round}: {deleted:?}");
        for resource in newborn.iter().chain(&chain) {
            let found = h.resource(&scope, &resource.urn).await;
            assert_eq!(found, None, "round {round}: {made:?}");
        }
        // The loose resource came too late, or was deleted too.
        if let Some(left) = h.resource(&scope, &loose.urn).await {
            assert_eq!(left.parent, None, "round {round}");
            assert_eq!(h.delete_to_its_end(&scope, &loose.urn).await, Some(1));
        }
    }
    h.eventually(&vec![], async || h.resources(&scope, 50).await).await;
}
