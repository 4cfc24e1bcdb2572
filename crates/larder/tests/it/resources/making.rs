//! Making and reading resources.

use reqwest::{Method, header};
use serde_json::{Value, json};

use super::{Home, NOBODY, box_with};
use crate::it::support::{resource_path, urn_of};

#[tokio::test]
async fn a_resource_comes_back_as_it_was_made() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    let body = json!({
        "resourceType": "Home.Shelf.Box",
        "parentUrn": room,
        "uniqueKeys": [{ "key": "serial", "value": "A-1" }],
        "attributes": { "name": "Tent 🏕", "pegs": 12, "wet": false, "notes": null, "sizes": [1, { "m": 2 }] },
    });
    let made = home.anna.post("/resources", body.clone()).await;
    assert_eq!(made.header("etag"), "\"1-1\"");
    let made = made.expect(201);
    let id = made["_id"].as_str().unwrap();
    assert_eq!(made["urn"], format!("urn:pp:Home.Shelf.Box::{id}"));
    assert_eq!(made["_recordType"], "Resource");
    assert_eq!(made["_resourceType"], "Home.Shelf.Box");
    assert_eq!((&made["_schemaVersion"], &made["_version"]), (&json!(1), &json!(1)));
    let household = home.anna.get("/households/current").await.expect(200);
    let household = household["id"].as_str().unwrap();
    assert_eq!(made["_accountUrn"], format!("urn:pp:System.Account::{household}"));
    assert_eq!(made["_parentUrn"], room);
    assert_eq!(made["_createdAt"], made["_updatedAt"]);
    let at = made["_createdAt"].as_str().unwrap();
    assert!(at.len() == 24 && at.ends_with('Z'), "{at}");
    let key = json!({ "key": "serial", "value": "A-1", "caseInsensitive": false });
    assert_eq!(made["uniqueKeys"], json!([key]));
    assert_eq!(made["attributes"], body["attributes"]);
    assert_eq!(home.anna.resource(urn_of(&made)).await, made);
}

#[tokio::test]
async fn ids_are_of_version_seven_and_increase() {
    let home = Home::open().await;
    let mut last = String::new();
    for _ in 0..20 {
        let made = home.anna.make_with(box_with(json!({}))).await;
        let id = made["_id"].as_str().unwrap().to_owned();
        assert_eq!((id.len(), &id[14..15]), (36, "7"), "{id}");
        assert!(id > last, "{id} after {last}");
        last = id;
    }
}

#[tokio::test]
async fn an_id_can_be_given_once() {
    let home = Home::open().await;
    let id = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8";
    let made = home.anna.make_with(box_with(json!({ "id": id }))).await;
    assert_eq!(made["urn"], format!("urn:pp:Home.Box::{}", id.to_lowercase()));
    assert_eq!(home.anna.resource(&format!("urn:pp:Home.Box::{id}")).await, made);
    let again = home.anna.post("/resources", box_with(json!({ "id": id.to_lowercase() }))).await;
    again.expect_problem(409, "RESOURCE_EXISTS");
    let ben = home.server.with_household("ben").await;
    let foreign = ben.post("/resources", box_with(json!({ "id": id }))).await;
    foreign.expect_problem(409, "RESOURCE_EXISTS");
    assert_eq!(home.state().await, [made]);
    home.anna.make_with(json!({ "resourceType": "Home.Room", "id": id })).await;
}

#[tokio::test]
async fn numbers_keep_every_digit() {
    let home = Home::open().await;
    let attributes = r#"{"a":0.1,"b":12345678901234567890.0123456789,"c":-0.000000001,"d":99999999999999999999999999999999999999}"#;
    let body = format!(r#"{{"resourceType":"Home.Box","attributes":{attributes}}}"#);
    let made = home.anna.post_bytes("/resources", body).await;
    let shown = format!(r#""attributes":{attributes}}}"#);
    assert!(made.text.ends_with(&shown), "{}", made.text);
    let urn = urn_of(&made.expect(201)).to_owned();
    let read = home.anna.get(&resource_path(&urn)).await;
    assert!(read.text.ends_with(&shown), "{}", read.text);
}

#[tokio::test]
async fn whoever_holds_the_same_is_told_so() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    let path = resource_path(&home.anna.make("Home.Box", Some(&room)).await);
    let paths = ["", "/parent", "/children", "/ancestors", "/collections", "/members"];
    for path in paths.map(|end| format!("{path}{end}")).iter().chain([&"/resources".to_owned()]) {
        let read = home.anna.get(path).await;
        let tag = read.header("etag").to_owned();
        assert_eq!((read.status, tag.is_empty()), (200, false), "{path}");
        let request = home.anna.request(Method::GET, path).header(header::IF_NONE_MATCH, &tag);
        let again = home.anna.send(request).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
    }
}

#[tokio::test]
async fn a_repeated_creation_is_the_same_one() {
    let home = Home::open().await;
    let body = box_with(json!({ "uniqueKeys": [{ "key": "serial", "value": "A-1" }] }));
    let first = home.anna.post_once("/resources", "make-1", &body).await;
    let urn = urn_of(&first.expect(201)).to_owned();
    let change = json!({ "attributes": { "name": "Tent" } });
    home.anna.put_if(&resource_path(&urn), "\"1-1\"", change).await.expect(200);
    let again = home.anna.post_once("/resources", "make-1", &body).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    let other = home.anna.post_once("/resources", "make-1", &box_with(json!({}))).await;
    other.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!(home.state().await.len(), 1);
}

#[tokio::test]
async fn what_is_in_nothing_has_no_parent_and_what_is_not_there_is_404() {
    let home = Home::open().await;
    let path = resource_path(&home.anna.make("Home.Box", None).await);
    assert_eq!(home.anna.get(&path).await.expect(200)["_parentUrn"], Value::Null);
    home.anna.get(&format!("{path}/parent")).await.expect_problem(404, "PARENT_NOT_FOUND");
    let unknown = resource_path(&format!("urn:other-domain:Home.Box::{NOBODY}"));
    for end in ["", "/parent", "/children", "/ancestors", "/collections", "/members"] {
        let answer = home.anna.get(&format!("{unknown}{end}")).await;
        answer.expect_problem(404, "RESOURCE_NOT_FOUND");
    }
}

#[tokio::test]
async fn without_a_household_there_are_no_resources() {
    let home = Home::open().await;
    let loner = home.server.register("loner").await;
    let refused = loner.post("/resources", box_with(json!({}))).await;
    refused.expect_problem(409, "HOUSEHOLD_REQUIRED");
    let page = loner.get("/resources").await.expect(200);
    assert_eq!(page, json!({ "items": [], "nextCursor": null }));
}
