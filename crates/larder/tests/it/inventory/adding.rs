//! Adding items, and the merge rule.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

async fn category_named(client: &Client, name: &str) -> Value {
    let categories = client.get("/categories").await.expect(200);
    let found = categories["items"].as_array().unwrap().iter().find(|c| c["nameEn"] == name);
    found.unwrap()["id"].clone()
}

#[tokio::test]
async fn an_item_keeps_everything_it_was_given() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let household = anna.get("/households/current").await.expect(200);
    let store = anna.post("/stores", json!({ "name": "Corner shop" })).await.expect(201);
    let location = anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    let body = json!({
        "name": "りんご",
        "quantity": 3.25,
        "unit": "kg",
        "expirationDate": "2100-12-31",
        "categoryId": category_named(&anna, "Fruits").await,
        "storageLocationId": location["id"],
        "notes": "from the garden",
        "imageUrl": "https://example.org/apple.jpg",
        "lowStockThreshold": 0.5,
        "preferredStoreId": store["id"],
        "openedOn": "2026-02-28",
        "pricePaid": 3.49,
    });
    let answer = anna.post("/inventory/items", body.clone()).await.expect(201);
    assert_eq!(answer["merged"], false);
    let item = &answer["item"];
    for (field, value) in body.as_object().unwrap() {
        assert_eq!(&item[field], value, "{field}");
    }
    assert_eq!(item["householdId"], household["id"]);
    assert_eq!(item["createdBy"], anna.user_id.as_str());
    assert_eq!(item["updatedBy"], anna.user_id.as_str());
    assert_eq!(item["createdAt"], item["updatedAt"]);
    assert_eq!(item["isDepleted"], false);
    assert_eq!(item["expirationStatus"], "fresh");
    assert_eq!(item["version"], 1);
    assert_eq!(&anna.item(id_of(item)).await, item);
}

#[tokio::test]
async fn what_is_not_given_is_null_and_the_category_is_other() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let item = anna.add("Salt", 1, "kg").await;
    assert_eq!(item["categoryId"], category_named(&anna, "Other").await);
    for field in [
        "expirationDate",
        "storageLocationId",
        "imageUrl",
        "notes",
        "lowStockThreshold",
        "preferredStoreId",
        "openedOn",
        "pricePaid",
    ] {
        assert_eq!(item.get(field), Some(&Value::Null), "{field} is present and null");
    }
    assert_eq!(item["expirationStatus"], "none");
}

#[tokio::test]
async fn a_person_without_a_household_has_a_stock_of_their_own() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let ben = server.register("ben").await;
    let item = anna.add("Diary", 1, "個").await;
    assert_eq!(item["householdId"], Value::Null);
    ben.get(&format!("/inventory/items/{}", id_of(&item)))
        .await
        .expect_problem(404, "ITEM_NOT_FOUND");
    assert_eq!(ben.items("").await, Vec::<Value>::new());
    assert_eq!(ben.add("Diary", 1, "個").await["name"], "Diary", "names are not shared either");
}

#[tokio::test]
async fn the_same_item_again_is_merged_with_its_unit_converted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    for (name, quantity, unit, sum) in [
        ("Rice", json!(500), "g", "1.5"),
        ("  rICE ", json!(0.25), "kg", "1.75"),
        ("Ｒｉｃｅ", json!(250), "グラム", "2"),
    ] {
        let body = json!({ "name": name, "quantity": quantity, "unit": unit });
        let answer = anna.post("/inventory/items", body).await.expect(200);
        assert_eq!(answer["merged"], true, "{name}");
        assert_eq!(id_of(&answer["item"]), id_of(&rice), "{name}");
        assert_eq!(amount(&answer["item"]["quantity"]), sum, "{name}");
        assert_eq!(answer["item"]["unit"], "kg", "{name}");
        assert_eq!(answer["item"]["name"], "Rice", "{name}");
    }
    assert_eq!(anna.items("").await.len(), 1);
    assert_eq!(anna.item(id_of(&rice)).await["version"], 4);
}

#[tokio::test]
async fn hundredths_add_up_exactly() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let oil = anna.add("Oil", 0.1, "L").await;
    let body = json!({ "name": "Oil", "quantity": 0.2, "unit": "L" });
    anna.post("/inventory/items", body).await.expect(200);
    let read = anna.get(&format!("/inventory/items/{}", id_of(&oil))).await;
    assert!(read.text.contains(r#""quantity":0.3"#), "{}", read.text);
    assert_eq!(amount(&read.json()["quantity"]), "0.3");
}

#[tokio::test]
async fn another_expiration_date_is_another_item() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for date in [json!(null), json!("2030-01-01"), json!("2030-01-02")] {
        let body = json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": date });
        anna.add_item(body.clone()).await;
        let again = anna.post("/inventory/items", body).await.expect(200);
        assert_eq!(again["merged"], true);
        assert_eq!(again["item"]["expirationDate"], date);
    }
    assert_eq!(anna.items("").await.len(), 3);
}

#[tokio::test]
async fn units_that_do_not_convert_are_a_mismatch_that_shows_the_item() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    for unit in ["kg", "個"] {
        let body = json!({ "name": "Milk", "quantity": 1, "unit": unit });
        let problem = anna.post("/inventory/items", body).await;
        let problem = problem.expect_problem(409, "UNIT_MISMATCH");
        assert_eq!(problem["existing"], milk);
    }
    assert_eq!(anna.item(id_of(&milk)).await, milk);
}

#[tokio::test]
async fn a_merge_beyond_the_largest_quantity_is_impossible() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 99_999_999.99, "g").await;
    let body = json!({ "name": "Rice", "quantity": 0.01, "unit": "g" });
    anna.post("/inventory/items", body).await.expect_problem(422, "QUANTITY_OVERFLOW");
    assert_eq!(anna.item(id_of(&rice)).await, rice);
}

#[tokio::test]
async fn a_conversion_that_two_decimals_cannot_hold_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    let body = json!({ "name": "Rice", "quantity": 1, "unit": "g" });
    let answer = anna.post("/inventory/items", body).await;
    assert_eq!(answer.expect_problem(409, "UNIT_MISMATCH")["existing"], rice);
    assert_eq!(anna.item(id_of(&rice)).await, rice);
}
