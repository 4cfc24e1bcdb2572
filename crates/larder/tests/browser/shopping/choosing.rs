//! Choosing: what to add from the tiles, and which shop is shown.

use serde_json::{Value, json};

use super::{add, check, listed, read_again, settled, shopper, write_down};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server, id_of};

/// The headings of the groups with entries, as shown.
const GROUPS: &str = "return [...document.querySelectorAll('section[id^=group] h2')]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText)";

/// The chips as shown; the chosen one is marked.
const CHIPS: &str = "return [...document.querySelectorAll('#shops a')]
    .filter((one) => one.checkVisibility())
    .map((one) => one.innerText + (one.getAttribute('aria-current') === 'true' ? '*' : ''))";

/// Two shops in an order that is not that of their names, a third without anything to buy.
async fn shops(anna: &Client) -> [String; 2] {
    let mut ids = Vec::new();
    for (name, place) in [("Zoo", json!(1)), ("Market", json!(2)), ("Bakery", json!(null))] {
        let body = json!({ "name": name, "sortOrder": place });
        ids.push(id_of(&anna.post("/stores", body).await.expect(201)).to_owned());
    }
    ids.truncate(2);
    ids.try_into().unwrap()
}

async fn shows(phone: &Browser, groups: Value, chips: Value) {
    phone.wait_until("the groups are shown", async || phone.run(GROUPS).await == groups).await;
    assert_eq!(phone.run(CHIPS).await, chips);
}

#[tokio::test]
async fn the_chosen_shop_is_shown_with_what_is_for_any_and_survives_everything() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [zoo, market] = shops(&anna).await;
    for (name, store) in [("Hay", json!(zoo)), ("Leek", json!(market)), ("Soap", json!(null))] {
        write_down(&anna, json!({ "name": name, "storeId": store })).await;
    }
    let phone = shopper(&server, &anna).await;
    let all = json!(["All*", "Zoo", "Market", "Any shop"]);
    shows(&phone, json!(["Zoo", "Market", "Any shop"]), all).await;
    // Reading the page again chooses no shop by itself.
    read_again(&phone).await;
    add(&phone, "Salt", "1").await;
    settled(&phone).await;
    phone.press("Market").await;
    let in_market = (json!(["Market", "Any shop"]), json!(["All", "Zoo", "Market*", "Any shop"]));
    shows(&phone, in_market.0.clone(), in_market.1.clone()).await;
    add(&phone, "Bread", "2").await;
    phone.reload().await;
    shows(&phone, in_market.0.clone(), in_market.1.clone()).await;
    read_again(&phone).await;
    add(&phone, "Cake", "1").await;
    settled(&phone).await;
    let entries = anna.all_pages("/shopping-list", "").await;
    let added = entries[3..].iter().map(|entry| (&entry["name"], &entry["storeId"]));
    assert_eq!(
        added.collect::<Vec<_>>(),
        [
            (&json!("Salt"), &json!(null)),
            (&json!("Bread"), &json!(market)),
            (&json!("Cake"), &json!(market)),
        ]
    );
    // A year, also if the browser was closed: of a choice by script, and of one without.
    let days = "return cookieStore.get('larder_shop').then(({ expires }) => (expires - Date.now()) / 864e5)";
    assert!(phone.run(days).await.as_f64().unwrap() > 300.0);
    phone.go(&format!("/shopping?shop={zoo}")).await;
    assert!(phone.run(days).await.as_f64().unwrap() > 300.0);
    let in_zoo = (json!(["Zoo", "Any shop"]), json!(["All", "Zoo*", "Market", "Any shop"]));
    shows(&phone, in_zoo.0.clone(), in_zoo.1.clone()).await;

    // In the shop there is no signal, and the choice can be another one.
    phone.go("/shopping").await;
    phone.offline(true).await;
    phone.press("Market").await;
    shows(&phone, in_market.0.clone(), in_market.1.clone()).await;
    phone.reload().await;
    shows(&phone, in_market.0, in_market.1).await;
    // The last entry of a shop takes its chip along, unless it is chosen.
    phone.press("All").await;
    phone.click(&check("Hay")).await;
    let without_zoo = json!(["All*", "Market", "Any shop"]);
    shows(&phone, json!(["Market", "Any shop"]), without_zoo).await;
    phone.offline(false).await;
    settled(&phone).await;
}

