//! Adding to the stock.

use serde_json::{Value, json};

use super::{home, listed};
use crate::it::support::Server;

#[tokio::test]
async fn a_name_is_enough() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let page =
        reader.submit("/stock/add", &[("name", " Milk "), ("back", "/stock?sort=name")]).await;
    assert!(page.says("Added to the stock."), "{}", page.visible());
    assert_eq!(listed(&page), ["Milk"]);
    let items = anna.items("").await;
    assert_eq!((&items[0]["quantity"], &items[0]["unit"]), (&json!(1), &json!("pcs")));
}

#[tokio::test]
async fn everything_can_be_said() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let places = anna.get("/storage-locations").await.expect(200);
    let fridge = places["items"][0]["id"].as_str().unwrap().to_owned();
    let categories = anna.get("/categories").await.expect(200);
    let dairy = categories["items"][4]["id"].as_str().unwrap().to_owned();
    let fields = [
        ("name", "Milk"),
        ("quantity", "1.5"),
        ("unit", "L"),
        ("category", &*dairy),
        ("location", &*fridge),
        ("expiration", "2090-01-02"),
    ];
    let page = reader.submit("/stock/add", &fields).await;
    for text in ["1.5", "🥛 Dairy", "🧊 Refrigerator", "2 Jan 2090"] {
        assert!(page.says(text), "{text}: {}", page.visible());
    }
    let item = &anna.items("").await[0];
    assert_eq!(item["categoryId"], json!(dairy));
    assert_eq!(item["storageLocationId"], json!(fridge));
    assert_eq!(item["expirationDate"], json!("2090-01-02"));
}

#[tokio::test]
async fn a_usual_date_is_one_press_and_a_date_of_its_own_wins() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let salt = anna.add("Salt", 1, "kg").await;
    let today: jiff::civil::Date = salt["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    let page = reader.get("/stock").await.expect(200);
    for days in [3, 7] {
        let date = today + jiff::Span::new().days(days);
        let chip = format!("type=\"radio\" name=\"until\" value=\"{date}\"");
        assert!(page.text.contains(&chip), "{days}: {}", page.text);
    }
    let date = async |name: &str, until: &str, expiration: &str| {
        let fields = [("name", name), ("until", until), ("expiration", expiration)];
        reader.submit("/stock/add", &fields).await;
        let items = anna.items("sort=created").await;
        let item = items.iter().find(|item| item["name"] == name);
        item.unwrap_or_else(|| panic!("no {name}"))["expirationDate"].clone()
    };
    assert_eq!(date("Milk", "2090-01-02", "").await, "2090-01-02");
    assert_eq!(date("Bread", "2090-01-02", "2090-03-04").await, "2090-03-04");
    assert_eq!(date("Rice", "", "").await, Value::Null);
    reader.post("/stock/add", &[("name", "Tea"), ("until", "soon")]).await.expect(400);
}

#[tokio::test]
async fn what_is_said_is_remembered_only_if_asked() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let places = anna.get("/storage-locations").await.expect(200);
    let fridge = places["items"][0]["id"].as_str().unwrap().to_owned();
    let page = reader.get("/stock").await.expect(200);
    assert!(page.text.contains("type=\"checkbox\" name=\"remember\""), "{}", page.text);
    let product = async |item: &Value| {
        anna.get(&format!("/products/{}", item["productId"].as_str().unwrap())).await.expect(200)
    };
    let first = anna.add("Milk", 1, "L").await;
    let mut said = vec![("name", "Milk"), ("location", &*fridge), ("expiration", "2090-01-02")];
    reader.submit("/stock/add", &said).await;
    assert_eq!(product(&first).await["storageLocationId"], Value::Null);
    said.push(("remember", "yes"));
    reader.submit("/stock/add", &said).await;
    let known = product(&first).await;
    assert_eq!(known["storageLocationId"], json!(fridge));
    assert!(known["shelfLifeDays"].as_u64().is_some_and(|days| days > 20_000), "{known}");
}

