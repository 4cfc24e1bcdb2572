//! From an item to a tag that works, and to another when it was seen by the wrong people.

use super::{address_at, page_path};
use crate::browser::support::{Browser, Options, PLAIN_HOST, Shelf};
use crate::it::support::Server;

/// Records what pages copy, instead of using the machine's clipboard.
const CLIPBOARD: &str = "if (navigator.clipboard) navigator.clipboard.writeText = async (text) => { window.copied = text; };";

#[tokio::test]
async fn a_tag_is_found_made_copied_and_replaced() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 5, "kg").await;
    anna.add("Milk", 2, "L").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.run_in_every_page(CLIPBOARD).await;
    phone.go("/tags").await;
    phone.press("Make the first tag").await;
    phone.fill("#search", "ri").await;
    phone.press("Search").await;
    phone.sees_no("Milk").await;
    phone.press("Rice").await;
    phone.fill("#label", "Shelf").await;
    phone.fill("#step", "0.5").await;
    phone.press("Make the tag").await;
    phone.sees("The tag is made.").await;
    assert_eq!(phone.text("h1").await, "Rice · Shelf");

    let tags = anna.tags().await;
    assert_eq!(phone.text("#address").await, address_at(&phone.origin(), &tags[0]));
    phone.press("Copy").await;
    phone.says("#status", "Copied").await;
    assert_eq!(phone.run("return window.copied").await, address_at(&phone.origin(), &tags[0]));

    phone.press("Replace this tag").await;
    phone.sees("There is no way back.").await;
    phone.press("Replace it for good").await;
    phone.sees("The old address has stopped working.").await;
    let tags = anna.tags().await;
    assert_eq!(phone.text("#address").await, address_at(&phone.origin(), &tags[0]));
    assert_eq!(tags[1]["isActive"], false);
    phone.press("Tags").await;
    phone.says("#tags li:last-child", "Replaced").await;
}

#[tokio::test]
async fn a_tag_is_changed_and_deleted_where_it_is_shown() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = Browser::signed_in(&server, &shelf.admin).await;
    phone.go(&page_path(&shelf.tag)).await;
    phone.press("Edit").await;
    phone.fill("#label", "Door").await;
    phone.fill("#step", "2").await;
    phone.press("Save").await;
    phone.sees("The tag is saved.").await;
    assert_eq!(phone.text("h1").await, "Eggs · Door");
    assert_eq!(shelf.admin.tags().await[0]["step"], 2);
    phone.go(&shelf.path()).await;
    phone.sees("Took 2個.").await;
    phone.press("Open in Larder").await;
    phone.says("h1", "Eggs").await;

    // First away from the page of the item, which would be read again and be gone.
    phone.go("/tags").await;
    phone.says("#tags li", "Eggs").await;
    shelf.remove().await;
    phone.go("/tags").await;
    phone.says("#tags li", "Item deleted").await;
    phone.press("Eggs · Door").await;
    phone.sees("The item of this tag was deleted").await;
    assert_eq!(phone.axe().await, []);
    phone.press("Delete").await;
    phone.press("Delete this tag").await;
    phone.sees("The tag is deleted.").await;
    assert_eq!(shelf.admin.tags().await.len(), 0);
}

#[tokio::test]
async fn a_step_out_of_bounds_is_said_and_what_was_typed_stays() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 5, "kg").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.expect_complaint("status of 400");
    phone.go("/tags/new").await;
    phone.press("Rice").await;
    phone.fill("#label", "Shelf").await;
    // A value that the browser itself would reject.
    phone.run("document.getElementById('step').type = 'text'").await;
    phone.fill("#step", "5000").await;
    phone.press("Make the tag").await;
    phone.says("#status", "How much one tap takes").await;
    assert_eq!(phone.run("return document.getElementById('label').value").await, "Shelf");
    assert_eq!(anna.tags().await.len(), 0);
}

#[tokio::test]
async fn what_a_tag_counts_is_seen_while_its_page_is_open() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let laptop = Browser::signed_in_with(&server, &shelf.admin, Options::default().laptop()).await;
    laptop.go(&page_path(&shelf.tag)).await;
    laptop.says("#used", "Never opened").await;
    let phone = Browser::open(&server).await;
    phone.go(&shelf.path()).await;
    phone.sees("Took 1個.").await;
    laptop.says("#used", "Opened once, just now").await;
    laptop.sees("5個").await;
}

#[tokio::test]
async fn an_address_is_copied_over_plain_http_too() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = Browser::open(&server).await;
    let origin = phone.origin().replace("127.0.0.1", PLAIN_HOST);
    phone.go_to(&format!("{origin}/login?next={}", page_path(&shelf.tag))).await;
    phone.fill("#email", &shelf.admin.email).await;
    phone.fill("#password", &shelf.admin.password).await;
    phone.press("Log in").await;
    phone.sees("Its address").await;
    assert_eq!(phone.run("return navigator.clipboard ?? null").await, serde_json::Value::Null);
    let note =
        "document.addEventListener('copy', () => { window.copied = getSelection().toString(); })";
    phone.run(note).await;
    phone.press("Copy").await;
    phone.says("#status", "Copied").await;
    assert_eq!(phone.run("return window.copied").await, address_at(&origin, &shelf.tag));
}

#[tokio::test]
async fn without_script_a_tag_is_made_and_replaced_by_forms_alone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 5, "kg").await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().without_script()).await;
    phone.go("/tags/new").await;
    phone.press("Rice").await;
    phone.press("Make the tag").await;
    phone.sees("The tag is made.").await;
    phone.press("Replace this tag").await;
    phone.press("Replace it for good").await;
    phone.sees("The old address has stopped working.").await;
    let tags = anna.tags().await;
    assert_eq!(phone.text("#address").await, address_at(&phone.origin(), &tags[0]));
    assert_eq!(tags.len(), 2);
}
