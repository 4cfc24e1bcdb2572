//! Resources as only DynamoDB shows them: its indexes, its limits, and servers that race.

use std::collections::BTreeMap;
use std::sync::Arc;

use larder_domain::{AttributeValue, Attributes, Number, Resource};
use larder_storage::{
    AttachResource, CreateResource, Operations, ReplaceResource, Replay as _, Resources, Write,
};
use larder_storage_item::Table;
use larder_storage_testkit::START;
use serde_json::{Value, json};

use crate::account::{Account, MIA, attributes, below, claim, unique};
use crate::{raw, sdk};

/// The keys of an index's records under a partition key, in its order.
fn index(
    account: &Account,
    table: Table,
    index: &str,
    (name, value): (&str, &str),
) -> Vec<[String; 2]> {
    let request = json!({
        "TableName": format!("{}{}", account.options.prefix, table.name()),
        "IndexName": index,
        "KeyConditionExpression": "#pk = :pk",
        "ExpressionAttributeNames": { "#pk": name },
        "ExpressionAttributeValues": { ":pk": { "S": value } },
    });
    let answer = raw::ask(&account.options, "Query", &request);
    let text = |record: &Value, name: &str| record[name]["S"].as_str().unwrap().to_owned();
    let records = answer["Items"].as_array().unwrap_or_else(|| panic!("{answer}"));
    records.iter().map(|record| [text(record, "PK"), text(record, "SK")]).collect()
}

fn texts<const N: usize>(keys: [[&str; 2]; N]) -> Vec<[String; 2]> {
    keys.map(|key| key.map(str::to_owned)).to_vec()
}

#[tokio::test]
async fn the_inverted_index_finds_what_a_resource_is_in() {
    let account = Account::open().await;
    let [room, shelf] = [account.made(1).await, account.made(2).await];
    let value = account.scope.account().id().to_string();
    let tin = Resource {
        parent: Some(room.urn.clone()),
        unique_keys: unique("label", &value, false),
        ..account.resource(3)
    };
    account.make(&tin).await;
    account.collect(&room, &tin, false).await;
    account.collect(&shelf, &tin, true).await;
    let inverted = |sk: String| index(&account, Table::Relational, "InvertedIndex", ("SK", &sk));
    let (child, member) = (format!("Child#{}", tin.urn), format!("Member#{}", tin.urn));
    assert_eq!(inverted(child.clone()), texts([[&format!("Parent#{}", room.urn), &child]]));
    let collections = [&room, &shelf].map(|resource| format!("Collection#{}", resource.urn));
    assert_eq!(
        inverted(member.clone()),
        texts([[&collections[0], &member], [&collections[1], &member]])
    );
    let label = "UniqueKeyValue#Home.Box#label".to_owned();
    let held = format!("{label}#{value}");
    assert!(inverted(label.clone()).contains(&[held, label]));
    let itself = format!("Resource#{}", tin.urn);
    assert_eq!(inverted(itself.clone()), texts([[&itself, &itself]]));
}

#[tokio::test]
async fn the_index_of_an_account_has_its_resources_and_nothing_else() {
    let account = Account::open().await;
    let room = account.made(1).await;
    let tin = Resource { parent: Some(room.urn.clone()), ..account.resource(2) };
    account.make(&tin).await;
    account.collect(&room, &tin, true).await;
    account.grant(&tin.urn, &["read"]).await;
    let of_account = ("_accountUrn", account.scope.account().as_str());
    let resources = [&room, &tin].map(|resource| format!("Resource#{}", resource.urn));
    assert_eq!(
        index(&account, Table::Relational, "ResourcesByAccountIndex", of_account),
        texts([[&resources[0]; 2], [&resources[1]; 2]]),
        "relationships have no URN"
    );
    let grants = index(&account, Table::Grants, "GrantsByAccountIndex", of_account);
    assert_eq!(grants.iter().map(|[_, sk]| sk).collect::<Vec<_>>(), [&resources[1]]);
}

/// Attributes of 32 levels and 350 KB, to the last byte that fits.
fn largest() -> Attributes {
    let deep = (0..30).fold(AttributeValue::List(vec![]), |value, level| match level % 2 {
        0 => AttributeValue::Map(BTreeMap::from([("in".to_owned(), value)])),
        _ => AttributeValue::List(vec![value]),
    });
    let with = |bytes: usize| {
        let text = AttributeValue::Text("x".repeat(bytes));
        let values = [("deep".to_owned(), deep.clone()), ("text".to_owned(), text)];
        Attributes::new(BTreeMap::from(values))
    };
    let (mut fits, mut too_many) = (1_usize, 350 * 1024);
    while too_many - fits > 1 {
        let between = fits.midpoint(too_many);
        if with(between).is_ok() { fits = between } else { too_many = between }
    }
    with(fits).unwrap()
}

