//! The person who is logged in.

use serde_json::json;

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

#[tokio::test]
async fn a_token_for_a_program_is_made_copied_and_revoked() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let browser = Browser::signed_in(&server, &anna).await;
    browser.go("/me").await;
    browser.press("Make a token").await;
    browser.fill("#label", "Kitchen <b>").await;
    browser.click("input[value=shopping]").await;
    browser.click("#make-token button").await;
    browser.sees("This token is shown only now.").await;
    let token = browser.text("#token").await;
    let program = server.anonymous().with_token(&token);
    program.get("/shopping-list").await.expect(200);
    program.post("/stores", json!({ "name": "Market" })).await.expect(201);
    program.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(403);
    assert_eq!(browser.axe().await, []);
    browser.press("Copy").await;
    browser.sees("Copied").await;

    browser.go("/me").await;
    browser.says("#tokens", "Kitchen <b>").await;
    browser.says("#tokens", "read, shopping").await;
    let is_there = "return document.documentElement.innerHTML.includes(arguments[0])";
    assert_eq!(browser.run_with(is_there, json!([token])).await, false);
    browser.run("window.confirm = () => true").await;
    browser.click("#tokens button").await;
    browser.sees("The token does not work any more.").await;
    assert_eq!(browser.count("#tokens").await, 0);
    program.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}
