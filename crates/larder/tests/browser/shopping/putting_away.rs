//! Putting away purchased entries, with their expiration dates.

use serde_json::{Value, json};

use super::{bought, check, pending, settled, shopper, write_down};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server};

/// The stock: name, quantity and date, in order of creation.
async fn stock(person: &Client) -> Vec<(Value, Value, Value)> {
    let items = person.items("").await;
    let of = |item: &Value| {
        (item["name"].clone(), item["quantity"].clone(), item["expirationDate"].clone())
    };
    items.iter().rev().map(of).collect()
}

fn lot(name: &str, quantity: u32, date: Option<&str>) -> (Value, Value, Value) {
    (json!(name), json!(quantity), json!(date))
}

#[tokio::test]
async fn what_was_bought_is_put_away_with_its_date() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    write_down(&anna, json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.click(&check("Milk")).await;
    settled(&phone).await;
    phone.press("Put away Milk").await;
    phone.sees("Quantity (L)").await;
    phone.set("#expiration", "2030-05-01").await;
    // On a slow network the event of the change arrives before the answer, and the page of the
    // deleted entry is read once more. The browser logs the 404; the person must not see it.
    phone.delay(400).await;
    phone.expect_complaint("status of 404");
    phone
        .run("addEventListener('larder:shown', () => { sessionStorage.shown = 'yes' }, true)")
        .await;
    phone.press("Put away").await;
    phone.sees("It is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Milk", 1, None), lot("Milk", 2, Some("2030-05-01"))]);
    assert_eq!(phone.run("return sessionStorage.shown ?? ''").await, "");
    assert_eq!((pending(&phone).await, bought(&phone).await), (vec![], vec![]));
}

/// Two litres of milk, and butter without a quantity.
async fn milk_and_butter(anna: &Client) -> [String; 2] {
    let mut bought = Vec::new();
    for (name, unit, quantity) in [("Milk", "L", json!(2)), ("Butter", "g", json!(null))] {
        let item = anna.add(name, 1, unit).await;
        let body = json!({ "name": name, "itemId": item["id"], "quantity": quantity });
        let entry = write_down(anna, body).await;
        super::change(anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
        bought.push(entry["shoppingItemId"].as_str().unwrap().to_owned());
    }
    bought.try_into().unwrap()
}

#[tokio::test]
async fn what_stays_is_told_until_it_is_put_right() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [milk, butter] = milk_and_butter(&anna).await;
    let phone = shopper(&server, &anna).await;
    phone.press("Put everything away").await;
    phone.wait_for("document.querySelector('#put-away-all')").await;
    phone.set(&format!("#expiration-{milk}"), "2030-05-01").await;
    phone.set(&format!("#expiration-{butter}"), "2030-06-01").await;
    phone.expect_complaint("status of 409");
    phone.press("Put away").await;
    phone.sees("Butter: How much was it?").await;
    phone.sees("1 thing was put away.").await;
    phone.wait_for(&format!("!document.getElementById('row-{milk}')")).await;
    assert_eq!(phone.axe().await, []);
    // A concurrent change re-reads the page, and loses no input.
    let tea = write_down(&anna, json!({ "name": "Tea", "quantity": 1 })).await;
    super::change(&anna, &tea, json!({ "status": "purchased", "version": 1 })).await;
    phone.sees("Tea").await;
    phone.sees("Butter: How much was it?").await;
    let date = format!("return document.querySelector('#expiration-{butter}').value");
    assert_eq!(phone.run(&date).await, "2030-06-01");

    phone.fill(&format!("#quantity-{butter}"), "250").await;
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    let expected = [
        lot("Milk", 1, None),
        lot("Butter", 1, None),
        lot("Milk", 2, Some("2030-05-01")),
        lot("Butter", 250, Some("2030-06-01")),
        lot("Tea", 1, None),
    ];
    assert_eq!(stock(&anna).await, expected);
    assert_eq!((pending(&phone).await, bought(&phone).await), (vec![], vec![]));
}

#[tokio::test]
async fn everything_is_put_away_without_script_on_a_small_phone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [milk, butter] = milk_and_butter(&anna).await;
    let options = Options::default().without_script().screen(320, 600);
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/shopping").await;
    phone.press("Put everything away").await;
    phone.fill(&format!("#quantity-{milk}"), "3").await;
    phone.expect_complaint("status of 409");
    phone.press("Put away").await;
    phone.sees("Butter: How much was it?").await;
    phone.fill(&format!("#quantity-{butter}"), "250").await;
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Milk", 4, None), lot("Butter", 251, None)]);
}
