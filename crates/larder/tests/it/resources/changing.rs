//! Replacing resources.

use serde_json::{Value, json};

use super::{Home, NOBODY, box_with};
use crate::it::support::{resource_path, urn_of};

#[tokio::test]
async fn a_change_replaces_all_attributes_and_counts_on() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    let body = box_with(json!({ "parentUrn": room, "attributes": { "name": "Tent", "pegs": 12 } }));
    let made = home.anna.make_with(body).await;
    let path = resource_path(urn_of(&made));
    let change = json!({ "attributes": { "name": "Big tent" } });
    let changed = home.anna.put_if(&path, "\"1-1\"", change).await;
    assert_eq!(changed.header("etag"), "\"2-1\"");
    let changed = changed.expect(200);
    let mut expected = made;
    expected["_version"] = json!(2);
    expected["attributes"] = json!({ "name": "Big tent" });
    expected["_updatedAt"] = changed["_updatedAt"].clone();
    assert_eq!(changed, expected);
    assert_eq!(home.anna.get(&path).await.expect(200), changed);
}

#[tokio::test]
async fn a_change_says_what_it_is_based_on() {
    let home = Home::open().await;
    let made = home.anna.make_with(box_with(json!({ "attributes": { "n": 1 } }))).await;
    let path = resource_path(urn_of(&made));
    let change = || json!({ "attributes": { "n": 2 } });
    home.anna.put(&path, change()).await.expect_problem(400, "IF_MATCH_REQUIRED");
    for tag in ["\"2-1\"", "\"1-2\"", "\"1\"", "1-1", "W/\"1-1\"", "\"deadbeef\""] {
        let refused = home.anna.put_if(&path, tag, change()).await;
        let problem = refused.expect_problem(409, "VERSION_CONFLICT");
        assert_eq!(problem["current"], made, "{tag}");
    }
    assert_eq!(home.anna.get(&path).await.expect(200), made);
    let changed = home.anna.put_if(&path, "\"7-1\", \"1-1\"", change()).await.expect(200);
    assert_eq!(changed["_version"], 2);
    let stale = home.anna.put_if(&path, "\"1-1\"", change()).await;
    assert_eq!(stale.expect_problem(409, "VERSION_CONFLICT")["current"], changed);
    let whatever = home.anna.put_if(&path, "*", change()).await.expect(200);
    assert_eq!(whatever["_version"], 3);
    let nothing = resource_path(&format!("urn:pp:Home.Box::{NOBODY}"));
    let nothing = home.anna.put_if(&nothing, "*", change()).await;
    nothing.expect_problem(404, "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn of_many_changes_of_one_state_one_is_made() {
    let home = Home::open().await;
    let path = resource_path(&home.anna.make("Home.Box", None).await);
    let changes: Vec<_> = (0..8)
        .map(|n| {
            let (anna, path) = (home.anna.clone(), path.clone());
            tokio::spawn(async move {
                anna.put_if(&path, "\"1-1\"", json!({ "attributes": { "n": n } })).await.status
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for change in changes {
        statuses.push(change.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(home.anna.get(&path).await.expect(200)["_version"], 2);
}

#[tokio::test]
async fn unique_values_stay_unless_they_are_said() {
    let home = Home::open().await;
    let key = json!([{ "key": "serial", "value": "A-1", "caseInsensitive": true }]);
    let made = home.anna.make_with(box_with(json!({ "uniqueKeys": key }))).await;
    let path = resource_path(urn_of(&made));
    let holder = |value: &str| {
        let (anna, path) = (home.anna.clone(), format!("/unique-keys/Home.Box/serial/{value}"));
        async move { anna.get(&path).await.status }
    };
    let without = home.anna.put_if(&path, "*", json!({ "attributes": {} })).await.expect(200);
    assert_eq!(without["uniqueKeys"], key);
    assert_eq!(holder("a-1").await, 200);
    let other = json!([{ "key": "serial", "value": "B-2" }]);
    let moved = json!({ "attributes": {}, "uniqueKeys": other });
    home.anna.put_if(&path, "*", moved).await.expect(200);
    assert_eq!((holder("A-1").await, holder("B-2").await), (404, 200));
    let none = json!({ "attributes": {}, "uniqueKeys": [] });
    let none = home.anna.put_if(&path, "*", none).await.expect(200);
    assert_eq!(none["uniqueKeys"], json!([]));
    assert_eq!(holder("B-2").await, 404);
}

#[tokio::test]
async fn a_change_that_is_wrong_changes_nothing() {
    let home = Home::open().await;
    let made = home.anna.make_with(box_with(json!({ "attributes": { "n": 1 } }))).await;
    let path = resource_path(urn_of(&made));
    for (body, code) in [
        (json!({}), "INVALID_FIELDS"),
        (json!({ "attributes": null }), "INVALID_FIELDS"),
        (json!({ "attributes": {}, "uniqueKeys": null }), "INVALID_FIELDS"),
        (json!({ "attributes": [] }), "INVALID_FIELDS"),
        (json!({ "attributes": { "_id": 1 } }), "RESERVED_ATTRIBUTE"),
        (json!({ "attributes": {}, "uniqueKeys": {} }), "INVALID_FIELDS"),
        (json!({ "attributes": {}, "_version": 1 }), "UNKNOWN_FIELD"),
        (json!({ "attributes": {}, "parentUrn": null }), "UNKNOWN_FIELD"),
    ] {
        home.anna.put_if(&path, "*", body).await.expect_problem(400, code);
    }
    let read: Value = home.anna.get(&path).await.expect(200);
    assert_eq!(read, made);
}
