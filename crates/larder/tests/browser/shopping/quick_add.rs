//! Writing one thing after the other on the list, faster than the network is.

use serde_json::json;

use super::{listed, settled, shopper};
use crate::browser::support::Key;
use crate::it::support::Server;

/// The latency of a request: much longer than typing a name.
const SLOW_MS: u32 = 600;

const NAMES: [&str; 5] = ["Lentils", "Chickpeas", "Tuna", "Rice", "Salt"];

const NAME: &str = "return document.getElementById('add-name').value";

#[tokio::test]
async fn names_typed_in_a_row_all_arrive_once_and_in_order() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = shopper(&server, &anna).await;
    // Input typed at the very moment of saving is kept, too.
    let slow_disk = "const real = IDBObjectStore.prototype.add;
        IDBObjectStore.prototype.add = function (...all) {
            for (let i = 0; i < 20; i++) this.count();
            return real.apply(this, all);
        }";
    phone.run(slow_disk).await;
    phone.delay(SLOW_MS).await;
    phone.click("#add-name").await;
    for name in NAMES {
        phone.type_text(name).await;
        phone.key(Key::Enter).await;
    }
    phone.type_text("Half a na").await;
    settled(&phone).await;
    phone.wait_until("all are there", async || listed(&anna).await.len() == NAMES.len()).await;
    let names: Vec<_> = listed(&anna).await.into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, NAMES);
    // Even if the live page has shown an entry before the answer to its own form arrived.
    let shown =
        "return [...document.querySelectorAll('.entry')].map(({ dataset }) => dataset.name)";
    assert_eq!(phone.run(shown).await, json!(NAMES));
    assert_eq!(phone.run(NAME).await, "Half a na");
}

#[tokio::test]
async fn what_is_typed_while_something_is_kept_stays() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = shopper(&server, &anna).await;
    // The next name is begun before the last one is stored.
    let type_at_once = "document.addEventListener('submit', () => {
        document.getElementById('add-name').value += 'Tea';
    })";
    phone.run(type_at_once).await;
    phone.fill("#add-name", "Milk").await;
    phone.key(Key::Enter).await;
    phone.wait_for("document.querySelector('.entry[data-name=Milk]')").await;
    settled(&phone).await;
    assert_eq!(phone.run(NAME).await, "Tea");
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_sends_in_order_and_loses_nothing_either() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = crate::browser::support::Browser::signed_in(&server, &anna).await;
    phone
        .run_in_every_page("IDBFactory.prototype.open = () => { throw new Error('no disk'); }")
        .await;
    phone.go("/shopping").await;
    phone.delay(SLOW_MS / 2).await;
    phone.click("#add-name").await;
    for name in ["Milk", "Bread"] {
        phone.type_text(name).await;
        phone.key(Key::Enter).await;
    }
    phone.type_text("Tea").await;
    phone.wait_until("both are there", async || listed(&anna).await.len() == 2).await;
    phone.wait_for("!document.querySelector('#add').hasAttribute('aria-busy')").await;
    let names: Vec<_> = listed(&anna).await.into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["Milk", "Bread"]);
    assert_eq!(phone.run(NAME).await, "Tea");
}
