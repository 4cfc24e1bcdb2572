//! Products: what is known of a name, and its lots together.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::it::support::{Client, Server, amount, id_of};

async fn add_lot(client: &Client, name: &str, quantity: f64, unit: &str, until: &str) -> Value {
    let mut body = json!({ "name": name, "quantity": quantity, "unit": unit });
    if !until.is_empty() {
        body["expirationDate"] = json!(until);
    }
    client.post("/inventory/items", body).await.expect(201)["item"].clone()
}

fn product_path(item: &Value) -> String {
    format!("/products/{}", item["productId"].as_str().expect("every item has a product"))
}

async fn consume(client: &Client, body: Value) -> Value {
    client.post("/inventory/lots/consume", body).await.expect(200)
}

#[tokio::test]
async fn an_item_makes_a_product_that_remembers_what_was_said() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna
        .add_item(json!({
            "name": "Milk", "quantity": 2, "unit": "L", "lowStockThreshold": 3,
            "shelfLifeDays": 9, "openedShelfLifeDays": 4, "desiredQuantity": 6,
        }))
        .await;
    let path = product_path(&milk);
    let product = anna.get(&path).await.expect(200);
    assert_eq!(product["name"], "Milk");
    assert_eq!(product["total"], json!({ "quantity": 2, "unit": "L" }));
    assert_eq!((&product["lots"], &product["version"]), (&json!(1), &json!(1)));
    assert_eq!(product["autoList"], true);
    for field in ["lowStockThreshold", "shelfLifeDays", "openedShelfLifeDays", "desiredQuantity"] {
        assert_eq!(product[field], milk[field], "{field}");
        assert!(!product[field].is_null(), "{field}");
    }
    anna.delete(&path).await.expect_problem(409, "PRODUCT_HAS_LOTS");
    anna.delete(&format!("/inventory/items/{}", id_of(&milk))).await.expect(204);
    assert_eq!(anna.get(&path).await.expect(200)["lots"], 0);
    let again = add_lot(&anna, "ＭＩＬＫ", 1.0, "L", "2031-05-01").await;
    assert_eq!((&again["name"], &again["lowStockThreshold"]), (&json!("Milk"), &json!(3)));
    assert_eq!(again["productId"], milk["productId"]);
    anna.delete(&format!("/inventory/items/{}", id_of(&again))).await.expect(204);
    anna.delete(&path).await.expect(204);
    anna.get(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    anna.get("/products/nonsense").await.expect_problem(404, "PRODUCT_NOT_FOUND");
}

#[tokio::test]
async fn a_change_of_the_product_or_of_one_lot_is_said_by_all_lots() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let one = add_lot(&anna, "Milk", 1.0, "L", "2031-03-01").await;
    let two = add_lot(&anna, "Milk", 1.0, "L", "2031-03-09").await;
    let path = product_path(&one);
    let change =
        json!({ "version": 1, "lowStockThreshold": 2, "name": "Whole milk", "step": 0.25 });
    let product = anna.patch(&path, change.clone()).await.expect(200);
    assert_eq!((&product["name"], &product["step"]), (&json!("Whole milk"), &json!(0.25)));
    for lot in [&one, &two] {
        let now = anna.item(id_of(lot)).await;
        assert_eq!((&now["name"], &now["lowStockThreshold"]), (&json!("Whole milk"), &json!(2)));
        assert_eq!(now["version"], 2);
    }
    let stale = anna.patch(&path, change).await.expect_problem(409, "VERSION_CONFLICT");
    assert_eq!(stale["current"]["version"], 2);
    let item = format!("/inventory/items/{}", id_of(&one));
    anna.patch(&item, json!({ "version": 2, "lowStockThreshold": null })).await.expect(200);
    assert_eq!(anna.item(id_of(&two)).await["lowStockThreshold"], Value::Null);
    assert_eq!(anna.get(&path).await.expect(200)["lowStockThreshold"], Value::Null);
    for (field, value) in [
        ("shelfLifeDays", json!(0)),
        ("shelfLifeDays", json!(36_501)),
        ("openedShelfLifeDays", json!(1.5)),
        ("step", json!(0)),
        ("autoList", json!("yes")),
        ("name", json!("")),
        ("categoryId", json!("6ba7b810-9dad-11d1-80b4-00c04fd430c8")),
    ] {
        let mut body = json!({ "version": 3 });
        body[field] = value;
        anna.patch(&path, body).await.expect_invalid_field(field);
    }
    let history = anna.get(&format!("{path}/history")).await.expect(200);
    let actions: Vec<_> = history["items"].as_array().unwrap().iter().collect();
    assert_eq!(actions.len(), 3, "{history}");
    assert_eq!(actions[0]["new"]["version"], 3);
    assert_eq!(actions[2]["action"], "INSERT");
}

