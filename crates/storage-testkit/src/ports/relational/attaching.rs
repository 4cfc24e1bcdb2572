//! The parent of an existing resource: set, changed, removed.

use larder_domain::Resource;
use larder_storage::{AccountScope, AttachResource};

use crate::StoreHarness;
use crate::store_harness::urns;

async fn children(
    h: &StoreHarness,
    scope: &AccountScope,
    parent: &Resource,
) -> Vec<larder_domain::Urn> {
    urns(&h.children(scope, &parent.urn, 10).await.unwrap())
}

/// The resource after its parent was changed, by the last write.
fn moved(h: &StoreHarness, resource: &Resource, parent: Option<&Resource>) -> Resource {
    Resource {
        parent: parent.map(|parent| parent.urn.clone()),
        version: resource.version + 1,
        updated_at: h.now(),
        ..resource.clone()
    }
}

pub async fn p52_a_child_is_attached_moved_and_detached(h: &StoreHarness) {
    let scope = h.account();
    let (cellar, attic) = (h.made(&scope, None).await, h.made(&scope, None).await);
    let tent = h.made(&scope, None).await;
    h.made(&scope, Some(&tent.urn)).await;
    let mut now = tent.clone();
    for (from, to) in [(None, &cellar), (Some(&cellar), &attic), (Some(&attic), &cellar)] {
        let answer = h.attach(&scope, &to.urn, &tent.urn).await;
        now = moved(h, &now, Some(to));
        assert_eq!(answer, AttachResource::Attached(Box::new(now.clone())));
        assert_eq!(h.resource(&scope, &tent.urn).await.as_ref(), Some(&now));
        assert_eq!(children(h, &scope, to).await, std::slice::from_ref(&tent.urn));
        if let Some(from) = from {
            assert_eq!(children(h, &scope, from).await, []);
        }
    }
    let detached = h.detach(&scope, &tent.urn).await;
    now = moved(h, &now, None);
    assert_eq!(detached, Some(now.clone()));
    assert_eq!(h.resource(&scope, &tent.urn).await, Some(now));
    assert_eq!(children(h, &scope, &cellar).await, []);
    // The former parents have no children left.
    for parent in [&cellar, &attic] {
        assert_eq!(h.resource(&scope, &parent.urn).await.as_ref(), Some(parent), "untouched");
        assert_eq!(h.delete_to_its_end(&scope, &parent.urn).await, Some(1));
    }
}

pub async fn p52_what_is_so_already_changes_nothing(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 2).await;
    let again = h.attach(&scope, &chain[0].urn, &chain[1].urn).await;
    assert_eq!(again, AttachResource::Attached(Box::new(chain[1].clone())));
    assert_eq!(h.detach(&scope, &chain[0].urn).await, Some(chain[0].clone()));
    for resource in &chain {
        assert_eq!(h.resource(&scope, &resource.urn).await.as_ref(), Some(resource));
    }
    assert_eq!(children(h, &scope, &chain[0]).await, [chain[1].urn.clone()]);
    assert_eq!(h.delete_to_its_end(&scope, &chain[0].urn).await, Some(2));
}

pub async fn p52_both_ends_must_be_there(h: &StoreHarness) {
    let scope = h.account();
    let (one, nobody) = (h.made(&scope, None).await, h.urn());
    assert_eq!(h.attach(&scope, &nobody, &one.urn).await, AttachResource::ParentNotFound);
    assert_eq!(h.attach(&scope, &one.urn, &nobody).await, AttachResource::NotFound);
    assert_eq!(h.attach(&scope, &h.urn(), &nobody).await, AttachResource::NotFound);
    assert_eq!(h.detach(&scope, &nobody).await, None);
    assert_eq!(h.resource(&scope, &one.urn).await, Some(one.clone()));
    assert_eq!(children(h, &scope, &one).await, []);
}

pub async fn p52_a_subtree_moves_with_its_root(h: &StoreHarness) {
    let scope = h.account();
    let (from, to) = (h.chain(&scope, 5).await, h.chain(&scope, 2).await);
    h.attach(&scope, &to[1].urn, &from[2].urn).await;
    let above = urns(&h.ancestors(&scope, &from[4].urn, 10).await.unwrap());
    let expected = [&from[3], &from[2], &to[1], &to[0]].map(|resource| resource.urn.clone());
    assert_eq!(above, expected);
    assert_eq!(h.delete_to_its_end(&scope, &from[0].urn).await, Some(2));
    assert_eq!(h.delete_to_its_end(&scope, &to[0].urn).await, Some(5));
}
