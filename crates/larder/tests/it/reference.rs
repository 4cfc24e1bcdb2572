//! Categories, storage locations and stores.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, id_of, names};

async fn list(client: &Client, path: &str) -> Vec<Value> {
    client.all_pages(path, "").await
}

#[tokio::test]
async fn the_seeded_categories_are_there_for_everybody() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    let categories = list(&anna, "/categories").await;
    assert_eq!(
        names(&categories),
        ["野菜", "果物", "肉類", "魚類", "乳製品", "調味料", "飲料", "日用品", "その他"]
    );
    let english: Vec<_> = categories.iter().map(|c| c["nameEn"].as_str().unwrap()).collect();
    assert_eq!(
        english,
        [
            "Vegetables",
            "Fruits",
            "Meat",
            "Seafood",
            "Dairy",
            "Condiments",
            "Beverages",
            "Household Products",
            "Other"
        ]
    );
    let order: Vec<_> = categories.iter().map(|c| c["sortOrder"].as_i64().unwrap()).collect();
    assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
    assert_eq!(list(&ben, "/categories").await, categories, "the ids are fixed");
}

#[tokio::test]
async fn the_seeded_locations_come_before_the_households_own() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.post("/storage-locations", json!({ "name": "Second freezer" })).await.expect(201);
    let locations = list(&anna, "/storage-locations").await;
    assert_eq!(
        names(&locations),
        ["冷蔵庫", "冷凍庫", "パントリー", "棚", "その他", "Second freezer"]
    );
    assert_eq!(locations[1]["nameEn"], "Freezer");

    let ben = server.with_household("ben").await;
    assert_eq!(list(&ben, "/storage-locations").await.len(), 5, "others don't see it");
}

#[tokio::test]
async fn a_location_of_ones_own_can_be_renamed_and_deleted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let created = anna.post("/storage-locations", json!({ "name": "Celar" })).await.expect(201);
    let path = format!("/storage-locations/{}", id_of(&created));
    let renamed = anna.patch(&path, json!({ "name": "Cellar" })).await.expect(200);
    assert_eq!((id_of(&renamed), &renamed["name"]), (id_of(&created), &json!("Cellar")));
    anna.delete(&path).await.expect(204);
    anna.delete(&path).await.expect_refusal(404);
    assert_eq!(list(&anna, "/storage-locations").await.len(), 5);
}

#[tokio::test]
async fn a_seeded_location_cannot_be_changed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let before = list(&anna, "/storage-locations").await;
    let path = format!("/storage-locations/{}", id_of(&before[0]));
    let renamed = anna.patch(&path, json!({ "name": "Mine" })).await;
    assert!(matches!(renamed.status, 403 | 404), "{}", renamed.text);
    let deleted = anna.delete(&path).await;
    assert!(matches!(deleted.status, 403 | 404), "{}", deleted.text);
    assert_eq!(list(&anna, "/storage-locations").await, before);
}

#[tokio::test]
async fn stores_are_added_changed_and_removed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "name": "Corner shop", "address": "1 Main Street" });
    let shop = anna.post("/stores", body).await.expect(201);
    assert_eq!((&shop["name"], &shop["address"]), (&json!("Corner shop"), &json!("1 Main Street")));
    let path = format!("/stores/{}", id_of(&shop));

    let moved = anna.patch(&path, json!({ "address": null })).await.expect(200);
    assert_eq!((&moved["name"], &moved["address"]), (&json!("Corner shop"), &Value::Null));
    assert_eq!(list(&anna, "/stores").await, [moved]);

    anna.delete(&path).await.expect(204);
    anna.delete(&path).await.expect_refusal(404);
    assert_eq!(list(&anna, "/stores").await, Vec::<Value>::new());
}

