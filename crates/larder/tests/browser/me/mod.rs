//! The person who is logged in.

use crate::browser::support::{Browser, Options};
use crate::it::support::Server;

#[tokio::test]
async fn language_and_looks_stick() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let browser = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    browser.go("/me").await;
    let ground = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.run(ground).await;
    browser.set("#language", "ja").await;
    browser.set("#theme", "dark").await;
    browser.press("Save").await;
    browser.sees("言語と表示").await;
    assert_eq!(browser.attribute("html", "lang").await.as_deref(), Some("ja"));
    assert_ne!(browser.run(ground).await, light);
    browser.go("/household").await;
    browser.sees("家族").await;
    assert_eq!(browser.attribute("html", "data-theme").await.as_deref(), Some("dark"));
}

#[tokio::test]
async fn a_browser_whose_login_was_ended_is_asked_to_log_in() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let here = Browser::signed_in(&server, &anna).await;
    let there = Browser::signed_in(&server, &anna).await;
    there.go("/household").await;
    // Its event stream ends too, with an error in the console.
    there.expect_complaint("401");
    here.go("/me").await;
    here.run("window.confirm = () => true").await;
    here.press("Log out everywhere else").await;
    here.sees("All other logins have ended.").await;
    there.go("/household").await;
    there.sees("Log in").await;
    assert_eq!(there.path().await, "/login?next=%2Fhousehold");
    here.go("/household").await;
    here.sees(&anna.email).await;
}
