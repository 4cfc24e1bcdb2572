//! Notifications about items: low stock here; dates are in the daily job's tests.

mod acknowledging;
mod hanging_up;
mod listing;
mod low_stock;
mod telling;

use serde_json::{Value, json};

use crate::it::support::{Client, id_of};

/// Adds an item that should not fall below a threshold.
async fn add_watched(client: &Client, name: &str, quantity: u32, threshold: u32) -> Value {
    let body = json!({
        "name": name, "quantity": quantity, "unit": "個", "lowStockThreshold": threshold,
    });
    client.add_item(body).await
}

/// The notifications that the query names, newest first.
async fn notified(client: &Client, query: &str) -> Vec<Value> {
    client.all_pages("/notifications", query).await
}

/// The one notification that is open.
async fn the_open_one(client: &Client) -> Value {
    let mut open = notified(client, "").await;
    assert_eq!(open.len(), 1, "{open:?}");
    open.remove(0)
}

/// The path of an item.
fn path_of(item: &Value) -> String {
    format!("/inventory/items/{}", id_of(item))
}

/// The path for acknowledging a notification.
#[track_caller]
fn acknowledge_path(notification: &Value) -> String {
    let id = notification["notificationId"].as_str();
    format!("/notifications/{}/acknowledge", id.unwrap_or_else(|| panic!("{notification}")))
}
