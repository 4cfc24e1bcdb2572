//! A resource is created with its unique values and its parent link, or not at all.

use larder_domain::{Resource, SchemaVersion, UniqueKeys};
use larder_storage::{CreateResource, IdempotencyKey, Replay as _, StorageError, TakenKey, Write};

use super::attributes;
use crate::StoreHarness;
use crate::store_harness::{unique, urns};

/// Every JSON type, and numbers beyond the precision of floats.
const EVERYTHING: &str = r#"{
    "name": "Zelt 🏕", "Ünïcode": "温室", "none": null, "yes": true, "no": false, "empty": {}, "nothing": [],
    "large": 99999999999999999999999999999999999999, "small": -0.000000000000000000001, "zero": 0,
    "list": [1, "two", [3, {"four": [null]}], false], "map": {"PK": 1, "_x": {"urn": "inside, it may"}}
}"#;

pub async fn p48_a_resource_is_found_at_once_and_exactly_as_made(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let parent = h.made(&scope, None).await;
    let keys = vec![unique("serial", &mark, false), unique("label", &format!("Ä {mark}"), true)];
    let full = Resource {
        parent: Some(parent.urn.clone()),
        schema_version: SchemaVersion::new(7).unwrap(),
        unique_keys: UniqueKeys::new(keys).unwrap(),
        attributes: attributes(EVERYTHING),
        ..h.plain(&scope, h.urn_of("Home.Camping.Tent"))
    };
    assert_eq!(h.create(&scope, &full).await, CreateResource::Created);
    assert_eq!(h.resource(&scope, &full.urn).await, Some(full.clone()));
    assert_eq!(h.children(&scope, &parent.urn, 10).await, Some(vec![full.clone()]));
    assert_eq!(h.resource(&scope, &parent.urn).await, Some(parent), "links do not count");
    assert_eq!(h.resource(&scope, &h.urn()).await, None);
    let plain = h.made(&scope, None).await;
    assert_eq!(h.resource(&scope, &plain.urn).await, Some(plain));
}

