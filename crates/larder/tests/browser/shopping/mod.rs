//! The shopping list: with others, without a signal, and when both got in each other's way.

mod amounts;
mod choosing;
mod conflicts;
mod looks;
mod putting_away;
mod quick_add;
mod small_screens;
mod together;
mod without_signal;

use serde_json::{Value, json};

use super::support::Browser;
use crate::it::support::{Client, Server};

/// A user's phone that shows the list, ready to work offline.
async fn shopper(server: &Server, person: &Client) -> Browser {
    let phone = Browser::signed_in(server, person).await;
    phone.go("/shopping").await;
    phone.wait_for("navigator.serviceWorker.controller").await;
    // Everything that the page read when loading is cached.
    phone.wait_until("the list is kept", async || is_kept(&phone).await).await;
    phone
}

/// Waits until the page was read again after its live connection was made.
async fn read_again(phone: &Browser) {
    let is_read_again = "performance.getEntriesByType('resource')
        .some((it) => it.initiatorType === 'fetch' && new URL(it.name).pathname === '/shopping')";
    phone.wait_for(is_read_again).await;
}

async fn is_kept(phone: &Browser) -> bool {
    phone.run("return caches.match('/shopping').then((found) => Boolean(found))").await == true
}

async fn write_down(person: &Client, body: Value) -> Value {
    person.post("/shopping-list", body).await.expect(201)
}

/// The entries by name, status, quantity and version, as the server has them.
async fn listed(person: &Client) -> Vec<(String, String, Value, u64)> {
    let entries = person.all_pages("/shopping-list", "").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries
        .iter()
        .map(|entry| {
            let version = entry["version"].as_u64().unwrap();
            (text(&entry["name"]), text(&entry["status"]), entry["quantity"].clone(), version)
        })
        .collect()
}

fn entry(
    name: &str,
    status: &str,
    quantity: impl Into<Value>,
    version: u64,
) -> (String, String, Value, u64) {
    (name.to_owned(), status.to_owned(), quantity.into(), version)
}

/// A selector of the button that checks an entry off.
fn check(name: &str) -> String {
    format!(".entry[data-name='{name}'] .check")
}

/// The names of purchased entries, as shown.
async fn bought(phone: &Browser) -> Vec<String> {
    phone.texts("#bought .what .name").await
}

/// The names of pending entries, as shown.
async fn pending(phone: &Browser) -> Vec<String> {
    phone.texts(".entry[data-status=pending] .what .name").await
}

/// Puts something on the list, as by hand.
async fn add(phone: &Browser, name: &str, quantity: &str) {
    phone.fill("#add-name", name).await;
    phone.fill("#add-quantity", quantity).await;
    phone.press("Add").await;
    phone.wait_for(&format!("document.querySelector('.entry[data-name=\"{name}\"]')")).await;
}

/// A change by someone else.
async fn change(person: &Client, entry: &Value, body: Value) {
    let id = entry["shoppingItemId"].as_str().unwrap();
    let path = match body.get("status") {
        Some(_) => format!("/shopping-list/{id}/status"),
        None => format!("/shopping-list/{id}"),
    };
    person.patch(&path, body).await.expect(200);
}

/// Waits until nothing is left to be sent.
async fn settled(phone: &Browser) {
    phone.wait_for("!localStorage['larder-waiting']").await;
}

fn three() -> [Value; 3] {
    [
        json!({ "name": "Milk", "quantity": 2 }),
        json!({ "name": "Bread" }),
        json!({ "name": "Leek" }),
    ]
}