#[tokio::test]
async fn a_shop_with_nothing_to_buy_says_so() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [zoo, _] = shops(&anna).await;
    write_down(&anna, json!({ "name": "Hay", "storeId": zoo })).await;
    let phone = shopper(&server, &anna).await;
    phone.press("Any shop").await;
    phone.sees("Nothing to buy here.").await;
    phone.press("Zoo").await;
    phone.sees_no("Nothing to buy here.").await;
}

/// The texts of the tiles that are shown.
const TILES: &str = "return [...document.querySelectorAll('.tiles button')]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText.replace(/\\s+/g, ' ').trim())";

#[tokio::test]
async fn one_tap_on_a_tile_adds_it_also_without_a_signal() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [zoo, market] = shops(&anna).await;
    let rice = json!({
        "name": "Rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2, "preferredStoreId": zoo,
    });
    let rice = anna.add_item(rice).await;
    let salt = anna.add("Salt", 1, "g").await;
    anna.adjust(id_of(&salt), -1).await.expect(200);
    anna.add("Milk", 1, "L").await;
    let phone = shopper(&server, &anna).await;
    let [of_rice, of_salt, of_milk] =
        ["Rice low Add to the list", "Salt used up Add to the list", "Milk recent Add to the list"];
    assert_eq!(phone.run(TILES).await, json!([of_rice, of_salt, of_milk]));
    assert_eq!(phone.axe().await, []);
    // Bought where it usually is, as long as no shop is chosen.
    phone.press(of_rice).await;
    phone
        .wait_until("it is offered no more", async || {
            phone.run(TILES).await == json!([of_salt, of_milk])
        })
        .await;
    settled(&phone).await;
    let is_kept = "return caches.match('/shopping').then((page) => page.text())
        .then((page) => /class=\"entry\"[^>]*data-name=\"Rice\"/.test(page))";
    phone.wait_until("it is kept", async || phone.run(is_kept).await == true).await;
    phone.offline(true).await;
    phone.press("Any shop").await;
    phone.press(of_salt).await;
    phone.sees("1 change is waiting.").await;
    phone.reload().await;
    phone.wait_until("it stays so", async || phone.run(TILES).await == json!([of_milk])).await;
    phone.offline(false).await;
    settled(&phone).await;
    phone.run(&format!("document.cookie = 'larder_shop={market};path=/'")).await;
    phone.reload().await;
    phone.press(of_milk).await;
    settled(&phone).await;
    phone.wait_until("all are listed", async || listed(&anna).await.len() == 3).await;
    let entries = anna.all_pages("/shopping-list", "").await;
    let of = |entry: &Value| (entry["name"].clone(), entry["storeId"].clone());
    assert_eq!(
        entries.iter().map(of).collect::<Vec<_>>(),
        [(json!("Rice"), json!(zoo)), (json!("Salt"), json!(null)), (json!("Milk"), json!(market)),]
    );
    assert_eq!([&entries[0]["itemId"], &entries[1]["itemId"]], [&rice["id"], &salt["id"]]);
    assert_eq!(phone.count(".conflict").await, 0);
}

#[tokio::test]
async fn tiles_and_chips_work_without_script() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [_, market] = shops(&anna).await;
    write_down(&anna, json!({ "name": "Leek", "storeId": market })).await;
    anna.add("Milk", 1, "L").await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/shopping").await;
    phone.press("Market").await;
    shows(&phone, json!(["Market"]), json!(["All", "Market*", "Any shop"])).await;
    phone.press("Milk recent Add to the list").await;
    phone.says("section[id^=group] .entry[data-name=Milk]", "Milk").await;
    let entries = anna.all_pages("/shopping-list", "").await;
    assert_eq!((&entries[1]["name"], &entries[1]["storeId"]), (&json!("Milk"), &json!(market)));
    assert_eq!(phone.run(TILES).await, json!([]));
}
