//! Creating things, and their attributes.

use serde_json::{Value, json};

use super::{all, hides, house, make, page_of, shows};
use crate::it::support::{resource_path, urn_of};
use crate::web::support::Reader;

#[tokio::test]
async fn an_empty_household_is_told_what_this_is_and_begins_with_one_form() {
    let (_server, anna, reader) = house().await;
    shows(&reader.get("/things").await, "Begin with the largest, such as your home.");
    let page = reader.submit("/things", &[("name", "Home"), ("kind", "building")]).await;
    shows(&page, "Added.");
    shows(&page, "Home Building");
    let things = all(&anna).await;
    assert_eq!(things[0]["_resourceType"], "Building");
    assert_eq!(things[0]["attributes"], json!({ "name": "Home" }));
    hides(&page, "Begin with the largest");
}

#[tokio::test]
async fn a_thing_is_put_into_another_with_what_there_is_to_say_of_it() {
    let (_server, anna, reader) = house().await;
    let home = make(&anna, "Building", "Home", None).await;
    reader.get(&page_of(&home)).await.expect(200);
    let fields = [
        ("name", "Shed"),
        ("kind", "garden shed"),
        ("parent", &*home),
        ("attribute", "area"),
        ("shape", "number"),
        ("value", "4.50"),
        ("attribute", ""),
        ("shape", "text"),
        ("value", ""),
        ("back", &*page_of(&home)),
    ];
    let page = reader.submit("/things", &fields).await;
    shows(&page, "Shed garden shed");
    let things = all(&anna).await;
    let shed = things.iter().find(|thing| thing["_resourceType"] == "Thing").unwrap();
    let attributes = json!({ "name": "Shed", "kind": "garden shed", "area": 4.5 });
    assert_eq!(shed["attributes"], attributes);
    assert_eq!(shed["_parentUrn"], *home);
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_name_and_changes_nothing() {
    let (_server, anna, reader) = house().await;
    let attribute = |shape, name, value| {
        [("name", "X"), ("kind", "Box"), ("attribute", name), ("shape", shape), ("value", value)]
    };
    let refused = [
        (
            reader.post("/things", &[("name", "X"), ("kind", &*"x".repeat(61))]).await,
            400,
            "check “Kind”",
        ),
        (reader.post("/things", &[("name", "X"), ("kind", "")]).await, 400, "check “Kind”"),
        (reader.post("/things", &attribute("number", "area", "big")).await, 400, "check “area”"),
        (
            reader.post("/things", &attribute("text", "_version", "1")).await,
            400,
            "“_version” cannot be used here",
        ),
        (
            reader.post("/things", &[("name", "X"), ("kind", "Box"), ("parent", "home")]).await,
            404,
            "There is nothing here",
        ),
    ];
    for (page, status, message) in refused {
        shows(&page.expect(status), message);
    }
    assert_eq!(all(&anna).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_thing_says_where_it_is_and_what_it_is_like() {
    let (server, anna, reader) = house().await;
    let home = make(&anna, "Building", "Home", None).await;
    let attic = make(&anna, "Room", "Attic", Some(&home)).await;
    let attributes =
        json!({ "name": "Tent", "people": 3, "dry": true, "size": { "w": 2, "unit": "m" } });
    let tent = json!({ "resourceType": "Tent", "parentUrn": attic, "attributes": attributes });
    let tent = urn_of(&anna.make_with(tent).await).to_owned();
    let page = reader.get(&page_of(&tent)).await.expect(200);
    shows(&page, "Attic Tent Tent Things Home Attic");
    shows(&page, "dry Yes people 3 size unit: m, w: 2");
    shows(&page, "Changed just now");
    let japanese = Reader::speaking(&server, "ja");
    japanese.log_in(&anna).await;
    let page = japanese.get(&page_of(&attic)).await.expect(200);
    shows(&page, "Attic 部屋");
    shows(&page, "この中に新しく入れる");
}

#[tokio::test]
async fn saving_keeps_every_digit_and_what_was_not_touched() {
    let (_server, anna, reader) = house().await;
    let attributes =
        r#"{"name":"Safe","code":12345678901234567890.123,"note":"a\r\nb","dims":{"w":1.5}}"#;
    let body = format!(r#"{{"resourceType":"Safe","attributes":{attributes}}}"#);
    let safe = anna.post_bytes("/resources", body).await.expect(201);
    let safe = urn_of(&safe).to_owned();
    reader.get(&format!("{}/edit", page_of(&safe))).await.expect(200);
    let form = |version: &'static str, name: &'static str, code: &'static str| {
        [
            ("version", version),
            ("schema", "1"),
            ("name", name),
            ("attribute", "code"),
            ("shape", "number"),
            ("value", code),
            ("attribute", "dims"),
            ("shape", "data"),
            ("value", r#"{"w":1.5}"#),
            ("attribute", "note"),
            ("shape", "text"),
            ("value", "a\r\nb"),
        ]
    };
    let edit = format!("{}/edit", page_of(&safe));
    let page = reader.submit(&edit, &form("1", "Strongbox", "12345678901234567890.123")).await;
    shows(&page, "Saved.");
    let text = anna.get(&resource_path(&safe)).await.text;
    assert!(text.contains("12345678901234567890.123"), "{text}");
    assert!(
        text.contains(r#""note":"a\r\nb""#) && text.contains(r#""name":"Strongbox""#),
        "{text}"
    );
    let page = reader.post(&edit, &form("2", "Strongbox", "many")).await.expect(400);
    shows(&page, "Please check “code”");
    assert!(page.text.contains("value=\"many\""), "{}", page.text);
    assert_eq!(anna.resource(&safe).await["_version"], 2);
}

#[tokio::test]
async fn who_saves_over_a_change_of_another_sees_both_first_and_loses_nothing() {
    let (_server, anna, reader) = house().await;
    let tent = make(&anna, "Tent", "Tent", None).await;
    let edit = format!("{}/edit", page_of(&tent));
    reader.get(&edit).await.expect(200);
    let theirs = json!({ "attributes": { "name": "Big tent", "colour": "green" } });
    anna.put_if(&resource_path(&tent), "*", theirs).await.expect(200);
    let mine = [("version", "1"), ("schema", "1"), ("name", "Old tent")];
    let page = reader.post(&edit, &mine).await.expect(409);
    shows(&page, "Somebody else has changed this while you were writing.");
    shows(&page, "Name Old tent Big tent");
    shows(&page, "colour – green");
    assert_eq!(anna.resource(&tent).await["attributes"]["name"], "Big tent");
    // The form has my values on top of theirs, including their additions.
    assert!(page.text.contains("name=\"version\" value=\"2\""), "{}", page.text);
    assert!(page.text.contains("name=\"attribute\" value=\"colour\""), "{}", page.text);
    let both = [
        ("version", "2"),
        ("schema", "1"),
        ("name", "Old tent"),
        ("attribute", "colour"),
        ("shape", "text"),
        ("value", "green"),
    ];
    shows(&reader.submit(&edit, &both).await, "Saved.");
    let saved = json!({ "name": "Old tent", "colour": "green" });
    assert_eq!(anna.resource(&tent).await["attributes"], saved);
}
