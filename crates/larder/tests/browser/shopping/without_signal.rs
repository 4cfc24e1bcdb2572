//! In the shop, behind the freezers.

use serde_json::json;

use super::{
    add, bought, change, check, entry, is_kept, listed, pending, settled, shopper, three,
    write_down,
};
use crate::browser::support::{Browser, Middleman, Options};
use crate::it::support::Server;
use crate::web::support::Reader;

#[tokio::test]
async fn what_is_done_without_a_signal_is_kept_over_a_reload_and_sent_in_order_when_it_is_back() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for body in three() {
        write_down(&anna, body).await;
    }
    let phone = shopper(&server, &anna).await;
    phone.offline(true).await;
    phone.click(&check("Milk")).await;
    phone.wait_until("Milk is bought", async || bought(&phone).await == ["Milk"]).await;
    phone.click(&check("Bread")).await;
    phone.wait_until("Bread, too", async || bought(&phone).await == ["Milk", "Bread"]).await;
    phone.click(&check("Milk")).await;
    phone.wait_until("not Milk", async || bought(&phone).await == ["Bread"]).await;
    add(&phone, "Soap", "3").await;
    phone.click(&check("Soap")).await;
    phone.wait_until("Soap, too", async || bought(&phone).await == ["Bread", "Soap"]).await;
    add(&phone, "Tea", "1").await;
    phone
        .says(
            "[data-line]",
            "6 changes are waiting. No signal right now; they are sent as soon as there is one.",
        )
        .await;
    assert_eq!(phone.count(".entry .waiting:not([hidden])").await, 4);

    phone.reload().await;
    phone
        .wait_until("everything is there", async || bought(&phone).await == ["Bread", "Soap"])
        .await;
    phone.says("#progress-text", "2 of 5 bought").await;
    assert_eq!(
        pending(&phone).await,
        ["Milk", "Leek", "Tea"],
        "what was not bought after all is where it was"
    );
    assert!(
        listed(&anna)
            .await
            .iter()
            .all(|(_, status, _, version)| status == "pending" && *version == 1)
    );

    phone.offline(false).await;
    settled(&phone).await;
    phone.wait_for("!document.querySelector('.entry .waiting:not([hidden])')").await;
    assert_eq!(
        listed(&anna).await,
        [
            entry("Milk", "pending", 2, 3),
            entry("Bread", "purchased", json!(null), 2),
            entry("Leek", "pending", json!(null), 1),
            entry("Soap", "purchased", 3, 2),
            entry("Tea", "pending", 1, 1),
        ]
    );
    assert_eq!(phone.count(".conflict").await, 0);
}

#[tokio::test]
async fn an_add_whose_answer_was_lost_adds_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let middleman = Middleman::before(&server).await;
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.adopt(&Reader::of(&server, &anna).await).await;
    phone.expect_complaint("net::ERR_");
    phone.go("/shopping").await;
    middleman.lose_next_answer();
    add(&phone, "Soap", "3").await;
    phone
        .says(
            "[data-line]",
            "1 change is waiting. No signal right now; they are sent as soon as there is one.",
        )
        .await;
    assert_eq!(listed(&anna).await, [entry("Soap", "pending", 3, 1)], "it had arrived");
    settled(&phone).await;
    assert_eq!(listed(&anna).await, [entry("Soap", "pending", 3, 1)], "and came once");
    let posts = middleman.seen().into_iter().filter(|seen| seen.method == "POST");
    assert_eq!(posts.map(|seen| seen.status).collect::<Vec<_>>(), [Some(201), Some(201)]);
}

#[tokio::test]
async fn other_pages_say_that_there_is_no_signal_and_lead_to_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    write_down(&anna, json!({ "name": "Milk" })).await;
    let phone = shopper(&server, &anna).await;
    phone.offline(true).await;
    phone.go("/household").await;
    phone.sees("This page cannot be reached right now.").await;
    phone.press("To the shopping list").await;
    phone.wait_until("the list is there", async || pending(&phone).await == ["Milk"]).await;
}

#[tokio::test]
async fn what_waits_is_sent_from_any_page() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    write_down(&anna, json!({ "name": "Milk" })).await;
    let phone = shopper(&server, &anna).await;
    phone.offline(true).await;
    phone.click(&check("Milk")).await;
    phone.sees("1 change is waiting.").await;
    phone.go("/household").await;
    phone.sees("This page cannot be reached right now.").await;
    // The next page may miss the answer, and asks again.
    phone.expect_complaint("status of 409");
    phone.offline(false).await;
    phone.go("/household").await;
    phone.wait_for("document.body.dataset.live !== undefined").await;
    settled(&phone).await;
    assert_eq!(listed(&anna).await, [entry("Milk", "purchased", json!(null), 2)]);
}

#[tokio::test]
async fn a_session_that_ended_keeps_what_waits_until_somebody_logs_in() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = write_down(&anna, json!({ "name": "Milk" })).await;
    let phone = shopper(&server, &anna).await;
    // The token is of the session that ended.
    phone.expect_complaint("status of 403");
    phone.set_cookie("larder_session", "b.over").await;
    phone.click(&check("Milk")).await;
    phone.sees("Please log in, then they are sent.").await;
    assert_eq!(listed(&anna).await, [entry("Milk", "pending", json!(null), 1)]);
    phone.click("[data-line] a").await;
    phone.fill("[name=email]", &anna.email).await;
    assert!(!is_kept(&phone).await, "where one logs in, nobody's list is kept");
    phone.fill("[name=password]", &anna.password).await;
    phone.click("main form button").await;
    phone.wait_until("it is bought", async || bought(&phone).await == ["Milk"]).await;
    settled(&phone).await;
    assert_eq!(listed(&anna).await, [entry("Milk", "purchased", json!(null), 2)]);
    change(&anna, &milk, json!({ "status": "pending", "version": 2 })).await;
}

#[tokio::test]
async fn what_waits_for_one_list_is_not_sent_to_another() {
    let server = Server::start().await;
    let (anna, zoe) = (server.with_household("anna").await, server.with_household("zoe").await);
    let phone = shopper(&server, &anna).await;
    phone.offline(true).await;
    add(&phone, "Soap", "1").await;
    // Another user has logged in meanwhile: the page that is still open must not send anything.
    phone.expect_complaint("status of 403");
    phone.adopt(&Reader::of(&server, &zoe).await).await;
    phone.offline(false).await;
    phone.go("/login").await;
    phone.go("/shopping").await;
    phone.sees("Nothing to buy").await;
    add(&phone, "Rope", "1").await;
    settled(&phone).await;
    assert_eq!(listed(&zoe).await, [entry("Rope", "pending", 1, 1)]);
    assert_eq!(listed(&anna).await, []);
    phone.adopt(&Reader::of(&server, &anna).await).await;
    phone.go("/shopping").await;
    phone
        .wait_until("it was sent", async || listed(&anna).await == [entry("Soap", "pending", 1, 1)])
        .await;
}
