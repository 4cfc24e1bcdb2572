//! All resources of an account, the children of one, and its collections.

use larder_domain::{Resource, ResourceKind};

use super::{PAGE_SIZES, is_in_order};
use crate::StoreHarness;
use crate::store_harness::urns;

pub async fn p50_all_resources_of_an_account_are_listed_by_name(h: &StoreHarness) {
    let (scope, other) = (h.account(), h.account());
    h.made(&other, None).await;
    let mut expected = h.chain(&scope, 3).await;
    for resource_type in ["A", "Home.Box.Lid", "Home.Boxes", "Zoo"] {
        let resource = h.plain(&scope, h.urn_of(resource_type));
        h.create(&scope, &resource).await;
        expected.push(resource);
    }
    expected.sort_by(|a, b| a.urn.cmp(&b.urn));
    for limit in PAGE_SIZES {
        h.eventually(&expected, async || h.resources(&scope, limit).await).await;
    }
    assert!(is_in_order(&expected));
    assert_eq!(h.resources(&h.account(), 5).await, [], "an empty account is one empty page");
}

pub async fn p50_one_kind_of_resources_is_listed(h: &StoreHarness) {
    let scope = h.account();
    let mut boxes: Vec<Resource> = h.chain(&scope, 3).await;
    for resource_type in ["Home", "Home.Box.Lid", "Home.Boxes"] {
        h.create(&scope, &h.plain(&scope, h.urn_of(resource_type))).await;
    }
    let foreign_domain = h.urn().to_string().replace("urn:pp:", "urn:pp2:");
    h.create(&scope, &h.plain(&scope, foreign_domain.parse().unwrap())).await;
    boxes.sort_by(|a, b| a.urn.cmp(&b.urn));
    h.eventually(&7, async || h.resources(&scope, 50).await.len()).await;
    let kind: ResourceKind = boxes[0].urn.kind();
    let list = |after, limit| h.store().list_resources(&scope, Some(&kind), after, limit);
    for limit in [3, 4, 100] {
        let page = list(None, limit).await.unwrap();
        assert_eq!((page.items, page.next), (boxes.clone(), None), "{limit}");
    }
    let first = list(None, 2).await.unwrap();
    assert_eq!((&first.items[..], first.next.as_ref()), (&boxes[..2], Some(&boxes[1].urn)));
    let rest = list(first.next.as_ref(), 2).await.unwrap();
    assert_eq!((&rest.items[..], rest.next), (&boxes[2..], None));
}

pub async fn p50_a_list_goes_on_behind_what_is_gone_or_new(h: &StoreHarness) {
    let scope = h.account();
    let room = h.made(&scope, None).await;
    let mut boxes = Vec::new();
    for _ in 0..6 {
        boxes.push(h.made(&scope, Some(&room.urn)).await);
    }
    let page = h.store().list_children(&scope, &room.urn, None, 2).await.unwrap().unwrap();
    assert_eq!((&page.items[..], page.next.as_ref()), (&boxes[..2], Some(&boxes[1].urn)));
    // The cursor's resource and the next one are deleted, one moves out, and one is added.
    for gone in &boxes[1..3] {
        assert_eq!(h.delete_to_its_end(&scope, &gone.urn).await, Some(1));
    }
    h.detach(&scope, &boxes[4].urn).await.unwrap();
    let new = h.made(&scope, Some(&room.urn)).await;
    let expected = [boxes[3].clone(), boxes[5].clone(), new];
    let next = h.store().list_children(&scope, &room.urn, page.next.as_ref(), 2).await.unwrap();
    let next = next.unwrap();
    assert_eq!(next.items, expected[..2]);
    let last = h.store().list_children(&scope, &room.urn, next.next.as_ref(), 2).await.unwrap();
    assert_eq!(last.unwrap().items, expected[2..]);
    let read = async || {
        let page = h.store().list_resources(&scope, None, Some(&boxes[1].urn), 2).await.unwrap();
        urns(&page.items)
    };
    h.eventually(&urns(&boxes[3..5]), read).await;
}

pub async fn p51_children_are_listed_by_name_in_pages_of_every_size(h: &StoreHarness) {
    let scope = h.account();
    let room = h.made(&scope, None).await;
    let mut expected = Vec::new();
    for n in 0..7 {
        let resource_type = ["Z", "Home.Box", "A.B"][n % 3];
        let urn = h.urn_of(resource_type);
        let parent = Some(room.urn.clone());
        let child = Resource { parent, ..h.plain(&scope, urn) };
        h.create(&scope, &child).await;
        // Grandchildren are not among them.
        h.made(&scope, Some(&child.urn)).await;
        expected.push(child);
    }
    expected.sort_by(|a, b| a.urn.cmp(&b.urn));
    for limit in PAGE_SIZES {
        assert_eq!(h.children(&scope, &room.urn, limit).await.as_ref(), Some(&expected), "{limit}");
    }
    let leaf = h.made(&scope, None).await;
    assert_eq!(h.children(&scope, &leaf.urn, 5).await, Some(vec![]));
    assert_eq!(h.children(&scope, &h.urn(), 5).await, None);
}

pub async fn p51_ancestors_are_listed_nearest_first_in_pages_of_every_size(h: &StoreHarness) {
    let scope = h.account();
    let mut chain = h.chain(&scope, 12).await;
    let lowest = chain.pop().unwrap();
    chain.reverse();
    for limit in PAGE_SIZES {
        let ancestors = h.ancestors(&scope, &lowest.urn, limit).await;
        assert_eq!(ancestors.as_ref(), Some(&chain), "{limit}");
    }
    assert_eq!(h.ancestors(&scope, &chain[10].urn, 5).await, Some(vec![]));
    assert_eq!(h.ancestors(&scope, &h.urn(), 5).await, None);
    let above = Some(&chain[3].urn);
    let page = h.store().list_ancestors(&scope, &lowest.urn, above, 2).await.unwrap().unwrap();
    assert_eq!((&page.items[..], page.next.as_ref()), (&chain[4..6], Some(&chain[5].urn)));
}