#[tokio::test]
async fn stores_are_listed_in_the_order_of_the_household_and_then_by_name() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut ids = Vec::new();
    for (name, place) in [("Zoo", json!(2)), ("Bakery", json!(null)), ("Market", json!(1))] {
        let body = json!({ "name": name, "sortOrder": place });
        let shop = anna.post("/stores", body).await.expect(201);
        assert_eq!(shop["sortOrder"], place);
        ids.push(id_of(&shop).to_owned());
    }
    anna.post("/stores", json!({ "name": "Ale house" })).await.expect(201);
    let listed = async || names(&list(&anna, "/stores").await).join(", ");
    assert_eq!(listed().await, "Market, Zoo, Ale house, Bakery");
    let path = |index: usize| format!("/stores/{}", ids[index]);
    let last = anna.patch(&path(0), json!({ "sortOrder": null })).await.expect(200);
    assert_eq!(last["sortOrder"], Value::Null);
    anna.patch(&path(1), json!({ "sortOrder": 10_000 })).await.expect(200);
    // A change of something else leaves the place as it is.
    let renamed = anna.patch(&path(2), json!({ "name": "Market hall" })).await.expect(200);
    assert_eq!(renamed["sortOrder"], 1);
    assert_eq!(anna.get(&path(1)).await.expect(200)["sortOrder"], 10_000);
    assert_eq!(listed().await, "Market hall, Bakery, Ale house, Zoo");
    for place in [json!(0), json!(10_001), json!(1.5), json!("first")] {
        let body = json!({ "sortOrder": place });
        anna.patch(&path(0), body).await.expect_problem(400, "INVALID_FIELDS");
    }
    assert_eq!(listed().await, "Market hall, Bakery, Ale house, Zoo");
}

#[tokio::test]
async fn names_are_unique_within_a_household_however_they_are_written() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    for path in ["/stores", "/storage-locations"] {
        let first = anna.post(path, json!({ "name": "Market" })).await.expect(201);
        let other = anna.post(path, json!({ "name": "Other place" })).await.expect(201);
        for name in ["Market", " market", "ＭＡＲＫＥＴ"] {
            anna.post(path, json!({ "name": name })).await.expect_problem(409, "NAME_TAKEN");
        }
        let onto = format!("{path}/{}", id_of(&other));
        anna.patch(&onto, json!({ "name": "MARKET" })).await.expect_problem(409, "NAME_TAKEN");
        let own = format!("{path}/{}", id_of(&first));
        anna.patch(&own, json!({ "name": "MARKET" })).await.expect(200);
        ben.post(path, json!({ "name": "Market" })).await.expect(201);
        anna.delete(&own).await.expect(204);
        anna.post(path, json!({ "name": "market" })).await.expect(201);
    }
}

#[tokio::test]
async fn deleting_a_place_or_a_store_clears_it_on_the_items() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let shop = anna.post("/stores", json!({ "name": "Shop" })).await.expect(201);
    let place = anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    for number in 0..5 {
        let body = json!({
            "name": format!("Item {number}"), "quantity": 1, "unit": "個",
            "storageLocationId": place["id"], "preferredStoreId": shop["id"],
        });
        anna.add_item(body).await;
    }
    anna.delete(&format!("/storage-locations/{}", id_of(&place))).await.expect(204);
    for item in anna.items("").await {
        assert_eq!(item["storageLocationId"], Value::Null);
        assert_eq!(item["preferredStoreId"], shop["id"]);
    }
    anna.delete(&format!("/stores/{}", id_of(&shop))).await.expect(204);
    for item in anna.items("").await {
        assert_eq!(item["preferredStoreId"], Value::Null);
    }
}

#[tokio::test]
async fn places_and_stores_of_ones_own_need_a_household() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for path in ["/stores", "/storage-locations"] {
        let answer = anna.post(path, json!({ "name": "Mine" })).await;
        answer.expect_problem(409, "HOUSEHOLD_REQUIRED");
    }
    assert_eq!(list(&anna, "/storage-locations").await.len(), 5);
}
