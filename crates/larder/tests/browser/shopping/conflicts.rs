//! Concurrent edits: both versions are shown, and the user chooses.

use serde_json::{Value, json};

use super::{bought, change, check, entry, listed, pending, settled, shopper, write_down};
use crate::it::support::Server;

#[tokio::test]
async fn what_was_bought_without_a_signal_is_bought_whatever_else_was_changed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = write_down(&anna, json!({ "name": "Milk", "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 409");
    phone.offline(true).await;
    phone.click(&check("Milk")).await;
    phone.sees("1 change is waiting.").await;
    change(&anna, &milk, json!({ "quantity": 4, "notes": "for pancakes", "version": 1 })).await;
    phone.offline(false).await;
    settled(&phone).await;
    assert_eq!(phone.count(".conflict").await, 0);
    phone.wait_until("it is bought", async || bought(&phone).await == ["Milk"]).await;
    assert_eq!(listed(&anna).await, [entry("Milk", "purchased", 4, 3)]);
}

#[tokio::test]
async fn two_who_did_the_same_have_nothing_to_choose() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = write_down(&anna, json!({ "name": "Milk" })).await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 409");
    phone.offline(true).await;
    phone.click(&check("Milk")).await;
    phone.sees("1 change is waiting.").await;
    change(&anna, &milk, json!({ "status": "purchased", "version": 1 })).await;
    phone.offline(false).await;
    settled(&phone).await;
    assert_eq!(phone.count(".conflict").await, 0);
    assert_eq!(bought(&phone).await, ["Milk"]);
    assert_eq!(listed(&anna).await, [entry("Milk", "purchased", Value::Null, 2)]);
}

#[tokio::test]
async fn what_is_gone_is_told_and_can_be_put_on_the_list_again() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = write_down(&anna, json!({ "name": "Milk", "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 404");
    phone.offline(true).await;
    phone.click(&check("Milk")).await;
    phone.sees("1 change is waiting.").await;
    anna.delete(&format!("/shopping-list/{}", milk["shoppingItemId"].as_str().unwrap()))
        .await
        .expect(204);
    phone.offline(false).await;
    phone.sees("No longer on the list").await;
    phone.says(".conflict dd", "Milk · × 2 · bought").await;
    phone.press("Put it on the list again").await;
    settled(&phone).await;
    phone.wait_until("it is there", async || pending(&phone).await == ["Milk"]).await;
    assert_eq!(listed(&anna).await, [entry("Milk", "pending", 2, 1)]);
}

#[tokio::test]
async fn what_is_on_the_list_already_is_told_and_added_when_one_insists() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    write_down(&anna, json!({ "name": "Milk", "itemId": milk["id"] })).await;
    let phone = shopper(&server, &anna).await;
    phone.fill("#add-name", "milk").await;
    phone.fill("#add-quantity", "3").await;
    phone.press("Add").await;
    phone.sees("It is on the list already").await;
    assert_eq!(listed(&anna).await.len(), 1);
    phone.press("Add it anyway").await;
    settled(&phone).await;
    let twice = [entry("Milk", "pending", Value::Null, 1), entry("milk", "pending", 3, 1)];
    assert_eq!(listed(&anna).await, twice);
}

#[tokio::test]
async fn an_edit_shows_both_versions_in_its_place_and_either_can_be_kept() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 409");
    for (name, choice, quantity) in [("Milk", "Keep mine", 3), ("Tea", "Keep what is there", 4)] {
        let written = write_down(&anna, json!({ "name": name, "quantity": 1 })).await;
        phone.press(&format!("Edit {name}")).await;
        phone.fill("#quantity", "3").await;
        change(&anna, &written, json!({ "quantity": 4, "version": 1 })).await;
        phone.press("Save").await;
        phone.sees("Changed by somebody else").await;
        let amounts = phone.texts(".versions dt:nth-of-type(2) + dd").await;
        assert_eq!(amounts, ["× 3", "× 4"]);
        phone.press(choice).await;
        phone.wait_for("location.pathname === '/shopping'").await;
        let kept = listed(&anna).await.into_iter().find(|(listed, ..)| listed == name).unwrap();
        assert_eq!(kept.2, json!(quantity), "{choice}");
    }
}

#[tokio::test]
async fn who_is_too_slow_again_sees_what_is_there_by_now() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 409");
    let milk = write_down(&anna, json!({ "name": "Milk", "quantity": 1 })).await;
    phone.press("Edit Milk").await;
    phone.fill("#quantity", "3").await;
    change(&anna, &milk, json!({ "quantity": 4, "version": 1 })).await;
    phone.press("Save").await;
    phone.says(".versions > :last-child", "× 4").await;
    change(&anna, &milk, json!({ "quantity": 5, "version": 2 })).await;
    phone.press("Keep mine").await;
    phone.says(".versions > :last-child", "× 5").await;
    phone.press("Keep mine").await;
    phone.wait_for("location.pathname === '/shopping'").await;
    assert_eq!(listed(&anna).await, [entry("Milk", "pending", 3, 4)]);
}
