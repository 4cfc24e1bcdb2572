//! A member's own inventory beside that of the household.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, encode, until};

const OWN: &str = "?inventory=personal";

fn path(item: &Value, rest: &str) -> String {
    format!("/inventory/items/{}{rest}", item["id"].as_str().unwrap())
}

async fn names(client: &Client, query: &str) -> Vec<String> {
    let all = client.get(&format!("/inventory/items{query}")).await.expect(200);
    let all = all["items"].as_array().unwrap();
    all.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

async fn add_own(client: &Client, body: Value) -> Value {
    client.post(&format!("/inventory/items{OWN}"), body).await.expect(201)["item"].clone()
}

#[tokio::test]
async fn a_member_has_two_inventories_and_nobody_else_sees_their_own() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    anna.add("Milk", 1, "L").await;
    let tea = add_own(&ben, json!({ "name": "Tea", "quantity": 1, "unit": "box" })).await;

    assert_eq!(names(&ben, "").await, ["Milk"]);
    assert_eq!(names(&ben, "?inventory=household").await, ["Milk"]);
    assert_eq!(names(&ben, OWN).await, ["Tea"]);
    assert!(names(&anna, OWN).await.is_empty());
    for other in [&path(&tea, ""), &path(&tea, OWN)] {
        anna.get(other).await.expect_problem(404, "ITEM_NOT_FOUND");
    }
    // All that can be done with an item can be done with one's own.
    ben.get(&path(&tea, "")).await.expect_problem(404, "ITEM_NOT_FOUND");
    ben.get(&path(&tea, OWN)).await.expect(200);
    let more = json!({ "delta": 2 });
    let adjusted = ben.post(&path(&tea, &format!("/adjust{OWN}")), more).await.expect(200);
    assert_eq!(adjusted["item"]["quantity"], 3);
    let patch = json!({ "version": 2, "notes": "Green" });
    ben.patch(&path(&tea, OWN), patch).await.expect(200);
    let history = ben.get(&path(&tea, &format!("/history{OWN}"))).await.expect(200);
    assert_eq!(history["items"].as_array().unwrap().len(), 3);
    let today = ben.get(&format!("/today{OWN}")).await.expect(200);
    assert_eq!(today["shopping"]["count"], 0);
    let found = ben.get(&format!("/search{OWN}&q=tea")).await.expect(200);
    assert_eq!(found["items"][0]["name"], "Tea");
    assert!(ben.get("/me/export").await.text.contains("\"Tea\""));
    ben.delete(&path(&tea, OWN)).await.expect(204);

    ben.get("/inventory/items?inventory=mine").await.expect_invalid_field("inventory");
    let twice = ben.get("/inventory/items?inventory=personal&inventory=personal").await;
    twice.expect_problem(400, "DUPLICATE_KEY");
    let loner = server.register("loner").await;
    let none = loner.get("/inventory/items?inventory=household").await;
    none.expect_problem(404, "NO_HOUSEHOLD");
    assert!(names(&loner, OWN).await.is_empty());
}

#[tokio::test]
async fn an_item_moves_either_way_and_merges_by_the_rule() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = anna.add("Rice", 1, "kg").await;
    let entry = json!({ "name": "Rice", "itemId": rice["id"] });
    let entry = anna.post("/shopping-list", entry).await.expect(201)["item"].clone();

    let out = json!({ "to": "personal" });
    let moved = ben.post(&path(&rice, "/move"), out.clone()).await.expect(200);
    assert_eq!((&moved["merged"], &moved["item"]["id"]), (&json!(false), &rice["id"]));
    assert_eq!(moved["item"]["householdId"], Value::Null);
    assert!(names(&anna, "").await.is_empty());
    let entries = anna.get("/shopping-list").await.expect(200);
    assert_eq!(entries["items"][0]["id"], entry["id"]);
    assert_eq!(entries["items"][0]["itemId"], Value::Null);
    anna.post(&path(&rice, "/move"), json!({ "to": "household" }))
        .await
        .expect_problem(404, "ITEM_NOT_FOUND");
    ben.post(&path(&rice, "/move"), out.clone()).await.expect_problem(404, "ITEM_NOT_FOUND");

    let more = anna.add("rice", 500, "g").await;
    let key = "one-move-and-no-more";
    let back = json!({ "to": "household" });
    for _ in 0..2 {
        let merged = ben.post_once(&path(&rice, "/move"), key, &back).await.expect(200);
        assert_eq!((&merged["merged"], &merged["item"]["id"]), (&json!(true), &more["id"]));
        assert_eq!(merged["item"]["quantity"], 1500);
    }
    assert!(names(&ben, OWN).await.is_empty());

    let eggs = anna.add("Eggs", 6, "個").await;
    let own = add_own(&ben, json!({ "name": "eggs", "quantity": 1, "unit": "kg" })).await;
    let refused = ben.post(&path(&own, "/move"), back.clone()).await;
    let problem = refused.expect_problem(409, "UNIT_MISMATCH");
    assert_eq!(problem["existing"]["id"], eggs["id"]);
    assert_eq!((names(&ben, OWN).await.len(), names(&anna, "").await.len()), (1, 2));
    ben.post(&path(&own, "/move"), json!({ "to": "moon" })).await.expect_invalid_field("to");
    let loner = server.register("loner").await;
    loner.post(&path(&own, "/move"), back).await.expect_problem(404, "NO_HOUSEHOLD");
}

