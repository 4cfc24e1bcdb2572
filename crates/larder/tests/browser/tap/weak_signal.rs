//! Cupboards are in cellars: an unreliable network.

use serde_json::Value;

use super::{MESSAGE, left, phone_at_eggs};
use crate::browser::support::{Browser, Middleman, Options, Shelf};
use crate::it::support::Server;

const OFFLINE: &str = "You are offline, will retry.";

#[tokio::test]
async fn offline_is_said_and_online_again_the_tap_is_sent_once() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    phone.offline(true).await;
    phone.press("Take").await;
    phone.says(MESSAGE, OFFLINE).await;
    assert_eq!(shelf.left().await, "5");
    phone.offline(false).await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(left(&phone).await, "4個 left");
    assert_eq!(shelf.left().await, "4");
}

#[tokio::test]
async fn what_was_pressed_while_offline_is_all_sent_in_its_order() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    phone.offline(true).await;
    for name in ["Take", "Take", "Put back"] {
        phone.press(name).await;
    }
    phone.says(MESSAGE, OFFLINE).await;
    phone.offline(false).await;
    phone.says(MESSAGE, "Put back 1個.").await;
    assert_eq!(shelf.left().await, "4");
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again_with_the_same_nonce() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let middleman = Middleman::before(&server).await;
    middleman.lose_next_answer();
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.expect_complaint("net::ERR_");
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, OFFLINE).await;
    assert_eq!(shelf.left().await, "5", "it had happened");
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5", "and happened once");
    assert_eq!(left(&phone).await, "5個 left", "which the page did not know yet");
    let requests = phone.requests().await;
    let taps = requests.iter().filter(|request| request.method == "POST");
    let nonces: Vec<_> = taps
        .map(|tap| serde_json::from_str::<Value>(&tap.body).unwrap()["nonce"].clone())
        .collect();
    assert_eq!(nonces.len(), 2);
    assert!(nonces[0].is_string());
    assert_eq!(nonces[0], nonces[1]);
}

#[tokio::test]
async fn a_reload_before_the_answer_sends_the_same_tap_and_once() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.block(&["*adjust"]).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, OFFLINE).await;
    phone.block(&[]).await;
    phone.reload().await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
}

#[tokio::test]
async fn a_busy_server_is_asked_again_when_it_says() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let middleman = Middleman::before(&server).await;
    middleman.be_busy_once();
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.expect_complaint("status of 429");
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "The server is busy, will retry.").await;
    assert_eq!(shelf.left().await, "6");
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
}

#[tokio::test]
async fn a_tap_older_than_the_server_remembers_is_not_sent_again() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    let age = "
        const [key] = Object.keys(sessionStorage);
        const kept = JSON.parse(sessionStorage.getItem(key));
        kept.last.at -= 21 * 60 * 60 * 1000;
        sessionStorage.setItem(key, JSON.stringify(kept));
    ";
    phone.run(age).await;
    phone.forget_requests().await;
    phone.reload().await;
    assert_eq!(kinds(&phone).await, ["Document", "Script"]);
    phone.sees("Press − to take one.").await;
    assert_eq!(shelf.left().await, "5");
}

#[tokio::test]
async fn where_nothing_can_be_stored_a_tap_still_works_and_a_reload_still_takes_nothing() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    let denied = r#"
        Object.defineProperty(globalThis, "sessionStorage", {
            get() {
                throw new DOMException("denied", "SecurityError");
            },
        });
    "#;
    phone.run_in_every_page(denied).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    phone.forget_requests().await;
    phone.reload().await;
    assert_eq!(kinds(&phone).await, ["Document", "Script"]);
    phone.sees("Press − to take one.").await;
    assert_eq!(shelf.left().await, "5");
}

/// The page's requests. A page is loaded when its script has run, so a tap would be among them.
async fn kinds(phone: &Browser) -> Vec<String> {
    phone.requests().await.into_iter().map(|request| request.kind).collect()
}
