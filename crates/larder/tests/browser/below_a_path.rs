//! Larder below a path of its proxy: `https://home.example/larder`.

use larder_test_servers::Nginx;
use serde_json::json;

use super::support::{Browser, Options};
use crate::it::support::{Client, Server, ServerSettings};
use crate::web::support::Reader;

struct Home {
    server: Server,
    anna: Client,
    proxy: Nginx,
}

impl Home {
    async fn new() -> Self {
        let settings =
            ServerSettings::default().with("LARDER_PUBLIC_URL", "http://home.example/larder");
        let server = Server::start_with(settings).await;
        let anna = server.with_household("anna").await;
        let proxy = Nginx::before(server.address().get(), "/larder");
        Self { server, anna, proxy }
    }

    async fn browser(&self) -> Browser {
        Browser::at(self.proxy.address(), Options::default()).await
    }
}

async fn path(browser: &Browser) -> String {
    browser.run("return location.pathname").await.as_str().unwrap().to_owned()
}

async fn is_at(browser: &Browser, path: &str) {
    browser.wait_for(&format!("location.pathname === '{path}'")).await;
}

#[tokio::test]
async fn people_log_in_shop_and_log_out_below_it() {
    let home = Home::new().await;
    let phone = home.browser().await;
    phone.go("/larder/stock").await;
    is_at(&phone, "/larder/login").await;
    phone.fill("[name=email]", &home.anna.email).await;
    phone.fill("[name=password]", &home.anna.password).await;
    phone.press("Log in").await;
    is_at(&phone, "/larder/stock").await;
    phone.fill("#add-name", "Rice").await;
    phone.press("Add").await;
    phone.sees("Rice").await;
    // What somebody else does arrives through the proxy.
    home.anna.add("Milk", 1, "L").await;
    phone.sees("Milk").await;

    phone.go("/larder/").await;
    is_at(&phone, "/larder/today").await;
    phone.go("/larder/shopping").await;
    phone.fill("#add-form [name=name], form[data-outbox=add] [name=name]", "Leek").await;
    phone.run("document.querySelector('form[data-outbox=add]').requestSubmit()").await;
    phone.wait_for("document.querySelector('.entry[data-name=Leek]')").await;
    phone.wait_for("localStorage['larder-waiting'] === ''").await;
    let listed = home.anna.get("/shopping-list").await.expect(200);
    assert_eq!(listed["items"][0]["name"], "Leek");

    // The service worker is there, and keeps the list for when there is no signal.
    let scope = "return navigator.serviceWorker.ready.then((it) => new URL(it.scope).pathname)";
    assert_eq!(phone.run(scope).await, "/larder/");
    let is_kept = "return caches.match('/larder/shopping').then((it) => it?.text() ?? '')
        .then((page) => page.includes('Leek'))";
    phone.wait_until("the list is kept", async || phone.run(is_kept).await == true).await;
    phone.offline(true).await;
    phone.reload().await;
    phone.sees("Leek").await;
    assert_eq!(path(&phone).await, "/larder/shopping");
    phone.offline(false).await;

    phone.go("/larder/me").await;
    phone.press("Log out").await;
    is_at(&phone, "/larder/login").await;
}

#[tokio::test]
async fn every_address_of_every_page_is_below_it() {
    let home = Home::new().await;
    let milk = home.anna.add("Milk", 1, "L").await;
    let (item, product) = (milk["id"].as_str().unwrap(), milk["productId"].as_str().unwrap());
    let tag = home.anna.post(&format!("/inventory/items/{item}/nfc-urls"), json!({})).await;
    let tag = tag.expect(201)["url"].as_str().unwrap().to_owned();
    assert!(tag.starts_with("http://home.example/larder/t/"), "{tag}");
    let phone = home.browser().await;
    phone.adopt(&Reader::of(&home.server, &home.anna).await).await;
    let tap = tag.replace("http://home.example", "");
    let pages = [
        "/today",
        "/stock",
        &format!("/stock/{item}"),
        "/products",
        &format!("/products/{product}"),
        "/shopping",
        "/tags",
        "/sensors",
        "/things",
        "/household",
        "/notifications",
        "/search?q=milk",
        "/scan",
        "/me",
        "/nothing-here",
        "/docs",
        tap.strip_prefix("/larder").unwrap(),
    ];
    let elsewhere = "return [...document.querySelectorAll('[href], [src], [action], [formaction]')]
        .flatMap((element) => ['href', 'src', 'action', 'formaction']
            .filter((name) => element.hasAttribute(name))
            .map((name) => new URL(element.getAttribute(name), document.baseURI)))
        .filter((url) => url.origin === location.origin && !url.pathname.startsWith('/larder/'))
        .map(String)";
    phone.expect_complaint("status of 404");
    for page in pages {
        phone.go(&format!("/larder{page}")).await;
        assert_eq!(phone.run(elsewhere).await, json!([]), "{page}");
        for request in phone.requests().await {
            let address = request.url.split_once("://").unwrap().1;
            let (_, path) = address.split_once('/').unwrap();
            assert!(path.starts_with("larder/"), "{page} asks for /{path}");
        }
    }
    // What installs the app, and what programs follow.
    phone.go("/larder/today").await;
    let manifest = "return fetch(document.querySelector('[rel=manifest]').href)
        .then((it) => it.json()).then((it) => [it.start_url, it.scope, it.shortcuts[0].url])";
    assert_eq!(phone.run(manifest).await, json!(["/larder/", "/larder/", "/larder/shopping"]));
    let servers = "return fetch('/larder/openapi.json').then((it) => it.json())
        .then((it) => it.servers.map((server) => server.url))";
    assert_eq!(phone.run(servers).await, json!(["/larder"]));
}
