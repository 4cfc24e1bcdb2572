//! Collections: their members outlive them.

use larder_domain::{Resource, Urn};
use larder_storage::{AddMember, Membership};

use super::PAGE_SIZES;
use crate::StoreHarness;

/// The names at the other ends, with whether they convey.
fn ends(memberships: &[Membership]) -> Vec<(Urn, bool)> {
    let end = |link: &Membership| (link.resource.urn.clone(), link.conveys_authorization);
    memberships.iter().map(end).collect()
}

pub async fn p54_a_member_is_seen_from_both_ends(h: &StoreHarness) {
    let scope = h.account();
    let (gear, tent) = (h.made(&scope, None).await, h.made(&scope, None).await);
    assert_eq!(h.put_into(&scope, &gear.urn, &tent.urn, true).await, AddMember::Added);
    let created_at = h.now();
    let link = |resource: &Resource| Membership {
        resource: resource.clone(),
        conveys_authorization: true,
        created_at,
    };
    assert_eq!(h.members(&scope, &gear.urn, 10).await, Some(vec![link(&tent)]));
    let read = async || h.collections(&scope, &tent.urn, 10).await;
    h.eventually(&Some(vec![link(&gear)]), read).await;
    assert_eq!(h.members(&scope, &tent.urn, 10).await, Some(vec![]), "it has a direction");
    assert_eq!(h.collections(&scope, &gear.urn, 10).await, Some(vec![]));
    assert_eq!(h.children(&scope, &gear.urn, 10).await, Some(vec![]), "members are no children");
    for end in [&gear, &tent] {
        assert_eq!(h.resource(&scope, &end.urn).await.as_ref(), Some(end), "links do not count");
    }
    assert!(h.take_out(&scope, &gear.urn, &tent.urn).await);
    assert!(!h.take_out(&scope, &gear.urn, &tent.urn).await);
    assert_eq!(h.members(&scope, &gear.urn, 10).await, Some(vec![]));
    h.eventually(&Some(vec![]), async || h.collections(&scope, &tent.urn, 10).await).await;
}

pub async fn p54_adding_again_changes_only_whether_it_conveys(h: &StoreHarness) {
    let scope = h.account();
    let (gear, tent) = (h.made(&scope, None).await, h.made(&scope, None).await);
    assert_eq!(h.put_into(&scope, &gear.urn, &tent.urn, false).await, AddMember::Added);
    let created_at = h.now();
    for conveys in [false, true, true, false] {
        let answer = h.put_into(&scope, &gear.urn, &tent.urn, conveys).await;
        assert_eq!(answer, AddMember::AlreadyMember);
        let members = h.members(&scope, &gear.urn, 10).await.unwrap();
        assert_eq!(ends(&members), [(tent.urn.clone(), conveys)]);
        assert_eq!(members[0].created_at, created_at);
        let expected = vec![(gear.urn.clone(), conveys)];
        let read = async || ends(&h.collections(&scope, &tent.urn, 10).await.unwrap());
        h.eventually(&expected, read).await;
    }
    // It was counted once.
    assert_eq!(h.delete_to_its_end(&scope, &gear.urn).await, Some(1));
    assert_eq!(h.resource(&scope, &tent.urn).await, Some(tent));
}

pub async fn p54_a_resource_may_be_in_many_collections_and_they_in_each_other(h: &StoreHarness) {
    let scope = h.account();
    let mut nodes = Vec::new();
    for _ in 0..8 {
        nodes.push(h.made(&scope, None).await);
    }
    for n in 1..8 {
        h.put_into(&scope, &nodes[n].urn, &nodes[0].urn, n % 2 == 0).await;
        h.put_into(&scope, &nodes[0].urn, &nodes[n].urn, n % 3 == 0).await;
    }
    let of = |every: usize| -> Vec<_> {
        (1..8).map(|n| (nodes[n].urn.clone(), n % every == 0)).collect()
    };
    for limit in PAGE_SIZES {
        let members = h.members(&scope, &nodes[0].urn, limit).await.unwrap();
        assert_eq!(ends(&members), of(3), "{limit}");
        let read = async || ends(&h.collections(&scope, &nodes[0].urn, limit).await.unwrap());
        h.eventually(&of(2), read).await;
    }
}

pub async fn p54_lists_of_members_go_on_behind_what_is_gone(h: &StoreHarness) {
    let scope = h.account();
    let gear = h.made(&scope, None).await;
    let mut things = Vec::new();
    for _ in 0..5 {
        let thing = h.made(&scope, None).await;
        h.put_into(&scope, &gear.urn, &thing.urn, false).await;
        things.push(thing);
    }
    let page =
        h.store().list_collection_members(&scope, &gear.urn, None, 2).await.unwrap().unwrap();
    assert_eq!(page.next.as_ref(), Some(&things[1].urn));
    h.take_out(&scope, &gear.urn, &things[1].urn).await;
    assert_eq!(h.delete_to_its_end(&scope, &things[2].urn).await, Some(1));
    let page =
        h.store().list_collection_members(&scope, &gear.urn, page.next.as_ref(), 2).await.unwrap();
    let page = page.unwrap();
    let expected: Vec<_> = things[3..].iter().map(|thing| (thing.urn.clone(), false)).collect();
    assert_eq!((ends(&page.items), page.next), (expected, None));
}

pub async fn p54_both_ends_must_be_there(h: &StoreHarness) {
    let scope = h.account();
    let (one, nobody) = (h.made(&scope, None).await, h.urn());
    let into_nobody = h.put_into(&scope, &nobody, &one.urn, false).await;
    assert_eq!(into_nobody, AddMember::CollectionNotFound);
    let nobody_into = h.put_into(&scope, &one.urn, &nobody, true).await;
    assert_eq!(nobody_into, AddMember::MemberNotFound);
    assert_eq!(h.put_into(&scope, &h.urn(), &nobody, true).await, AddMember::CollectionNotFound);
    assert!(!h.take_out(&scope, &one.urn, &nobody).await);
    assert!(!h.take_out(&scope, &nobody, &one.urn).await);
    assert_eq!(h.members(&scope, &nobody, 5).await, None);
    assert_eq!(h.collections(&scope, &nobody, 5).await, None);
    assert_eq!(h.members(&scope, &one.urn, 5).await, Some(vec![]));
    assert_eq!(h.delete_to_its_end(&scope, &one.urn).await, Some(1), "nothing was counted");
}
