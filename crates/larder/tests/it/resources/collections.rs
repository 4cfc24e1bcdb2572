//! Collections: their members outlive them.

use serde_json::{Value, json};

use super::{Home, NOBODY};
use crate::it::support::{Client, member_path, resource_path};

/// The URNs at the other end, in the order of the list.
async fn linked(client: &Client, urn: &str, direction: &str) -> Vec<(String, bool)> {
    let path = format!("{}/{direction}", resource_path(urn));
    let listed = client.all_pages(&path, "limit=2").await;
    let one = |item: &Value| {
        let urn = item["resource"]["urn"].as_str().unwrap().to_owned();
        (urn, item["conveysAuthorization"].as_bool().unwrap())
    };
    listed.iter().map(one).collect()
}

#[tokio::test]
async fn a_thing_can_be_in_many_collections() {
    let home = Home::open().await;
    let anna = &home.anna;
    let (camping, blue) =
        (anna.make("Collection", None).await, anna.make("Collection", None).await);
    let mut things = Vec::new();
    for _ in 0..5 {
        things.push(anna.make("Home.Box", None).await);
    }
    for thing in &things {
        let added = anna.add_member(&camping, thing, false).await.expect(201);
        let wanted = json!({
            "_recordType": "CollectionMemberRelationship",
            "collectionUrn": camping,
            "memberUrn": thing,
            "conveysAuthorization": false,
        });
        assert_eq!(added, wanted);
    }
    anna.add_member(&blue, &things[2], true).await.expect(201);
    let members = linked(anna, &camping, "members").await;
    let wanted: Vec<_> = things.iter().map(|thing| (thing.clone(), false)).collect();
    assert_eq!(members, wanted);
    let mut collections = vec![(camping, false), (blue, true)];
    collections.sort();
    assert_eq!(linked(anna, &things[2], "collections").await, collections);
    assert_eq!(anna.resource(&things[2]).await["_version"], 1, "links do not change a thing");
}

#[tokio::test]
async fn a_membership_shows_the_thing_and_since_when() {
    let home = Home::open().await;
    let (camping, tent) =
        (home.anna.make("Collection", None).await, home.anna.make("Home.Box", None).await);
    home.anna.put(&member_path(&camping, &tent), json!({})).await.expect(201);
    let page = home.anna.get(&format!("{}/members", resource_path(&camping))).await.expect(200);
    let member = &page["items"][0];
    assert_eq!(member["resource"], home.anna.resource(&tent).await);
    assert!(
        member["_createdAt"].as_str().unwrap()
            >= member["resource"]["_createdAt"].as_str().unwrap()
    );
    assert_eq!((&page["nextCursor"], page["items"].as_array().unwrap().len()), (&Value::Null, 1));
}

#[tokio::test]
async fn putting_it_in_again_changes_whether_it_conveys() {
    let home = Home::open().await;
    let (camping, tent) =
        (home.anna.make("Collection", None).await, home.anna.make("Home.Box", None).await);
    home.anna.add_member(&camping, &tent, false).await.expect(201);
    home.anna.add_member(&camping, &tent, true).await.expect(200);
    assert_eq!(linked(&home.anna, &camping, "members").await, [(tent.clone(), true)]);
    assert_eq!(linked(&home.anna, &tent, "collections").await, [(camping.clone(), true)]);
    // Without a body, as with an empty one, it does not convey.
    let request = home.anna.request(reqwest::Method::PUT, &member_path(&camping, &tent));
    home.anna.send(request).await.expect(200);
    assert_eq!(linked(&home.anna, &camping, "members").await, [(tent, false)]);
}

#[tokio::test]
async fn taking_it_out_twice_is_the_same_as_once() {
    let home = Home::open().await;
    let (camping, tent) =
        (home.anna.make("Collection", None).await, home.anna.make("Home.Box", None).await);
    home.anna.add_member(&camping, &tent, false).await.expect(201);
    let path = member_path(&camping, &tent);
    home.anna.delete(&path).await.expect(204);
    home.anna.delete(&path).await.expect(204);
    assert_eq!(linked(&home.anna, &camping, "members").await, []);
    assert_eq!(linked(&home.anna, &tent, "collections").await, []);
}

#[tokio::test]
async fn both_ends_are_there_and_differ() {
    let home = Home::open().await;
    let camping = home.anna.make("Collection", None).await;
    let nobody = format!("urn:pp:Home.Box::{NOBODY}");
    home.anna.add_member(&camping, &camping, false).await.expect_problem(400, "SELF_LINK");
    for (collection, member, code) in
        [(&nobody, &camping, "COLLECTION_NOT_FOUND"), (&camping, &nobody, "MEMBER_NOT_FOUND")]
    {
        home.anna.add_member(collection, member, false).await.expect_problem(404, code);
        let gone = home.anna.delete(&member_path(collection, member)).await;
        gone.expect_problem(404, code);
    }
    for (body, code) in [
        (json!({ "conveysAuthorization": "yes" }), "INVALID_FIELDS"),
        (json!({ "conveys": true }), "UNKNOWN_FIELD"),
    ] {
        let path = member_path(&camping, &nobody);
        home.anna.put(&path, body).await.expect_problem(400, code);
    }
    assert_eq!(linked(&home.anna, &camping, "members").await, []);
}
