//! Putting away purchased entries, several with one request.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{listed, put, put_text, read, set_status};
use crate::it::support::{Client, Server, amount};

const PATH: &str = "/shopping-list/put-away";

/// An entry that was bought.
async fn bought(client: &Client, body: Value) -> Value {
    let entry = put(client, body).await;
    set_status(client, &entry, "purchased").await
}

/// An entry of the request, with its id and version.
fn with(entry: &Value, more: Value) -> Value {
    let mut body = more;
    body["shoppingItemId"] = entry["shoppingItemId"].clone();
    body["version"] = entry["version"].clone();
    body
}

fn results(answer: &Value) -> &Vec<Value> {
    answer["results"].as_array().expect("one result for each entry")
}

fn statuses(answer: &Value) -> Vec<u64> {
    results(answer).iter().map(|result| result["status"].as_u64().unwrap()).collect()
}

/// Quantity, unit and date.
fn lot(item: &Value) -> (String, &Value, &Value) {
    (amount(&item["quantity"]), &item["unit"], &item["expirationDate"])
}

#[tokio::test]
async fn what_was_bought_keeps_as_long_as_such_things_do() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = json!({
        "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": "2026-01-02",
        "shelfLifeDays": 36_500,
    });
    let milk = anna.add_item(milk).await;
    let path = format!("/products/{}", milk["productId"].as_str().unwrap());
    let put_away = async |more: Value| {
        let entry = bought(&anna, json!({ "name": "Milk", "itemId": milk["id"], "quantity": 1 }));
        let body = json!({ "entries": [with(&entry.await, more)] });
        let answer = anna.post(PATH, body).await.expect(200);
        results(&answer)[0]["item"]["expirationDate"].clone()
    };
    // Beyond the last year of dates there is none.
    assert_eq!(put_away(json!({})).await, Value::Null);
    anna.patch(&path, json!({ "version": 1, "shelfLifeDays": 9 })).await.expect(200);
    // The day on which it was added, in the household's time zone, which is UTC.
    let today: Date = milk["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    let until = put_away(json!({})).await;
    let days = until.as_str().unwrap().parse::<Date>().unwrap() - today;
    // The test may run over midnight.
    assert!([9, 10].contains(&days.get_days()), "{until}");
    assert_eq!(put_away(json!({ "expirationDate": "2031-05-01" })).await, "2031-05-01");
    assert_eq!(put_away(json!({ "expirationDate": null })).await, Value::Null, "it has none");
}

#[tokio::test]
async fn what_was_bought_is_in_stock_and_off_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let shelf = anna.post("/storage-locations", json!({ "name": "Shelf" })).await.expect(201);
    let milk =
        json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": "2026-01-02" });
    let milk = anna.add_item(milk).await;
    let rice =
        json!({ "name": "Rice", "quantity": 1, "unit": "kg", "storageLocationId": shelf["id"] });
    let rice = anna.add_item(rice).await;
    let of_milk =
        bought(&anna, json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 })).await;
    let more_milk = bought(&anna, json!({ "name": "Milk", "itemId": milk["id"] })).await;
    let of_rice = bought(&anna, json!({ "name": "rice" })).await;
    let of_bread = bought(&anna, json!({ "name": "Bread" })).await;
    let soap = put_text(&anna, "Soap").await;
    let body = json!({ "entries": [
        with(&of_milk, json!({})),
        with(&more_milk, json!({ "quantity": 500, "unit": "mL", "expirationDate": "2031-05-01" })),
        with(&of_rice, json!({ "quantity": 500, "unit": "g" })),
        with(&of_bread, json!({ "unit": "loaf", "name": "Rye bread" })),
    ] });
    let answer = anna.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&answer), [200; 4]);
    let results = results(&answer);
    let items: Vec<_> = results.iter().map(|result| &result["item"]).collect();
    let merged: Vec<_> = results.iter().map(|result| result["merged"].as_bool().unwrap()).collect();
    assert_eq!(merged, [false, false, true, false]);
    assert_eq!(results[0]["shoppingItemId"], of_milk["shoppingItemId"]);
    // Never the date of the existing lot.
    assert_eq!(lot(items[0]), ("2".to_owned(), &json!("L"), &Value::Null));
    assert_eq!(lot(items[1]), ("500".to_owned(), &json!("mL"), &json!("2031-05-01")));
    assert_eq!(lot(items[2]), ("1.5".to_owned(), &json!("kg"), &Value::Null));
    assert_eq!((&items[2]["id"], &items[2]["storageLocationId"]), (&rice["id"], &shelf["id"]));
    assert_eq!(lot(items[3]), ("1".to_owned(), &json!("loaf"), &Value::Null));
    assert_eq!(items[3]["name"], "Rye bread");
    assert_eq!(listed(&anna, "").await, [soap]);
}

