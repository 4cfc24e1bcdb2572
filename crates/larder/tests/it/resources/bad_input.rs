//! Invalid input: a specific code, and no change.

use serde_json::{Value, json};

use super::{Home, box_with};
use crate::it::support::urn_of;

/// So many levels of objects, and a number in the innermost.
fn nested(levels: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))
}

fn body_with(attributes: &str) -> String {
    format!(r#"{{"resourceType":"Home.Box","attributes":{attributes}}}"#)
}

/// A text attribute that brings all attributes to so many bytes.
fn text_of(bytes: usize, character: &str) -> String {
    // Three bytes for the object, and two for the name with its entry.
    format!("{{\"a\":\"{}\"}}", character.repeat(bytes - 5))
}

#[tokio::test]
async fn each_mistake_has_its_code() {
    let home = Home::open().await;
    let kind = |text: &str| json!({ "resourceType": text, "attributes": {} });
    for (body, code) in [
        (kind("box"), "INVALID_RESOURCE_TYPE"),
        (kind(""), "INVALID_RESOURCE_TYPE"),
        (kind("Home..Box"), "INVALID_RESOURCE_TYPE"),
        (kind("Home#Box"), "INVALID_RESOURCE_TYPE"),
        (kind(&"A".repeat(201)), "INVALID_RESOURCE_TYPE"),
        (kind("System.User"), "RESERVED_RESOURCE_TYPE"),
        (kind("System.Account"), "RESERVED_RESOURCE_TYPE"),
        (box_with(json!({ "id": "" })), "INVALID_ID"),
        (box_with(json!({ "id": "7" })), "INVALID_ID"),
        (box_with(json!({ "id": "123-abc-890-xyz" })), "INVALID_ID"),
        (box_with(json!({ "id": "019555563cd27df2b839693fa6fbd505" })), "INVALID_ID"),
        (box_with(json!({ "id": "{01955556-3cd2-7df2-b839-693fa6fbd505}" })), "INVALID_ID"),
        (box_with(json!({ "id": "x::01955556-3cd2-7df2-b839-693fa6fbd505" })), "INVALID_ID"),
        (box_with(json!({ "attributes": "text" })), "INVALID_FIELDS"),
        (box_with(json!({ "attributes": [] })), "INVALID_FIELDS"),
        (box_with(json!({ "attributes": { "": 1 } })), "INVALID_ATTRIBUTES"),
        (box_with(json!({ "attributes": { "a": "\u{0}" } })), "INVALID_ATTRIBUTES"),
        (box_with(json!({ "attributes": { "n".repeat(256): 1 } })), "INVALID_ATTRIBUTES"),
        (box_with(json!({ "id": 7 })), "INVALID_FIELDS"),
        (json!({ "resourceType": "Home.Box" }), "INVALID_FIELDS"),
        (json!({ "attributes": {} }), "INVALID_FIELDS"),
        (box_with(json!({ "_accountUrn": "urn:pp:System.Account::x" })), "UNKNOWN_FIELD"),
        (box_with(json!({ "parent": null })), "UNKNOWN_FIELD"),
    ] {
        home.anna.post("/resources", body).await.expect_problem(400, code);
    }
    assert_eq!(home.state().await, Vec::<Value>::new());
}

#[tokio::test]
async fn names_of_records_are_not_for_attributes() {
    let home = Home::open().await;
    for name in ["_", "_id", "_recordType", "PK", "PKs", "SK", "SKU", "GSI", "GSI1PK", "urn"] {
        let body = box_with(json!({ "attributes": { name: 1 } }));
        let problem = home.anna.post("/resources", body).await;
        let problem = problem.expect_problem(400, "RESERVED_ATTRIBUTE");
        assert!(problem["detail"].as_str().unwrap().contains(name), "{problem}");
    }
    assert_eq!(home.state().await, Vec::<Value>::new());
    let near = json!({ "pk": 1, "sku": 2, "a_b": 3, "URN": 4, "version": 5, "type": { "_id": 6, "PK": 7 } });
    let made = home.anna.make_with(box_with(json!({ "attributes": near }))).await;
    assert_eq!(home.anna.resource(urn_of(&made)).await["attributes"], near);
}

#[tokio::test]
async fn attributes_nest_thirty_two_levels_and_no_more() {
    let home = Home::open().await;
    for levels in [33, 34, 200, 5_000, 100_000] {
        let answer = home.anna.post_bytes("/resources", body_with(&nested(levels))).await;
        answer.expect_problem(400, "ATTRIBUTES_TOO_DEEP");
    }
    assert_eq!(home.state().await, Vec::<Value>::new());
    let deepest = home.anna.post_bytes("/resources", body_with(&nested(32))).await.expect(201);
    assert_eq!(deepest["attributes"], serde_json::from_str::<Value>(&nested(32)).unwrap());
    assert_eq!(home.anna.resource(urn_of(&deepest)).await, deepest);
}

#[tokio::test]
async fn attributes_have_at_most_350_kilobytes() {
    const MOST: usize = 350 * 1024;
    let home = Home::open().await;
    let over = home.anna.post_bytes("/resources", body_with(&text_of(MOST + 1, "x"))).await;
    over.expect_problem(413, "ATTRIBUTES_TOO_LARGE");
    let escaped =
        home.anna.post_bytes("/resources", body_with(&text_of(MOST + 1, "\\u0078"))).await;
    escaped.expect_problem(413, "ATTRIBUTES_TOO_LARGE");
    let huge = home.anna.post_bytes("/resources", body_with(&text_of(4 * 1024 * 1024, "x"))).await;
    huge.expect_problem(413, "BODY_TOO_LARGE");
    assert_eq!(home.state().await, Vec::<Value>::new());
    for character in ["x", "\\u0078"] {
        let body = body_with(&text_of(MOST, character));
        let made = home.anna.post_bytes("/resources", body).await.expect(201);
        assert_eq!(made["attributes"]["a"].as_str().map(str::len), Some(MOST - 5));
        assert_eq!(home.anna.resource(urn_of(&made)).await, made);
    }
}

#[tokio::test]
async fn what_not_every_engine_can_hold_is_refused() {
    let home = Home::open().await;
    for attributes in [
        r#"{"a":1e126}"#,
        r#"{"a":123456789012345678901234567890123456789}"#,
        r#"{"a":{"b":1,"b":2}}"#,
        r#"{"a":"\ud800"}"#,
    ] {
        let answer = home.anna.post_bytes("/resources", body_with(attributes)).await;
        answer.expect_problem(400, "INVALID_ATTRIBUTES");
    }
    for (body, code) in [
        (body_with(r#"{"a":NaN}"#), "MALFORMED_JSON"),
        (body_with(r#"{"a":1"#), "MALFORMED_JSON"),
        ("[]".to_owned(), "NOT_AN_OBJECT"),
        (String::new(), "BODY_REQUIRED"),
        (r#"{"attributes":{},"attributes":{}}"#.to_owned(), "DUPLICATE_KEY"),
    ] {
        home.anna.post_bytes("/resources", body).await.expect_problem(400, code);
    }
    assert_eq!(home.state().await, Vec::<Value>::new());
}
