//! The effect of a tap on a quantity.

use reqwest::Method;
use serde_json::json;

use crate::it::support::{Server, adjustment_of, id_of};

#[tokio::test]
async fn a_tap_takes_one_and_says_so() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let taken = phone.tap(&tag, -1, "nonce-001").await;
    let expected = json!({
        "itemName": "Eggs",
        "applied": -1,
        "quantity": 5,
        "unit": "個",
        "message": "Took 1個.",
        "lowStock": false,
    });
    assert_eq!(taken.expect(200), expected);
    assert_eq!(taken.header("cache-control"), "no-store");
    let back = phone.tap(&tag, 1, "nonce-002").await.expect(200);
    assert_eq!((&back["applied"], &back["quantity"]), (&json!(1), &json!(6)));
    assert_eq!(back["message"], "Put back 1個.");
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 6);
}

#[tokio::test]
async fn the_same_nonce_again_answers_the_first_result() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let (tag, other) = (anna.add_tag(&eggs, json!({})).await, anna.add_tag(&eggs, json!({})).await);
    let first = phone.tap(&tag, -1, "nonce-001").await;
    assert_eq!(first.header("idempotent-replayed"), "");
    phone.tap(&tag, -1, "nonce-002").await.expect(200);
    for delta in [-1, 1] {
        let again = phone.tap(&tag, delta, "nonce-001").await;
        assert_eq!((again.status, &again.text), (200, &first.text));
        assert_eq!(again.header("idempotent-replayed"), "true");
    }
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 4);
    let elsewhere = phone.tap(&other, -1, "nonce-001").await;
    assert_eq!(elsewhere.expect(200)["quantity"], 3, "nonces of two tags have nothing in common");
}

#[tokio::test]
async fn the_quantity_stops_at_zero_and_the_answer_says_what_was_applied() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let rice = anna.add("Rice", 0.75, "kg").await;
    let tag = anna.add_tag(&rice, json!({ "step": 0.5 })).await;
    for (nonce, applied, quantity, message) in [
        ("nonce-001", json!(-0.5), json!(0.25), "Took 0.5 kg."),
        ("nonce-002", json!(-0.25), json!(0), "Took 0.25 kg, which was the last."),
        ("nonce-003", json!(0), json!(0), "Nothing was left to take."),
    ] {
        let answer = phone.tap(&tag, -1, nonce).await.expect(200);
        assert_eq!(
            (&answer["applied"], &answer["quantity"], answer["message"].as_str().unwrap()),
            (&applied, &quantity, message)
        );
    }
    assert_eq!(anna.item(id_of(&rice)).await["isDepleted"], true);
    let back = phone.tap(&tag, 1, "nonce-004").await.expect(200);
    assert_eq!((&back["applied"], &back["quantity"]), (&json!(0.5), &json!(0.5)));
}

#[tokio::test]
async fn more_than_an_item_can_hold_is_refused_and_shows_nothing_of_the_item() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let body = json!({ "name": "Sand", "quantity": 99_999_999.5, "unit": "g", "notes": "secret" });
    let sand = anna.add_item(body).await;
    let tag = anna.add_tag(&sand, json!({})).await;
    let answer = phone.tap(&tag, 1, "nonce-001").await;
    let problem = answer.expect_problem(422, "QUANTITY_OVERFLOW");
    assert_eq!(problem["existing"], json!(null));
    assert!(!answer.text.contains("secret"), "{}", answer.text);
    assert_eq!(anna.item(id_of(&sand)).await["quantity"], 99_999_999.5);
    assert_eq!(phone.tap(&tag, -1, "nonce-001").await.expect(200)["quantity"], 99_999_998.5);
}

#[tokio::test]
async fn nobody_knows_who_tapped() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    let mut stream = anna.events(None).await;
    phone.tap(&tag, -1, "nonce-001").await.expect(200);

    let item = anna.item(id_of(&eggs)).await;
    assert_eq!((&item["version"], &item["updatedBy"]), (&json!(2), &json!(anna.user_id)));
    let history = anna.get(&format!("/inventory/items/{}/history", id_of(&eggs))).await;
    let newest = &history.expect(200)["items"][0];
    assert_eq!((&newest["by"], &newest["new"]["quantity"]), (&json!(null), &json!(5)));
    let event = stream.next().await;
    assert!(event.data.to_string().contains(id_of(&eggs)), "{event:?}");
    assert!(!event.data.to_string().contains("nonce-001"), "{event:?}");
}

#[tokio::test]
async fn a_tap_below_the_threshold_is_told_and_a_tap_back_ends_it() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let body = json!({ "name": "Eggs", "quantity": 4, "unit": "個", "lowStockThreshold": 4 });
    let tag = anna.add_tag(&anna.add_item(body).await, json!({})).await;
    let open = async || anna.get("/notifications").await.expect(200)["items"].clone();
    assert_eq!(open().await, json!([]));
    let low = phone.tap(&tag, -1, "nonce-001").await.expect(200);
    assert_eq!(low["lowStock"], true);
    let mut told = open().await;
    assert_eq!((&told[0]["kind"], &told[0]["quantity"]), (&json!("low_stock"), &json!(3)));
    phone.tap(&tag, -1, "nonce-002").await.expect(200);
    told[0]["quantity"] = json!(2);
    assert_eq!(open().await, told, "what is said is not said again, and says what is left now");
    phone.tap(&tag, 1, "nonce-003").await.expect(200);
    let enough = phone.tap(&tag, 1, "nonce-004").await.expect(200);
    assert_eq!(enough["lowStock"], false);
    assert_eq!(open().await, json!([]));
}

#[tokio::test]
async fn the_message_is_in_the_readers_language() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let tag = anna.add_tag(&anna.add("卵", 6, "個").await, json!({})).await;
    let request = phone.request_root(Method::POST, &adjustment_of(&tag));
    let request = request.header("Accept-Language", "ja-JP,ja;q=0.9,en;q=0.5");
    let answer = phone.send(request.json(&json!({ "delta": -1, "nonce": "nonce-001" }))).await;
    assert_eq!(answer.expect(200)["message"], "1個 使いました。");
    assert_eq!(answer.header("vary"), "Cookie, Accept-Language");
}
