//! Adding one thing after the other, faster than the network is.

use serde_json::json;

use super::home;
use crate::browser::support::{Browser, Key};
use crate::it::support::Server;

/// The latency of a request: much longer than typing a name.
const SLOW_MS: u32 = 600;

const NAMES: [&str; 5] = ["Lentils", "Chickpeas", "Tuna", "Rice", "Salt"];

const NAME: &str = "return document.getElementById('add-name').value";

/// Lets requests of forms wait until `letGo()`.
const HOLD: &str = r"
    const real = window.fetch;
    window.fetch = async (address, options) => {
        if (options?.method === 'POST') await new Promise((resolve) => { window.letGo = resolve; });
        return real(address, options);
    };
";

async fn idle(phone: &Browser) {
    phone.wait_for("!document.querySelector('#add').hasAttribute('aria-busy')").await;
}

#[tokio::test]
async fn names_typed_in_a_row_all_arrive_once_and_in_order() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    phone.go("/stock#add-name").await;
    phone.delay(SLOW_MS).await;
    phone.forget_requests().await;
    phone.click("#add-name").await;
    for name in NAMES {
        phone.type_text(name).await;
        phone.key(Key::Enter).await;
    }
    // It shows that something is under way.
    assert_eq!(phone.attribute("#add", "aria-busy").await.as_deref(), Some("true"));
    phone.type_text("Half a na").await;
    idle(&phone).await;
    assert_eq!(phone.run(NAME).await, "Half a na");
    let sent: Vec<_> = phone
        .requests()
        .await
        .into_iter()
        .filter(|request| request.method == "POST" && request.url.ends_with("/stock/add"))
        .map(|request| {
            let name = request.body.split('&').find_map(|field| field.strip_prefix("name="));
            name.unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(sent, NAMES);
    let items = anna.items("").await;
    assert_eq!(items.len(), NAMES.len());
    assert!(items.iter().all(|item| item["quantity"] == json!(1)), "{items:?}");
    phone.type_text("me").await;
    assert_eq!(phone.run(NAME).await, "Half a name");
}

#[tokio::test]
async fn what_is_refused_comes_back_with_the_reason() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    phone.go("/stock#add-name").await;
    phone.expect_complaint("status of 400");
    phone.run("document.querySelector('[name=remember]').checked = true").await;
    phone.fill("#add-quantity", "1,500").await;
    phone.fill("#add-name", "Rice").await;
    phone.key(Key::Enter).await;
    phone.says("#add #why", "without separators for thousands").await;
    let field = "return [document.activeElement.id, document.activeElement.value,
        document.activeElement.getAttribute('aria-invalid'),
        document.activeElement.getAttribute('aria-describedby').trim()]";
    assert_eq!(phone.run(field).await, json!(["add-quantity", "1,500", "true", "why"]));
    assert_eq!(phone.run(NAME).await, "Rice");
    assert_eq!(phone.run("return document.querySelector('[name=remember]').checked").await, true);
    phone.fill("#add-quantity", "1,5").await;
    phone.key(Key::Enter).await;
    phone.says("#items", "Rice").await;
    assert_eq!(phone.count("#why").await, 0);
    assert_eq!(phone.count("[aria-invalid]").await, 0);
    assert_eq!(anna.items("").await[0]["quantity"], 1.5);
}

#[tokio::test]
async fn what_is_refused_while_something_else_is_typed_stays_within_reach() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    phone.go("/stock#add-name").await;
    phone.expect_complaint("status of 400");
    phone.run(HOLD).await;
    phone.fill("#add-quantity", "-1").await;
    phone.fill("#add-name", "Rice").await;
    phone.key(Key::Enter).await;
    phone.type_text("Beans").await;
    phone.wait_for("window.letGo").await;
    phone.run("letGo()").await;
    phone.says("[data-refused]", "Rice · -1").await;
    assert_eq!(phone.run(NAME).await, "Beans");
    // The two inputs are swapped, and both are kept.
    phone.press("Rice · -1").await;
    assert_eq!(phone.run(NAME).await, "Rice");
    phone.says("#add #why", "not below 0").await;
    phone.press("Beans").await;
    assert_eq!(phone.run(NAME).await, "Beans");
    phone.says("[data-refused]", "Rice · -1").await;
    assert_eq!(anna.items("").await, Vec::<serde_json::Value>::new());
}

#[tokio::test]
async fn what_a_lost_network_swallowed_comes_back() {
    let server = Server::start().await;
    let (_anna, phone) = home(&server).await;
    phone.go("/stock#add-name").await;
    phone.wait_for("navigator.serviceWorker.controller").await;
    phone.offline(true).await;
    phone.fill("#add-name", "Rice").await;
    phone.key(Key::Enter).await;
    phone.says("#status", "No signal").await;
    assert_eq!(phone.run(NAME).await, "Rice");
}
