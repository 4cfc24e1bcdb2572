//! Putting away purchased entries, with their expiration dates.

use serde_json::{Value, json};

use super::{bought, check, pending, settled, shopper, write_down};
use crate::browser::support::{Browser, Key, Options};
use crate::it::support::{Client, Server};

/// The stock: name, quantity and date, in order of creation.
async fn stock(person: &Client) -> Vec<(Value, Value, Value)> {
    let items = person.items("").await;
    let of = |item: &Value| {
        (item["name"].clone(), item["quantity"].clone(), item["expirationDate"].clone())
    };
    items.iter().rev().map(of).collect()
}

fn lot(name: &str, quantity: u32, date: Option<&str>) -> (Value, Value, Value) {
    (json!(name), json!(quantity), json!(date))
}

#[tokio::test]
async fn what_was_bought_is_put_away_with_its_date() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    write_down(&anna, json!({ "name": "Milk", "itemId": milk["id"], "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.click(&check("Milk")).await;
    settled(&phone).await;
    phone.press("Put away Milk").await;
    phone.sees("Quantity (L)").await;
    phone.set("#expiration", "2030-05-01").await;
    // On a slow network the event of the change arrives before the answer, and the page of the
    // deleted entry is read once more. The browser logs the 404; the person must not see it.
    phone.delay(400).await;
    phone.expect_complaint("status of 404");
    phone
        .run("addEventListener('larder:shown', () => { sessionStorage.shown = 'yes' }, true)")
        .await;
    phone.press("Put away").await;
    phone.sees("It is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Milk", 1, None), lot("Milk", 2, Some("2030-05-01"))]);
    assert_eq!(phone.run("return sessionStorage.shown ?? ''").await, "");
    assert_eq!((pending(&phone).await, bought(&phone).await), (vec![], vec![]));
}

/// Two litres of milk, and butter without a quantity.
async fn milk_and_butter(anna: &Client) -> [String; 2] {
    let mut bought = Vec::new();
    for (name, unit, quantity) in [("Milk", "L", json!(2)), ("Butter", "g", json!(null))] {
        let item = anna.add(name, 1, unit).await;
        let body = json!({ "name": name, "itemId": item["id"], "quantity": quantity });
        let entry = write_down(anna, body).await;
        super::change(anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
        bought.push(entry["shoppingItemId"].as_str().unwrap().to_owned());
    }
    bought.try_into().unwrap()
}

#[tokio::test]
async fn what_stays_is_told_until_it_is_put_right() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [milk, butter] = milk_and_butter(&anna).await;
    let phone = shopper(&server, &anna).await;
    phone.press("Put everything away").await;
    phone.wait_for("document.querySelector('#put-away-all')").await;
    for (id, date) in [(&milk, "2030-05-01"), (&butter, "2030-06-01")] {
        phone.click(&format!("#row-{id} label:has([value=other])")).await;
        phone.set(&format!("#expiration-{id}"), date).await;
    }
    phone.expect_complaint("status of 409");
    phone.press("Put away").await;
    phone.sees("Butter: How much was it?").await;
    phone.sees("1 thing was put away.").await;
    phone.wait_for(&format!("!document.getElementById('row-{milk}')")).await;
    assert_eq!(phone.axe().await, []);
    // A concurrent change re-reads the page, and loses no input.
    let tea = write_down(&anna, json!({ "name": "Tea", "quantity": 1 })).await;
    super::change(&anna, &tea, json!({ "status": "purchased", "version": 1 })).await;
    phone.sees("Tea").await;
    phone.sees("Butter: How much was it?").await;
    let date = format!("return document.querySelector('#expiration-{butter}').value");
    assert_eq!(phone.run(&date).await, "2030-06-01");

    phone.fill(&format!("#quantity-{butter}"), "250").await;
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    let expected = [
        lot("Milk", 1, None),
        lot("Butter", 1, None),
        lot("Milk", 2, Some("2030-05-01")),
        lot("Butter", 250, Some("2030-06-01")),
        lot("Tea", 1, None),
    ];
    assert_eq!(stock(&anna).await, expected);
    assert_eq!((pending(&phone).await, bought(&phone).await), (vec![], vec![]));
}

