//! The stock without a signal.

use serde_json::json;

use super::{home, listed};
use crate::it::support::Server;

#[tokio::test]
async fn without_a_signal_the_stock_can_be_read_and_searched_as_it_was() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    anna.add("Eggs", 6, "pcs").await;
    for date in ["2031-01-01", "2031-02-01"] {
        let milk = json!({ "name": "Milk", "quantity": 1, "unit": "L", "expirationDate": date });
        anna.add_item(milk).await;
    }
    // The browser checks for a newer service worker.
    phone.expect_complaint("fetching the script");
    phone.expect_complaint("net::ERR");
    phone.go("/stock").await;
    phone.wait_for("navigator.serviceWorker.controller").await;
    let is_kept = async || {
        let kept = "return caches.match('/stock/copy').then((found) => Boolean(found))";
        phone.run(kept).await == true
    };
    phone.wait_until("the stock is kept", is_kept).await;
    phone.offline(true).await;
    phone.go("/stock?show=soon").await;
    let read = "document.querySelector('main .alert').innerText";
    phone
        .wait_for(&format!(r"/as it was on \d+ \w+ \d{{4}}, \d\d:\d\d \w+\.$/.test({read})"))
        .await;
    assert_eq!(phone.texts("#kept strong").await, ["Eggs", "Milk"]);
    phone.says("#kept li:last-child", "2 L").await;
    phone.fill("#search", "egg").await;
    assert_eq!(phone.texts("#kept > :not([hidden]) strong").await, ["Eggs"]);
    // As soon as there is a signal, this is the stock.
    phone.offline(false).await;
    phone.wait_for("document.getElementById('bar')").await;
    phone.go("/stock").await;
    assert_eq!(listed(&phone).await.len(), 4);
    // Whoever logs out leaves nothing behind.
    phone.go("/me").await;
    phone.press("Log out").await;
    phone.sees("Log in").await;
    let is_gone = async || !is_kept().await;
    phone.wait_until("the stock is forgotten", is_gone).await;
}
