//! − and + at an entry, and what a press costs.

use serde_json::{Value, json};

use super::{check, entry, listed, read_again, settled, shopper, write_down};
use crate::browser::support::{Browser, Middleman, Options};
use crate::it::support::{Client, Server};
use crate::web::support::Reader;

/// The limits of one press, with headers.
const MOST_SENT: u64 = 2048;
const MOST_RECEIVED: u64 = 4096;

/// Presses + or − of an entry so many times at once, faster than any finger.
async fn press(phone: &Browser, name: &str, delta: i32, times: u32) {
    let script = "const [name, delta, times] = arguments;
        const button = `.entry[data-name='${name}'] [name=delta][value='${delta}']`;
        for (let n = 0; n < times; n += 1) document.querySelector(button).click()";
    phone.run_with(script, json!([name, delta, times])).await;
}

async fn shows(phone: &Browser, name: &str, amount: &str) {
    phone.says(&format!(".entry[data-name='{name}'] .amount"), amount).await;
}

async fn quantity(person: &Client) -> Value {
    listed(person).await[0].2.clone()
}

/// Waits until nothing is under way: the page was read again, and a service worker keeps the stock.
async fn quiet(phone: &Browser) {
    read_again(phone).await;
    let is_kept = "return caches.match('/stock/copy').then((found) => Boolean(found))";
    phone.wait_until("the stock is kept", async || phone.run(is_kept).await == true).await;
}

#[tokio::test]
async fn a_press_costs_little_with_400_entries_on_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for n in 0..400 {
        let name = format!("Thing {n:03}");
        write_down(&anna, json!({ "name": name, "quantity": 2, "notes": "as always" })).await;
    }
    let phone = shopper(&server, &anna).await;
    quiet(&phone).await;
    assert_eq!(phone.count(".entry").await, 400);
    let all = anna.all_pages("/shopping-list", "").await;
    for (version, what, selector, done) in [
        (1, "+", "[data-name='Thing 007'] [name=delta][value='1']", "[data-quantity='3']"),
        (2, "−", "[data-name='Thing 300'] [name=delta][value='-1']", "[data-quantity='1']"),
        (3, "a tick", "[data-name='Thing 200'] .check", "[data-status=purchased]"),
    ] {
        phone.forget_requests().await;
        let before = phone.exchanged();
        phone.click(selector).await;
        phone.wait_for(&format!("document.querySelector(`.entry{done}[data-version='2']`)")).await;
        settled(&phone).await;
        // By the time at which a later change by somebody else is shown, the event of the press has had
        // its effect as well. Both together cost no more than a press may.
        let quantity = 10 + version;
        super::change(&anna, &all[399], json!({ "quantity": quantity, "version": version })).await;
        shows(&phone, "Thing 399", &format!("× {quantity}")).await;
        let after = phone.exchanged();
        let (sent, received) = (after.0 - before.0, after.1 - before.1);
        let requests = phone.requests().await;
        let methods: Vec<_> = requests.iter().map(|request| request.method.as_str()).collect();
        assert_eq!(methods, ["PATCH", "GET"], "{what}: {requests:?}");
        assert!((1..=MOST_SENT).contains(&sent), "{what}: {sent} bytes sent: {requests:?}");
        assert!(
            (1..=MOST_RECEIVED).contains(&received),
            "{what}: {received} bytes received: {requests:?}"
        );
    }
}

