//! How much a page weighs, and how soon it shows something.

use std::sync::Mutex;

use serde_json::json;

use super::{Home, visit};
use crate::browser::support::{Browser, Options};
use crate::it::support::Server;

/// The limit of a page's size at the first visit, with all its resources, compressed.
const MOST_TRANSFERRED: u64 = 60 * 1024;

/// How soon a long list shows something, in milliseconds.
const SOON: f64 = 300.0;

/// The number of visits. The machine is busy with other tests; the fastest visit counts.
const TRIES: usize = 5;

#[tokio::test]
async fn no_page_weighs_more_than_60_kilobytes_when_it_is_opened_first() {
    let home = Home::ordinary().await;
    let heavy = Mutex::new(Vec::new());
    visit(&home, Options::default(), async |page, browser| {
        // With empty caches.
        browser.forget_everything_loaded().await;
        browser.forget_requests().await;
        browser.reload().await;
        let requests = browser.requests().await;
        let transferred: u64 = requests.iter().map(|request| request.transferred).sum();
        let scripts = requests.iter().filter(|request| request.kind == "Script").count();
        assert!(scripts > 0 && transferred > 0, "{}: {requests:?}", page.address(&home));
        if transferred > MOST_TRANSFERRED {
            heavy.lock().unwrap().push((page.address(&home), transferred));
        }
    })
    .await;
    assert_eq!(heavy.into_inner().unwrap(), []);
}

#[tokio::test]
async fn a_list_of_500_items_shows_something_within_300_milliseconds() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for number in 0..500 {
        let item = json!({ "name": format!("Item {number:03}"), "quantity": number, "unit": "kg" });
        anna.add_item(item).await;
    }
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    let mut soonest = f64::INFINITY;
    for _ in 0..TRIES {
        laptop.forget_everything_loaded().await;
        laptop.go("/stock").await;
        laptop.sees("Item 4").await;
        assert_eq!(laptop.count("#items.goods > li .to-list").await, 50, "rows of products");
        let painted =
            "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";
        laptop.wait_for("performance.getEntriesByName('first-contentful-paint').length").await;
        let painted = laptop.run(painted).await.as_f64().expect("something was painted");
        soonest = soonest.min(painted);
    }
    assert!(soonest < SOON, "{soonest} ms");
}
