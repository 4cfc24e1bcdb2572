//! Other attributes and unique values for a resource, from the version that was seen.

use larder_domain::{Resource, SchemaVersion, UniqueKey, UniqueKeys};
use larder_storage::{AccountScope, ReplaceResource, TakenKey};

use super::attributes;
use crate::StoreHarness;
use crate::store_harness::unique;

async fn replace(
    h: &StoreHarness,
    scope: &AccountScope,
    new: &Resource,
    expected: Option<u64>,
) -> ReplaceResource {
    h.store().replace_resource(scope, new, expected, h.write()).await.unwrap()
}

/// The same with these unique values.
fn with(resource: &Resource, keys: Vec<UniqueKey>) -> Resource {
    Resource { unique_keys: UniqueKeys::new(keys).unwrap(), ..resource.clone() }
}

pub async fn p49_a_replacement_changes_what_it_says_and_counts_up(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 2).await;
    let before = &chain[1];
    let wished = Resource {
        attributes: attributes(r#"{"name": "Cellar", "shelves": 4.50}"#),
        schema_version: SchemaVersion::new(3).unwrap(),
        // A replacement does not change these.
        parent: None,
        version: 77,
        created_at: h.now(),
        ..before.clone()
    };
    let write = h.write();
    let answer = h.store().replace_resource(&scope, &wished, Some(1), write).await.unwrap();
    let expected = Resource {
        attributes: wished.attributes.clone(),
        schema_version: wished.schema_version,
        version: 2,
        updated_at: write.at,
        ..before.clone()
    };
    assert_eq!(answer, ReplaceResource::Replaced(Box::new(expected.clone())));
    assert_eq!(h.resource(&scope, &before.urn).await, Some(expected.clone()));
    assert_eq!(h.children(&scope, &chain[0].urn, 5).await, Some(vec![expected.clone()]));
    // An identical replacement is a change too, and omitted fields are cleared.
    let write = h.write();
    let bare = Resource { attributes: attributes("{}"), ..expected.clone() };
    let answer = h.store().replace_resource(&scope, &bare, None, write).await.unwrap();
    let expected = Resource { version: 3, updated_at: write.at, ..bare };
    assert_eq!(answer, ReplaceResource::Replaced(Box::new(expected)));
}

pub async fn p49_a_stale_version_is_refused_with_what_is_there(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let taken = h.keyed(&scope, vec![unique("serial", &mark, false)]).await;
    let resource = h.made(&scope, None).await;
    replace(h, &scope, &resource, Some(1)).await;
    let now = h.resource(&scope, &resource.urn).await.unwrap();
    assert_eq!(now.version, 2);
    // Also with a taken value: the version conflict comes first.
    let wished = with(&resource, taken.unique_keys.iter().cloned().collect());
    for version in [0, 1, 3, u64::from(u32::MAX)] {
        let answer = replace(h, &scope, &wished, Some(version)).await;
        assert_eq!(answer, ReplaceResource::Stale(Box::new(now.clone())));
    }
    assert_eq!(h.resource(&scope, &resource.urn).await, Some(now));
    let unknown = h.plain(&scope, h.urn());
    assert_eq!(replace(h, &scope, &unknown, None).await, ReplaceResource::NotFound);
    assert_eq!(replace(h, &scope, &unknown, Some(1)).await, ReplaceResource::NotFound);
    assert_eq!(h.resource(&scope, &unknown.urn).await, None);
}

pub async fn p49_values_move_with_a_replacement_and_are_free_in_the_same_moment(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let key = |name: &str| unique("serial", &format!("{mark}-{name}"), false);
    let first = h.keyed(&scope, vec![key("a"), key("b")]).await;
    let second = h.keyed(&scope, vec![key("c")]).await;
    let answer = replace(h, &scope, &with(&first, vec![key("b"), key("c")]), None).await;
    let held = TakenKey { key: key("c"), holder: Some(second.urn.clone()) };
    assert_eq!(answer, ReplaceResource::UniqueKeyTaken(held));
    assert_eq!(h.resource(&scope, &first.urn).await, Some(first.clone()), "nothing changed");
    let held = h.keyed(&scope, vec![key("d")]).await;
    let answer = replace(h, &scope, &with(&first, vec![key("b"), key("e")]), Some(1)).await;
    assert!(matches!(answer, ReplaceResource::Replaced(_)), "{answer:?}");
    let answer = replace(h, &scope, &with(&held, vec![key("a")]), Some(1)).await;
    assert!(matches!(answer, ReplaceResource::Replaced(_)), "a is free: {answer:?}");
    h.keyed(&scope, vec![key("d")]).await;
    let answer = replace(h, &scope, &with(&second, vec![key("e")]), None).await;
    let taken = TakenKey { key: key("e"), holder: Some(first.urn.clone()) };
    assert_eq!(answer, ReplaceResource::UniqueKeyTaken(taken));
}

pub async fn p49_a_value_is_kept_in_another_spelling(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let resource = h.keyed(&scope, vec![unique("name", &format!("tent {mark}"), true)]).await;
    let spelt = with(&resource, vec![unique("name", &format!("ＴENT {mark}"), true)]);
    let answer = replace(h, &scope, &spelt, Some(1)).await;
    assert!(matches!(answer, ReplaceResource::Replaced(_)), "{answer:?}");
    let now = h.resource(&scope, &resource.urn).await.unwrap();
    assert_eq!(now.unique_keys, spelt.unique_keys);
    let twin =
        with(&h.made(&scope, None).await, vec![unique("name", &format!("Tent {mark}"), true)]);
    let answer = replace(h, &scope, &twin, None).await;
    assert!(matches!(answer, ReplaceResource::UniqueKeyTaken(_)), "{answer:?}");
}

pub async fn p49_links_survive_a_replacement(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 3).await;
    let (middle, gear) = (&chain[1], h.made(&scope, None).await);
    h.put_into(&scope, &gear.urn, &middle.urn, true).await;
    h.put_into(&scope, &middle.urn, &chain[2].urn, false).await;
    let principal = h.principal();
    h.grant(&scope, &principal, &middle.urn, &["read"]).await;
    let answer = replace(h, &scope, middle, None).await;
    assert!(matches!(answer, ReplaceResource::Replaced(_)), "{answer:?}");
    let read = async || h.preview(&scope, &middle.urn, 10).await.unwrap()[0].links;
    h.eventually(&3, read).await;
    assert_eq!(h.children(&scope, &middle.urn, 10).await.unwrap(), chain[2..]);
    assert_eq!(h.delete_to_its_end(&scope, &chain[0].urn).await, Some(3));
    assert_eq!(h.members(&scope, &gear.urn, 10).await, Some(vec![]));
    assert!(h.store().find_grant(&scope, &principal, &middle.urn).await.unwrap().is_none());
}