pub async fn p48_a_resource_has_as_much_to_say_as_the_rules_allow(h: &StoreHarness) {
    let scope = h.account();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(31), "}".repeat(31));
    let texts = (0..340).map(|n| format!(r#""n{n}":"{}""#, "é".repeat(500)));
    let large = format!("{{{}}}", texts.collect::<Vec<_>>().join(","));
    for (n, json) in [format!(r#"{{"a":{deep}}}"#), large].iter().enumerate() {
        let resource = Resource { attributes: attributes(json), ..h.plain(&scope, h.urn()) };
        // A stored result nests the resource one level deeper.
        let claim = h.claim(&format!("as much as possible {n}"));
        let write = Write { at: resource.created_at, claim: Some(&claim) };
        let made = h.store().create_resource(&scope, &resource, write).await.unwrap();
        assert_eq!(made, CreateResource::Created);
        let found = h.resource(&scope, &resource.urn).await;
        assert!(found.as_ref() == Some(&resource), "it came back otherwise");
        let used = h.store().find_idempotent(scope.actor(), &claim.key).await.unwrap().unwrap();
        let replayed = Resource::replay(&used.result).unwrap();
        assert!(replayed == resource, "it is remembered otherwise");
    }
}

pub async fn p48_a_name_is_taken_once_in_whatever_account(h: &StoreHarness) {
    let (scope, other) = (h.account(), h.account());
    let first = h.made(&scope, None).await;
    for taker in [&scope, &other] {
        let again =
            Resource { attributes: attributes(r#"{"x":1}"#), ..h.plain(taker, first.urn.clone()) };
        assert_eq!(h.create(taker, &again).await, CreateResource::Exists);
    }
    assert_eq!(h.resource(&scope, &first.urn).await, Some(first.clone()));
    assert_eq!(h.resource(&other, &first.urn).await, None);
}

pub async fn p48_what_is_refused_leaves_nothing_behind(h: &StoreHarness) {
    let (scope, other, mark) = (h.account(), h.account(), h.mark());
    let holder = h.keyed(&scope, vec![unique("serial", &mark, false)]).await;
    let (parent, foreign) = (h.made(&scope, None).await, h.made(&other, None).await);
    let (taken, free) = (unique("serial", &mark, false), unique("label", &mark, false));
    let with = |keys: [_; 2], parent: &Resource| Resource {
        unique_keys: UniqueKeys::new(keys.to_vec()).unwrap(),
        parent: Some(parent.urn.clone()),
        ..h.plain(&scope, h.urn())
    };
    let gone = h.plain(&scope, h.urn());
    let wanted = with([taken.clone(), free.clone()], &parent);
    let held = TakenKey { key: taken, holder: Some(holder.urn.clone()) };
    assert_eq!(h.create(&scope, &wanted).await, CreateResource::UniqueKeyTaken(held));
    for absent in [&gone, &foreign] {
        let orphan = with([free.clone(), unique("third", &mark, false)], absent);
        assert_eq!(h.create(&scope, &orphan).await, CreateResource::ParentNotFound);
        assert_eq!(h.resource(&scope, &orphan.urn).await, None);
    }
    assert_eq!(h.resource(&scope, &wanted.urn).await, None);
    assert_eq!(h.children(&scope, &parent.urn, 10).await, Some(vec![]));
    assert_eq!(h.children(&other, &foreign.urn, 10).await, Some(vec![]));
    // The other values of the refused request are free.
    h.keyed(&scope, vec![free, unique("third", &mark, false)]).await;
    assert_eq!(h.delete_to_its_end(&scope, &parent.urn).await, Some(1), "no link was counted");
}

pub async fn p48_of_several_reasons_to_refuse_the_first_is_told(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let keys = vec![unique("b", &mark, false), unique("a", &mark, true)];
    let holder = h.keyed(&scope, keys.clone()).await;
    let absent = Some(h.urn());
    let wanted = |urn, parent| Resource {
        parent,
        unique_keys: UniqueKeys::new(keys.clone()).unwrap(),
        ..h.plain(&scope, urn)
    };
    let all_wrong = wanted(holder.urn.clone(), absent.clone());
    assert_eq!(h.create(&scope, &all_wrong).await, CreateResource::Exists);
    let orphan = wanted(h.urn(), absent);
    assert_eq!(h.create(&scope, &orphan).await, CreateResource::ParentNotFound);
    let twin = wanted(h.urn(), None);
    let first = TakenKey { key: unique("a", &mark, true), holder: Some(holder.urn) };
    assert_eq!(h.create(&scope, &twin).await, CreateResource::UniqueKeyTaken(first));
}

pub async fn p48_as_many_values_as_the_rules_allow_come_with_a_resource(h: &StoreHarness) {
    let (scope, mark, count) = (h.account(), h.mark(), h.most_unique_keys().await);
    assert!(count >= 5, "{count}");
    let keys: Vec<_> =
        (0..count).map(|n| unique("serial", &format!("{mark}-{n}"), n % 2 == 0)).collect();
    let parent = h.made(&scope, None).await;
    let resource = Resource {
        unique_keys: UniqueKeys::new(keys.clone()).unwrap(),
        parent: Some(parent.urn.clone()),
        ..h.plain(&scope, h.urn())
    };
    assert_eq!(h.create(&scope, &resource).await, CreateResource::Created);
    for key in &keys {
        let kind = resource.urn.kind();
        let found = h.store().find_by_unique_key(&scope, &kind, &key.property, &key.value).await;
        assert_eq!(found.unwrap().as_ref(), Some(&resource));
    }
    assert_eq!(urns(&h.children(&scope, &parent.urn, 3).await.unwrap()), [resource.urn]);
}

pub async fn p14_a_resource_that_was_made_is_remembered_as_it_was(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let claim = h.claim("make a box");
    let parent = h.made(&scope, None).await;
    let resource = Resource {
        parent: Some(parent.urn.clone()),
        unique_keys: UniqueKeys::new(vec![unique("serial", &mark, true)]).unwrap(),
        attributes: attributes(EVERYTHING),
        ..h.plain(&scope, h.urn())
    };
    let refused = Resource { parent: Some(h.urn()), ..resource.clone() };
    let answer = h.store().create_resource(&scope, &refused, h.claimed(&claim)).await.unwrap();
    assert_eq!(answer, CreateResource::ParentNotFound, "what is refused uses no key");
    let answer = h.store().create_resource(&scope, &resource, h.claimed(&claim)).await.unwrap();
    assert_eq!(answer, CreateResource::Created);
    h.detach(&scope, &resource.urn).await.unwrap();
    let other = h.plain(&scope, h.urn());
    let repeated = h.store().create_resource(&scope, &other, h.claimed(&claim)).await;
    assert!(matches!(repeated, Err(StorageError::IdempotencyKeyUsed)), "{repeated:?}");
    assert_eq!(h.resource(&scope, &other.urn).await, None);
    let key = IdempotencyKey::parse("make a box").unwrap();
    let used = h.store().find_idempotent(scope.actor(), &key).await.unwrap().unwrap();
    assert_eq!(used.request_hash, claim.request_hash);
    assert_eq!(Resource::replay(&used.result).unwrap(), resource);
}
