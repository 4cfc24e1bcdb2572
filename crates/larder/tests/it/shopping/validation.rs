//! Every row of the validation table, verbatim, without changes.

use reqwest::{Method, header};
use serde_json::{Value, json};

use super::{listed, path_of, put_text};
use crate::it::support::{Answer, Client, Server};

/// A household with one entry on its list.
struct List {
    _server: Server,
    anna: Client,
    entry: Value,
}

impl List {
    async fn open() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let entry = put_text(&anna, "Bread").await;
        Self { _server: server, anna, entry }
    }

    /// A valid new entry with one field replaced by `literal`, byte for byte, or left out.
    async fn post_with(&self, field: &str, literal: Option<&str>) -> Answer {
        self.send(Method::POST, "/shopping-list", &[("name", r#""Milk""#)], field, literal).await
    }

    /// The same for a change.
    async fn patch_with(&self, field: &str, literal: Option<&str>) -> Answer {
        let path = path_of(&self.entry);
        self.send(Method::PATCH, &path, &[("version", "1")], field, literal).await
    }

    /// The same for checking off.
    async fn check_off_with(&self, field: &str, literal: Option<&str>) -> Answer {
        let path = format!("{}/status", path_of(&self.entry));
        let valid = [("version", "1"), ("status", r#""purchased""#)];
        self.send(Method::PATCH, &path, &valid, field, literal).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        valid: &[(&str, &str)],
        field: &str,
        literal: Option<&str>,
    ) -> Answer {
        let others = valid.iter().filter(|(name, _)| *name != field).copied();
        let members = others.chain(literal.map(|literal| (field, literal)));
        let members: Vec<_> = members.map(|(k, v)| format!(r#""{k}":{v}"#)).collect();
        let request = self.anna.request(method, path);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.anna.send(request.body(format!("{{{}}}", members.join(",")))).await
    }

    async fn assert_unchanged(&self) {
        assert_eq!(listed(&self.anna, "").await, std::slice::from_ref(&self.entry));
    }
}

/// A 400 with this one sentence about this one field.
#[track_caller]
fn expect_sentence(answer: &Answer, field: &str, sentence: &str) {
    let problem = answer.expect_problem(400, "INVALID_FIELDS");
    assert_eq!(problem["errors"], json!([{ "field": field, "message": sentence }]));
}

fn text(character: &str, count: usize) -> String {
    format!("\"{}\"", character.repeat(count))
}

/// Invalid ids in a body: not the canonical text of a UUID.
const NO_IDS: [&str; 7] = [
    r#""""#,
    r#""milk""#,
    r#""6ba7b8109dad11d180b400c04fd430c8""#,
    r#""{6ba7b810-9dad-11d1-80b4-00c04fd430c8}""#,
    r#""6ba7b810-9dad-11d1-80b4-00c04fd430c8 ""#,
    "7",
    "[]",
];

#[tokio::test]
async fn invalid_shopping_item_id_format() {
    let list = List::open().await;
    for id in
        ["milk", "1", "6ba7b8109dad11d180b400c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430c"]
    {
        let path = format!("/shopping-list/{id}");
        let edit = json!({ "version": 1, "name": "Cake" });
        let status = json!({ "version": 1, "status": "purchased" });
        for answer in [
            list.anna.get(&path).await,
            list.anna.patch(&path, edit).await,
            list.anna.patch(&format!("{path}/status"), status).await,
            list.anna.delete(&path).await,
        ] {
            expect_sentence(&answer, "shoppingItemId", "Invalid shopping item ID format");
        }
    }
    list.assert_unchanged().await;
}

/// The household and the user are derived from the token: a request cannot name them, and invalid
/// ids are reported in the words of the table.
#[tokio::test]
async fn invalid_family_id_format_and_invalid_member_id_format() {
    let list = List::open().await;
    for (field, sentence) in [
        ("familyId", "Invalid family ID format"),
        ("addedBy", "Invalid member ID format"),
        ("shoppingItemId", "Invalid shopping item ID format"),
    ] {
        let unknown = json!({ "field": field, "message": "is not known here" });
        for literal in NO_IDS {
            let answer = list.post_with(field, Some(literal)).await;
            let problem = answer.expect_problem(400, "UNKNOWN_FIELD");
            let expected = json!([{ "field": field, "message": sentence }, unknown]);
            assert_eq!(problem["errors"], expected, "{literal}");
        }
        let own = format!("\"{}\"", list.anna.user_id);
        let problem = list.post_with(field, Some(&own)).await.expect_problem(400, "UNKNOWN_FIELD");
        assert_eq!(problem["errors"], json!([unknown]));
    }
    list.assert_unchanged().await;
}

#[tokio::test]
async fn invalid_inventory_item_id_format() {
    let list = List::open().await;
    for literal in NO_IDS {
        let answer = list.post_with("itemId", Some(literal)).await;
        expect_sentence(&answer, "itemId", "Invalid inventory item ID format");
    }
    let moved = list.patch_with("itemId", Some("null")).await;
    moved.expect_field_error("UNKNOWN_FIELD", "itemId");
    list.assert_unchanged().await;
}

#[tokio::test]
async fn name_must_be_1_to_100_characters() {
    let list = List::open().await;
    let too_long = text("x", 101);
    let too_wide = text("あ", 101);
    let bad = [r#""""#, r#""   ""#, r#""a\u0000b""#, r#""\ud800""#, "7", "null", "[]"];
    for literal in bad.into_iter().chain([too_long.as_str(), &too_wide]) {
        let added = list.post_with("name", Some(literal)).await;
        expect_sentence(&added, "name", "Name must be 1-100 characters");
        let renamed = list.patch_with("name", Some(literal)).await;
        expect_sentence(&renamed, "name", "Name must be 1-100 characters");
    }
    let missing = list.post_with("name", None).await;
    expect_sentence(&missing, "name", "Name must be 1-100 characters");
    list.assert_unchanged().await;
    for literal in [text("x", 1), text("🥕", 100)] {
        let entry = list.post_with("name", Some(&literal)).await.expect(201);
        assert_eq!(entry["name"], serde_json::from_str::<Value>(&literal).unwrap());
    }
}

#[tokio::test]
async fn invalid_store_id_format() {
    let list = List::open().await;
    for literal in NO_IDS {
        let added = list.post_with("storeId", Some(literal)).await;
        expect_sentence(&added, "storeId", "Invalid store ID format");
        let moved = list.patch_with("storeId", Some(literal)).await;
        expect_sentence(&moved, "storeId", "Invalid store ID format");
    }
    for text in ["", "milk", "Unassigned", "6ba7b8109dad11d180b400c04fd430c8"] {
        let answer = list.anna.get(&format!("/shopping-list?storeId={text}")).await;
        expect_sentence(&answer, "storeId", "Invalid store ID format");
    }
    list.assert_unchanged().await;
}

#[tokio::test]
async fn status_must_be_pending_or_purchased() {
    let list = List::open().await;
    for literal in [
        Some(r#""bought""#),
        Some(r#""Purchased""#),
        Some(r#""all""#),
        Some(r#""""#),
        Some("null"),
        Some("1"),
        None,
    ] {
        let answer = list.check_off_with("status", literal).await;
        expect_sentence(&answer, "status", "Status must be 'pending' or 'purchased'");
    }
    for query in ["status=bought", "status="] {
        let answer = list.anna.get(&format!("/shopping-list?{query}")).await;
        expect_sentence(&answer, "status", "Status must be 'pending' or 'purchased'");
    }
    for query in ["", "?status=bought"] {
        let answer = list.anna.delete(&format!("/shopping-list{query}")).await;
        expect_sentence(&answer, "status", "Status must be 'pending' or 'purchased'");
    }
    for answer in [
        list.post_with("status", Some(r#""purchased""#)).await,
        list.patch_with("status", Some(r#""purchased""#)).await,
    ] {
        answer.expect_field_error("UNKNOWN_FIELD", "status");
    }
    list.assert_unchanged().await;
}

#[tokio::test]
async fn quantity_must_be_a_positive_integer() {
    let list = List::open().await;
    for literal in [
        "0",
        "-1",
        "1.5",
        "0.5",
        "1e400",
        "100000000",
        "18446744073709551616",
        r#""2""#,
        "true",
        "[1]",
    ] {
        let added = list.post_with("quantity", Some(literal)).await;
        expect_sentence(&added, "quantity", "Quantity must be a positive integer");
        let changed = list.patch_with("quantity", Some(literal)).await;
        expect_sentence(&changed, "quantity", "Quantity must be a positive integer");
    }
    list.assert_unchanged().await;
    for (literal, expected) in
        [("1", json!(1)), ("2.0", json!(2)), ("99999999", json!(99_999_999)), ("null", Value::Null)]
    {
        let entry = list.post_with("quantity", Some(literal)).await.expect(201);
        assert_eq!(entry["quantity"], expected);
    }
}

#[tokio::test]
async fn notes_must_be_500_characters_or_less() {
    let list = List::open().await;
    let too_long = text("ん", 501);
    for literal in [too_long.as_str(), r#""bell\u0007""#, "7", "{}", "false"] {
        let added = list.post_with("notes", Some(literal)).await;
        expect_sentence(&added, "notes", "Notes must be 500 characters or less");
        let changed = list.patch_with("notes", Some(literal)).await;
        expect_sentence(&changed, "notes", "Notes must be 500 characters or less");
    }
    list.assert_unchanged().await;
    let longest = text("ん", 500);
    let entry = list.post_with("notes", Some(&longest)).await.expect(201);
    assert_eq!(entry["notes"].as_str().unwrap().chars().count(), 500);
}

#[tokio::test]
async fn version_must_be_a_positive_integer() {
    let list = List::open().await;
    for literal in [
        Some("0"),
        Some("-1"),
        Some("1.5"),
        Some("18446744073709551616"),
        Some(r#""1""#),
        Some("null"),
        Some("true"),
        None,
    ] {
        for answer in [
            list.patch_with("version", literal).await,
            list.check_off_with("version", literal).await,
        ] {
            expect_sentence(&answer, "version", "Version must be a positive integer");
        }
    }
    list.assert_unchanged().await;
}

#[tokio::test]
async fn every_sentence_is_said_at_once() {
    let list = List::open().await;
    let body = json!({
        "itemId": "x", "name": "", "storeId": 1, "quantity": 0, "notes": [], "force": "yes",
    });
    let answer = list.anna.post("/shopping-list", body).await;
    let problem = answer.expect_problem(400, "INVALID_FIELDS");
    let expected = [
        ("itemId", "Invalid inventory item ID format"),
        ("name", "Name must be 1-100 characters"),
        ("storeId", "Invalid store ID format"),
        ("quantity", "Quantity must be a positive integer"),
        ("notes", "Notes must be 500 characters or less"),
        ("force", "must be true or false"),
    ];
    let expected = expected.map(|(field, message)| json!({ "field": field, "message": message }));
    assert_eq!(problem["errors"], json!(expected));
    list.assert_unchanged().await;
}

#[tokio::test]
async fn an_unknown_field_is_named() {
    let list = List::open().await;
    let added = list.post_with("quantitty", Some("2")).await;
    added.expect_field_error("UNKNOWN_FIELD", "quantitty");
    let changed = list.patch_with("ttl", Some("null")).await;
    changed.expect_field_error("UNKNOWN_FIELD", "ttl");
    let checked = list.check_off_with("name", Some(r#""Cake""#)).await;
    checked.expect_field_error("UNKNOWN_FIELD", "name");
    list.assert_unchanged().await;
}
