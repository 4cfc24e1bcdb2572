//! Background jobs: notifications are delivered, days begin, interrupted work is finished.

mod commands;
mod days;
mod deliveries;
mod forgotten;
mod mails;
mod unlinking;

use serde_json::{Value, json};

use super::support::{Client, Receiver, ServerSettings, receiver::WEBHOOK_SECRET};

/// Settings of a server that posts notifications to this receiver.
pub(crate) fn posting_to(receiver: &Receiver) -> ServerSettings {
    ServerSettings::default()
        .with("LARDER_WEBHOOK_URL", &receiver.url())
        .with("LARDER_WEBHOOK_SECRET", WEBHOOK_SECRET)
}

/// Adds an item with low stock.
pub(crate) async fn add_too_little(client: &Client, name: &str) -> Value {
    let body = json!({ "name": name, "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    client.add_item(body).await
}

/// Adds an item that expired long ago.
pub(crate) async fn add_expired(client: &Client, name: &str) -> Value {
    let body = json!({
        "name": name, "quantity": 1, "unit": "kg", "expirationDate": "2020-01-31",
    });
    client.add_item(body).await
}

/// Changes the household's time zone, where another day begins.
pub(crate) async fn move_to(client: &Client, zone: &str) {
    client.patch("/households/current", json!({ "timeZone": zone })).await.expect(200);
}

/// Everything that is notified, newest first.
pub(crate) async fn notified(client: &Client) -> Vec<Value> {
    client.all_pages("/notifications", "status=all").await
}