#[tokio::test]
async fn more_of_the_same_is_added_to_what_is_there_and_told() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    anna.add("Flour", 1, "kg").await;
    let fields = [("name", "ＦＬＯＵＲ"), ("quantity", "500"), ("unit", "g")];
    let page = reader.submit("/stock/add", &fields).await;
    assert!(page.says("Added to what is there already."), "{}", page.visible());
    assert_eq!(anna.items("").await[0]["quantity"], json!(1.5));
}

#[tokio::test]
async fn what_nobody_says_is_as_it_was_the_last_time() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let places = anna.get("/storage-locations").await.expect(200);
    let freezer = places["items"][1]["id"].clone();
    let old = json!({
        "name": "Peas", "quantity": 0, "unit": "bag", "storageLocationId": freezer,
        "lowStockThreshold": 2, "expirationDate": "2020-01-01", "notes": "the last bag was torn",
    });
    anna.add_item(old).await;
    reader.submit("/stock/add", &[("name", "peas"), ("expiration", "2090-01-01")]).await;
    let item = &anna.items("").await[0];
    assert_eq!(item["unit"], json!("bag"));
    assert_eq!(item["storageLocationId"], freezer);
    assert_eq!(item["lowStockThreshold"], json!(2));
    assert_eq!(item["notes"], Value::Null);
}

#[tokio::test]
async fn suggestions_are_what_was_there_each_name_once_used_up_or_not() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    anna.add_item(
        json!({ "name": "Milk", "quantity": 0, "unit": "L", "expirationDate": "2020-01-01" }),
    )
    .await;
    let newest =
        json!({ "name": "milk", "quantity": 1, "unit": "bottle", "expirationDate": "2090-01-01" });
    anna.add_item(newest).await;
    anna.add("Rice", 1, "kg").await;
    let answer = reader.get("/stock/suggestions?search=mi").await.expect(200);
    assert_eq!(answer.header("content-type"), "application/json");
    let found: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(found["known"].as_array().unwrap().len(), 1);
    let milk = &found["known"][0];
    assert_eq!((&milk["name"], &milk["unit"]), (&json!("Milk"), &json!("bottle")));
    assert_eq!(found["understood"], Value::Null);
    let nothing = reader.get("/stock/suggestions?search=%20").await.expect(200);
    assert_eq!(nothing.text, r#"{"understood":null,"known":[]}"#);
    // An amount is no part of the name that is looked for.
    let answer = reader.get("/stock/suggestions?search=2+L+mi").await.expect(200);
    let found: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(
        (&found["understood"], &found["known"][0]["name"]),
        (&json!("mi · 2 L"), &json!("Milk"))
    );
}

#[tokio::test]
async fn what_cannot_be_added_says_why_and_changes_nothing() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    anna.add("Milk", 1, "L").await;
    for (fields, status, text) in [
        (vec![("name", " ")], 400, "“Name”"),
        (vec![("name", "Rice"), ("quantity", "many")], 400, "“Quantity”"),
        (vec![("name", "Rice"), ("quantity", "-1")], 400, "“Quantity”"),
        (vec![("name", "Rice"), ("expiration", "2026-02-30")], 400, "“Good until”"),
        (vec![("name", "Rice"), ("category", "x")], 400, "“Category”"),
        (vec![("name", "Milk"), ("unit", "個")], 409, "a unit that does not convert"),
        (vec![("name", "Milk"), ("quantity", "99999999.99")], 422, "more than an item can hold"),
        (
            vec![("name", "Rice"), ("location", "7b0b1a1e-5d8f-4f4c-9d39-000000000001")],
            400,
            "not there any more",
        ),
    ] {
        let page = reader.post("/stock/add", &fields).await.expect(status);
        assert!(page.says(text), "{fields:?}: {}", page.visible());
    }
    let items = anna.items("includeDepleted=true").await;
    assert_eq!((items.len(), &items[0]["version"]), (1, &json!(1)));
}
