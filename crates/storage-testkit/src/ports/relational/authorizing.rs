//! Permission flows down: from parents, from collections that convey, from the account.

use larder_domain::{Access, GrantedActions, PathStep, Resource, Urn, Via};
use larder_storage::AccessRequest;

use crate::StoreHarness;
use crate::store_harness::{action, actions};

async fn ask(h: &StoreHarness, principal: &Urn, what: &str, urn: &Urn) -> Option<Access> {
    ask_with(h, principal, what, urn, None).await
}

async fn ask_with(
    h: &StoreHarness,
    principal: &Urn,
    what: &str,
    urn: &Urn,
    implied: Option<(&Urn, &GrantedActions)>,
) -> Option<Access> {
    let action = &action(what);
    let request = AccessRequest { principal, action, urn, implied };
    h.store().authorize(request).await.unwrap()
}

/// The path of the decision, starting from the resource in question.
fn way(access: Option<&Access>) -> Vec<(Urn, Via)> {
    let steps = access.into_iter().flat_map(|access| &access.path);
    steps.map(|PathStep { urn, via }| (urn.clone(), *via)).collect()
}

pub async fn p61_a_grant_reaches_all_below_and_nothing_above(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let chain = h.chain(&scope, 10).await;
    let grant = h.grant(&scope, &mia, &chain[3].urn, &["read", "stock:take"]).await;
    for (n, resource) in chain.iter().enumerate() {
        let access = ask(h, &mia, "read", &resource.urn).await;
        let mut expected: Vec<_> = chain[3..]
            .iter()
            .take(n.saturating_sub(2))
            .map(|r| (r.urn.clone(), Via::Parent))
            .collect();
        expected.reverse();
        if let Some(first) = expected.first_mut() {
            first.1 = Via::Itself;
        }
        assert_eq!(way(access.as_ref()), expected, "{n}");
        if let Some(access) = access {
            assert_eq!((access.actions, &access.account), (grant.actions.clone(), scope.account()));
        }
        assert_eq!(ask(h, &mia, "write", &resource.urn).await, None, "another action");
        assert_eq!(ask(h, &h.principal(), "read", &resource.urn).await, None, "somebody else");
    }
    assert_eq!(ask(h, &mia, "read", &h.urn()).await, None, "what is not there");
}

pub async fn p61_collections_convey_only_if_the_membership_says_so(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let (gear, tent) = (h.chain(&scope, 2).await, h.chain(&scope, 2).await);
    h.put_into(&scope, &gear[1].urn, &tent[0].urn, false).await;
    h.grant(&scope, &mia, &gear[0].urn, &["read"]).await;
    assert_eq!(ask(h, &mia, "read", &tent[1].urn).await, None);
    h.put_into(&scope, &gear[1].urn, &tent[0].urn, true).await;
    let expected: Vec<_> = [
        (&tent[1], Via::Itself),
        (&tent[0], Via::Parent),
        (&gear[1], Via::Collection),
        (&gear[0], Via::Parent),
    ]
    .map(|(resource, via): (&Resource, Via)| (resource.urn.clone(), via))
    .into();
    let read = async || way(ask(h, &mia, "read", &tent[1].urn).await.as_ref());
    h.eventually(&expected, read).await;
    assert_eq!(ask(h, &mia, "write", &tent[1].urn).await, None);
    h.put_into(&scope, &gear[1].urn, &tent[0].urn, false).await;
    assert_eq!(ask(h, &mia, "read", &tent[1].urn).await, None, "it no longer conveys, at once");
    // A collection conveys access to its members, not the other way round.
    let ben = h.principal();
    h.put_into(&scope, &gear[1].urn, &tent[0].urn, true).await;
    h.grant(&scope, &ben, &tent[0].urn, &["read"]).await;
    assert_eq!(ask(h, &ben, "read", &gear[1].urn).await, None);
}