#[tokio::test]
async fn a_key_is_for_one_inventory() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (tea, key) = (json!({ "name": "Tea", "quantity": 1, "unit": "box" }), "one-tea");
    let own = format!("/inventory/items{OWN}");
    for _ in 0..2 {
        anna.post_once(&own, key, &tea).await.expect(201);
    }
    let other = anna.post_once("/inventory/items", key, &tea).await;
    other.expect_problem(409, "IDEMPOTENCY_MISMATCH");
    assert_eq!((names(&anna, OWN).await.len(), names(&anna, "").await.len()), (1, 0));
}

#[tokio::test]
async fn what_moves_out_or_in_is_settled_in_the_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = json!({ "name": "Milk", "quantity": 1, "unit": "L", "lowStockThreshold": 2 });
    let milk = anna.add_item(milk).await;
    let told = async || {
        let all = anna.get("/notifications?status=active").await.expect(200);
        all["items"].as_array().unwrap().len()
    };
    until("the milk is low", async || told().await == 1).await;
    anna.post(&path(&milk, "/move"), json!({ "to": "personal" })).await.expect(200);
    until("nobody cares any more", async || told().await == 0).await;
    anna.post(&path(&milk, "/move"), json!({ "to": "household" })).await.expect(200);
    until("it is low again", async || told().await == 1).await;
}

#[tokio::test]
async fn the_only_member_takes_the_stock_along_or_nothing_is_deleted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let me = anna.get("/me").await.expect(200)["id"].as_str().unwrap().to_owned();
    let name = anna.get("/households/current").await.expect(200)["name"].clone();
    let leave = format!(
        "/households/current/members/{me}?moveItems=true&confirm={}",
        encode(name.as_str().unwrap())
    );
    anna.add("Milk", 1, "L").await;
    let eggs = anna.add("Eggs", 6, "個").await;
    let own = add_own(&anna, json!({ "name": "eggs", "quantity": 1, "unit": "kg" })).await;
    let refused = anna.delete(&leave).await.expect_problem(409, "UNIT_MISMATCH");
    assert_eq!(refused["existing"]["id"], own["id"]);
    assert_eq!(names(&anna, "").await, ["Eggs"], "the milk is her own already");
    let wrong = format!("/households/current/members/{me}?moveItems=true&confirm=x");
    anna.delete(&wrong).await.expect_invalid_field("confirm");

    anna.delete(&path(&own, OWN)).await.expect(204);
    anna.delete(&leave).await.expect(202);
    anna.get("/households/current").await.expect_problem(404, "NO_HOUSEHOLD");
    let mut kept = names(&anna, "").await;
    kept.sort();
    assert_eq!(kept, ["Milk", "eggs"], "in the spelling that was hers");
    anna.get(&path(&eggs, "")).await.expect(200);
}

#[tokio::test]
async fn the_day_of_ones_own_stock_is_where_one_lives() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let date = async |zone: &str| {
        anna.patch("/me", json!({ "timeZone": zone })).await.expect(200);
        anna.get(&format!("/today{OWN}")).await.expect(200)["date"].as_str().unwrap().to_owned()
    };
    // Twenty-six hours lie between the two.
    assert!(date("Pacific/Kiritimati").await > date("Etc/GMT+12").await);
}
