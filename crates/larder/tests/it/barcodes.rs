//! Barcodes of products.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, id_of};

const MILK: &str = "4006381333931";
const OATS: &str = "96385074";
const UPC: &str = "036000291452";

fn product_path(item: &Value) -> String {
    format!("/products/{}", item["productId"].as_str().expect("every item has a product"))
}

async fn add(client: &Client, name: &str) -> Value {
    client.add_item(json!({ "name": name, "quantity": 2, "unit": "L" })).await
}

async fn set_codes(client: &Client, item: &Value, codes: Value) -> Value {
    let path = product_path(item);
    let version = client.get(&path).await.expect(200)["version"].clone();
    client.patch(&path, json!({ "version": version, "barcodes": codes })).await.expect(200)
}

#[tokio::test]
async fn a_product_is_found_by_its_barcodes() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add(&anna, "Milk").await;
    let path = product_path(&milk);
    assert_eq!(anna.get(&path).await.expect(200)["barcodes"], json!([]));
    let product = set_codes(&anna, &milk, json!([UPC, MILK])).await;
    assert_eq!(product["barcodes"], json!([UPC, MILK]));
    for code in [MILK, UPC, "0036000291452", "00036000291452"] {
        let found = anna.get(&format!("/products/by-barcode/{code}")).await.expect(200);
        assert_eq!(found, product, "{code}");
    }
    let unknown = anna.get(&format!("/products/by-barcode/{OATS}")).await;
    unknown.expect_problem(404, "BARCODE_NOT_FOUND");
    for code in ["4006381333932", "12345", "milk", "%34006381333931x"] {
        anna.get(&format!("/products/by-barcode/{code}")).await.expect_invalid_field("gtin");
    }
    let fewer = set_codes(&anna, &milk, json!([MILK])).await;
    assert_eq!(fewer["barcodes"], json!([MILK]));
    anna.get(&format!("/products/by-barcode/{UPC}")).await.expect_problem(404, "BARCODE_NOT_FOUND");
    let history = anna.get(&format!("{path}/history")).await.expect(200);
    assert_eq!(history["items"][0]["old"]["barcodes"], json!([UPC, MILK]));
    assert_eq!(history["items"][0]["new"]["barcodes"], json!([MILK]));
    let export = anna.get("/me/export").await.text;
    assert!(export.contains(&format!(r#""barcodes":["{MILK}"]"#)), "{export}");
}

#[tokio::test]
async fn what_is_no_list_of_barcodes_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add(&anna, "Milk").await;
    let many: Vec<String> = (0..21)
        .map(|n| {
            let sum = 3 * (n % 10) + (n / 10);
            format!("00000{n:02}{}", (10 - sum % 10) % 10)
        })
        .collect();
    for codes in [
        json!(MILK),
        json!(null),
        json!([4_006_381_333_931_u64]),
        json!(["4006381333930"]),
        json!([MILK, MILK]),
        json!([UPC, format!("0{UPC}")]),
        json!(many),
    ] {
        let body = json!({ "version": 1, "barcodes": codes });
        anna.patch(&product_path(&milk), body).await.expect_invalid_field("barcodes");
    }
    // Some at a time: an endpoint of DynamoDB may have small transactions.
    for count in [5, 10, 15, 20] {
        let product = set_codes(&anna, &milk, json!(many[..count])).await;
        assert_eq!(product["barcodes"], json!(many[..count]));
    }
}

#[tokio::test]
async fn a_barcode_of_another_product_is_refused_and_moves_with_a_merge() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (milk, oats) = (add(&anna, "Milk").await, add(&anna, "Oat milk").await);
    set_codes(&anna, &milk, json!([MILK])).await;
    let product = set_codes(&anna, &oats, json!([OATS])).await;
    let body = json!({ "version": 2, "barcodes": [OATS, MILK] });
    let refused = anna.patch(&product_path(&oats), body).await;
    let refused = refused.expect_problem(409, "BARCODE_TAKEN");
    assert_eq!(refused["existing"]["id"], milk["productId"]);
    assert_eq!(anna.get(&product_path(&oats)).await.expect(200), product);
    let join = json!({ "version": 2, "name": "Milk", "merge": true });
    let joined = anna.patch(&product_path(&oats), join).await.expect(200);
    assert_eq!(joined["barcodes"], json!([MILK, OATS]));
    let found = anna.get(&format!("/products/by-barcode/{OATS}")).await.expect(200);
    assert_eq!(found["id"], milk["productId"]);
    // Another household has its own.
    let ben = server.with_household("ben").await;
    ben.get(&format!("/products/by-barcode/{MILK}")).await.expect_problem(404, "BARCODE_NOT_FOUND");
    let theirs = add(&ben, "Milk").await;
    set_codes(&ben, &theirs, json!([MILK])).await;
    // A product that goes releases them.
    anna.delete(&format!("/inventory/items/{}", id_of(&milk))).await.expect(204);
    anna.delete(&product_path(&milk)).await.expect(204);
    let again = add(&anna, "Cream").await;
    set_codes(&anna, &again, json!([MILK])).await;
}

#[tokio::test]
async fn a_scanned_product_is_added_and_consumed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Milk", "quantity": 2, "unit": "L", "barcode": MILK });
    let milk = anna.add_item(body.clone()).await;
    let found = anna.get(&format!("/products/by-barcode/{MILK}")).await.expect(200);
    assert_eq!(found["id"], milk["productId"]);
    let again = anna.post("/inventory/items", body).await.expect(200);
    assert_eq!((&again["merged"], &again["item"]["quantity"]), (&json!(true), &json!(4)));
    assert_eq!(anna.get(&product_path(&milk)).await.expect(200)["version"], 2);
    // Another thing with the same code is in stock all the same, without the code.
    let cream = json!({ "name": "Cream", "quantity": 1, "unit": "L", "barcode": MILK });
    let cream = anna.add_item(cream).await;
    assert_eq!(anna.get(&product_path(&cream)).await.expect(200)["barcodes"], json!([]));
    let wrong = json!({ "name": "Cream", "quantity": 1, "unit": "L", "barcode": "4006381333930" });
    anna.post("/inventory/items", wrong).await.expect_invalid_field("barcode");

    let take = json!({ "barcode": MILK, "quantity": 1 });
    let taken = anna.post("/inventory/lots/consume", take).await.expect(200);
    let expected = json!([{ "itemId": id_of(&milk), "applied": -1 }]);
    assert_eq!((&taken["taken"], &taken["missing"]), (&expected, &json!(0)));
    let unknown = json!({ "barcode": OATS, "quantity": 1 });
    let unknown = anna.post("/inventory/lots/consume", unknown).await;
    unknown.expect_problem(404, "BARCODE_NOT_FOUND");
    for other in ["name", "productId"] {
        let mut both = json!({ "barcode": MILK, "quantity": 1 });
        both[other] = if other == "name" { json!("Milk") } else { milk["productId"].clone() };
        anna.post("/inventory/lots/consume", both).await.expect_invalid_field("barcode");
    }
}
