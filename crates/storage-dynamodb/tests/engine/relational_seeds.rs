//! The records of seed 004, name for name, read with a plain call of the SDK. Attributes that the
//! seed's tables lack are Larder's own.

use larder_domain::{AttributeValue, Resource, Urn};
use larder_storage_item::Table;
use serde_json::{Map, Value, json};

use crate::account::{Account, MIA, attributes, unique};
use crate::sdk;

const MADE: &str = "2031-01-01T02:13:20.000Z";

/// The record with this key, without the attributes of these names, which must exist.
async fn record(account: &Account, pk: &str, sk: &str, own: &[(&str, Value)]) -> Value {
    let record = sdk::get(&account.options, Table::Relational, &[("PK", pk), ("SK", sk)]).await;
    without(record.unwrap_or_else(|| panic!("no record {pk} {sk}")), own)
}

fn without(mut record: Map<String, Value>, own: &[(&str, Value)]) -> Value {
    for (name, value) in own {
        assert_eq!(record.remove(*name).as_ref(), Some(value), "{name}");
    }
    Value::Object(record)
}

/// The number of a job. Unique values are so over all accounts, those of other tests among them.
fn job_number(account: &Account) -> String {
    format!("J-{}-Ä", account.scope.account().id())
}

/// A job in a collection of jobs, as in the seed's examples.
async fn jobs(account: &Account) -> [Resource; 2] {
    let collection =
        Resource { urn: account.urn("System.Account.JobCollection", 1), ..account.resource(1) };
    account.make(&collection).await;
    let job = Resource {
        urn: account.urn("System.Account.JobCollection.Job", 2),
        parent: Some(collection.urn.clone()),
        unique_keys: unique("number", &job_number(account), true),
        attributes: attributes(vec![
            ("title".to_owned(), AttributeValue::Text("Paint the fence".to_owned())),
            ("done".to_owned(), AttributeValue::Bool(false)),
        ]),
        ..account.resource(2)
    };
    account.make(&job).await;
    [collection, job]
}

#[tokio::test]
async fn a_resource_is_the_seeds_record() {
    let account = Account::open().await;
    let [collection, job] = jobs(&account).await;
    let key = format!("Resource#{}", job.urn);
    let unique_key =
        json!({ "key": "number", "value": job_number(&account), "caseInsensitive": true });
    let own = [
        ("_version", json!(1)),
        ("_parentUrn", json!(collection.urn.as_str())),
        ("_uniqueKeys", json!([unique_key])),
        ("_childCount", json!(0)),
        ("_linkCount", json!(0)),
        ("title", json!("Paint the fence")),
        ("done", json!(false)),
    ];
    let expected = json!({
        "PK": key,
        "SK": key,
        "_recordType": "Resource",
        "_resourceType": "System.Account.JobCollection.Job",
        "_id": job.urn.id().to_string(),
        "urn": format!("urn:pp:System.Account.JobCollection.Job::{}", job.urn.id()),
        "_schemaVersion": 1,
        "_createdAt": MADE,
        "_updatedAt": MADE,
        "_accountUrn": account.scope.account().as_str(),
    });
    assert_eq!(record(&account, &key, &key, &own).await, expected);
    let key = format!("Resource#{}", collection.urn);
    let own = [("_version", json!(1)), ("_childCount", json!(1)), ("_linkCount", json!(0))];
    let counted = record(&account, &key, &key, &own).await;
    assert_eq!(counted["_resourceType"], "System.Account.JobCollection");
    assert_eq!(counted.get("_parentUrn"), None);
}

#[tokio::test]
async fn relationships_are_the_seeds_records() {
    let account = Account::open().await;
    let [collection, job] = jobs(&account).await;
    let [parent, child] = [&collection, &job].map(|resource| resource.urn.as_str());
    let (pk, sk) = (format!("Parent#{parent}"), format!("Child#{child}"));
    let expected = json!({
        "PK": pk,
        "SK": sk,
        "_recordType": "ParentChildRelationship",
        "parentUrn": parent,
        "childUrn": child,
        "_createdAt": MADE,
        "_accountUrn": account.scope.account().as_str(),
    });
    assert_eq!(record(&account, &pk, &sk, &[]).await, expected);

    let other = account.made(3).await;
    for (member, own) in [(&job, vec![]), (&other, vec![("conveysAuthorization", json!(true))])] {
        account.collect(&collection, member, !own.is_empty()).await;
        let (pk, sk) = (format!("Collection#{parent}"), format!("Member#{}", member.urn));
        let expected = json!({
            "PK": pk,
            "SK": sk,
            "_recordType": "CollectionMemberRelationship",
            "collectionUrn": parent,
            "memberUrn": member.urn.as_str(),
            "_createdAt": MADE,
            "_accountUrn": account.scope.account().as_str(),
        });
        assert_eq!(record(&account, &pk, &sk, &own).await, expected);
    }
}

#[tokio::test]
async fn a_unique_value_is_the_seeds_record() {
    let account = Account::open().await;
    let value = format!("Someone-{}@Somewhere.com", account.scope.account().id());
    let user = Resource {
        urn: account.urn("Home.User", 1),
        unique_keys: unique("emailAddress", &value, true),
        ..account.resource(1)
    };
    account.make(&user).await;
    let folded = value.to_lowercase();
    let pk = format!("UniqueKeyValue#Home.User#emailAddress#{folded}");
    let sk = "UniqueKeyValue#Home.User#emailAddress";
    let expected = json!({
        "PK": pk,
        "SK": sk,
        "_recordType": "UniqueKeyValue",
        "_resourceType": "Home.User",
        "key": "emailAddress",
        "value": folded,
        "associatedRecordUrn": user.urn.as_str(),
        "_createdAt": MADE,
        "_updatedAt": MADE,
    });
    assert_eq!(record(&account, &pk, sk, &[]).await, expected);
}

#[tokio::test]
async fn a_grant_is_in_a_table_of_its_own() {
    let account = Account::open().await;
    let room = account.made(1).await;
    account.grant(&room.urn, &["write", "read"]).await;
    let principal = Urn::of_user(MIA);
    let (pk, sk) = (format!("Principal#{principal}"), format!("Resource#{}", room.urn));
    let grant = sdk::get(&account.options, Table::Grants, &[("PK", &pk), ("SK", &sk)]).await;
    let expected = json!({
        "PK": pk,
        "SK": sk,
        "_recordType": "Grant",
        "principalUrn": principal.as_str(),
        "resourceUrn": room.urn.as_str(),
        "actions": ["read", "write"],
        "_accountUrn": account.scope.account().as_str(),
        "_createdAt": MADE,
        "_updatedAt": MADE,
        "_order": format!("{}#{principal}", room.urn),
    });
    assert_eq!(grant.map(Value::Object), Some(expected));
    let key = format!("Resource#{}", room.urn);
    let counted = record(&account, &key, &key, &[("_linkCount", json!(1))]).await;
    assert_eq!(counted["_childCount"], 0);
}