#[tokio::test]
async fn ten_things_are_put_away_with_two_taps_if_their_products_know_how_long_they_keep() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for n in 0..10 {
        let name = format!("Thing {n}");
        let item = json!({ "name": name, "quantity": 1, "unit": "pcs", "shelfLifeDays": 3 + n });
        let item = anna.add_item(item).await;
        let entry = json!({ "name": name, "itemId": item["id"], "quantity": 2 });
        let entry = write_down(&anna, entry).await;
        super::change(&anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
    }
    let phone = shopper(&server, &anna).await;
    let today = phone.run("return new Date().toISOString().slice(0, 10)").await;
    let today: jiff::civil::Date = today.as_str().unwrap().parse().unwrap();
    phone.press("Put everything away").await;
    phone.wait_for("document.querySelector('#put-away-all')").await;
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    let mut expected: Vec<_> = (0..10).map(|n| lot(&format!("Thing {n}"), 1, None)).collect();
    expected.extend((0..10).map(|n| {
        let date = today + jiff::Span::new().days(3 + n);
        lot(&format!("Thing {n}"), 2, Some(&date.to_string()))
    }));
    // Several may be added in the same millisecond.
    let in_order = |mut lots: Vec<(Value, Value, Value)>| {
        lots.sort_by_key(|lot| format!("{lot:?}"));
        lots
    };
    assert_eq!(in_order(stock(&anna).await), in_order(expected));
}

/// The answer of a form waits until the page has heard of what it did, and `letGo()`.
const HOLD_ANSWERS: &str = "
    const send = window.fetch;
    window.fetch = async (...request) => {
        const answer = await send(...request);
        if (request[1]?.method === 'POST') await new Promise((go) => { window.letGo = go; });
        return answer;
    };
";

#[tokio::test]
async fn an_answer_that_comes_after_the_page_has_changed_still_counts() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let bread = write_down(&anna, json!({ "name": "Bread", "quantity": 1 })).await;
    super::change(&anna, &bread, json!({ "status": "purchased", "version": 1 })).await;
    let phone = shopper(&server, &anna).await;
    phone.go("/shopping/put-away").await;
    phone.run(HOLD_ANSWERS).await;
    phone.press("Put away").await;
    phone.sees("Nothing is waiting to be put away.").await;
    phone.wait_for("window.letGo").await;
    phone.run("window.letGo()").await;
    phone.sees("All of it is in stock now.").await;
}

#[tokio::test]
async fn an_answer_counts_although_its_button_was_replaced_meanwhile() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let buy = async |name: &str| {
        let entry = write_down(&anna, json!({ "name": name, "quantity": 1 })).await;
        super::change(&anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
    };
    buy("Bread").await;
    let phone = shopper(&server, &anna).await;
    phone.go("/shopping/put-away").await;
    phone.run(HOLD_ANSWERS).await;
    phone.run("window.pressed = document.getElementById('put-away')").await;
    phone.click("#put-away").await;
    phone.wait_for("window.letGo").await;
    // Somebody buys something else: its row comes between, and what follows is made anew.
    buy("Tea").await;
    phone.wait_for("!pressed.isConnected && document.getElementById('put-away')").await;
    phone.run("window.letGo()").await;
    phone.sees("All of it is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Bread", 1, None)]);
    assert_eq!(bought(&phone).await, ["Tea"]);
}

