//! Putting things into each other, and taking them away.

use serde_json::{Value, json};

use super::{add, handle_of, house, make, page_of, parent_of, row_of, unfolded};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server, resource_path, urn_of};

async fn named(client: &Client, name: &str) -> Value {
    let things = client.all_pages("/resources", "").await;
    things.into_iter().find(|thing| thing["attributes"]["name"] == name).unwrap()
}

#[tokio::test]
async fn a_house_is_made_through_the_pages_from_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/things").await;
    phone.sees("Nothing here yet").await;
    add(&phone, None, "Home", "Building").await;
    phone.press("Home").await;
    phone.sees("What is inside").await;
    add(&phone, Some("Put something new inside"), "Attic", "room").await;
    // The form stays open for the next one.
    add(&phone, None, "Spare room", "living room").await;
    phone.sees("Spare room").await;
    phone.press("Attic").await;
    phone.wait_for("document.querySelectorAll('.crumbs li').length === 2").await;
    assert_eq!(phone.texts(".crumbs li").await, ["Things", "Home"]);
    let home = named(&anna, "Home").await;
    assert_eq!(named(&anna, "Attic").await["_parentUrn"], urn_of(&home));
    // A kind of the family's own.
    assert_eq!(named(&anna, "Spare room").await["attributes"]["kind"], "living room");
}

#[tokio::test]
async fn a_thing_is_moved_by_the_menu_and_a_circle_is_refused_kindly() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [_, attic, cellar, chest] = house(&anna).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go(&page_of(&chest)).await;
    phone.press("Move").await;
    phone.fill("#q", "cell").await;
    phone.press("Search").await;
    phone.sees_no("Attic Room").await;
    phone.press("Choose Cellar").await;
    phone.sees("Moved.").await;
    assert_eq!(phone.texts(".crumbs li").await, ["Things", "Home", "Cellar"]);
    assert_eq!(parent_of(&anna, &chest).await, *cellar);
    anna.attach(&chest, &attic).await.expect(200);
    phone.expect_complaint("status of 409");
    phone.go(&format!("{}/choose/move", page_of(&attic))).await;
    phone.press("Choose Chest").await;
    phone.sees("A thing cannot be inside itself").await;
    phone.sees("Choose what to put it into").await;
    phone.press("Move to top level").await;
    phone.sees("Moved.").await;
    assert_eq!(parent_of(&anna, &attic).await, Value::Null);
    assert_eq!(parent_of(&anna, &chest).await, *attic);
}

#[tokio::test]
async fn a_thing_is_dragged_into_another_and_to_the_top() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [home, attic, cellar, chest] = house(&anna).await;
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    laptop.go(&unfolded(&[&home, &attic, &cellar])).await;
    laptop.drag(&handle_of(&chest), &row_of(&cellar)).await;
    laptop.sees("Moved.").await;
    assert_eq!(parent_of(&anna, &chest).await, *cellar);
    let below = format!("#thing-{} .tree {}", &cellar[cellar.len() - 36..], row_of(&chest));
    laptop.wait_for(&format!("document.querySelector('{below}')")).await;
    assert_eq!(laptop.path().await, unfolded(&[&home, &attic, &cellar]));
    laptop.drag(&handle_of(&chest), ".brand").await;
    laptop.wait_until("it is at the top", async || parent_of(&anna, &chest).await.is_null()).await;
    // On the page of a thing, its contents are dragged up to its parent.
    laptop.go(&page_of(&home)).await;
    laptop.drag(&handle_of(&attic), ".crumbs a").await;
    laptop.wait_until("it is out", async || parent_of(&anna, &attic).await.is_null()).await;
    laptop.wait_for("document.querySelectorAll('#tree .node').length === 1").await;
}

#[tokio::test]
async fn dropping_a_thing_nowhere_leaves_it_where_it_is_and_opens_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [home, attic, ..] = house(&anna).await;
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    laptop.go(&unfolded(&[&home])).await;
    laptop.forget_requests().await;
    laptop.drag(&handle_of(&attic), "#add summary").await;
    laptop.wait_for("!document.querySelector('.dragged, .dragging')").await;
    assert_eq!(laptop.path().await, unfolded(&[&home]));
    assert!(laptop.requests().await.iter().all(|request| request.method == "GET"));
    assert_eq!(parent_of(&anna, &attic).await, *home);
}

#[tokio::test]
async fn what_the_preview_shows_is_what_goes() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [home, attic, cellar, _] = house(&anna).await;
    make(&anna, "Group", "Heirlooms", None).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go(&page_of(&attic)).await;
    phone.press("Delete").await;
    phone.sees("2 things would be deleted").await;
    assert_eq!(phone.texts("#doomed strong").await, ["Attic", "Chest"]);
    // Things added meanwhile are shown before they are deleted too.
    let cap = make(&anna, "Clothing", "Cap", Some(&attic)).await;
    phone.sees("3 things would be deleted").await;
    // The page of a deleted thing may be read once more before it is left.
    phone.expect_complaint("status of 404");
    phone.press("Delete all of this").await;
    phone.sees("Deleted.").await;
    assert_eq!(phone.text("h1").await, "Home Building");
    assert_eq!(phone.texts("#tree strong").await, ["Cellar"]);
    let left = anna.all_pages("/resources", "").await;
    let names: Vec<_> = left.iter().map(|thing| &thing["attributes"]["name"]).collect();
    assert_eq!(names, [&json!("Home"), &json!("Heirlooms"), &json!("Cellar")]);
    anna.get(&resource_path(&cap)).await.expect(404);
    assert_eq!(parent_of(&anna, &cellar).await, *home);
}

#[tokio::test]
async fn a_large_deletion_tells_how_far_it_is_until_it_is_done() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let attic = make(&anna, "Room", "Attic", None).await;
    for _ in 0..120 {
        anna.make("Box", Some(&attic)).await;
    }
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go(&format!("{}/delete", page_of(&attic))).await;
    phone.expect_complaint("status of 404");
    phone.press("Delete all of this").await;
    phone.sees("Done: 121 things are deleted.").await;
    phone.press("To your things").await;
    phone.sees("Nothing here yet").await;
}
