//! The shopping list: entries linked to the stock, and free text.

mod adding;
mod auto_listing;
mod changing;
mod checking_off;
mod linking;
mod listing;
mod putting_away;
mod racing;
mod telling;
mod validation;

use serde_json::{Value, json};

use crate::it::support::{Client, id_of};

/// Puts something on the list.
async fn put(client: &Client, body: Value) -> Value {
    client.post("/shopping-list", body).await.expect(201)
}

/// Puts free text on the list.
async fn put_text(client: &Client, name: &str) -> Value {
    put(client, json!({ "name": name })).await
}

/// Puts something on the list that restocks this item.
async fn put_linked(client: &Client, item: &Value) -> Value {
    put(client, json!({ "name": item["name"], "itemId": item["id"] })).await
}

/// Where an entry is.
#[track_caller]
fn path_of(entry: &Value) -> String {
    let id = entry["shoppingItemId"].as_str().unwrap_or_else(|| panic!("no entry: {entry}"));
    format!("/shopping-list/{id}")
}

/// The entry as it is now.
async fn read(client: &Client, entry: &Value) -> Value {
    client.get(&path_of(entry)).await.expect(200)
}

/// Checks an entry off, or unchecks it, and returns the response.
async fn set_status(client: &Client, entry: &Value, status: &str) -> Value {
    let body = json!({ "status": status, "version": entry["version"] });
    client.patch(&format!("{}/status", path_of(entry)), body).await.expect(200)
}

/// The whole list, or the part of it that the query names.
async fn listed(client: &Client, query: &str) -> Vec<Value> {
    client.all_pages("/shopping-list", query).await
}

/// A shop of the household.
async fn shop(client: &Client, name: &str) -> String {
    let shop = client.post("/stores", json!({ "name": name })).await.expect(201);
    id_of(&shop).to_owned()
}