#[tokio::test]
async fn one_press_gives_a_date_also_with_the_keyboard() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let bread = write_down(&anna, json!({ "name": "Bread", "quantity": 1 })).await;
    super::change(&anna, &bread, json!({ "status": "purchased", "version": 1 })).await;
    let id = bread["shoppingItemId"].as_str().unwrap();
    let phone = shopper(&server, &anna).await;
    phone.go("/shopping/put-away").await;
    let field = format!("#expiration-{id}");
    let is_shown = format!("return document.querySelector('{field}').checkVisibility()");
    assert_eq!(phone.run(&is_shown).await, false, "no other date is asked for");
    phone.click(&format!("#row-{id} .dates label:nth-of-type(1)")).await;
    let chosen = format!("return document.querySelector('#row-{id} .dates :checked').value");
    let in_three_days = phone.run(&chosen).await;
    assert_ne!(in_three_days, "");
    phone.run(&format!("document.querySelector('#row-{id} .dates :checked').focus()")).await;
    phone.key(Key::ArrowRight).await;
    let in_a_week = phone.run(&chosen).await;
    assert!(in_a_week.as_str() > in_three_days.as_str(), "{in_a_week} after {in_three_days}");
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Bread", 1, in_a_week.as_str())]);
}

#[tokio::test]
async fn a_code_leads_to_its_line_and_what_was_typed_stays() {
    const CODES: [&str; 2] = ["4006381333931", "4902102072618"];
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut rows = Vec::new();
    for (name, code) in [("Pencil", CODES[0]), ("Tea", CODES[1])] {
        let body = json!({ "name": name, "quantity": 1, "unit": "box", "barcode": code });
        let item = anna.post("/inventory/items", body).await.expect(201)["item"].clone();
        let entry = json!({ "name": name, "itemId": item["id"], "quantity": 2 });
        let entry = write_down(&anna, entry).await;
        super::change(&anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
        rows.push(entry["shoppingItemId"].as_str().unwrap().to_owned());
    }
    let [pencil, tea] = rows.as_slice() else { panic!("two were bought") };
    let phone = shopper(&server, &anna).await;
    phone.press("Put everything away").await;
    phone.press("Find by barcode").await;
    phone.wait_for("document.querySelector('#scan-code').checkVisibility()").await;
    assert_eq!(phone.axe().await, []);
    for (code, row) in [(CODES[1], tea), (CODES[0], pencil), (CODES[1], tea)] {
        phone.fill("#scan-code", code).await;
        phone.key(Key::Enter).await;
        phone.wait_for(&format!("document.activeElement.id === 'row-{row}'")).await;
        let is_seen = format!(
            "const {{ top, bottom }} = document.getElementById('row-{row}').getBoundingClientRect();
            return top < innerHeight && bottom > 0"
        );
        assert_eq!(phone.run(&is_seen).await, true);
        if row == tea {
            phone.fill(&format!("#quantity-{tea}"), "7").await;
        }
    }
    phone.fill("#scan-code", "5901234123457").await;
    phone.key(Key::Enter).await;
    phone.sees("It is not on the shopping list.").await;
    let typed = format!("return document.getElementById('quantity-{tea}').value");
    assert_eq!(phone.run(&typed).await, "7");
    // What others do does not lead there again.
    phone.click("#scan-code").await;
    write_down(&anna, json!({ "name": "Soap" })).await;
    let milk = write_down(&anna, json!({ "name": "Milk", "quantity": 1 })).await;
    super::change(&anna, &milk, json!({ "status": "purchased", "version": 1 })).await;
    phone.sees("Milk").await;
    assert_eq!(phone.run("return document.activeElement.id").await, "scan-code");
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    let in_stock = stock(&anna).await;
    assert_eq!(in_stock[..2], [lot("Pencil", 3, None), lot("Tea", 8, None)]);
}

#[tokio::test]
async fn everything_is_put_away_without_script_on_a_small_phone() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [milk, butter] = milk_and_butter(&anna).await;
    let options = Options::default().without_script().screen(320, 600);
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/shopping").await;
    phone.press("Put everything away").await;
    phone.fill(&format!("#quantity-{milk}"), "3").await;
    phone.expect_complaint("status of 409");
    phone.press("Put away").await;
    phone.sees("Butter: How much was it?").await;
    phone.fill(&format!("#quantity-{butter}"), "250").await;
    phone.press("Put away").await;
    phone.sees("All of it is in stock now.").await;
    assert_eq!(stock(&anna).await, [lot("Milk", 4, None), lot("Butter", 251, None)]);
}
