//! Ten things typed in a row on a network that is slow and loses some of what is sent.

use crate::browser::support::{Browser, Key, Middleman, Options};
use crate::it::support::{Client, Random, Server};
use crate::web::support::Reader;

const LATENCY_MS: u32 = 1500;

/// How many requests of a hundred are lost, or their answers.
const LOST_PERCENT: u64 = 5;

/// Chosen so that of the first requests one is lost, and one's answer.
const SEED: u64 = 7;

const NAMES: [&str; 10] =
    ["Lentils", "Chickpeas", "Tuna", "Rice", "Salt", "Flour", "Oats", "Honey", "Vinegar", "Tea"];

/// Types all of them into a page, and waits until they are with the server.
async fn type_all(path: &str, list: impl AsyncFn(&Client) -> Vec<String>) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let middleman = Middleman::before(&server).await;
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.adopt(&Reader::of(&server, &anna).await).await;
    phone.expect_complaint("net::ERR_");
    phone.go(path).await;
    phone.wait_for("document.querySelector('#add')").await;
    phone.delay(LATENCY_MS).await;
    middleman.lose(Random::from(SEED), LOST_PERCENT);
    phone.click("#add-name").await;
    for name in NAMES {
        phone.type_text(name).await;
        phone.key(Key::Enter).await;
    }
    phone.type_text("Half a na").await;
    for count in 1..=NAMES.len() {
        phone.wait_until("the next one is there", async || list(&anna).await.len() >= count).await;
    }
    phone.wait_for("!localStorage['larder-waiting']").await;
    phone.wait_for("!document.querySelector('#add').hasAttribute('aria-busy')").await;
    assert_eq!(list(&anna).await, NAMES);
    assert_eq!(phone.run("return document.getElementById('add-name').value").await, "Half a na");
    // Both kinds of losses: one that the server never saw, and one that it has answered.
    let posts = middleman.seen().into_iter().filter(|seen| seen.method == "POST");
    let (seen, unseen): (Vec<_>, Vec<_>) = posts.partition(|seen| seen.status.is_some());
    assert_eq!((seen.len(), unseen.len()), (NAMES.len() + 1, 1));
}

#[tokio::test]
async fn ten_names_on_the_shopping_list_arrive_once_and_in_order() {
    type_all("/shopping", async |anna| {
        let entries = anna.all_pages("/shopping-list", "").await;
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    })
    .await;
}

#[tokio::test]
async fn ten_names_in_the_stock_arrive_once_and_in_order() {
    type_all("/stock#add-name", async |anna| {
        let items = anna.items("").await;
        assert!(items.iter().all(|item| item["quantity"] == 1), "{items:?}");
        items.iter().rev().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    })
    .await;
}
