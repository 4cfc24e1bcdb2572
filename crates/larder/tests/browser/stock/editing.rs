//! Editing an item, with and without conflicts.

use serde_json::{Value, json};

use super::{home, line_of};
use crate::browser::support::Browser;
use crate::it::support::{Client, Server, id_of};

async fn change(anna: &Client, item: &Value, to: Value) {
    anna.patch(&format!("/inventory/items/{}", id_of(item)), to).await.expect(200);
}

/// A phone that shows both versions of a milk after a conflict.
async fn slower(server: &Server) -> (Client, Browser, Value) {
    let (anna, phone) = home(server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = format!("/stock/{}", id_of(&milk));
    phone.go(&path).await;
    phone.press("Edit").await;
    phone.fill("#notes", "top shelf").await;
    change(&anna, &milk, json!({ "version": 1, "notes": "in the door", "quantity": 4 })).await;
    // The page shows the change, and keeps unsaved input.
    phone.says(&format!("{} output", line_of(&milk)), "4").await;
    assert_eq!(phone.run("return document.getElementById('notes').value").await, "top shelf");
    phone.expect_complaint("status of 409");
    phone.press("Save").await;
    phone.sees("Changed while you were editing").await;
    phone.says("#obstacle tbody tr:last-child", "in the door").await;
    (anna, phone, milk)
}

#[tokio::test]
async fn whoever_is_slower_sees_both_versions_and_saves_theirs_all_the_same() {
    let server = Server::start().await;
    let (anna, phone, milk) = slower(&server).await;
    anna.add("Eggs", 6, "個").await;
    phone.press("Save mine").await;
    phone.sees("Saved.").await;
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "top shelf");
    assert_eq!(phone.count("#obstacle").await, 0);
}

#[tokio::test]
async fn what_is_written_on_while_both_versions_are_shown_is_what_is_saved() {
    let server = Server::start().await;
    let (anna, phone, milk) = slower(&server).await;
    phone.fill("#notes", "bottom shelf").await;
    phone.press("Save").await;
    phone.says("#obstacle tbody tr:last-child", "bottom shelf").await;
    phone.press("Save mine").await;
    phone.sees("Saved.").await;
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "bottom shelf");
}

#[tokio::test]
async fn what_others_do_moves_no_page_and_takes_no_focus() {
    let server = Server::start().await;
    let (anna, phone, milk) = slower(&server).await;
    phone.run("scrollTo(0, 0); window.lost = 0; addEventListener('focusout', () => ++lost)").await;
    change(&anna, &milk, json!({ "version": 2, "quantity": 5 })).await;
    phone.says(&format!("{} output", line_of(&milk)), "5").await;
    let stayed = "return [scrollY, lost, document.activeElement.id]";
    assert_eq!(phone.run(stayed).await, json!([0, 0, "obstacle"]));
}

#[tokio::test]
async fn what_is_being_sent_is_not_sent_twice_whatever_others_do() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    phone.go(&format!("/stock/{}", id_of(&milk))).await;
    // A slow network: requests wait until they are released.
    let slow = r"
        const real = window.fetch;
        window.sent = 0;
        const held = new Promise((resolve) => { window.letGo = resolve; });
        window.fetch = async (address, options) => {
            if (options.method === 'POST') { ++sent; await held; }
            return real(address, options);
        };
    ";
    phone.run(slow).await;
    phone.press("Put on the shopping list").await;
    change(&anna, &milk, json!({ "version": 1, "quantity": 4 })).await;
    phone.says(&format!("{} output", line_of(&milk)), "4").await;
    phone.press("Put on the shopping list").await;
    assert_eq!(phone.run("letGo(); return sent").await, 1);
    phone.sees("It is on the shopping list now.").await;
}

#[tokio::test]
async fn what_somebody_deletes_is_gone_also_for_whoever_looks_at_it() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = format!("/stock/{}", id_of(&milk));
    let laptop = Browser::signed_in(&server, &anna).await;
    let scared = "addEventListener('larder:shown', () => { sessionStorage.scared ||= document.querySelector('[data-failure]') ? 'yes' : ''; }, true)";
    phone.run_in_every_page(scared).await;
    for browser in [&phone, &laptop] {
        browser.go(&path).await;
        browser.expect_complaint("status of 404");
    }
    laptop.press("Edit").await;
    laptop.fill("#notes", "from the farm").await;
    phone.press("Delete").await;
    phone.press("Delete Milk").await;
    phone.sees("Deleted.").await;
    assert_eq!(phone.run("return sessionStorage.scared ?? ''").await, "");
    laptop.sees("It may have been deleted").await;
    // The unsaved input can still be copied.
    assert_eq!(laptop.run("return document.getElementById('notes').value").await, "from the farm");
}

#[tokio::test]
async fn a_change_is_taken_back_with_one_press() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let milk = anna.add("Milk", 3, "L").await;
    phone.go(&format!("/stock/{}", id_of(&milk))).await;
    phone.press("Take 1: Milk").await;
    phone.sees("Quantity: 3 L → 2 L").await;
    phone.press("Undo").await;
    phone.sees("Undone.").await;
    phone.says(&format!("{} output", line_of(&milk)), "3").await;
    phone.press("Edit").await;
    phone.fill("#name", "Oat milk").await;
    phone.press("Save").await;
    phone.says("h1", "Oat milk").await;
    phone.press("Undo").await;
    phone.says("h1", "Milk").await;
    assert_eq!(anna.item(id_of(&milk)).await["name"], "Milk");
}

#[tokio::test]
async fn several_are_ticked_and_changed_together() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    for name in ["Milk", "Rice", "Eggs"] {
        anna.add(name, 1, "個").await;
    }
    phone.go("/stock").await;
    phone.press("Filter and sort").await;
    phone.press("Select").await;
    phone.press("Milk").await;
    phone.press("Rice").await;
    phone.press("Category, place, shop, warning").await;
    phone.fill("#set-threshold", "2").await;
    // The events of the changes arrive, and the page is read anew, before the answer.
    phone.delay(400).await;
    phone.press("Change selected").await;
    phone.sees("2 done.").await;
    phone.sees("2 low").await;
    assert_eq!(phone.count("#items input[type=checkbox]").await, 0);
}
