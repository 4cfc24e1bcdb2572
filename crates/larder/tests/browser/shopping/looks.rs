//! Appearance and accessibility.

use serde_json::json;

use super::{check, write_down};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server};

async fn a_full_list(server: &Server) -> Client {
    let anna = server.with_household("anna").await;
    let shop = anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    anna.post("/stores", json!({ "name": "Aldi" })).await.expect(201);
    let milk = anna.add("Milk", 1, "L").await;
    write_down(&anna, json!({ "name": "Leek", "storeId": shop["id"], "quantity": 2 })).await;
    write_down(&anna, json!({ "name": "Bread", "notes": "the dark one, sliced" })).await;
    for (name, item) in [("Milk", milk["id"].clone()), ("Soap", json!(null))] {
        let entry = write_down(&anna, json!({ "name": name, "itemId": item, "quantity": 2 })).await;
        super::change(&anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
    }
    anna.add_item(json!({ "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 }))
        .await;
    anna
}

#[tokio::test]
async fn nobody_is_kept_from_using_the_list_and_its_pages() {
    let server = Server::start().await;
    let anna = a_full_list(&server).await;
    for options in [Options::default(), Options::default().dark().laptop()] {
        let browser = Browser::signed_in_with(&server, &anna, options).await;
        browser.go("/shopping").await;
        let headings = "return [...document.querySelectorAll('h2')]
            .filter((one) => one.checkVisibility()).map((one) => one.innerText)";
        let shown = json!(["Suggestions", "FreshMart", "Any shop", "Bought"]);
        assert_eq!(browser.run(headings).await, shown, "nothing is to be bought in the other shop");
        browser.press("Edit Leek").await;
        browser.sees("Edit entry").await;
        assert_eq!(browser.axe().await, [], "editing");
        browser.click(".back a").await;
        browser.press("Put away Soap").await;
        browser.sees("This adds it to stock").await;
        assert_eq!(browser.axe().await, [], "putting away");
        browser.click(".back a").await;
        browser.press("Put everything away").await;
        browser.sees("What has no amount stays on the list.").await;
        assert_eq!(browser.axe().await, [], "putting everything away");
        for path in ["/shopping", "/shopping/print", "/offline"] {
            browser.go(path).await;
            assert_eq!(browser.axe().await, [], "{path}");
        }
    }
}

#[tokio::test]
async fn what_waits_and_what_is_to_be_chosen_can_be_read_by_everybody() {
    let server = Server::start().await;
    let anna = a_full_list(&server).await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().dark()).await;
    phone.go("/shopping").await;
    phone.wait_for("navigator.serviceWorker.controller").await;
    phone.offline(true).await;
    phone.click(&check("Leek")).await;
    super::add(&phone, "Tea", "1").await;
    phone.fill("#add-name", "Bread").await;
    phone.press("Add").await;
    phone.sees("It is on the list already").await;
    phone.sees("2 changes are waiting.").await;
    assert_eq!(phone.axe().await, []);
}

#[tokio::test]
async fn on_paper_there_are_boxes_and_nothing_to_press() {
    let server = Server::start().await;
    let anna = a_full_list(&server).await;
    let browser = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    browser.go("/shopping/print").await;
    assert_eq!(browser.count("main button").await, 1);
    browser.look_at_it_on_paper().await;
    assert_eq!(browser.texts(".sheet .name").await, ["Leek", "Bread"]);
    let shown = "return [...document.querySelectorAll('button, a, nav, .box')]
        .filter((one) => one.checkVisibility()).map((one) => one.className)";
    assert_eq!(browser.run(shown).await, json!(["box", "box"]));
}