#[tokio::test]
async fn what_cannot_be_put_away_says_why_and_stays() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let flour = anna.add("Flour", 1, "kg").await;
    let pending = put_text(&anna, "Soap").await;
    let stale = bought(&anna, json!({ "name": "Tea" })).await;
    let linked = bought(&anna, json!({ "name": "Flour", "itemId": flour["id"] })).await;
    let named = bought(&anna, json!({ "name": "flour" })).await;
    let new = bought(&anna, json!({ "name": "Bread" })).await;
    let pieces = bought(&anna, json!({ "name": "FLOUR", "quantity": 2 })).await;
    let mut old = with(&stale, json!({ "unit": "g" }));
    old["version"] = json!(1);
    let unknown = json!({ "shoppingItemId": flour["id"], "version": 1 });
    let body = json!({ "entries": [
        with(&pending, json!({ "unit": "pcs" })),
        old,
        with(&linked, json!({})),
        with(&named, json!({})),
        with(&new, json!({})),
        with(&pieces, json!({ "unit": "個" })),
        unknown,
        with(&new, json!({ "quantity": 0, "unit": "g" })),
        with(&new, json!({ "color": "white" })),
    ] });
    let answer = anna.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&answer), [409, 409, 400, 400, 400, 409, 404, 400, 400]);
    let problem = |at: usize| &results(&answer)[at]["problem"];
    assert_eq!(
        (&problem(0)["code"], &problem(0)["current"]),
        (&json!("VERSION_CONFLICT"), &pending)
    );
    assert_eq!(problem(1)["current"], stale);
    for (at, field) in
        [(2, "quantity"), (3, "quantity"), (4, "unit"), (7, "quantity"), (8, "color")]
    {
        assert_eq!(problem(at)["errors"][0]["field"], field, "{}", problem(at));
    }
    assert_eq!((&problem(5)["code"], &problem(5)["existing"]), (&json!("UNIT_MISMATCH"), &flour));
    assert_eq!(problem(6)["code"], "SHOPPING_ITEM_NOT_FOUND");
    assert_eq!(listed(&anna, "").await.len(), 6);
    assert_eq!(anna.items("").await, [flour]);
}

#[tokio::test]
async fn a_repetition_answers_the_same_and_adds_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tea = bought(&anna, json!({ "name": "Tea", "quantity": 3 })).await;
    let salt = bought(&anna, json!({ "name": "Salt" })).await;
    let body = json!({ "entries": [
        with(&tea, json!({ "unit": "g" })), with(&salt, json!({})),
    ] });
    let first = anna.post_once(PATH, "away-1", &body).await;
    assert_eq!(statuses(&first.expect(200)), [200, 400]);
    let id = results(&first.json())[0]["item"]["id"].as_str().unwrap().to_owned();
    anna.adjust(&id, 4).await.expect(200);
    let again = anna.post_once(PATH, "away-1", &body).await.expect(200);
    assert_eq!(results(&again)[0], results(&first.json())[0]);
    assert_eq!(amount(&anna.item(&id).await["quantity"]), "7");
    let other = json!({ "entries": [with(&salt, json!({ "unit": "g" }))] });
    anna.post_once(PATH, "away-1", &other).await.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!(read(&anna, &salt).await, salt);
    // Without the key it was put away once, too.
    let late = anna.post(PATH, body).await.expect(200);
    assert_eq!(statuses(&late), [404, 400]);
}

#[tokio::test]
async fn a_hundred_entries_are_taken_and_no_more() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tea = bought(&anna, json!({ "name": "Tea" })).await;
    let entries = vec![with(&tea, json!({ "unit": "g" })); 101];
    anna.post(PATH, json!({ "entries": entries })).await.expect_invalid_field("entries");
    assert_eq!(anna.items("").await.len(), 0);
    let answer = anna.post(PATH, json!({ "entries": entries[..100] })).await.expect(200);
    let expected: Vec<_> = [200].into_iter().chain([404; 99]).collect();
    assert_eq!(statuses(&answer), expected);
    assert_eq!(anna.items("").await.len(), 1);
}

#[tokio::test]
async fn nothing_of_another_household_is_put_away() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tea = bought(&anna, json!({ "name": "Tea" })).await;
    for stranger in [server.with_household("ben").await, server.register("loner").await] {
        let body = json!({ "entries": [with(&tea, json!({ "unit": "g" }))] });
        let answer = stranger.post(PATH, body).await.expect(200);
        assert_eq!(statuses(&answer), [404]);
        assert_eq!(stranger.items("").await.len(), 0);
    }
    assert_eq!(read(&anna, &tea).await, tea);
}
