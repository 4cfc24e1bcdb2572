//! Tapping a tag with a phone.

use serde_json::json;

use super::{MESSAGE, left, phone_at_eggs};
use crate::browser::support::{Browser, Options, PLAIN_HOST, Shelf};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn a_tap_takes_one_and_says_so_with_three_requests_in_all() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(left(&phone).await, "5個 left");
    assert_eq!(phone.text("h1").await, "Eggs");
    assert_eq!(shelf.left().await, "5");
    let requests = phone.requests().await;
    let kinds: Vec<_> = requests.iter().map(|r| format!("{} {}", r.method, r.kind)).collect();
    assert_eq!(kinds, ["GET Document", "GET Script", "POST Fetch"]);
    assert!(requests.iter().all(|request| request.url.starts_with(&phone.origin())));
    assert_eq!(shelf.visits().await, 1);
}

#[tokio::test]
async fn a_reload_changes_nothing_and_neither_does_going_back() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    for way in ["reload", "back"] {
        phone.forget_requests().await;
        if way == "reload" {
            phone.reload().await;
        } else {
            phone.go_to("about:blank").await;
            phone.back().await;
        }
        let replayed = async || {
            let requests = phone.requests().await;
            let tap = requests.iter().find(|request| request.method == "POST");
            tap.is_some_and(|tap| tap.header("idempotent-replayed") == "true")
        };
        phone.wait_until("the tap is answered as before", replayed).await;
        phone.says(MESSAGE, "Took 1個.").await;
        assert_eq!(left(&phone).await, "5個 left", "{way}");
        assert_eq!(shelf.left().await, "5", "{way}");
    }
}

#[tokio::test]
async fn a_reload_shows_what_is_left_now_and_not_what_was() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    shelf.admin.adjust(id_of(&shelf.item), -3).await.expect(200);
    phone.reload().await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(left(&phone).await, "2個 left");
}

#[tokio::test]
async fn holding_the_phone_to_the_tag_again_takes_another() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    for left in ["5", "4"] {
        phone.go(&shelf.path()).await;
        phone.says(MESSAGE, "Took 1個.").await;
        assert_eq!(shelf.left().await, left);
    }
}

#[tokio::test]
async fn the_buttons_put_back_and_take_by_the_step_of_the_tag() {
    let server = Server::start().await;
    let rice = json!({ "name": "Rice", "quantity": 2, "unit": "kg" });
    let shelf = Shelf::with_step(&server, rice, json!({ "step": 0.25 })).await;
    let phone = Browser::open(&server).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 0.25 kg.").await;
    phone.press("Put back 0.25 kg").await;
    phone.says(MESSAGE, "Put back 0.25 kg.").await;
    assert_eq!(left(&phone).await, "2 kg left");
    phone.press("Take 0.25 kg").await;
    phone.says(MESSAGE, "Took 0.25 kg.").await;
    assert_eq!(left(&phone).await, "1.75 kg left");
    assert_eq!(shelf.left().await, "1.75");
}

#[tokio::test]
async fn ten_quick_presses_are_ten_taps_in_their_order() {
    let server = Server::start().await;
    let one = json!({ "name": "Eggs", "quantity": 1, "unit": "個" });
    let shelf = Shelf::of(&server, one).await;
    let phone = Browser::open(&server).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個, which was the last.").await;
    let presses = r#"
        const [take, putBack] = document.querySelectorAll("button");
        for (let pressed = 0; pressed < 5; pressed += 1) putBack.click();
        for (let pressed = 0; pressed < 5; pressed += 1) take.click();
    "#;
    phone.run(presses).await;
    phone.says(MESSAGE, "Took 1個, which was the last.").await;
    phone.says("#left", "Used up").await;
    assert_eq!(shelf.left().await, "0");
    let requests = phone.requests().await;
    assert_eq!(requests.iter().filter(|request| request.method == "POST").count(), 11);
}

#[tokio::test]
async fn running_low_is_said_when_it_begins_and_unsaid_when_it_ends() {
    let server = Server::start().await;
    let few = json!({ "name": "Eggs", "quantity": 3, "unit": "個", "lowStockThreshold": 3 });
    let shelf = Shelf::of(&server, few).await;
    let phone = Browser::open(&server).await;
    phone.go(&shelf.path()).await;
    phone.sees("Running low").await;
    phone.press("Put back").await;
    phone.sees_no("Running low").await;
    for left in ["2個 left", "1個 left", "Used up"] {
        phone.press("Take").await;
        phone.says("#left", left).await;
    }
    phone.sees_no("Running low").await;
    phone.press("Put back").await;
    phone.says("#left", "1個 left").await;
    phone.sees("Running low").await;
}

#[tokio::test]
async fn nothing_left_is_said_and_nothing_is_taken() {
    let server = Server::start().await;
    let none = json!({ "name": "Eggs", "quantity": 0, "unit": "個" });
    let shelf = Shelf::of(&server, none).await;
    let phone = Browser::open(&server).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Nothing was left to take.").await;
    assert_eq!(shelf.left().await, "0");
}

#[tokio::test]
async fn a_tag_that_is_replaced_while_its_page_is_open_says_so() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.expect_complaint("status of 410");
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    shelf.admin.rotate(&shelf.tag).await.expect(200);
    phone.press("Take").await;
    phone.says(MESSAGE, "It does not work any more.").await;
    assert_eq!(shelf.left().await, "5");
}

#[tokio::test]
async fn it_works_over_plain_http_as_most_homes_have_it() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    let origin = phone.origin().replace("127.0.0.1", PLAIN_HOST);
    phone.go_to(&format!("{origin}{}", shelf.path())).await;
    assert_eq!(phone.run("return isSecureContext").await, false);
    phone.says(MESSAGE, "Took 1個.").await;
    phone.press("Put back").await;
    phone.says(MESSAGE, "Put back 1個.").await;
    assert_eq!(shelf.left().await, "6");
}

#[tokio::test]
async fn without_script_the_buttons_do_it_and_a_reload_changes_nothing() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = Browser::with(&server, Options::default().without_script()).await;
    phone.go(&shelf.path()).await;
    phone.sees("Press − to take one.").await;
    assert_eq!(shelf.left().await, "6");
    phone.press("Take").await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
    phone.reload().await;
    phone.says(MESSAGE, "Took 1個.").await;
    assert_eq!(shelf.left().await, "5");
    phone.press("Put back").await;
    phone.says(MESSAGE, "Put back 1個.").await;
    assert_eq!(shelf.left().await, "6");
}
