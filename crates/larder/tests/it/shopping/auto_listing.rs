//! What is low goes on the list by itself.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use super::{listed, path_of, put_text, set_status, shop};
use crate::it::support::{Client, Server, amount, id_of};

const HOUSEHOLD: &str = "/households/current";

/// Milk, of which there should be six litres and not less than two.
async fn add_milk(client: &Client, quantity: f64) -> Value {
    let milk = json!({
        "name": "Milk", "quantity": quantity, "unit": "L",
        "lowStockThreshold": 2, "desiredQuantity": 6,
    });
    client.add_item(milk).await
}

fn product_path(item: &Value) -> String {
    format!("/products/{}", item["productId"].as_str().expect("every item has a product"))
}

/// The quantities on the list.
async fn counts(client: &Client) -> Vec<u64> {
    let list = listed(client, "").await;
    list.iter().map(|entry| entry["quantity"].as_u64().unwrap_or(0)).collect()
}

/// Buys an entry and puts it away, and returns its item.
async fn buy(client: &Client, entry: &Value) -> Value {
    let bought = set_status(client, entry, "purchased").await;
    let entry = json!({
        "shoppingItemId": bought["shoppingItemId"], "version": bought["version"],
        "expirationDate": "2031-05-01",
    });
    let body = json!({ "entries": [entry] });
    let answer = client.post("/shopping-list/put-away", body).await.expect(200);
    assert_eq!(answer["results"][0]["status"], 200, "{answer}");
    answer["results"][0]["item"].clone()
}

#[tokio::test]
async fn what_falls_below_its_threshold_is_listed_once_with_what_is_missing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let market = shop(&anna, "Market").await;
    let milk = add_milk(&anna, 2.5).await;
    let preferred = json!({ "version": milk["version"], "preferredStoreId": market });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), preferred).await.expect(200);
    anna.adjust(id_of(&milk), -0.5).await.expect(200);
    assert_eq!(listed(&anna, "").await, Vec::<Value>::new(), "2 is not below 2");
    ben.adjust(id_of(&milk), -0.75).await.expect(200);
    let list = listed(&anna, "").await;
    assert_eq!(list.len(), 1, "{list:?}");
    let entry = &list[0];
    // 4.75 are missing, and entries have whole numbers.
    for (field, expected) in [
        ("name", json!("Milk")),
        ("quantity", json!(5)),
        ("itemId", milk["id"].clone()),
        ("storeId", json!(market)),
        ("status", json!("pending")),
        ("addedBy", json!(ben.user_id)),
    ] {
        assert_eq!(entry[field], expected, "{field} of {entry}");
    }
    anna.adjust(id_of(&milk), -1).await.expect(200);
    assert_eq!(listed(&anna, "").await, list);
}

#[tokio::test]
async fn what_is_bought_fills_the_stock_up_and_can_run_low_again() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 3.0).await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let entry = listed(&anna, "").await.remove(0);
    let bought = buy(&anna, &entry).await;
    assert_eq!((amount(&bought["quantity"]), &bought["unit"]), ("5".to_owned(), &json!("L")));
    assert_eq!(bought["productId"], milk["productId"]);
    let product = anna.get(&product_path(&milk)).await.expect(200);
    assert_eq!(product["total"], json!({ "quantity": 6, "unit": "L" }));
    assert_eq!(counts(&anna).await, Vec::<u64>::new());
    let consume = json!({ "name": "milk", "quantity": 6 });
    anna.post("/inventory/lots/consume", consume).await.expect(200);
    assert_eq!(counts(&anna).await, [6]);
}

