//! API keys of devices.

use serde_json::json;

use super::MAC;
use crate::browser::support::{Browser, Options};
use crate::it::support::{Server, now_ms};

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_refused_after_revoking() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().dark()).await;
    phone.go("/sensors").await;
    phone.press("Make a key for the first one").await;
    phone.fill("#description", "Freezer <b>").await;
    phone.press("Make a key").await;
    let key = phone.text("#made-key").await;
    assert_eq!(key.len(), 64);
    phone.says("#keys", "Freezer <b>").await;
    assert_eq!(phone.axe().await, []);

    // A change by someone else re-reads the page, which must not remove the key.
    let device = server.device(&key, MAC);
    device.register().await.expect(200);
    device.send(&[device.reading(now_ms(), "first")]).await.expect(200);
    anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    phone.says("#keys", "last used just now").await;
    assert_eq!(phone.text("#made-key").await, key);

    phone.reload().await;
    phone.says("#keys", "Freezer <b>").await;
    assert_eq!(phone.count("#made-key").await, 0);
    let is_there = "return document.documentElement.innerHTML.includes(arguments[0])";
    assert_eq!(phone.run_with(is_there, json!([key])).await, false);

    phone.press("Revoke").await;
    phone.press("Revoke for good").await;
    phone.sees("The key does not work any more.").await;
    phone.says("#keys", "revoked").await;
    device.send(&[device.reading(now_ms(), "second")]).await.expect_problem(401, "INVALID_API_KEY");
}

#[tokio::test]
async fn each_key_that_is_made_is_shown() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/sensors/keys").await;
    phone.press("Make a key").await;
    let first = phone.text("#made-key").await;
    phone.press("Make a key").await;
    phone.wait_for("document.querySelectorAll('#keys > *').length === 2").await;
    let second = phone.text("#made-key").await;
    assert_ne!(first, second);
    for key in [first, second] {
        server.device(&key, MAC).register().await.expect(200);
    }
}

#[tokio::test]
async fn keys_are_made_and_revoked_without_script() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/sensors/keys").await;
    phone.press("Make a key").await;
    assert_eq!(phone.text("#made-key").await.len(), 64);
    phone.press("Revoke").await;
    phone.press("Revoke for good").await;
    phone.sees("The key does not work any more.").await;
    assert_eq!(anna.all_pages("/api-keys", "").await[0]["is_active"], false);
}
