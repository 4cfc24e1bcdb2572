//! A list with infinite scrolling, live updates, and search while typing.

use serde_json::json;

use super::{home, listed};
use crate::it::support::{Client, Server, names};

/// The expected list, from the API.
async fn expected(anna: &Client, query: &str) -> Vec<String> {
    let items = anna.all_pages("/inventory/items", &format!("sort=expiration{query}")).await;
    names(&items).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_list_grows_to_its_end_and_stays_whole_when_others_change_it() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    for n in 0..130 {
        anna.add(&format!("Thing {n}"), 1, "個").await;
    }
    phone.go("/stock").await;
    assert_eq!(phone.count("#items li").await, 50);
    for count in [100, 130] {
        phone.run("window.scrollTo(0, document.body.scrollHeight)").await;
        phone.wait_for(&format!("document.querySelectorAll('#items li').length === {count}")).await;
    }
    assert_eq!(listed(&phone).await, expected(&anna, "").await);
    let items = anna.items("limit=200").await;
    anna.add("Newest", 1, "個").await;
    anna.adjust(items[60]["id"].as_str().unwrap(), -1).await.expect(200);
    phone.sees("Newest").await;
    phone.sees("1 used up").await;
    phone
        .wait_until("the list is whole", async || listed(&phone).await == expected(&anna, "").await)
        .await;
    assert_eq!(phone.count("#more").await, 0);
    // Coming back from an item, the list is as long as it was left.
    phone.press("Thing 3").await;
    phone.sees("History").await;
    phone.back().await;
    phone.wait_for("document.querySelectorAll('#items li').length === 130").await;
}

#[tokio::test]
async fn what_is_being_typed_survives_what_others_do() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    anna.add("Rice", 5, "kg").await;
    phone.go("/stock?sort=name#add-name").await;
    phone.fill("#add-name", "Mil").await;
    anna.add("Eggs", 6, "個").await;
    phone.sees("Eggs").await;
    assert_eq!(phone.run("return document.activeElement.id").await, "add-name");
    phone.fill("#add-name", "Milk").await;
    phone.press("Add").await;
    phone.sees("Added to the stock.").await;
    // What was just added stands first, the others in their order.
    assert_eq!(listed(&phone).await, ["Milk", "Eggs", "Rice"]);
    assert_eq!(phone.run("return document.getElementById('add-name').value").await, "");
}

#[tokio::test]
async fn a_search_shows_its_results_while_it_is_typed_and_can_be_cleared() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    for (name, date) in [("Milk", "2031-01-01"), ("Oat milk", "2031-01-02"), ("Rice", "2020-01-03")]
    {
        let item = json!({ "name": name, "quantity": 1, "unit": "個", "expirationDate": date });
        anna.add_item(item).await;
    }
    phone.go("/stock").await;
    phone.says("#bell .count", "1").await;
    phone.fill("#search", "mil").await;
    phone.sees_no("Rice").await;
    phone.says("#bell .count", "1").await;
    assert_eq!(listed(&phone).await, ["Milk", "Oat milk"]);
    phone.press("Filter and sort").await;
    phone.set("#by-sort", "created").await;
    phone.wait_for("document.querySelector('#items .title').textContent === 'Oat milk'").await;
    assert_eq!(phone.path().await, "/stock?search=mil&sort=created");
    // The order is the same the next time.
    phone.go("/stock").await;
    assert_eq!(listed(&phone).await, ["Rice", "Oat milk", "Milk"]);
    phone.fill("#search", "xyz").await;
    phone.sees("No matches").await;
    phone.press("Show everything").await;
    phone.sees("Rice").await;
}

#[tokio::test]
async fn what_was_there_before_is_suggested_and_brings_its_unit_and_place() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let places = anna.get("/storage-locations").await.expect(200);
    let freezer = places["items"][1]["id"].clone();
    let peas =
        json!({ "name": "Peas", "quantity": 0, "unit": "bag", "storageLocationId": freezer });
    anna.add_item(peas).await;
    phone.go("/stock#add-name").await;
    phone.press("Unit, category, place, date").await;
    phone.fill("#add-name", "pea").await;
    phone.wait_for("document.querySelector('#known option')?.value === 'Peas'").await;
    phone.fill("#add-name", "Peas").await;
    phone.wait_for("document.getElementById('add-unit').value === 'bag'").await;
    assert_eq!(phone.run("return document.getElementById('add-location').value").await, freezer);
    phone.fill("#add-quantity", "2").await;
    phone.press("Add").await;
    phone.sees("Added to what is there already.").await;
    assert_eq!(anna.items("").await[0]["quantity"], 2);
}