#[tokio::test]
async fn what_is_taken_off_the_list_comes_back_only_when_it_falls_again() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 3.0).await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let entry = listed(&anna, "").await.remove(0);
    anna.delete(&path_of(&entry)).await.expect(204);
    for delta in [-0.5, 1.0, -0.5] {
        anna.adjust(id_of(&milk), delta).await.expect(200);
        assert_eq!(counts(&anna).await, Vec::<u64>::new(), "{delta}");
    }
    anna.adjust(id_of(&milk), 1).await.expect(200);
    anna.adjust(id_of(&milk), -1.5).await.expect(200);
    assert_eq!(counts(&anna).await, [6], "0.5 left, 5.5 missing");
}

#[tokio::test]
async fn what_is_on_the_list_under_its_name_is_not_added() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 3.0).await;
    let by_hand = put_text(&anna, "ｍｉｌｋ").await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    assert_eq!(listed(&anna, "").await, [by_hand]);
}

#[tokio::test]
async fn an_undone_change_leaves_one_entry_however_often_it_is_repeated() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 2.0).await;
    for _ in 0..3 {
        let taken = anna.adjust(id_of(&milk), -1).await.expect(200);
        assert_eq!(counts(&anna).await, [5]);
        let undo = format!("/inventory/items/{}/undo", id_of(&milk));
        let version = taken["item"]["version"].clone();
        anna.post(&undo, json!({ "version": version })).await.expect(200);
        assert_eq!(counts(&anna).await, [5]);
    }
}

#[tokio::test]
async fn a_product_can_be_left_out() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 3.0).await;
    let path = product_path(&milk);
    let switch = async |is_on: bool| {
        let version = anna.get(&path).await.expect(200)["version"].clone();
        let body = json!({ "version": version, "autoList": is_on });
        assert_eq!(anna.patch(&path, body).await.expect(200)["autoList"], is_on);
    };
    switch(false).await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    assert_eq!(counts(&anna).await, Vec::<u64>::new());
    switch(true).await;
    assert_eq!(counts(&anna).await, [5], "it is low");
}

#[tokio::test]
async fn a_household_that_does_without_it_lists_nothing_until_it_is_switched_on() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    assert_eq!(anna.get(HOUSEHOLD).await.expect(200)["autoList"], true);
    let off = ben.patch(HOUSEHOLD, json!({ "autoList": false })).await.expect(200);
    assert_eq!(off["autoList"], false);
    assert_eq!(anna.get(HOUSEHOLD).await.expect(200)["autoList"], false);
    let milk = add_milk(&anna, 3.0).await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    assert_eq!(counts(&anna).await, Vec::<u64>::new());
    let renamed = anna.patch(HOUSEHOLD, json!({ "name": "Villa" })).await.expect(200);
    assert_eq!(renamed["autoList"], false);
    for invalid in [json!("on"), json!(1), json!(null)] {
        let refused = anna.patch(HOUSEHOLD, json!({ "autoList": invalid })).await;
        refused.expect_invalid_field("autoList");
    }
    anna.patch(HOUSEHOLD, json!({ "autoList": true })).await.expect(200);
    assert_eq!(counts(&anna).await, [5], "it is low");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_taps_at_once_make_one_entry() {
    const PHONES: usize = 8;
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = add_milk(&anna, 8.0).await;
    let tag = anna.add_tag(&milk, json!({})).await;
    let start = Arc::new(Barrier::new(PHONES));
    let taps = (0..PHONES).map(|number| {
        let (phone, start, tag) = (server.anonymous(), Arc::clone(&start), tag.clone());
        tokio::spawn(async move {
            start.wait().await;
            phone.tap(&tag, -1, &format!("nonce-{number:04}")).await.expect(200)
        })
    });
    for tap in taps.collect::<Vec<_>>() {
        tap.await.unwrap();
    }
    let list = listed(&anna, "").await;
    assert_eq!(list.len(), 1, "{list:?}");
    // Whoever was first saw 1 or none left of 6.
    assert!([5, 6].map(Some).contains(&list[0]["quantity"].as_u64()), "{list:?}");
    assert_eq!(list[0]["addedBy"], anna.user_id.as_str(), "a tap is nobody's");
}
