//! API keys: found by their hash, revoked for good.

use std::cmp::Reverse;
use std::sync::Arc;

use futures_util::future::join_all;
use larder_domain::{ApiKey, ApiKeyHash, ApiKeyId, KeyDescription, whole_seconds};
use larder_storage::{FleetScope, NewApiKey};

use crate::StoreHarness;
use crate::store_harness::OPERATOR;

/// Waits until the list is exactly this, for any page size.
async fn expect(h: &StoreHarness, scope: FleetScope, expected: &[ApiKey]) {
    for limit in 1..=expected.len() + 1 {
        h.eventually(&expected.to_vec(), async || h.keys(scope, limit).await).await;
    }
}

pub async fn p38_a_key_is_found_by_its_hash_as_it_was_made(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    for (scope, description) in
        [(scope, Some("温室 \"1\" & more")), (scope, None), (OPERATOR, None)]
    {
        h.write();
        let description = description.map(|text| KeyDescription::parse(text).unwrap());
        let new = NewApiKey { description, ..h.new_key() };
        let expected = ApiKey {
            id: new.id,
            household: scope.household(),
            hash: new.hash,
            created_at: whole_seconds(new.at),
            last_used_at: None,
            is_active: true,
            description: new.description.clone(),
        };
        assert_eq!(h.store().add_api_key(scope, &new).await.unwrap(), expected);
        h.eventually(&Some(expected), async || h.find_key(&new.hash).await).await;
    }
    assert_eq!(h.find_key(&ApiKeyHash::from_bytes([0; 32])).await, None);
}

pub async fn p38_keys_are_listed_newest_first_with_the_revoked(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    expect(h, scope, &[]).await;
    let mut keys = Vec::new();
    for together in [1, 3, 1, 2] {
        for _ in 0..together {
            keys.push(h.key(scope).await);
        }
        h.advance_seconds(1);
    }
    keys.sort_by_key(|key| Reverse(key.position()));
    expect(h, scope, &keys).await;
    let revoked = h.store().revoke_api_key(scope, keys[2].id).await.unwrap();
    keys[2].is_active = false;
    assert_eq!(revoked.as_ref(), Some(&keys[2]));
    expect(h, scope, &keys).await;
}

pub async fn p38_a_revoked_key_is_known_as_one_at_once_and_for_good(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let key = h.key(scope).await;
    let expected = Some(ApiKey { is_active: false, ..key.clone() });
    for _ in 0..2 {
        assert_eq!(h.store().revoke_api_key(scope, key.id).await.unwrap(), expected);
        assert_eq!(h.find_key(&key.hash).await, expected);
    }
    // A use that was under way does not bring it back.
    h.store().note_api_key_use(&key, h.now()).await.unwrap();
    let after = h.find_key(&key.hash).await.expect("it is kept");
    assert_eq!((after.is_active, after.id), (false, key.id));
    let nobody = ApiKeyId::from_random([3; 16]);
    assert_eq!(h.store().revoke_api_key(scope, nobody).await.unwrap(), None);
}

pub async fn p39_a_use_of_a_key_is_noted_every_five_minutes(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let key = h.key(scope).await;
    let mut noted = None;
    for seconds in [0, 1, 298, 1, 299, 1, 3600] {
        h.advance_seconds(seconds);
        let now = whole_seconds(h.now());
        if noted.is_none_or(|noted| now.duration_since(noted).as_secs() >= 300) {
            noted = Some(now);
        }
        // The caller's copy of the key may be stale.
        h.store().note_api_key_use(&key, h.now()).await.unwrap();
        let expected = ApiKey { last_used_at: noted, ..key.clone() };
        assert_eq!(h.find_key(&key.hash).await, Some(expected), "{seconds} s later");
    }
}

pub async fn p39_uses_of_a_key_at_once_disturb_nobody(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let key = h.key(scope).await;
    let tasks = (0..32).map(|_| {
        let (store, key, at) = (Arc::clone(h.store()), key.clone(), h.now());
        tokio::spawn(async move { store.note_api_key_use(&key, at).await.unwrap() })
    });
    for task in join_all(tasks).await {
        task.unwrap();
    }
    let expected = ApiKey { last_used_at: Some(whole_seconds(h.now())), ..key.clone() };
    assert_eq!(h.find_key(&key.hash).await, Some(expected));
}

pub async fn p38_each_household_sees_its_own_keys_and_the_operator_all(h: &StoreHarness) {
    let (mine, theirs) = (h.home().await.fleet(), h.home().await.fleet());
    let mut own = [h.key(mine).await, h.key(theirs).await, h.key(OPERATOR).await];
    expect(h, mine, &own[..1]).await;
    expect(h, theirs, &own[1..2]).await;
    for foreign in [&own[1], &own[2]] {
        assert_eq!(h.store().revoke_api_key(mine, foreign.id).await.unwrap(), None);
        assert_eq!(h.find_key(&foreign.hash).await.as_ref(), Some(foreign), "nothing changed");
    }
    for key in &mut own {
        key.is_active = false;
        let revoked = h.store().revoke_api_key(OPERATOR, key.id).await.unwrap();
        assert_eq!(revoked.as_ref(), Some(&*key));
    }
    // Tests may share a database: the operator sees the keys of other tests too.
    own.sort_by_key(|key| Reverse(key.position()));
    let read = async || {
        let mut all = h.keys(OPERATOR, 100).await;
        all.retain(|key| own.iter().any(|own| own.id == key.id));
        all
    };
    h.eventually(&own.to_vec(), read).await;
}
