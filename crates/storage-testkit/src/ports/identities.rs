//! External identities of existing accounts.

use futures_util::future::join_all;
use larder_domain::UserId;
use larder_storage::{CreateUser, EraseAccount, ExternalIdentity, LinkIdentity, NewUser};

use crate::StoreHarness;

fn new_identity(h: &StoreHarness) -> ExternalIdentity {
    let issuer = "https://issuer.example".to_owned();
    ExternalIdentity { issuer, subject: h.user_id().to_string() }
}

async fn link(h: &StoreHarness, user: UserId, identity: &ExternalIdentity) -> LinkIdentity {
    h.store().link_identity(user, identity, h.now()).await.unwrap()
}

async fn owner(h: &StoreHarness, identity: &ExternalIdentity) -> Option<UserId> {
    h.store().find_user_by_identity(identity).await.unwrap()
}

pub async fn p83_a_linked_identity_logs_in_to_its_account_until_it_is_unlinked(h: &StoreHarness) {
    let (user, identity) = (h.user().await.id, new_identity(h));
    assert_eq!(h.store().find_identity(user).await.unwrap(), None);
    for _ in 0..2 {
        assert_eq!(link(h, user, &identity).await, LinkIdentity::Linked);
        assert_eq!(owner(h, &identity).await, Some(user));
        assert_eq!(h.store().find_identity(user).await.unwrap().as_ref(), Some(&identity));
    }
    assert!(h.store().unlink_identity(user, h.now()).await.unwrap());
    assert_eq!(owner(h, &identity).await, None);
    assert_eq!(h.store().find_identity(user).await.unwrap(), None);
    assert!(!h.store().unlink_identity(user, h.now()).await.unwrap());
    // It is free again, also for somebody else.
    let other = h.user().await.id;
    assert_eq!(link(h, other, &identity).await, LinkIdentity::Linked);
    assert_eq!(owner(h, &identity).await, Some(other));
}

pub async fn p83_an_account_has_at_most_one_identity_and_an_identity_one_account(h: &StoreHarness) {
    let (user, other) = (h.user().await.id, h.user().await.id);
    let (identity, second) = (new_identity(h), new_identity(h));
    assert_eq!(link(h, user, &identity).await, LinkIdentity::Linked);
    assert_eq!(link(h, other, &identity).await, LinkIdentity::Taken);
    assert_eq!(link(h, user, &second).await, LinkIdentity::HasAnother);
    assert_eq!(owner(h, &identity).await, Some(user));
    assert_eq!(owner(h, &second).await, None);
    assert_eq!(h.store().find_identity(other).await.unwrap(), None);
    let new = NewUser { identity: Some(identity), ..h.new_user() };
    let created = h.store().create_user(&new, h.now()).await.unwrap();
    assert_eq!(created, CreateUser::IdentityTaken);
    assert_eq!(link(h, h.user_id(), &second).await, LinkIdentity::NotFound);
    assert_eq!(owner(h, &second).await, None);
}

pub async fn p83_of_many_who_link_one_identity_exactly_one_succeeds(h: &StoreHarness) {
    let (identity, mut users) = (new_identity(h), Vec::new());
    for _ in 0..8 {
        users.push(h.user().await.id);
    }
    let outcomes = join_all(users.iter().map(|user| link(h, *user, &identity))).await;
    let linked = users.iter().zip(&outcomes).filter(|(_, o)| **o == LinkIdentity::Linked);
    let linked: Vec<_> = linked.map(|(user, _)| *user).collect();
    assert_eq!(linked.len(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|o| **o == LinkIdentity::Taken).count(), 7);
    assert_eq!(owner(h, &identity).await, Some(linked[0]));

    // The same with identities and one account.
    let (user, identities) = (h.user().await.id, [(); 8].map(|()| new_identity(h)));
    let outcomes = join_all(identities.iter().map(|identity| link(h, user, identity))).await;
    assert_eq!(outcomes.iter().filter(|o| **o == LinkIdentity::Linked).count(), 1);
    assert_eq!(outcomes.iter().filter(|o| **o == LinkIdentity::HasAnother).count(), 7);
    let current = h.store().find_identity(user).await.unwrap();
    for identity in &identities {
        let expected = (current.as_ref() == Some(identity)).then_some(user);
        assert_eq!(owner(h, identity).await, expected);
    }
}

pub async fn p83_without_a_password_the_last_way_in_stays(h: &StoreHarness) {
    let identity = Some(new_identity(h));
    let new = NewUser { identity: identity.clone(), password_hash: None, ..h.new_user() };
    h.store().create_user(&new, h.now()).await.unwrap();
    assert_eq!(h.store().find_identity(new.id).await.unwrap(), identity);
    assert!(!h.store().unlink_identity(new.id, h.now()).await.unwrap());
    assert_eq!(h.store().find_identity(new.id).await.unwrap(), identity);
    assert!(h.store().set_password(new.id, "hash", h.now()).await.unwrap());
    assert!(h.store().unlink_identity(new.id, h.now()).await.unwrap());
    assert_eq!(h.store().find_identity(new.id).await.unwrap(), None);
}

pub async fn p83_the_identity_of_an_erased_account_is_free(h: &StoreHarness) {
    let (user, identity) = (h.user().await.id, new_identity(h));
    assert_eq!(link(h, user, &identity).await, LinkIdentity::Linked);
    let begun = h.store().erase_account(user, h.deletion_id(), h.write().at).await.unwrap();
    assert!(matches!(begun, EraseAccount::Begun(_)));
    assert_eq!(owner(h, &identity).await, None);
    assert_eq!(link(h, h.user().await.id, &identity).await, LinkIdentity::Linked);
}
