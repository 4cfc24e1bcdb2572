//! What a household should know today.

use serde_json::json;

use crate::it::support::{Server, id_of, names};

#[tokio::test]
async fn today_tells_what_expires_what_is_low_what_to_buy_and_who_did_what() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let salt = anna.add("Salt", 1, "kg").await;
    let today: jiff::civil::Date = salt["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    let empty = anna.get("/today").await.expect(200);
    assert_eq!(empty["date"], today.to_string());
    for part in ["expiring", "expired", "low", "shopping", "devices"] {
        assert_eq!(
            (&empty[part]["count"], &empty[part]["items"]),
            (&json!(0), &json!([])),
            "{part}"
        );
    }
    for days in [-2, -1, 0, 1, 2, 3, 4] {
        let date = today + jiff::Span::new().days(days);
        let item = json!({
            "name": format!("Food {days}"), "quantity": 1, "unit": "pcs", "expirationDate": date.to_string(),
        });
        anna.add_item(item).await;
    }
    let rice = json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    let rice = anna.add_item(rice).await;
    for n in 0..7 {
        anna.post("/shopping-list", json!({ "name": format!("Thing {n}") })).await.expect(201);
    }
    let told = anna.get("/today").await.expect(200);
    assert_eq!(told["expired"]["count"], 2);
    assert_eq!(names(told["expired"]["items"].as_array().unwrap()), ["Food -2", "Food -1"]);
    assert_eq!(told["expiring"]["count"], 4);
    let expiring = names(told["expiring"]["items"].as_array().unwrap());
    assert_eq!(expiring, ["Food 0", "Food 1", "Food 2", "Food 3"]);
    assert_eq!(told["low"]["count"], 1);
    assert_eq!(told["low"]["items"][0]["name"], "Rice");
    assert_eq!(told["low"]["items"][0]["total"], json!({ "quantity": 1, "unit": "kg" }));
    assert_eq!(told["shopping"]["count"], 7);
    assert_eq!(told["shopping"]["items"].as_array().unwrap().len(), 5);
    let newest = &told["activity"]["items"][0];
    assert_eq!(
        (&newest["event"], &newest["name"]),
        (&json!("ShoppingItemAdded"), &json!("Thing 6"))
    );
    // It is never older than what was acknowledged.
    anna.adjust(id_of(&rice), 1).await.expect(200);
    let told = anna.get("/today").await.expect(200);
    assert_eq!(told["low"]["count"], 0);
    let newest = &told["activity"]["items"][0];
    assert_eq!((&newest["event"], &newest["itemId"]), (&json!("ItemUpdated"), &rice["id"]));
}

#[tokio::test]
async fn today_of_another_household_is_another() {
    let server = Server::start().await;
    let (anna, eve) = (server.with_household("anna").await, server.with_household("eve").await);
    let old =
        json!({ "name": "Cheese", "quantity": 1, "unit": "pcs", "expirationDate": "2020-01-01" });
    anna.add_item(old).await;
    assert_eq!(anna.get("/today").await.expect(200)["expired"]["count"], 1);
    let theirs = eve.get("/today").await.expect(200);
    assert_eq!(theirs["expired"]["count"], 0);
    let events = theirs["activity"]["items"].as_array().unwrap();
    assert!(events.iter().all(|event| event["event"] == "MemberJoined"), "{events:?}");
}
