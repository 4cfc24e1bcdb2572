//! Values that exist once.

use serde_json::{Value, json};

use super::{Home, box_with};
use crate::it::support::{Answer, Client, encode, resource_path, urn_of};

fn serial(value: &str) -> Value {
    json!([{ "key": "serial", "value": value }])
}

async fn look_up(client: &Client, resource_type: &str, key: &str, value: &str) -> Answer {
    client.get(&format!("/unique-keys/{resource_type}/{key}/{}", encode(value))).await
}

#[tokio::test]
async fn a_value_leads_to_whoever_has_it_whatever_its_characters() {
    let home = Home::open().await;
    for value in [
        "A-1",
        "a/b",
        "a#b",
        "100%",
        "%2F",
        "two words",
        "Zelt №7 🏕",
        "a/../b",
        "?x=1&y",
        "+",
        "\"'\\",
    ] {
        let made = home.anna.make_with(box_with(json!({ "uniqueKeys": serial(value) }))).await;
        let found = look_up(&home.anna, "Home.Box", "serial", value).await;
        assert_eq!(found.header("etag"), "\"1-1\"");
        assert_eq!(found.expect(200), made, "{value}");
    }
    for (kind, key, value) in [
        ("Home.Box", "serial", "a-1"),
        ("Home.Box", "other", "A-1"),
        ("Home.Room", "serial", "A-1"),
    ] {
        let missing = look_up(&home.anna, kind, key, value).await;
        missing.expect_problem(404, "UNIQUE_KEY_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_value_is_had_once_and_the_household_is_told_by_whom() {
    let home = Home::open().await;
    let first = home.anna.make_with(box_with(json!({ "uniqueKeys": serial("A-1") }))).await;
    let second = home.anna.make_with(box_with(json!({ "uniqueKeys": serial("B-2") }))).await;
    let before = home.state().await;
    let taken = json!({ "urn": urn_of(&first), "key": "serial", "value": "A-1" });
    let again =
        home.anna.post("/resources", box_with(json!({ "uniqueKeys": serial("A-1") }))).await;
    assert_eq!(again.expect_problem(409, "UNIQUE_KEY_TAKEN")["existing"], taken);
    let change = json!({ "attributes": {}, "uniqueKeys": serial("A-1") });
    let changed = home.anna.put_if(&resource_path(urn_of(&second)), "*", change).await;
    assert_eq!(changed.expect_problem(409, "UNIQUE_KEY_TAKEN")["existing"], taken);
    assert_eq!(home.state().await, before);
    // Another type has values of its own.
    home.anna.make_with(json!({ "resourceType": "Home.Room", "uniqueKeys": serial("A-1") })).await;
}

#[tokio::test]
async fn another_household_learns_that_it_is_taken_and_nothing_else() {
    let home = Home::open().await;
    let made = home.anna.make_with(box_with(json!({ "uniqueKeys": serial("A-1") }))).await;
    let ben = home.server.with_household("ben").await;
    let refused = ben.post("/resources", box_with(json!({ "uniqueKeys": serial("A-1") }))).await;
    let problem = refused.expect_problem(409, "UNIQUE_KEY_TAKEN");
    assert_eq!(problem.get("existing"), None);
    assert!(!refused.text.contains(made["_id"].as_str().unwrap()), "{}", refused.text);
    look_up(&ben, "Home.Box", "serial", "A-1").await.expect_problem(404, "UNIQUE_KEY_NOT_FOUND");
}

#[tokio::test]
async fn case_matters_unless_it_is_said_not_to() {
    let home = Home::open().await;
    let key = |value: &str, folds: bool| {
        let key = json!({ "key": "email", "value": value, "caseInsensitive": folds });
        box_with(json!({ "uniqueKeys": [key] }))
    };
    let folded = home.anna.make_with(key("Mia@Example.org", true)).await;
    assert_eq!(folded["uniqueKeys"][0]["value"], "Mia@Example.org", "as it was given");
    let again = home.anna.post("/resources", key("MIA@example.ORG", true)).await;
    again.expect_problem(409, "UNIQUE_KEY_TAKEN");
    for value in ["mia@example.org", "MIA@EXAMPLE.ORG"] {
        assert_eq!(look_up(&home.anna, "Home.Box", "email", value).await.expect(200), folded);
    }
    let exact = home.anna.make_with(key("MIA@EXAMPLE.ORG", false)).await;
    assert_eq!(
        look_up(&home.anna, "Home.Box", "email", "MIA@EXAMPLE.ORG").await.expect(200),
        exact
    );
}

#[tokio::test]
async fn of_many_who_want_a_value_one_gets_it() {
    let home = Home::open().await;
    let tries: Vec<_> = (0..8)
        .map(|_| {
            let anna = home.anna.clone();
            let body = box_with(json!({ "uniqueKeys": serial("A-1") }));
            tokio::spawn(async move { anna.post("/resources", body).await.status })
        })
        .collect();
    let mut statuses = Vec::new();
    for one in tries {
        statuses.push(one.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(home.state().await.len(), 1);
}

#[tokio::test]
async fn what_can_be_no_value_is_refused() {
    let home = Home::open().await;
    let eleven: Vec<_> =
        (0..11).map(|n| json!({ "key": "serial", "value": n.to_string() })).collect();
    for (keys, field) in [
        (json!(["serial"]), "uniqueKeys[0]"),
        (json!(eleven), "uniqueKeys"),
        (
            json!([{ "key": "serial", "value": "a" }, { "key": "serial", "value": "a" }]),
            "uniqueKeys",
        ),
        (
            json!([{ "key": "serial", "value": "a" }, { "key": "1", "value": "a" }]),
            "uniqueKeys[1].key",
        ),
        (json!([{ "key": "a#b", "value": "a" }]), "uniqueKeys[0].key"),
        (json!([{ "key": "serial", "value": " " }]), "uniqueKeys[0].value"),
        (json!([{ "key": "serial", "value": "a\u{0}" }]), "uniqueKeys[0].value"),
        (json!([{ "key": "serial", "value": 7 }]), "uniqueKeys[0].value"),
        (json!([{ "key": "serial", "value": "x".repeat(601) }]), "uniqueKeys[0].value"),
        (
            json!([{ "key": "serial", "value": "a", "caseInsensitive": 1 }]),
            "uniqueKeys[0].caseInsensitive",
        ),
    ] {
        let answer = home.anna.post("/resources", box_with(json!({ "uniqueKeys": keys }))).await;
        answer.expect_field_error("INVALID_UNIQUE_KEYS", field);
    }
    let no_list = box_with(json!({ "uniqueKeys": "serial" }));
    home.anna.post("/resources", no_list).await.expect_field_error("INVALID_FIELDS", "uniqueKeys");
    assert_eq!(home.state().await, Vec::<Value>::new());
    for (path, code) in [
        ("/unique-keys/box/serial/A-1", "INVALID_RESOURCE_TYPE"),
        ("/unique-keys/Home.Box/1/A-1", "INVALID_UNIQUE_KEYS"),
        ("/unique-keys/Home.Box/serial/%20", "INVALID_UNIQUE_KEYS"),
        ("/unique-keys/Home.Box/serial/%ff", "INVALID_UNIQUE_KEYS"),
    ] {
        home.anna.get(path).await.expect_problem(400, code);
    }
    // The application's own values are not held by resources.
    let email = look_up(&home.anna, "System.User", "emailAddress", &home.anna.email).await;
    email.expect_problem(404, "UNIQUE_KEY_NOT_FOUND");
}
