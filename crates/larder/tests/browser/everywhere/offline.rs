//! What the pages do without a signal.

use serde_json::json;

use crate::browser::support::Browser;
use crate::it::support::Server;

#[tokio::test]
async fn the_page_without_a_signal_gives_way_to_the_one_that_was_asked_for() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.expect_complaint("fetching the script");
    phone.expect_complaint("net::ERR");
    phone.go("/stock").await;
    phone.wait_for("navigator.serviceWorker.controller").await;
    let is_kept = async || {
        let kept = "return caches.match('/offline').then((found) => Boolean(found))";
        phone.run(kept).await == true
    };
    phone.wait_until("the page is kept", is_kept).await;
    phone.offline(true).await;
    phone.go("/things").await;
    phone.says("h1", "No signal").await;
    assert_eq!(phone.count("main a[href='']").await, 1, "it can be tried again");
    phone.offline(false).await;
    phone.says("h1", "Things").await;
    assert_eq!(phone.path().await, "/things");
}

#[tokio::test]
async fn what_waits_for_a_signal_covers_neither_the_bell_nor_the_navigation() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.post("/shopping-list", json!({ "name": "Milk" })).await.expect(201);
    let phone = Browser::signed_in(&server, &anna).await;
    phone.expect_complaint("fetching the script");
    phone.expect_complaint("net::ERR");
    phone.go("/shopping").await;
    phone.offline(true).await;
    phone.click(".check").await;
    phone.says("[data-line]", "No signal right now").await;
    let covered = "
        const box = (one) => one.getBoundingClientRect();
        const line = box(document.querySelector('[data-line]'));
        const isUnder = ({ top, bottom, left, right }) => top < line.bottom && bottom > line.top
            && left < line.right && right > line.left;
        const others = [...document.querySelectorAll('.top a, .sections a')];
        return [line.height > 20, others.length, others.filter((one) => isUnder(box(one))).length]";
    assert_eq!(phone.run(covered).await, json!([true, 11, 0]));
}
