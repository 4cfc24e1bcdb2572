//! Changes by others are pushed at once, even if they are not journaled: no polling is needed.

use serde_json::json;

use crate::browser::support::Browser;
use crate::it::support::{Server, now_ms};

/// Disables polling in a page, and records when it has read everything from before it began to
/// listen: from then on it shows only pushed changes.
const NO_POLLING: &str = "
    window.setInterval = () => 0;
    document.addEventListener('larder:connected', () => {
        document.addEventListener('larder:shown', () => { window.isListening = true; });
    });
";

#[tokio::test]
async fn things_readings_and_tags_of_others_appear_without_being_asked_for() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 2, "kg").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.run_in_every_page(NO_POLLING).await;

    phone.go("/things").await;
    phone.wait_for("window.isListening").await;
    let new = json!({ "resourceType": "Home.Box", "attributes": { "name": "Suitcase" } });
    anna.make_with(new).await;
    phone.sees("Suitcase").await;

    phone.go("/tags").await;
    phone.wait_for("window.isListening").await;
    anna.add_tag(&rice, json!({ "label": "On the jar" })).await;
    phone.sees("On the jar").await;

    phone.go("/sensors").await;
    phone.wait_for("window.isListening").await;
    let freezer = anna.add_device(&server, "AA:BB:CC:00:00:01").await;
    let reading = freezer.reading(now_ms(), "2d1c1a52-4f93-4b8f-9d3a-6f7f0d8f1a02");
    freezer.send(&[reading]).await.expect(200);
    phone.sees("45.3%").await;
}

#[tokio::test]
async fn the_bell_counts_without_the_page_being_left() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.run_in_every_page(NO_POLLING).await;
    phone.go("/shopping").await;
    phone.wait_for("window.isListening").await;
    assert_eq!(phone.count("#bell .count").await, 0);
    let rice = json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    let rice = anna.add_item(rice).await;
    phone.says("#bell .count", "1").await;
    assert_eq!(phone.axe().await, []);
    anna.adjust(rice["id"].as_str().unwrap(), 5).await.expect(200);
    phone.wait_for("!document.querySelector('#bell .count')").await;
}
