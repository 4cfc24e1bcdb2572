//! Going through all resources, and writing them in a newer shape.

use std::collections::BTreeMap;

use larder_domain::{Resource, SchemaVersion, Urn};
use larder_storage::{AccountScope, CreateResource};

use super::attributes;
use crate::StoreHarness;
use crate::store_harness::unique;

/// Every resource, with how often it was returned.
async fn all(h: &StoreHarness, limit: usize) -> BTreeMap<Urn, (Resource, usize)> {
    let mut met = BTreeMap::new();
    let mut after: Option<String> = None;
    loop {
        let (page, next) = h.store().resources_after(after.as_deref(), limit).await.unwrap();
        assert!(page.len() <= limit, "a page holds at most what was asked for");
        for resource in page {
            met.entry(resource.urn.clone()).or_insert((resource, 0)).1 += 1;
        }
        match next {
            Some(next) => {
                assert_ne!(Some(&next), after.as_ref(), "it gets on");
                after = Some(next);
            }
            None => return met,
        }
    }
}

pub async fn p62_going_through_all_resources_meets_each_once(h: &StoreHarness) {
    let (scope, other) = (h.account(), h.account());
    let mut expected = h.chain(&scope, 5).await;
    expected.push(h.keyed(&other, vec![unique("serial", &h.mark(), true)]).await);
    h.put_into(&scope, &expected[0].urn, &expected[3].urn, true).await;
    h.grant(&scope, &h.principal(), &expected[0].urn, &["read"]).await;
    // At reduced scale many tests share the store, and each page is a request.
    for &limit in h.scaled(&[1, 3, 100], &[20, 100]) {
        let met = all(h, limit).await;
        for resource in &expected {
            assert_eq!(met.get(&resource.urn), Some(&(resource.clone(), 1)), "{limit}");
        }
    }
}

fn newer(resource: &Resource) -> Resource {
    Resource {
        attributes: attributes(r#"{"name": "Tent", "people": 4}"#),
        schema_version: resource.schema_version.next(),
        ..resource.clone()
    }
}

async fn check_is(h: &StoreHarness, scope: &AccountScope, expected: &Resource) {
    assert_eq!(h.resource(scope, &expected.urn).await.as_ref(), Some(expected));
}

pub async fn p62_a_resource_is_rewritten_in_a_newer_shape_and_nothing_else_of_it_changes(
    h: &StoreHarness,
) {
    let scope = h.account();
    let chain = h.chain(&scope, 3).await;
    let gear = h.made(&scope, None).await;
    h.put_into(&scope, &gear.urn, &chain[1].urn, true).await;
    h.write();
    let rewritten = newer(&chain[1]);
    assert!(h.store().rewrite_resource(&rewritten).await.unwrap());
    check_is(h, &scope, &rewritten).await;
    assert_eq!(rewritten.schema_version, SchemaVersion::new(2).unwrap());
    assert_eq!(h.children(&scope, &chain[0].urn, 5).await, Some(vec![rewritten]));
    assert_eq!(h.children(&scope, &chain[1].urn, 5).await, Some(vec![chain[2].clone()]));
    assert_eq!(
        h.delete_to_its_end(&scope, &chain[0].urn).await,
        Some(3),
        "links are counted still"
    );
}

pub async fn p62_what_was_changed_meanwhile_is_not_rewritten(h: &StoreHarness) {
    let scope = h.account();
    let chain = h.chain(&scope, 2).await;
    let detached = h.detach(&scope, &chain[1].urn).await.unwrap();
    assert!(!h.store().rewrite_resource(&newer(&chain[1])).await.unwrap());
    check_is(h, &scope, &detached).await;
    assert_eq!(h.delete_to_its_end(&scope, &chain[1].urn).await, Some(1));
    assert!(!h.store().rewrite_resource(&newer(&detached)).await.unwrap());
    assert_eq!(h.resource(&scope, &chain[1].urn).await, None, "it does not come back");
}

pub async fn p62_what_was_made_anew_or_is_newer_already_is_not_rewritten(h: &StoreHarness) {
    let scope = h.account();
    let old = h.made(&scope, None).await;
    assert_eq!(h.delete_to_its_end(&scope, &old.urn).await, Some(1));
    let write = h.write();
    let again = Resource {
        attributes: attributes(r#"{"name": "Stove"}"#),
        created_at: write.at,
        updated_at: write.at,
        ..old.clone()
    };
    let created = h.store().create_resource(&scope, &again, write).await.unwrap();
    assert_eq!((created, again.version), (CreateResource::Created, old.version));
    assert!(!h.store().rewrite_resource(&newer(&old)).await.unwrap());
    check_is(h, &scope, &again).await;
    let newest = newer(&newer(&again));
    assert!(h.store().rewrite_resource(&newest).await.unwrap());
    let attributes = attributes(r#"{"name": "Old stove"}"#);
    let between = Resource { attributes, ..newer(&again) };
    assert!(!h.store().rewrite_resource(&between).await.unwrap());
    check_is(h, &scope, &newest).await;
}

pub async fn p62_a_job_is_found_where_it_was_noted_last(h: &StoreHarness) {
    // No other test uses this name, and no two runs share a store.
    const JOB: &str = "p62-bookmark";
    let place = |text: &'static str| async move {
        h.store().keep_bookmark(JOB, Some(text)).await.unwrap();
        assert_eq!(h.store().find_bookmark(JOB).await.unwrap().as_deref(), Some(text));
    };
    assert_eq!(h.store().find_bookmark(JOB).await.unwrap(), None);
    place("urn:pp:Home.Box::x").await;
    place("温室 # %").await;
    assert_eq!(h.store().find_bookmark("p62-another").await.unwrap(), None);
    h.store().keep_bookmark(JOB, None).await.unwrap();
    assert_eq!(h.store().find_bookmark(JOB).await.unwrap(), None);
    h.store().keep_bookmark(JOB, None).await.unwrap();
}
