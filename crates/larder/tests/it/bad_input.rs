//! Invalid input: a clear problem that names the field, and no change.

use reqwest::{Method, header};
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, Server, id_of};

/// A household with one item, and a way to see that it is still as it was.
struct Kitchen {
    server: Server,
    anna: Client,
    milk: Value,
    before: String,
}

impl Kitchen {
    async fn open() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let milk = anna.add("Milk", 1, "L").await;
        let before = state(&anna, &milk).await;
        Self { server, anna, milk, before }
    }

    /// A valid item with one field replaced by `literal`, byte for byte.
    async fn post_with(&self, field: &str, literal: &str) -> Answer {
        let mut fields = vec![
            ("name", r#""Rice""#.to_owned()),
            ("quantity", "1".to_owned()),
            ("unit", r#""kg""#.to_owned()),
        ];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, literal.to_owned()));
        let members: Vec<_> = fields.iter().map(|(k, v)| format!(r#""{k}":{v}"#)).collect();
        let body = format!("{{{}}}", members.join(","));
        self.anna.post_bytes("/inventory/items", body).await
    }

    async fn patch_with(&self, field: &str, literal: &str) -> Answer {
        let request = self.anna.request(Method::PATCH, &self.milk_path());
        let body = format!(r#"{{"version":1,"{field}":{literal}}}"#);
        self.anna.send(request.header(header::CONTENT_TYPE, "application/json").body(body)).await
    }

    fn milk_path(&self) -> String {
        format!("/inventory/items/{}", id_of(&self.milk))
    }

    async fn assert_unchanged(&self) {
        assert_eq!(state(&self.anna, &self.milk).await, self.before);
    }
}

/// All items and the history of the first one.
async fn state(client: &Client, item: &Value) -> String {
    let items = client.get("/inventory/items?includeDepleted=true").await;
    let history = client.get(&format!("/inventory/items/{}/history", id_of(item))).await;
    format!("{}\n{}", items.text, history.text)
}

fn text(character: &str, count: usize) -> String {
    format!("\"{}\"", character.repeat(count))
}

#[tokio::test]
async fn an_invalid_field_is_named_on_create_and_on_change() {
    let kitchen = Kitchen::open().await;
    for (field, literal) in [
        ("name", r#""""#.to_owned()),
        ("name", r#""   ""#.to_owned()),
        ("name", text("x", 201)),
        ("name", text("あ", 201)),
        ("name", "7".to_owned()),
        ("quantity", "-1".to_owned()),
        ("quantity", "1.005".to_owned()),
        ("quantity", "1e400".to_owned()),
        ("quantity", "100000000".to_owned()),
        ("quantity", r#""3""#.to_owned()),
        ("quantity", "true".to_owned()),
        ("quantity", "[1]".to_owned()),
        ("expirationDate", r#""2026-02-30""#.to_owned()),
        ("expirationDate", r#""1899-12-31""#.to_owned()),
        ("expirationDate", r#""2101-01-01""#.to_owned()),
        ("expirationDate", r#""tomorrow""#.to_owned()),
        ("expirationDate", r#""2026-02-03T10:00:00Z""#.to_owned()),
        ("unit", r#""""#.to_owned()),
        ("unit", text("u", 21)),
        ("notes", text("n", 1001)),
        ("categoryId", r#""00000000-0000-4000-8000-000000000000""#.to_owned()),
        ("categoryId", r#""fruit""#.to_owned()),
        ("storageLocationId", r#""00000000-0000-4000-8000-000000000000""#.to_owned()),
        ("preferredStoreId", r#""00000000-0000-4000-8000-000000000000""#.to_owned()),
        ("lowStockThreshold", "-0.01".to_owned()),
    ] {
        eprintln!("{field} = {literal:.40}");
        kitchen.post_with(field, &literal).await.expect_invalid_field(field);
        kitchen.patch_with(field, &literal).await.expect_invalid_field(field);
    }
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let kitchen = Kitchen::open().await;
    let complete = json!({ "name": "Rice", "quantity": 1, "unit": "kg" });
    for field in ["name", "quantity", "unit"] {
        let mut body = complete.clone();
        body.as_object_mut().unwrap().remove(field);
        kitchen.anna.post("/inventory/items", body).await.expect_invalid_field(field);
    }
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn an_unknown_field_is_never_dropped_silently() {
    let kitchen = Kitchen::open().await;
    let created = kitchen.post_with("quantitty", "2").await;
    created.expect_field_error("UNKNOWN_FIELD", "quantitty");
    let changed = kitchen.patch_with("isDepleted", "true").await;
    changed.expect_field_error("UNKNOWN_FIELD", "isDepleted");
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn what_is_not_json_is_told_apart() {
    let kitchen = Kitchen::open().await;
    let nested = format!("{}1{}", r#"{"name":"#.repeat(5000), "}".repeat(5000));
    for (body, code) in [
        (br#"{"name":"Rice","quantity":NaN,"unit":"kg"}"#.to_vec(), "MALFORMED_JSON"),
        (br#"{"name":"Rice","quantity":1,"unit":"kg""#.to_vec(), "MALFORMED_JSON"),
        (br#"{"name":"Rice","quantity":1,"unit":"kg"} extra"#.to_vec(), "MALFORMED_JSON"),
        (b"{\"name\":\"\xff\xfe\",\"quantity\":1,\"unit\":\"kg\"}".to_vec(), "INVALID_UTF8"),
        (nested.into_bytes(), "TOO_DEEP"),
    ] {
        let answer = kitchen.anna.post_bytes("/inventory/items", body).await;
        answer.expect_problem(400, code);
    }
    for body in ["", "[]", "null", "\"Rice\"", r#"{"name":"a","name":"b","quantity":1,"unit":"g"}"#]
    {
        kitchen.anna.post_bytes("/inventory/items", body).await.expect_refusal(400);
    }
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn a_body_of_five_megabytes_is_too_large() {
    let kitchen = Kitchen::open().await;
    let body = format!(r#"{{"name":"{}"}}"#, "x".repeat(5 * 1024 * 1024));
    kitchen.anna.post_bytes("/inventory/items", body).await.expect_problem(413, "BODY_TOO_LARGE");
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn only_json_is_taken() {
    let kitchen = Kitchen::open().await;
    let body = r#"{"name":"Rice","quantity":1,"unit":"kg"}"#;
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        let request = kitchen.anna.request(Method::POST, "/inventory/items");
        let request = request.header(header::CONTENT_TYPE, content_type).body(body);
        kitchen.anna.send(request).await.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    kitchen.assert_unchanged().await;
    let request = kitchen.anna.request(Method::POST, "/inventory/items");
    let request = request.header(header::CONTENT_TYPE, "application/json; charset=utf-8");
    kitchen.anna.send(request.body(body)).await.expect(201);
}

#[tokio::test]
async fn every_error_is_reported_at_once() {
    let kitchen = Kitchen::open().await;
    let body = json!({ "name": "", "quantity": -1, "unit": "", "notes": 7 });
    let answer = kitchen.anna.post("/inventory/items", body).await;
    let problem = answer.expect_problem(400, "INVALID_FIELDS");
    let mut fields: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str()).collect();
    fields.sort_unstable();
    assert_eq!(fields, [Some("name"), Some("notes"), Some("quantity"), Some("unit")]);
}

#[tokio::test]
async fn an_item_of_another_household_is_not_there() {
    let kitchen = Kitchen::open().await;
    let stranger = kitchen.server.with_household("stranger").await;
    let path = kitchen.milk_path();
    let unknown = "/inventory/items/00000000-0000-4000-8000-000000000000";
    let foreign = stranger.get(&path).await.expect_refusal(404);
    let absent = stranger.get(unknown).await.expect_refusal(404);
    for member in ["type", "title", "code", "detail"] {
        assert_eq!(foreign[member], absent[member], "the two must not be told apart");
    }
    stranger.patch(&path, json!({ "version": 1, "name": "Mine" })).await.expect_refusal(404);
    stranger.delete(&path).await.expect_refusal(404);
    kitchen.assert_unchanged().await;
}

#[tokio::test]
async fn lengths_count_characters_and_the_longest_is_allowed() {
    let kitchen = Kitchen::open().await;
    for (field, literal) in [
        ("name", text("🥕", 200)),
        ("unit", text("個", 20)),
        ("notes", text("ん", 1000)),
        ("quantity", "99999999.99".to_owned()),
        ("expirationDate", r#""1900-01-01""#.to_owned()),
        ("expirationDate", r#""2100-12-31""#.to_owned()),
        ("expirationDate", r#""2028-02-29""#.to_owned()),
    ] {
        let item = kitchen.post_with(field, &literal).await.expect(201)["item"].clone();
        assert_eq!(item[field], serde_json::from_str::<Value>(&literal).unwrap());
        let path = format!("/inventory/items/{}", id_of(&item));
        kitchen.anna.delete(&path).await.expect(204);
    }
}

#[tokio::test]
async fn a_packed_body_is_told_from_a_broken_one() {
    let kitchen = Kitchen::open().await;
    for coding in ["gzip", "deflate", "br"] {
        let request = kitchen.anna.request(Method::POST, "/inventory/items");
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let request = request.header(header::CONTENT_ENCODING, coding).body(vec![0x1f, 0x8b, 8, 0]);
        let answer = kitchen.anna.send(request).await;
        answer.expect_problem(415, "UNSUPPORTED_ENCODING");
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn characters_that_nobody_sees_are_refused_in_names_and_addresses() {
    let kitchen = Kitchen::open().await;
    for (name, code) in [
        ("Mi\u{200b}lk", "U+200B"),
        ("\u{202e}kliM", "U+202E"),
        ("Milk\u{200d}", "U+200D"),
        ("\u{feff}Milk", "U+FEFF"),
    ] {
        let message = format!("must not contain the invisible character {code}");
        let anna = &kitchen.anna;
        let errors =
            |answer: Answer| answer.expect_problem(400, "INVALID_FIELDS")["errors"].clone();
        let refused = json!([{ "field": "name", "message": message }]);
        let item = json!({ "name": name, "quantity": 1, "unit": "L" });
        assert_eq!(errors(anna.post("/inventory/items", item).await), refused);
        assert_eq!(errors(anna.patch("/me", json!({ "name": name })).await), refused);
        assert_eq!(errors(anna.post("/stores", json!({ "name": name })).await), refused);
        let entry = errors(anna.post("/shopping-list", json!({ "name": name })).await);
        assert_eq!(entry[0]["message"], format!("Name {message}"));
        let email = format!("{name}@example.org");
        let account = json!({ "email": email, "password": "a long password", "name": "Mia" });
        let refused = json!([{ "field": "email", "message": message }]);
        assert_eq!(errors(anna.post("/auth/register", account).await), refused);
    }
}

#[tokio::test]
async fn names_round_trip_byte_for_byte() {
    let kitchen = Kitchen::open().await;
    for name in [
        "🥕🧑‍🍳👨‍👩‍👧‍👦",
        "חלב 3% טרי",
        "زيت الزيتون",
        "mixed חלב direction",
        "葛\u{e0100}城 ☕️ می‌خواهم",
        "北海道産じゃがいも",
        "ﾊﾝｶｸ ｶﾅ",
        "e\u{301} stays decomposed",
        "é stays composed",
        "Straße \u{1F1E9}\u{1F1EA}",
        "quotes \" back\\slash / <b>&amp;</b>",
    ] {
        let body = json!({ "name": name, "quantity": 1, "unit": "個", "notes": name });
        let item = kitchen.anna.add_item(body).await;
        let read = kitchen.anna.item(id_of(&item)).await;
        assert_eq!(read["name"].as_str(), Some(name));
        assert_eq!(read["notes"].as_str(), Some(name));
    }
}