#[tokio::test]
async fn every_press_of_many_counts_and_nobody_is_asked() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    write_down(&anna, json!({ "name": "Rice", "itemId": rice["id"], "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.delay(150).await;
    press(&phone, "Rice", 1, 25).await;
    shows(&phone, "Rice", "27 kg").await;
    press(&phone, "Rice", -1, 5).await;
    phone.click(&check("Rice")).await;
    phone.wait_until("all presses count", async || quantity(&anna).await == 22).await;
    phone.wait_for("document.querySelector('#bought [data-name=Rice]')").await;
    settled(&phone).await;
    shows(&phone, "Rice", "22 kg").await;
    assert_eq!(listed(&anna).await[0].1, "purchased");
    assert_eq!(phone.count(".conflict").await, 0);
}

#[tokio::test]
async fn presses_of_two_people_add_up() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    write_down(&anna, json!({ "name": "Milk", "quantity": 1 })).await;
    let (of_anna, of_ben) = (shopper(&server, &anna).await, shopper(&server, &ben).await);
    for phone in [&of_anna, &of_ben] {
        phone.expect_complaint("status of 409");
        phone.delay(100).await;
    }
    for _ in 0..3 {
        tokio::join!(press(&of_anna, "Milk", 1, 4), press(&of_ben, "Milk", 1, 3));
    }
    of_anna.wait_until("all presses count", async || quantity(&anna).await == 22).await;
    tokio::join!(settled(&of_anna), settled(&of_ben));
    for phone in [&of_anna, &of_ben] {
        shows(phone, "Milk", "× 22").await;
        assert_eq!(phone.count(".conflict").await, 0);
    }
}

#[tokio::test]
async fn presses_without_a_signal_wait_and_are_added_to_what_others_did() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = write_down(&anna, json!({ "name": "Milk", "quantity": 2 })).await;
    let phone = shopper(&server, &anna).await;
    phone.expect_complaint("status of 409");
    phone.offline(true).await;
    press(&phone, "Milk", 1, 1).await;
    phone.sees("1 change is waiting.").await;
    // The list is painted again before the last presses are on disk.
    let script = "const more = document.querySelector('.entry [name=delta][value=\"1\"]');
        more.click(); more.click();
        document.dispatchEvent(new CustomEvent('larder:shown'));
        return document.querySelector('.entry .amount').textContent";
    assert_eq!(phone.run(script).await, "× 5");
    // What was tried, and what came after it, are on disk.
    phone.sees("2 changes are waiting.").await;
    phone.reload().await;
    shows(&phone, "Milk", "× 5").await;
    press(&phone, "Milk", -1, 1).await;
    shows(&phone, "Milk", "× 4").await;
    super::change(&anna, &milk, json!({ "quantity": 10, "version": 1 })).await;
    phone.offline(false).await;
    settled(&phone).await;
    shows(&phone, "Milk", "× 12").await;
    // What was tried before the reload, and what came after it.
    assert_eq!(listed(&anna).await, [entry("Milk", "pending", 12, 4)]);
    assert_eq!(phone.count(".conflict").await, 0);
}

#[tokio::test]
async fn a_press_whose_answer_was_lost_counts_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    write_down(&anna, json!({ "name": "Milk", "quantity": 2 })).await;
    let middleman = Middleman::before(&server).await;
    let phone = Browser::at(middleman.address(), Options::default()).await;
    phone.adopt(&Reader::of(&server, &anna).await).await;
    phone.expect_complaint("net::ERR_");
    phone.expect_complaint("status of 409");
    phone.go("/shopping").await;
    phone.wait_for("document.querySelector('.entry')").await;
    middleman.lose_next_answer();
    press(&phone, "Milk", 1, 1).await;
    phone.sees("1 change is waiting.").await;
    assert_eq!(quantity(&anna).await, 3, "it had arrived");
    press(&phone, "Milk", 1, 2).await;
    phone.wait_until("all presses count", async || quantity(&anna).await == 5).await;
    settled(&phone).await;
    shows(&phone, "Milk", "× 5").await;
    assert_eq!(listed(&anna).await, [entry("Milk", "pending", 5, 3)]);
}

#[tokio::test]
async fn what_was_done_with_a_signal_is_there_without_one() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for body in super::three() {
        write_down(&anna, body).await;
    }
    let phone = shopper(&server, &anna).await;
    quiet(&phone).await;
    phone.click(&check("Bread")).await;
    press(&phone, "Milk", 1, 2).await;
    settled(&phone).await;
    let is_kept = "return caches.match('/shopping').then((page) => page.text())
        .then((page) => /data-name=\"Milk\" data-quantity=\"4\"/.test(page))";
    phone.wait_until("it is kept", async || phone.run(is_kept).await == true).await;
    phone.offline(true).await;
    phone.reload().await;
    shows(&phone, "Milk", "× 4").await;
    assert_eq!(super::bought(&phone).await, ["Bread"]);
    assert_eq!(super::pending(&phone).await, ["Milk", "Leek"]);
    phone.offline(false).await;
}

#[tokio::test]
async fn amounts_change_without_script() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    write_down(&anna, json!({ "name": "Milk" })).await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/shopping").await;
    phone.press("More Milk").await;
    shows(&phone, "Milk", "× 1").await;
    phone.press("More Milk").await;
    shows(&phone, "Milk", "× 2").await;
    phone.press("Less Milk").await;
    shows(&phone, "Milk", "× 1").await;
    assert_eq!(quantity(&anna).await, 1);
}
