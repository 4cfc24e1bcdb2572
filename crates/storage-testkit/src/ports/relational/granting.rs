//! Grants: given, changed, listed, revoked, and deleted with their resource.

use larder_domain::{Grant, GrantFilter};
use larder_storage::PutGrant;

use super::PAGE_SIZES;
use crate::StoreHarness;
use crate::store_harness::actions;

pub async fn p60_a_grant_is_found_as_it_was_given_and_given_anew(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let tent = h.made(&scope, None).await;
    let first = h.grant(&scope, &mia, &tent.urn, &["write", "read"]).await;
    assert_eq!((first.created_at, first.updated_at), (h.now(), h.now()));
    let found = h.store().find_grant(&scope, &mia, &tent.urn).await.unwrap();
    assert_eq!(found, Some(first.clone()));
    let second = h.grant(&scope, &mia, &tent.urn, &["stock:take"]).await;
    let expected = Grant { actions: actions(&["stock:take"]), updated_at: h.now(), ..first };
    assert_eq!(second, expected);
    let found = h.store().find_grant(&scope, &mia, &tent.urn).await.unwrap();
    assert_eq!(found, Some(expected.clone()));
    assert_eq!(h.resource(&scope, &tent.urn).await, Some(tent.clone()), "links do not count");
    let all = async || h.grants(&scope, &GrantFilter::All, 5).await;
    h.eventually(&vec![expected], all).await;
    let remove = || h.store().remove_grant(&scope, &mia, &tent.urn, h.write());
    assert!(remove().await.unwrap());
    assert!(!remove().await.unwrap(), "it is answered once");
    assert_eq!(h.store().find_grant(&scope, &mia, &tent.urn).await.unwrap(), None);
    h.eventually(&vec![], async || h.grants(&scope, &GrantFilter::All, 5).await).await;
    assert_eq!(h.delete_to_its_end(&scope, &tent.urn).await, Some(1), "it was counted once");
}

pub async fn p60_a_grant_needs_something_to_be_on(h: &StoreHarness) {
    let scope = h.account();
    let on_account = h.grant(&scope, &h.principal(), scope.account(), &["*"]).await;
    let nothing = Grant { on: h.urn(), ..on_account.clone() };
    let answer = h.store().put_grant(&scope, &nothing, h.write()).await.unwrap();
    assert_eq!(answer, PutGrant::ResourceNotFound);
    let found = h.store().find_grant(&scope, &nothing.principal, &nothing.on).await.unwrap();
    assert_eq!(found, None);
    let read = async || h.grants(&scope, &GrantFilter::All, 5).await;
    h.eventually(&vec![on_account], read).await;
}

pub async fn p60_grants_are_listed_by_what_they_are_on_then_by_principal(h: &StoreHarness) {
    let scope = h.account();
    let principals = [h.principal(), h.principal(), h.principal()];
    let mut grants = Vec::new();
    let things = [h.made(&scope, None).await.urn, h.made(&scope, None).await.urn];
    for on in things.iter().chain([scope.account()]) {
        for principal in &principals {
            grants.push(h.grant(&scope, principal, on, &["read"]).await);
        }
    }
    grants.sort_by_key(Grant::position);
    let of = |fits: &dyn Fn(&Grant) -> bool| -> Vec<Grant> {
        grants.iter().filter(|grant| fits(grant)).cloned().collect()
    };
    let (on, principal) = (&things[1], &principals[2]);
    for (filter, expected) in [
        (GrantFilter::All, grants.clone()),
        (GrantFilter::On(on.clone()), of(&|grant| grant.on == *on)),
        (GrantFilter::On(scope.account().clone()), of(&|grant| grant.on == *scope.account())),
        (GrantFilter::Of(principal.clone()), of(&|grant| grant.principal == *principal)),
        (GrantFilter::On(h.urn()), vec![]),
        (GrantFilter::Of(h.principal()), vec![]),
    ] {
        for limit in PAGE_SIZES {
            h.eventually(&expected, async || h.grants(&scope, &filter, limit).await).await;
        }
    }
    // A page continues after a deleted grant.
    let first = h.store().list_grants(&scope, &GrantFilter::All, None, 4).await.unwrap();
    assert_eq!(
        (&first.items[..], first.next.as_ref()),
        (&grants[..4], Some(&grants[3].position()))
    );
    let Grant { principal, on, .. } = &grants[3];
    assert!(h.store().remove_grant(&scope, principal, on, h.write()).await.unwrap());
    let next = h.store().list_grants(&scope, &GrantFilter::All, first.next.as_ref(), 9).await;
    assert_eq!(next.unwrap().items, grants[4..]);
}

pub async fn p60_grants_go_with_what_they_are_on(h: &StoreHarness) {
    let (scope, mia, ben) = (h.account(), h.principal(), h.principal());
    let chain = h.chain(&scope, 3).await;
    for resource in &chain {
        h.grant(&scope, &mia, &resource.urn, &["read"]).await;
        h.grant(&scope, &ben, &resource.urn, &["*"]).await;
    }
    assert_eq!(h.delete_to_its_end(&scope, &chain[1].urn).await, Some(2));
    for principal in [&mia, &ben] {
        for (resource, is_there) in chain.iter().zip([true, false, false]) {
            let found = h.store().find_grant(&scope, principal, &resource.urn).await.unwrap();
            assert_eq!(found.is_some(), is_there);
        }
    }
    // A new resource with the same name does not inherit it.
    let anew = h.plain(&scope, chain[1].urn.clone());
    h.create(&scope, &anew).await;
    assert_eq!(h.store().find_grant(&scope, &mia, &anew.urn).await.unwrap(), None);
    assert_eq!(h.delete_to_its_end(&scope, &anew.urn).await, Some(1));
}
