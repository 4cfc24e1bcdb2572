//! The harness of these tests: errors in the console fail a test, a failed test leaves a
//! screenshot, and offline applies to every page and worker.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::{fs, thread};

use serde_json::json;

use super::support::{Browser, Middleman, Options, Shelf};
use crate::it::support::Server;

/// A page of the test's own.
async fn page(server: &Server, html: &str) -> Middleman {
    let middleman = Middleman::before(server).await;
    let html = format!(
        r#"<!DOCTYPE html><html lang="en"><title>A page</title><link rel="icon" href="data:,">{html}"#
    );
    middleman.serve("/page", "text/html; charset=utf-8", html);
    middleman
}

/// The message of a failed assertion.
fn message_of(panic: &(dyn std::any::Any + Send)) -> &str {
    panic.downcast_ref::<String>().map_or("", String::as_str)
}

#[tokio::test]
async fn a_page_that_complains_on_its_console_fails_its_test() {
    let server = Server::start().await;
    let middleman = page(&server, "<script>console.error('all is lost')</script>").await;
    let browser = Browser::at(middleman.address(), Options::default()).await;
    browser.go("/page").await;
    let panic = catch_unwind(AssertUnwindSafe(|| drop(browser))).unwrap_err();
    let message = message_of(panic.as_ref());
    assert!(message.contains("the page complained on its console"), "{message}");
    assert!(message.contains("all is lost"), "{message}");
}

#[tokio::test]
async fn a_script_that_the_policy_of_a_page_forbids_is_a_complaint() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let browser = Browser::open(&server).await;
    browser.go(&shelf.path()).await;
    let inject = "const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.head.append(script)";
    browser.run(inject).await;
    assert_eq!(browser.run("return window.ran ?? null").await, json!(null));
    let complaints = browser.complaints().await;
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].contains("Content Security Policy"), "{complaints:?}");
    browser.expect_complaint("Content Security Policy");
}

#[tokio::test]
async fn what_the_browser_shows_when_a_test_fails_is_kept() {
    let server = Server::start().await;
    let middleman = page(&server, "<p>The last words</p>").await;
    let browser = Browser::at(middleman.address(), Options::default()).await;
    browser.go("/page").await;
    let failing = AssertUnwindSafe(move || {
        let _browser = browser;
        panic!("as every failed assertion does");
    });
    catch_unwind(failing).unwrap_err();
    let test = thread::current().name().unwrap().trim_start_matches("browser::").replace("::", "-");
    let directory =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("browser-failures");
    let picture = directory.join(format!("{test}.png"));
    let source = directory.join(format!("{test}.html"));
    assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read_to_string(&source).unwrap().contains("<p>The last words</p>"));
    // Evidence of an expected failure would mislead.
    for file in [picture, source] {
        fs::remove_file(file).unwrap();
    }
}

#[tokio::test]
async fn offline_holds_for_a_service_worker_and_is_known_to_the_page() {
    let server = Server::start().await;
    let middleman = page(&server, "<p>A page</p>").await;
    let worker = r#"
        addEventListener("activate", (event) => event.waitUntil(clients.claim()));
        addEventListener("fetch", (event) => {
            if (!event.request.url.endsWith("/asked")) return;
            const asked = fetch("/healthz").then((answer) => `the network says ${answer.status}`);
            event.respondWith(asked.catch(() => "no network").then((text) => new Response(text)));
        });
    "#;
    middleman.serve("/worker.js", "text/javascript", worker.to_owned());
    let browser = Browser::at(middleman.address(), Options::default()).await;
    browser.go("/page").await;
    let register = "return navigator.serviceWorker.register('/worker.js').then(() => null)";
    browser.run(register).await;
    browser.wait_for("navigator.serviceWorker.controller").await;
    let ask = "return fetch('/asked').then((answer) => answer.text())";
    assert_eq!(browser.run(ask).await, "the network says 200");
    browser.offline(true).await;
    assert_eq!(browser.run(ask).await, "no network");
    assert_eq!(browser.run("return navigator.onLine").await, false);
    browser.offline(false).await;
    assert_eq!(browser.run(ask).await, "the network says 200");
    assert_eq!(browser.run("return navigator.onLine").await, true);
}

#[tokio::test]
async fn a_form_is_filled_as_by_hand() {
    let server = Server::start().await;
    let form = r#"
        <form>
            <label>Name <input name="name" value="old"></label>
            <label>Day <input name="day" type="date"></label>
            <select name="unit" aria-label="Unit"><option>g</option><option>kg</option></select>
            <button name="how" value="now">Save it</button>
            <a href="/elsewhere">Save</a>
        </form>
    "#;
    let middleman = page(&server, form).await;
    let browser = Browser::at(middleman.address(), Options::default().laptop()).await;
    browser.go("/page").await;
    assert_eq!(browser.run("return [innerWidth, innerHeight]").await, json!([1280, 800]));
    assert_eq!(browser.count("label").await, 2);
    assert_eq!(browser.texts("option").await, ["g", "kg"]);
    browser.fill("[name=name]", "Grüner Tee").await;
    browser.set("[name=day]", "2031-02-28").await;
    browser.set("[name=unit]", "kg").await;
    browser.press("Save it").await;
    browser.wait_for("location.search").await;
    assert_eq!(browser.path().await, "/page?name=Gr%C3%BCner+Tee&day=2031-02-28&unit=kg&how=now");
    browser.expect_complaint("status of 404");
    browser.press("Save").await;
    browser.wait_for("location.pathname === '/elsewhere'").await;
    assert_eq!(browser.status().await, 404);
}

#[tokio::test]
async fn two_people_are_signed_in_with_a_browser_each() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    let of_anna = Browser::signed_in(&server, &anna).await;
    let of_ben = Browser::signed_in(&server, &ben).await;
    for (browser, name) in [(&of_anna, "anna"), (&of_ben, "ben")] {
        browser.go("/").await;
        let me = browser.run("return fetch('/api/v1/me').then((answer) => answer.json())").await;
        assert_eq!(me["name"], name);
    }
}
