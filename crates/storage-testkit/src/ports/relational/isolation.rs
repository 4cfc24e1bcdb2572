//! Resources of another account are invisible.

use larder_domain::{Grant, GrantFilter, Resource};
use larder_storage::{
    AccessRequest, AccountScope, AddMember, AttachResource, DeleteResource, PutGrant,
    ReplaceResource,
};

use super::attributes;
use crate::StoreHarness;
use crate::store_harness::{action, actions, unique};

/// An account with one of everything: a parent with a value, its child in a collection, and a grant.
struct Furnished {
    scope: AccountScope,
    room: Resource,
    shelf: Resource,
    gear: Resource,
    grant: Grant,
}

async fn furnished(h: &StoreHarness) -> Furnished {
    let scope = h.account();
    let room = h.keyed(&scope, vec![unique("serial", &h.mark(), false)]).await;
    let shelf = h.made(&scope, Some(&room.urn)).await;
    let gear = h.made(&scope, None).await;
    h.put_into(&scope, &gear.urn, &shelf.urn, true).await;
    let grant = h.grant(&scope, &h.principal(), &gear.urn, &["read"]).await;
    Furnished { scope, room, shelf, gear, grant }
}

impl Furnished {
    /// Checks that everything is unchanged.
    async fn check(&self, h: &StoreHarness) {
        let Self { scope, room, shelf, gear, grant } = self;
        for resource in [room, shelf, gear] {
            assert_eq!(h.resource(scope, &resource.urn).await.as_ref(), Some(resource));
        }
        assert_eq!(h.children(scope, &room.urn, 9).await, Some(vec![shelf.clone()]));
        let members = h.members(scope, &gear.urn, 9).await.unwrap();
        assert_eq!((members.len(), &members[0].resource), (1, shelf));
        assert!(members[0].conveys_authorization);
        let found = h.store().find_grant(scope, &grant.principal, &grant.on).await.unwrap();
        assert_eq!(found.as_ref(), Some(grant));
        h.eventually(&3, async || h.resources(scope, 9).await.len()).await;
        let read = async || h.grants(scope, &GrantFilter::All, 9).await;
        h.eventually(&vec![grant.clone()], read).await;
    }
}

pub async fn p56_another_accounts_resources_cannot_be_seen(h: &StoreHarness) {
    let theirs = furnished(h).await;
    let mine = h.account();
    let key = theirs.room.unique_keys.iter().next().unwrap();
    for resource in [&theirs.room, &theirs.shelf, &theirs.gear] {
        let urn = &resource.urn;
        assert_eq!(h.resource(&mine, urn).await, None);
        assert_eq!(h.children(&mine, urn, 5).await, None);
        assert_eq!(h.ancestors(&mine, urn, 5).await, None);
        assert_eq!(h.members(&mine, urn, 5).await, None);
        assert_eq!(h.collections(&mine, urn, 5).await, None);
        assert_eq!(h.preview(&mine, urn, 5).await, None);
        let (kind, store) = (urn.kind(), h.store());
        let found = store.find_by_unique_key(&mine, &kind, &key.property, &key.value).await;
        assert_eq!(found.unwrap(), None);
        let Grant { principal, on, .. } = &theirs.grant;
        assert_eq!(h.store().find_grant(&mine, principal, on).await.unwrap(), None);
        for filter in
            [GrantFilter::All, GrantFilter::On(urn.clone()), GrantFilter::Of(principal.clone())]
        {
            assert_eq!(h.grants(&mine, &filter, 5).await, []);
        }
    }
    assert_eq!(h.resources(&mine, 5).await, []);
    theirs.check(h).await;
}

pub async fn p56_another_accounts_resources_cannot_be_changed(h: &StoreHarness) {
    let theirs = furnished(h).await;
    let mine = h.account();
    let own = h.made(&mine, None).await;
    let store = h.store();
    for resource in [&theirs.room, &theirs.shelf, &theirs.gear] {
        let urn = &resource.urn;
        let wished = Resource {
            account: mine.account().clone(),
            attributes: attributes(r#"{"mine": true}"#),
            ..resource.clone()
        };
        let answer = store.replace_resource(&mine, &wished, None, h.write()).await.unwrap();
        assert_eq!(answer, ReplaceResource::NotFound);
        assert_eq!(h.attach(&mine, &own.urn, urn).await, AttachResource::NotFound);
        assert_eq!(h.attach(&mine, urn, &own.urn).await, AttachResource::ParentNotFound);
        assert_eq!(h.detach(&mine, urn).await, None);
        assert_eq!(h.put_into(&mine, &own.urn, urn, true).await, AddMember::MemberNotFound);
        assert_eq!(h.put_into(&mine, urn, &own.urn, true).await, AddMember::CollectionNotFound);
        let answer = h.begin_to_delete(&mine, urn, h.deletion_id()).await;
        assert_eq!(answer, DeleteResource::NotFound);
        let grant =
            Grant { on: urn.clone(), account: mine.account().clone(), ..theirs.grant.clone() };
        let answer = store.put_grant(&mine, &grant, h.write()).await.unwrap();
        assert_eq!(answer, PutGrant::ResourceNotFound);
    }
    assert!(!h.take_out(&mine, &theirs.gear.urn, &theirs.shelf.urn).await);
    let Grant { principal, on, .. } = &theirs.grant;
    assert!(!store.remove_grant(&mine, principal, on, h.write()).await.unwrap());
    let on_their_account = Grant {
        on: theirs.scope.account().clone(),
        account: mine.account().clone(),
        ..theirs.grant.clone()
    };
    let answer = store.put_grant(&mine, &on_their_account, h.write()).await.unwrap();
    assert_eq!(answer, PutGrant::ResourceNotFound);
    theirs.check(h).await;
    assert_eq!(h.resource(&mine, &own.urn).await, Some(own));
}

pub async fn p56_a_grant_on_one_account_permits_nothing_in_another(h: &StoreHarness) {
    let theirs = furnished(h).await;
    let mine = h.account();
    let principal = h.principal();
    h.grant(&mine, &principal, mine.account(), &["*"]).await;
    let all = actions(&["*"]);
    let request = AccessRequest {
        principal: &principal,
        action: &action("read"),
        urn: &theirs.shelf.urn,
        implied: Some((mine.account(), &all)),
    };
    assert_eq!(h.store().authorize(request).await.unwrap(), None);
}

pub async fn p56_another_accounts_deletion_cannot_be_followed(h: &StoreHarness) {
    let (mine, theirs) = (h.account(), h.account());
    let root = h.made(&theirs, None).await;
    for _ in 0..super::deleting::MANY {
        h.made(&theirs, Some(&root.urn)).await;
    }
    let id = h.deletion_id();
    let begun = h.begin_to_delete(&theirs, &root.urn, id).await;
    assert_eq!(h.store().find_deletion(&mine, id).await.unwrap(), None);
    if let DeleteResource::Begun(deletion) = begun {
        let found = h.store().find_deletion(&theirs, id).await.unwrap();
        assert_eq!(found.map(|found| (found.id, found.root)), Some((id, root.urn)));
        h.finish(deletion).await;
    }
    assert_eq!(h.store().find_deletion(&mine, id).await.unwrap(), None);
}
