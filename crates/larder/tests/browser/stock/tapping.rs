//! One press takes or adds, and every press counts.

use serde_json::json;

use super::{home, line_of};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Server, amount, id_of};

#[tokio::test]
async fn many_quick_taps_show_at_once_all_count_and_end_exact() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let eggs = anna.add("Eggs", 20, "個").await;
    phone.go("/stock").await;
    let taps = "
        const [take, put] = document.querySelectorAll(`${arguments[0]} button`);
        const seen = [];
        for (const button of [...Array(12).fill(take), ...Array(5).fill(put)]) {
            button.click();
            seen.push(Number(document.querySelector(`${arguments[0]} output`).value));
        }
        return seen;";
    let seen = phone.run_with(taps, json!([line_of(&eggs)])).await;
    let expected: Vec<_> = (8..20).rev().chain(9..=13).collect();
    assert_eq!(seen, json!(expected), "each tap shows before any answer");
    phone
        .wait_until("all taps are saved", async || {
            amount(&anna.item(id_of(&eggs)).await["quantity"]) == "13"
        })
        .await;
    phone.wait_for("!document.querySelector('#items [data-keep]')").await;
    phone.says(&format!("{} output", line_of(&eggs)), "13").await;
    let requests = phone.requests().await;
    let sent = requests.iter().filter(|request| request.url.ends_with("/adjust")).count();
    assert_eq!(sent, 2, "the first tap, and all that came while it was under way");
}

#[tokio::test]
async fn a_tap_after_the_session_has_ended_counts_once_somebody_logs_in() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let eggs = anna.add("Eggs", 20, "個").await;
    phone.go("/stock").await;
    // The page is read once more when it listens for changes; after that nobody asks the server.
    let is_read_again = "performance.getEntriesByType('resource')
        .some((it) => it.initiatorType === 'fetch' && new URL(it.name).pathname === '/stock')";
    phone.wait_for(is_read_again).await;
    // The token is of the session that ended.
    phone.expect_complaint("status of 403");
    phone.set_cookie("larder_session", "b.over").await;
    phone.click(&format!("{} button", line_of(&eggs))).await;
    phone.sees("You were logged out in the meantime.").await;
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 20);
    phone.fill("[name=email]", &anna.email).await;
    phone.fill("[name=password]", &anna.password).await;
    phone.click("main form button").await;
    phone.says(&format!("{} output", line_of(&eggs)), "19").await;
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 19);
    phone.reload().await;
    phone.says(&format!("{} output", line_of(&eggs)), "19").await;
}

#[tokio::test]
async fn a_line_whose_last_one_was_taken_waits_under_the_finger() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    anna.add("Rice", 5, "kg").await;
    let milk = anna.add("Milk", 1, "L").await;
    anna.add("Eggs", 6, "個").await;
    // However long this machine takes for the rest.
    phone
        .run_in_every_page(
            "const later = window.setTimeout;
            window.setTimeout = (work, delay, ...values) => later(work, delay === 4000 ? 600000 : delay, ...values);",
        )
        .await;
    phone.go("/stock?sort=created").await;
    phone.click(&format!("{} button", line_of(&milk))).await;
    phone.sees("1 used up").await;
    assert_eq!(super::listed(&phone).await, ["Eggs", "Milk", "Rice"]);
    phone.click(&format!("{} .amount button:last-child", line_of(&milk))).await;
    phone.sees_no("1 used up").await;
    assert_eq!(amount(&anna.item(id_of(&milk)).await["quantity"]), "1");
}

#[tokio::test]
async fn what_could_not_be_saved_goes_back_and_says_so() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let eggs = anna.add("Eggs", 6, "個").await;
    phone.go("/stock").await;
    phone.expect_complaint("net::ERR");
    // The browser checks for a newer service worker.
    phone.expect_complaint("fetching the script");
    phone.offline(true).await;
    phone.click(&format!("{} button", line_of(&eggs))).await;
    phone.sees("No signal").await;
    assert_eq!(phone.text(&format!("{} output", line_of(&eggs))).await, "6");
    phone.offline(false).await;
    phone.click(&format!("{} button", line_of(&eggs))).await;
    phone
        .wait_until("the tap is saved", async || {
            amount(&anna.item(id_of(&eggs)).await["quantity"]) == "5"
        })
        .await;
}

#[tokio::test]
async fn without_script_a_press_is_a_form() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let flour = anna.add("Flour", 500, "g").await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/stock?sort=name").await;
    phone.press("Take 50: Flour").await;
    phone.says(&format!("{} output", line_of(&flour)), "450").await;
    assert_eq!(phone.path().await, "/stock?sort=name");
}
