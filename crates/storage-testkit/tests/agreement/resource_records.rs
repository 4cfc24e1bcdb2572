//! The records below a store: exactly those that the model requires.

use std::collections::BTreeSet;

use larder_domain::{PropertyName, Resource, UniqueKey, Urn};
use larder_storage_item::{Key, Query, Record, RecordEngine, SortKeys, Table};

use super::household::{Verdict, agree};
use super::resource_commands::{PROPERTIES, VALUES};
use super::resource_world::World;

/// Both ends of every relationship, one parent each, every counter and every unique value.
pub(super) async fn check(records: &dyn RecordEngine, world: &World<'_>) -> Verdict {
    for urn in &world.nodes {
        let held = world.model.resources().find(|held| held.urn == *urn);
        check_resource(records, world, urn, held).await?;
    }
    check_values(records, world).await?;
    for principal in &world.principals {
        let found = sort_keys(records, Table::Grants, format!("Principal#{principal}")).await;
        let expected = world.scopes.iter().flat_map(|scope| {
            let of = larder_domain::GrantFilter::Of(principal.clone());
            world.model.list_grants(scope.account(), &of)
        });
        let expected = expected.map(|grant| format!("Resource#{}", grant.on)).collect();
        agree("the table of grants", &found, &expected)?;
    }
    Ok(())
}

async fn check_resource(
    records: &dyn RecordEngine,
    world: &World<'_>,
    urn: &Urn,
    held: Option<&Resource>,
) -> Verdict {
    let key = format!("Resource#{urn}");
    let record = get(records, Key::new(&key, &key)).await;
    let counted = |name: &str| {
        record.as_ref().and_then(|record| record.number(name)?.to_i64()).map(i64::cast_unsigned)
    };
    let text = |name: &str| record.as_ref().and_then(|record| record.text(name));
    let context = |what: &str| format!("{what} of {urn} in the table");
    agree(&context("the account"), &text("_accountUrn"), &held.map(|held| held.account.as_str()))?;
    let parent = held.and_then(|held| held.parent.as_ref()).map(Urn::as_str);
    agree(&context("the parent"), &text("_parentUrn"), &parent)?;
    let children = held.map(|_| world.model.child_count(urn));
    agree(&context("the count of children"), &counted("_childCount"), &children)?;
    let links = held.map(|_| world.model.links(urn));
    agree(&context("the count of links"), &counted("_linkCount"), &links)?;

    let found = sort_keys(records, Table::Relational, format!("Parent#{urn}")).await;
    let below = world.model.resources().filter(|below| below.parent.as_ref() == Some(urn));
    let expected = below.map(|below| format!("Child#{}", below.urn)).collect();
    agree(&context("the children"), &found, &expected)?;
    let found = sort_keys(records, Table::Relational, format!("Collection#{urn}")).await;
    let members = world.model.memberships().filter(|(collection, _, _)| *collection == urn);
    let expected = members.map(|(_, member, _)| format!("Member#{member}")).collect();
    agree(&context("the members"), &found, &expected)
}

/// Checks the holder of every possible value, or that there is none.
async fn check_values(records: &dyn RecordEngine, world: &World<'_>) -> Verdict {
    // The first two names are of the two types.
    for of_type in &world.nodes[..2] {
        for property in PROPERTIES {
            for value in VALUES {
                let value = world.value(value);
                let sk = format!("UniqueKeyValue#{}#{property}", of_type.resource_type().as_str());
                let pk = format!("{sk}#{}", value.as_str());
                let record = get(records, Key::new(pk, sk)).await;
                let found = record.as_ref().and_then(|record| record.text("associatedRecordUrn"));
                let property = PropertyName::parse(property).unwrap();
                let key = UniqueKey { property, value, case_insensitive: false };
                let holder = world.model.holder(of_type, &key).map(Urn::as_str);
                agree(&format!("the table for {key:?}"), &found, &holder)?;
            }
        }
    }
    Ok(())
}

async fn get(records: &dyn RecordEngine, key: Key) -> Option<Record> {
    records.get(Table::Relational, &key).await.unwrap()
}

/// The sort keys of a partition.
async fn sort_keys(records: &dyn RecordEngine, table: Table, pk: String) -> BTreeSet<String> {
    let query = Query {
        table,
        index: None,
        pk,
        sort: SortKeys::Any,
        forward: true,
        limit: 100,
        start_after: None,
    };
    let page = records.query(&query).await.unwrap();
    page.records.iter().map(|record| record.text("SK").unwrap().to_owned()).collect()
}