#[tokio::test]
async fn attributes_may_be_as_large_and_deep_as_is_allowed_with_an_idempotency_key_too() {
    let account = Account::open().await;
    let room = account.made(1).await;
    let large =
        Resource { parent: Some(room.urn.clone()), attributes: largest(), ..account.resource(2) };
    let claim = claim(&format!("large-{}", account.scope.account().id()));
    let write = Write { claim: Some(&claim), ..Write::at(START) };
    let made = account.store.create_resource(&account.scope, &large, write).await.unwrap();
    assert_eq!(made, CreateResource::Created);
    let found = account.store.find_resource(&account.scope, &large.urn).await.unwrap();
    assert!(found.as_ref() == Some(&large), "all of it comes back");
    let used = account.store.find_idempotent(MIA, &claim.key).await.unwrap().unwrap();
    let replayed = Resource::replay(&used.result).unwrap();
    assert!(replayed == large, "and so it does from the key");
    let tin = Resource { parent: Some(large.urn.clone()), ..account.resource(3) };
    account.make(&tin).await;
    let counted = account.store.find_resource(&account.scope, &large.urn).await.unwrap();
    assert!(counted == Some(large), "counting a child changes nothing of it");
}

/// More attributes than one expression of DynamoDB can name.
fn many(value: i64) -> Attributes {
    let number = AttributeValue::Number(Number::from(value));
    attributes((0..1000).map(|n| (format!("attribute{n}"), number.clone())).collect())
}

#[tokio::test]
async fn a_resource_of_a_thousand_attributes_is_changed_like_any_other() {
    let account = Account::open().await;
    let wide = Resource { attributes: many(1), ..account.resource(1) };
    account.make(&wide).await;
    let tin = Resource { parent: Some(wide.urn.clone()), ..account.resource(2) };
    account.make(&tin).await;
    let room = account.made(3).await;
    let link = below(&room, &wide);
    let attached =
        account.store.attach_resource(&account.scope, &link, Write::at(START)).await.unwrap();
    let AttachResource::Attached(moved) = attached else { panic!("{attached:?}") };
    assert_eq!((moved.version, moved.parent.as_ref()), (2, Some(&room.urn)));
    let new = Resource { attributes: many(2), ..*moved };
    let replaced = account
        .store
        .replace_resource(&account.scope, &new, Some(2), Write::at(START))
        .await
        .unwrap();
    let ReplaceResource::Replaced(replaced) = replaced else { panic!("{replaced:?}") };
    assert_eq!((replaced.version, &replaced.attributes), (3, &new.attributes));
    let children =
        account.store.list_children(&account.scope, &wide.urn, None, 10).await.unwrap().unwrap();
    assert_eq!(children.items, [tin]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_that_move_two_resources_under_each_other_one_is_told_of_the_cycle() {
    let account = Account::open().await;
    let other = account.elsewhere().await;
    for round in 0..8 {
        let [a, b] = [account.made(2 * round + 1).await, account.made(2 * round + 2).await];
        let (one, another) = (below(&a, &b), below(&b, &a));
        let (first, second) = tokio::join!(
            account.store.attach_resource(&account.scope, &one, Write::at(START)),
            other.store.attach_resource(&other.scope, &another, Write::at(START)),
        );
        let outcomes = [first.unwrap(), second.unwrap()];
        let attached =
            outcomes.iter().filter(|it| matches!(it, AttachResource::Attached(_))).count();
        let refused = outcomes.iter().filter(|it| **it == AttachResource::Cycle).count();
        assert_eq!((attached, refused), (1, 1), "{outcomes:?}");
        let mut above = Vec::new();
        for resource in [&a, &b] {
            let page = account.store.list_ancestors(&account.scope, &resource.urn, None, 10).await;
            above.push(page.unwrap().unwrap().items.len());
        }
        above.sort_unstable();
        assert_eq!(above, [0, 1], "one is in the other");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_fill_one_parent_at_once_count_every_child() {
    const CHILDREN: u128 = 12;
    let account = Account::open().await;
    let other = account.elsewhere().await;
    let room = account.made(1).await;
    let [account, other] = [account, other].map(Arc::new);
    let makers: Vec<_> = (0..CHILDREN)
        .map(|n| {
            let server = Arc::clone(if n % 2 == 0 { &account } else { &other });
            let child = Resource { parent: Some(room.urn.clone()), ..server.resource(100 + n) };
            tokio::spawn(async move { server.make(&child).await })
        })
        .collect();
    for maker in makers {
        maker.await.unwrap();
    }
    let key = format!("Resource#{}", room.urn);
    let record = sdk::get(&account.options, Table::Relational, &[("PK", &key), ("SK", &key)]).await;
    assert_eq!(record.unwrap()["_childCount"], json!(CHILDREN));
}
