//! A value that only one resource of a type may have.

use larder_domain::{PropertyName, Resource, UniqueKey, UniqueKeys, UniqueValue, Urn};
use larder_storage::{AccountScope, CreateResource, TakenKey};

use crate::StoreHarness;
use crate::store_harness::unique;

async fn look_up(
    h: &StoreHarness,
    scope: &AccountScope,
    like: &Urn,
    property: &str,
    value: &str,
) -> Option<Resource> {
    let property = PropertyName::parse(property).unwrap();
    let value = UniqueValue::parse(value).unwrap();
    h.store().find_by_unique_key(scope, &like.kind(), &property, &value).await.unwrap()
}

/// Tries to create a resource with one value.
async fn claim(h: &StoreHarness, scope: &AccountScope, urn: Urn, key: UniqueKey) -> CreateResource {
    let unique_keys = UniqueKeys::new(vec![key]).unwrap();
    h.create(scope, &Resource { unique_keys, ..h.plain(scope, urn) }).await
}

fn taken(key: &UniqueKey, holder: Option<&Resource>) -> CreateResource {
    let holder = holder.map(|holder| holder.urn.clone());
    CreateResource::UniqueKeyTaken(TakenKey { key: key.clone(), holder })
}

pub async fn p55_case_and_width_matter_unless_it_is_said_that_they_do_not(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let key = |value: &str, insensitive| unique("name", &format!("{value} {mark}"), insensitive);
    let exact = h.keyed(&scope, vec![key("Tent", false)]).await;
    let other_case = h.keyed(&scope, vec![key("TENT", false)]).await;
    let folded = h.keyed(&scope, vec![key("ｔent", true)]).await;
    for (wanted, holder) in [
        (key("Tent", false), &exact),
        (key("TENT", false), &other_case),
        (key("Tent", true), &folded),
        (key("ＴＥＮＴ", true), &folded),
        (key("tent", false), &folded),
    ] {
        let answer = claim(h, &scope, h.urn(), wanted.clone()).await;
        assert_eq!(answer, taken(&wanted, Some(holder)), "{wanted:?}");
    }
    let free = claim(h, &scope, h.urn(), key("tENT", false)).await;
    assert_eq!(free, CreateResource::Created);
}

pub async fn p55_a_value_is_looked_up_as_given_and_then_without_case(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let text = |value: &str| format!("{value} {mark}");
    let exact = h.keyed(&scope, vec![unique("name", &text("Tent"), false)]).await;
    let folded = h.keyed(&scope, vec![unique("name", &text("TENT"), true)]).await;
    let lone = h.keyed(&scope, vec![unique("serial", &text("ab"), false)]).await;
    for (property, value, found) in [
        ("name", "Tent", Some(&exact)),
        ("name", "tent", Some(&folded)),
        ("name", "TENT", Some(&folded)),
        ("name", "ｔＥnt", Some(&folded)),
        ("serial", "ab", Some(&lone)),
        ("serial", "AB", None),
        ("serial", "Tent", None),
        ("label", "Tent", None),
    ] {
        let answer = look_up(h, &scope, &exact.urn, property, &text(value)).await;
        assert_eq!(answer.as_ref(), found, "{property} {value}");
    }
}

pub async fn p55_types_and_properties_have_values_of_their_own(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let key = unique("serial", &mark, false);
    let holder = h.keyed(&scope, vec![key.clone()]).await;
    let lid = h.urn_of("Home.Box.Lid");
    assert_eq!(claim(h, &scope, lid.clone(), key.clone()).await, CreateResource::Created);
    let label = unique("label", &mark, false);
    assert_eq!(claim(h, &scope, h.urn(), label).await, CreateResource::Created);
    // The domain is not part of it.
    let elsewhere: Urn = h.urn().to_string().replace("urn:pp:", "urn:pp2:").parse().unwrap();
    let answer = claim(h, &scope, elsewhere.clone(), key.clone()).await;
    assert_eq!(answer, taken(&key, Some(&holder)));
    assert_eq!(look_up(h, &scope, &holder.urn, "serial", &mark).await, Some(holder));
    assert_eq!(look_up(h, &scope, &elsewhere, "serial", &mark).await, None);
    let found = look_up(h, &scope, &lid, "serial", &mark).await.unwrap();
    assert_eq!(found.urn, lid);
}

pub async fn p55_a_value_of_another_account_is_taken_and_its_holder_untold(h: &StoreHarness) {
    let (scope, other, mark) = (h.account(), h.account(), h.mark());
    let key = unique("serial", &mark, true);
    let holder = h.keyed(&other, vec![key.clone()]).await;
    assert_eq!(claim(h, &scope, h.urn(), key.clone()).await, taken(&key, None));
    assert_eq!(look_up(h, &scope, &holder.urn, "serial", &mark).await, None);
    assert_eq!(look_up(h, &other, &holder.urn, "serial", &mark).await, Some(holder.clone()));
    assert_eq!(h.delete_to_its_end(&other, &holder.urn).await, Some(1));
    assert_eq!(claim(h, &scope, h.urn(), key).await, CreateResource::Created);
}

pub async fn p55_any_value_is_kept_and_found(h: &StoreHarness) {
    let (scope, mark) = (h.account(), h.mark());
    let longest = format!("{mark}{}", "x".repeat(600 - mark.len()));
    let near = format!("{mark}{}y", "x".repeat(599 - mark.len()));
    let values = [
        format!("{mark}#Child#{mark}"),
        format!("{mark} % _ ' \" \\ 🏕"),
        format!(" {mark} "),
        longest,
        near,
        format!("{mark}{}", "温".repeat((600 - mark.len()) / 3)),
    ];
    let mut made = Vec::new();
    for value in &values {
        let type_of = h.urn_of(&format!("Home.{}", "B".repeat(195)));
        let keys = UniqueKeys::new(vec![unique("serial", value, false)]).unwrap();
        let resource = Resource { unique_keys: keys, ..h.plain(&scope, type_of) };
        assert_eq!(h.create(&scope, &resource).await, CreateResource::Created, "{value}");
        made.push(resource);
    }
    for (value, resource) in values.iter().zip(&made) {
        let found = look_up(h, &scope, &resource.urn, "serial", value).await;
        assert_eq!(found.as_ref(), Some(resource));
        let key = unique("serial", value, false);
        let type_of = h.urn_of(&format!("Home.{}", "B".repeat(195)));
        assert_eq!(claim(h, &scope, type_of, key.clone()).await, taken(&key, Some(resource)));
    }
}