pub async fn p61_the_nearest_grant_is_told_and_parents_before_collections(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let room = h.chain(&scope, 2).await;
    let tent = h.made(&scope, Some(&room[1].urn)).await;
    let gear = [h.made(&scope, None).await, h.made(&scope, None).await];
    for collection in &gear {
        h.put_into(&scope, &collection.urn, &tent.urn, true).await;
    }
    h.grant(&scope, &mia, scope.account(), &["read"]).await;
    h.grant(&scope, &mia, &room[0].urn, &["read"]).await;
    let last = async |urn: &Urn| {
        let access = ask(h, &mia, "read", urn).await.expect("there is a grant");
        way(Some(&access)).pop().unwrap()
    };
    let expect = async |urn: &Urn, via: Via| {
        h.eventually(&(urn.clone(), via), async || last(&tent.urn).await).await;
    };
    expect(&room[0].urn, Via::Parent).await;
    h.grant(&scope, &mia, &gear[1].urn, &["read"]).await;
    expect(&gear[1].urn, Via::Collection).await;
    h.grant(&scope, &mia, &gear[0].urn, &["*"]).await;
    expect(&gear[0].urn, Via::Collection).await;
    h.grant(&scope, &mia, &room[1].urn, &["read"]).await;
    expect(&room[1].urn, Via::Parent).await;
    // A grant of other actions does not interfere.
    h.grant(&scope, &mia, &tent.urn, &["write"]).await;
    expect(&room[1].urn, Via::Parent).await;
    h.grant(&scope, &mia, &tent.urn, &["read"]).await;
    expect(&tent.urn, Via::Itself).await;
}

pub async fn p61_the_account_permits_by_a_stored_grant_or_an_implied_one(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let chain = h.chain(&scope, 2).await;
    let (account, urn) = (scope.account(), &chain[1].urn);
    let by_account = vec![(urn.clone(), Via::Itself), (account.clone(), Via::Account)];
    let member = actions(&["delete", "read", "write"]);
    assert_eq!(ask(h, &mia, "read", urn).await, None);
    let access = ask_with(h, &mia, "read", urn, Some((account, &member))).await;
    assert_eq!(way(access.as_ref()), by_account);
    assert_eq!(access.unwrap().actions, member);
    assert_eq!(ask_with(h, &mia, "grant", urn, Some((account, &member))).await, None);
    let (other, all) = (h.account(), actions(&["*"]));
    assert_eq!(ask_with(h, &mia, "read", urn, Some((other.account(), &all))).await, None);
    let stored = h.grant(&scope, &mia, account, &["read"]).await;
    let access = ask_with(h, &mia, "read", urn, Some((account, &member))).await;
    assert_eq!(access.unwrap().actions, stored.actions, "a stored grant comes first");
    let access = ask_with(h, &mia, "write", urn, Some((account, &member))).await;
    assert_eq!((way(access.as_ref()), access.unwrap().actions), (by_account, member));
    assert_eq!(ask(h, &mia, "write", urn).await, None);
    assert_eq!(ask_with(h, &mia, "read", &h.urn(), Some((account, &all))).await, None);
}

pub async fn p61_what_was_taken_back_permits_nothing_at_once(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let room = h.chain(&scope, 2).await;
    let (tent, gear) = (h.made(&scope, Some(&room[1].urn)).await, h.made(&scope, None).await);
    h.grant(&scope, &mia, &room[0].urn, &["read"]).await;
    assert!(ask(h, &mia, "read", &tent.urn).await.is_some());
    h.detach(&scope, &tent.urn).await.unwrap();
    assert_eq!(ask(h, &mia, "read", &tent.urn).await, None, "it was moved out");
    h.attach(&scope, &room[1].urn, &tent.urn).await;
    assert!(ask(h, &mia, "read", &tent.urn).await.is_some());
    h.store().remove_grant(&scope, &mia, &room[0].urn, h.write()).await.unwrap();
    assert_eq!(ask(h, &mia, "read", &tent.urn).await, None, "the grant was taken back");
    h.put_into(&scope, &gear.urn, &tent.urn, true).await;
    h.grant(&scope, &mia, &gear.urn, &["read"]).await;
    h.eventually(&true, async || ask(h, &mia, "read", &tent.urn).await.is_some()).await;
    h.take_out(&scope, &gear.urn, &tent.urn).await;
    assert_eq!(ask(h, &mia, "read", &tent.urn).await, None, "it was taken out");
}

pub async fn p61_collections_that_hold_each_other_end_the_search(h: &StoreHarness) {
    let (scope, mia) = (h.account(), h.principal());
    let ring = [h.made(&scope, None).await, h.made(&scope, None).await, h.made(&scope, None).await];
    for n in 0..3 {
        h.put_into(&scope, &ring[n].urn, &ring[(n + 1) % 3].urn, true).await;
    }
    h.attach(&scope, &ring[1].urn, &ring[0].urn).await;
    assert_eq!(ask(h, &mia, "read", &ring[0].urn).await, None);
    h.grant(&scope, &mia, &ring[1].urn, &["read"]).await;
    let expected = vec![(ring[0].urn.clone(), Via::Itself), (ring[1].urn.clone(), Via::Parent)];
    let read = async || way(ask(h, &mia, "read", &ring[0].urn).await.as_ref());
    h.eventually(&expected, read).await;
}
