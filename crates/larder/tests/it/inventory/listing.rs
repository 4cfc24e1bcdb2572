//! Filters, search, sorting, and conditional requests.

use jiff::{ToSpan as _, civil::Date};
use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Client, Server, encode, id_of, names};

async fn found(client: &Client, query: &str) -> Vec<String> {
    let mut found: Vec<_> =
        names(&client.items(query).await).into_iter().map(str::to_owned).collect();
    found.sort_unstable();
    found
}

async fn searched(client: &Client, text: &str) -> Vec<String> {
    found(client, &format!("search={}", encode(text))).await
}

async fn with_items(server: &Server, items: &[&str]) -> Client {
    let anna = server.with_household("anna").await;
    for name in items {
        anna.add(name, 1, "個").await;
    }
    anna
}

#[tokio::test]
async fn search_matches_the_beginning_of_any_word() {
    let server = Server::start().await;
    let anna =
        with_items(&server, &["Olive oil", "Oil lamp", "Boiled eggs", "リンゴ ジュース"]).await;
    assert_eq!(searched(&anna, "oil").await, ["Oil lamp", "Olive oil"]);
    assert_eq!(searched(&anna, "OIL").await, ["Oil lamp", "Olive oil"]);
    assert_eq!(searched(&anna, "ｏｉｌ").await, ["Oil lamp", "Olive oil"]);
    assert_eq!(searched(&anna, "olive o").await, ["Olive oil"]);
    assert_eq!(searched(&anna, "ジュ").await, ["リンゴ ジュース"]);
    assert_eq!(searched(&anna, "ﾘﾝｺﾞ").await, ["リンゴ ジュース"]);
    assert_eq!(searched(&anna, "iled").await, Vec::<String>::new());
}

#[tokio::test]
async fn percent_and_underscore_are_ordinary_characters() {
    let server = Server::start().await;
    let anna = with_items(&server, &["100% juice", "1000 nails", "a_b", "axb"]).await;
    assert_eq!(searched(&anna, "100%").await, ["100% juice"]);
    assert_eq!(searched(&anna, "%").await, Vec::<String>::new());
    assert_eq!(searched(&anna, "a_").await, ["a_b"]);
    assert_eq!(searched(&anna, "_").await, Vec::<String>::new());
}

#[tokio::test]
async fn filters_narrow_and_combine() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let categories = anna.get("/categories").await.expect(200)["items"].clone();
    let locations = anna.get("/storage-locations").await.expect(200)["items"].clone();
    let (fruit, meat) = (&categories[1]["id"], &categories[2]["id"]);
    let (fridge, shelf) = (&locations[0]["id"], &locations[3]["id"]);
    for (name, category, location) in
        [("Apple", fruit, fridge), ("Pear", fruit, shelf), ("Ham", meat, fridge)]
    {
        anna.add_item(json!({
            "name": name, "quantity": 1, "unit": "個",
            "categoryId": category, "storageLocationId": location,
        }))
        .await;
    }
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let by_category = format!("categoryId={}", text(fruit));
    assert_eq!(found(&anna, &by_category).await, ["Apple", "Pear"]);
    let by_location = format!("storageLocationId={}", text(fridge));
    assert_eq!(found(&anna, &by_location).await, ["Apple", "Ham"]);
    assert_eq!(found(&anna, &format!("{by_category}&{by_location}")).await, ["Apple"]);
    assert_eq!(found(&anna, &format!("{by_location}&search=h")).await, ["Ham"]);
}

#[tokio::test]
async fn depleted_items_are_listed_only_when_asked_for() {
    let server = Server::start().await;
    let anna = with_items(&server, &["Full"]).await;
    let empty = anna.add("Empty", 1, "個").await;
    anna.adjust(id_of(&empty), -1).await.expect(200);
    assert_eq!(found(&anna, "").await, ["Full"]);
    assert_eq!(found(&anna, "includeDepleted=true").await, ["Empty", "Full"]);
}

#[tokio::test]
async fn low_stock_means_below_the_threshold() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for (name, quantity, threshold) in [
        ("Above", 3, json!(2)),
        ("At", 2, json!(2)),
        ("Below", 1, json!(2)),
        ("No threshold", 1, json!(null)),
    ] {
        let body = json!({
            "name": name, "quantity": quantity, "unit": "個", "lowStockThreshold": threshold,
        });
        anna.add_item(body).await;
    }
    assert_eq!(found(&anna, "lowStock=true").await, ["Below"]);
}

/// The dates leave a day of room on each side, so that midnight during the test changes nothing.
#[tokio::test]
async fn expiring_is_told_from_the_calendar() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let undated = anna.add("Undated", 1, "個").await;
    let today: Date = undated["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    for (name, days, status) in [
        ("Old", -2, "expired"),
        ("Soon", 1, "expiring_soon"),
        ("Very soon", 2, "expiring_soon"),
        ("Later", 40, "fresh"),
    ] {
        let date = today.checked_add(days.days()).unwrap();
        let body = json!({
            "name": name, "quantity": 1, "unit": "個", "expirationDate": date.to_string(),
        });
        assert_eq!(anna.add_item(body).await["expirationStatus"], status, "{name}");
    }
    assert_eq!(found(&anna, "expiring=soon").await, ["Soon", "Very soon"]);
    assert_eq!(found(&anna, "expiring=expired").await, ["Old"]);
    let by_date = anna.items("sort=expiration").await;
    assert_eq!(names(&by_date), ["Old", "Soon", "Very soon", "Later", "Undated"]);
}

#[tokio::test]
async fn lists_are_sorted_newest_first_or_by_name() {
    let server = Server::start().await;
    let anna = with_items(&server, &["banana", "Apple", "cherry"]).await;
    assert_eq!(names(&anna.items("").await), ["cherry", "Apple", "banana"]);
    assert_eq!(names(&anna.items("sort=created").await), ["cherry", "Apple", "banana"]);
    assert_eq!(names(&anna.items("sort=name").await), ["Apple", "banana", "cherry"]);
}

#[tokio::test]
async fn a_wrong_or_unknown_parameter_is_named() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for (query, field) in [
        ("sort=colour", "sort"),
        ("expiring=never", "expiring"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=many", "limit"),
        ("includeDepleted=maybe", "includeDepleted"),
        ("categoryId=fruit", "categoryId"),
    ] {
        anna.get(&format!("/inventory/items?{query}")).await.expect_invalid_field(field);
    }
    let unknown = anna.get("/inventory/items?serach=oil").await;
    unknown.expect_field_error("UNKNOWN_FIELD", "serach");
}

#[tokio::test]
async fn an_unchanged_list_or_item_answers_304() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    for path in ["/inventory/items".to_owned(), format!("/inventory/items/{}", id_of(&milk))] {
        let first = anna.get(&path).await;
        let etag = first.header("etag");
        assert!(etag.starts_with('"') && etag.ends_with('"'), "a strong ETag: {etag:?}");
        let again =
            |tag: String| anna.send(anna.request(Method::GET, &path).header("If-None-Match", tag));
        let unchanged = again(etag.to_owned()).await;
        assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""));
        assert_eq!(unchanged.header("etag"), etag);
        assert_eq!(again(format!(r#""other", W/{etag}"#)).await.status, 304);
        assert_eq!(again(r#""other""#.to_owned()).await.status, 200);

        anna.adjust(id_of(&milk), 1).await.expect(200);
        let changed = again(etag.to_owned()).await;
        assert_eq!(changed.status, 200);
        assert_ne!(changed.header("etag"), etag);
    }
}