#[tokio::test]
async fn the_name_of_another_product_is_a_question_and_then_a_join() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_lot(&anna, "Mlik", 1.0, "L", "2031-03-01").await;
    let whole = add_lot(&anna, "Milk", 2.0, "L", "2031-03-01").await;
    let path = product_path(&milk);
    let change = json!({ "version": 1, "name": "MILK" });
    let refused = anna.patch(&path, change).await.expect_problem(409, "DUPLICATE_PRODUCT");
    assert_eq!(refused["existing"]["id"], whole["productId"]);
    let join = json!({ "version": 1, "name": "MILK", "merge": true });
    let joined = anna.patch(&path, join).await.expect(200);
    assert_eq!((&joined["id"], &joined["lots"]), (&whole["productId"], &json!(1)));
    assert_eq!(joined["total"]["quantity"], 3);
    anna.get(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    let items = anna.items("").await;
    assert_eq!(items.len(), 1);
    assert_eq!(id_of(&items[0]), id_of(&whole));
}

#[tokio::test]
async fn what_is_consumed_comes_from_the_lot_that_expires_first() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let late = add_lot(&anna, "Milk", 1.0, "L", "2031-03-09").await;
    let early = add_lot(&anna, "Milk", 500.0, "ml", "2031-03-01").await;
    let answer = consume(&anna, json!({ "name": "milk", "quantity": 0.75, "unit": "L" })).await;
    let taken = json!([
        { "itemId": id_of(&early), "applied": -500 },
        { "itemId": id_of(&late), "applied": -0.25 },
    ]);
    assert_eq!(answer, json!({ "taken": taken, "missing": 0 }));
    let answer = consume(&anna, json!({ "productId": late["productId"], "quantity": 1 })).await;
    assert_eq!(answer["missing"], 0.25);
    let both = json!({ "productId": late["productId"], "name": "Milk", "quantity": 1 });
    anna.post("/inventory/lots/consume", both).await.expect_invalid_field("name");
    for (body, field) in [
        (json!({ "quantity": 1 }), "productId"),
        (json!({ "name": "Milk", "quantity": 0 }), "quantity"),
        (json!({ "name": "Milk" }), "quantity"),
    ] {
        anna.post("/inventory/lots/consume", body).await.expect_invalid_field(field);
    }
    let unknown = json!({ "name": "Oat milk", "quantity": 1 });
    anna.post("/inventory/lots/consume", unknown).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    anna.add("Bread", 2, "loaf").await;
    let slices = json!({ "name": "Bread", "quantity": 2, "unit": "kg" });
    anna.post("/inventory/lots/consume", slices).await.expect_problem(409, "UNIT_MISMATCH");
}

#[tokio::test]
async fn a_repeated_consumption_takes_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    add_lot(&anna, "Egg", 4.0, "個", "2031-03-01").await;
    let body = json!({ "name": "Egg", "quantity": 3 });
    let first = anna.post_once("/inventory/lots/consume", "breakfast", &body).await.expect(200);
    let again = anna.post_once("/inventory/lots/consume", "breakfast", &body).await.expect(200);
    assert_eq!(first, again);
    assert_eq!(amount(&anna.items("").await[0]["quantity"]), "1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_consumers_leave_the_exact_sum() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for (quantity, until) in [(20.0, "2031-03-01"), (30.0, "2031-03-05"), (9.0, "2031-03-09")] {
        add_lot(&anna, "Egg", quantity, "個", until).await;
    }
    let eat = (0..64).map(|n| {
        let anna = anna.clone();
        async move {
            let body = json!({ "name": "Egg", "quantity": 1 });
            // A busy store asks to try again; the key makes that safe.
            loop {
                let key = format!("egg-{n}");
                let answer = anna.post_once("/inventory/lots/consume", &key, &body).await;
                if answer.status != 503 {
                    return answer.expect(200);
                }
            }
        }
    });
    let answers = join_all(eat).await;
    let missing = answers.iter().filter(|answer| answer["missing"] == 1).count();
    assert_eq!(missing, 5, "59 of 64 get one");
    assert_eq!(anna.items("").await, [] as [Value; 0]);
}

#[tokio::test]
async fn lots_are_listed_by_product_in_the_order_of_items() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    add_lot(&anna, "Milk", 1.0, "L", "2031-03-09").await;
    add_lot(&anna, "Bread", 1.0, "loaf", "2031-03-02").await;
    add_lot(&anna, "Milk", 500.0, "ml", "2031-03-01").await;
    add_lot(&anna, "Salt", 0.0, "kg", "").await;
    let names = async |query: &str| {
        let rows = anna.all_pages("/inventory/lots", &format!("limit=1&{query}")).await;
        let name = |row: &Value| row["name"].as_str().unwrap().to_owned();
        rows.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["Milk", "Bread"]);
    assert_eq!(names("sort=name").await, ["Bread", "Milk"]);
    assert_eq!(names("sort=expiration").await, ["Milk", "Bread"]);
    assert_eq!(names("sort=name&includeDepleted=true").await, ["Bread", "Milk", "Salt"]);
    assert_eq!(names("search=mi").await, ["Milk"]);
    let page = anna.get("/inventory/lots?search=milk").await.expect(200);
    let row = &page["items"][0];
    assert_eq!(row["total"], json!({ "quantity": 1.5, "unit": "L" }));
    assert_eq!(row["lots"].as_array().unwrap().len(), 2);
    assert_eq!(row["lots"][0]["expirationDate"], "2031-03-01");
    anna.get("/inventory/lots?sort=size").await.expect_invalid_field("sort");
    let products = anna.all_pages("/products", "limit=2").await;
    assert_eq!(products.len(), 3);
    assert_eq!(products[2]["name"], "Salt");
    let by_total = anna.all_pages("/products", "limit=2&sort=total").await;
    assert_eq!(by_total[0]["name"], "Salt");
}

#[tokio::test]
async fn products_of_another_household_do_not_exist() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let milk = add_lot(&anna, "Milk", 1.0, "L", "").await;
    let path = product_path(&milk);
    ben.get(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    let change = json!({ "version": 1, "name": "Mine" });
    ben.patch(&path, change).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    ben.delete(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    ben.get(&format!("{path}/history")).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    let take = json!({ "productId": milk["productId"], "quantity": 1 });
    ben.post("/inventory/lots/consume", take).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    assert_eq!(anna.item(id_of(&milk)).await, milk);
}

#[tokio::test]
async fn a_new_lot_takes_what_the_product_knows_and_teaches_it_on_request() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let places = anna.get("/storage-locations").await.expect(200);
    let categories = anna.get("/categories").await.expect(200);
    let (place, category) = (&places["items"][1]["id"], &categories["items"][2]["id"]);
    let first = anna
        .add_item(json!({
            "name": "Milk", "quantity": 1, "unit": "L", "storageLocationId": place,
            "categoryId": category, "shelfLifeDays": 7,
        }))
        .await;
    assert_eq!(first["expirationDate"], Value::Null, "nothing was known before");
    let more = json!({ "name": "milk", "quantity": 1, "unit": "L" });
    let second = anna.post("/inventory/items", more).await.expect(201)["item"].clone();
    assert_eq!((&second["storageLocationId"], &second["categoryId"]), (place, category));
    assert_eq!(second["expirationDate"], second["goodUntil"]);
    assert!(!second["expirationDate"].is_null());
    // Null is an answer.
    let none = json!({
        "name": "milk", "quantity": 1, "unit": "L", "expirationDate": null,
        "storageLocationId": null,
    });
    let third = anna.post("/inventory/items", none).await.expect(200);
    assert_eq!((&third["merged"], &third["item"]["id"]), (&json!(true), &first["id"]));

    let elsewhere = &places["items"][2]["id"];
    let told = json!({
        "name": "Milk", "quantity": 1, "unit": "L", "storageLocationId": elsewhere,
        "expirationDate": "2099-01-01", "remember": true,
    });
    anna.post("/inventory/items", told).await.expect(201);
    let product = anna.get(&product_path(&first)).await.expect(200);
    assert_eq!((&product["storageLocationId"], &product["categoryId"]), (elsewhere, category));
    assert!(product["shelfLifeDays"].as_u64().unwrap() > 20_000, "{product}");
}

#[tokio::test]
async fn two_lots_are_low_together_and_told_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let one = anna
        .add_item(json!({
            "name": "Milk", "quantity": 1, "unit": "L", "lowStockThreshold": 2,
            "expirationDate": "2099-01-01",
        }))
        .await;
    let told = anna.get("/notifications").await.expect(200);
    assert_eq!(told["items"].as_array().unwrap().len(), 1);
    assert_eq!(told["items"][0]["productId"], one["productId"]);
    let two = add_lot(&anna, "Milk", 1000.0, "ml", "2099-02-01").await;
    assert_eq!(anna.get("/notifications").await.expect(200)["items"], json!([]), "enough");
    assert_eq!(anna.get("/inventory/items?lowStock=true").await.expect(200)["items"], json!([]));
    consume(&anna, json!({ "name": "Milk", "quantity": 1.5 })).await;
    let told = anna.get("/notifications").await.expect(200)["items"].clone();
    assert_eq!(told.as_array().unwrap().len(), 1, "{told}");
    assert_eq!((&told[0]["quantity"], &told[0]["unit"]), (&json!(0.5), &json!("L")));
    let low = anna.get("/inventory/items?lowStock=true&includeDepleted=true").await.expect(200);
    let ids: Vec<_> = low["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, [&two["id"], &one["id"]]);
}
