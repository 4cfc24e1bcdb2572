//! Feedback on an action is visible at any scroll position.

use serde_json::{Value, json};

use crate::browser::support::{Browser, Key, Options};
use crate::it::support::{Client, Server, encode, id_of, urn_of};

/// More than fits on a phone.
const MANY: usize = 30;

async fn home() -> (Server, Client, Browser) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    (server, anna, phone)
}

async fn fill_up(anna: &Client) -> Vec<Value> {
    let mut items = Vec::new();
    for number in 0..MANY {
        items.push(anna.add(&format!("Item {number:02}"), 5, "kg").await);
    }
    items
}

async fn scroll_down(phone: &Browser) {
    phone.run("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })").await;
    phone.wait_for("scrollY > 200").await;
}

/// Waits until this element is completely visible, not covered, and has this text.
async fn is_in_sight(phone: &Browser, selector: &str, text: &str) {
    let (selector, text) = (json!(selector), json!(text));
    let in_sight = format!(
        "[...document.querySelectorAll({selector})].some((one) => {{
            const {{ top, bottom, left, right }} = one.getBoundingClientRect();
            const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return one.innerText.includes({text}) && top >= 0 && bottom <= innerHeight
                && bottom > top && one.contains(middle);
        }})"
    );
    phone.wait_for(&in_sight).await;
}

/// The message covers neither the navigation nor the control that has the focus.
async fn covers_nothing(phone: &Browser) {
    let overlap = "
        const box = (one) => one.getBoundingClientRect();
        const toast = box(document.querySelector('#status > *'));
        const isUnder = (other) => other.top < toast.bottom && other.bottom > toast.top
            && other.left < toast.right && other.right > toast.left;
        const focused = document.activeElement;
        return [isUnder(box(document.querySelector('.sections'))),
            focused !== document.body && focused.id !== 'main' && isUnder(box(focused))]";
    assert_eq!(phone.run(overlap).await, json!([false, false]));
}

#[tokio::test]
async fn a_refused_quantity_is_said_at_its_field_and_above_the_navigation() {
    let (_server, anna, phone) = home().await;
    let milk = anna.add("Milk", 1, "L").await;
    phone.expect_complaint("status of 400");
    phone.go(&format!("/stock/{}", id_of(&milk))).await;
    phone.press("Edit").await;
    phone.fill("#quantity", "1,500").await;
    phone.fill("#notes", "top shelf").await;
    scroll_down(&phone).await;
    phone.press("Save").await;
    is_in_sight(&phone, "#status > *", "Please check “Quantity”.").await;
    is_in_sight(&phone, "#why", "without separators for thousands").await;
    covers_nothing(&phone).await;
    let focused = "return [document.activeElement.id, document.activeElement.ariaInvalid]";
    assert_eq!(phone.run(focused).await, json!(["quantity", "true"]));
    assert_eq!(phone.run("return document.getElementById('notes').value").await, "top shelf");
    assert_eq!(phone.axe().await, []);
    // Others' changes leave it as it is.
    anna.adjust(id_of(&milk), 1).await.expect(200);
    phone.says("output", "2").await;
    is_in_sight(&phone, "#why", "without separators for thousands").await;
}

#[tokio::test]
async fn what_came_of_changing_several_is_in_sight() {
    let (_server, anna, phone) = home().await;
    fill_up(&anna).await;
    phone.go("/stock?sort=name&select=1").await;
    scroll_down(&phone).await;
    phone.click("li:last-child input[type=checkbox]").await;
    phone.press("Put on the shopping list").await;
    is_in_sight(&phone, "#status > *", "1 done.").await;
    covers_nothing(&phone).await;
}

#[tokio::test]
async fn why_a_thing_was_refused_is_in_sight() {
    let (_server, anna, phone) = home().await;
    let drill =
        anna.make_with(json!({ "resourceType": "Drill", "attributes": { "name": "Drill" } }));
    let path = format!("/things/{}", encode(urn_of(&drill.await)).replace("%2D", "-"));
    phone.expect_complaint("status of 400");
    phone.go(&path).await;
    phone.press("More").await;
    phone.press("Add a number").await;
    scroll_down(&phone).await;
    phone.fill("#property", "№ 1").await;
    phone.fill("#number", "S-1").await;
    phone.click("#add-number button").await;
    is_in_sight(&phone, "#status > *", "Please begin with a letter").await;
    is_in_sight(&phone, "#why", "Please begin with a letter").await;
    covers_nothing(&phone).await;
    // The hint of the field is still read along.
    let described = phone.attribute("#property", "aria-describedby").await;
    assert_eq!(described.as_deref(), Some("property-hint why"));
}

#[tokio::test]
async fn what_came_of_putting_everything_away_is_in_sight() {
    let (_server, anna, phone) = home().await;
    for item in fill_up(&anna).await {
        let body = json!({ "name": item["name"], "itemId": item["id"], "quantity": 2 });
        let entry = anna.post("/shopping-list", body).await.expect(201);
        let path = format!("/shopping-list/{}/status", entry["shoppingItemId"].as_str().unwrap());
        anna.patch(&path, json!({ "status": "purchased", "version": 1 })).await.expect(200);
    }
    // One entry without a quantity: it stays, and the page says so.
    let body = json!({ "name": "Soap", "itemId": anna.add("Soap", 1, "g").await["id"] });
    let entry = anna.post("/shopping-list", body).await.expect(201);
    let path = format!("/shopping-list/{}/status", entry["shoppingItemId"].as_str().unwrap());
    anna.patch(&path, json!({ "status": "purchased", "version": 1 })).await.expect(200);
    phone.expect_complaint("status of 409");
    phone.go("/shopping/put-away").await;
    scroll_down(&phone).await;
    phone.click("#put-away").await;
    is_in_sight(&phone, "#status > .notice", "30 things were put away.").await;
    is_in_sight(&phone, "#left", "Soap: How much was it?").await;
    covers_nothing(&phone).await;
}

#[tokio::test]
async fn what_is_on_the_list_already_is_scrolled_to() {
    let (_server, anna, phone) = home().await;
    for number in 0..MANY {
        let body = json!({ "name": format!("Entry {number:02}") });
        anna.post("/shopping-list", body).await.expect(201);
    }
    phone.go("/shopping").await;
    phone.fill("#add-name", "entry 07").await;
    scroll_down(&phone).await;
    phone.key(Key::Enter).await;
    is_in_sight(&phone, ".conflict h2", "It is on the list already").await;
    // Continued typing is not interrupted.
    phone.type_text("Tea").await;
    assert_eq!(phone.run("return document.getElementById('add-name').value").await, "Tea");
}

#[tokio::test]
async fn a_conflict_of_two_edits_is_scrolled_to_and_has_the_focus() {
    let (_server, anna, phone) = home().await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = format!("/inventory/items/{}", id_of(&milk));
    phone.expect_complaint("status of 409");
    phone.go(&format!("/stock/{}", id_of(&milk))).await;
    phone.press("Edit").await;
    phone.fill("#notes", "top shelf").await;
    anna.patch(&path, json!({ "version": 1, "notes": "in the door" })).await.expect(200);
    phone.sees("in the door").await;
    scroll_down(&phone).await;
    phone.press("Save").await;
    is_in_sight(&phone, "#obstacle h2", "Changed while you were editing").await;
    assert_eq!(phone.run("return document.activeElement.id").await, "obstacle");
}

#[tokio::test]
async fn a_conflict_on_the_list_is_scrolled_to_and_has_the_focus() {
    let (_server, anna, phone) = home().await;
    let entry = anna.post("/shopping-list", json!({ "name": "Milk" })).await.expect(201);
    let id = entry["shoppingItemId"].as_str().unwrap();
    phone.expect_complaint("status of 409");
    phone.go(&format!("/shopping/{id}")).await;
    phone.fill("#name", "Oat milk").await;
    let other = json!({ "name": "Soy milk", "version": 1 });
    anna.patch(&format!("/shopping-list/{id}"), other).await.expect(200);
    phone.press("Save").await;
    is_in_sight(&phone, "h1", "Changed by somebody else").await;
    assert_eq!(phone.run("return document.activeElement.className").await, "conflicting");
}

#[tokio::test]
async fn the_pressed_button_turns_while_its_form_is_sent_and_a_saved_form_closes() {
    let (_server, anna, phone) = home().await;
    let milk = anna.add("Milk", 1, "L").await;
    phone.go(&format!("/stock/{}", id_of(&milk))).await;
    let slow = "
        const real = window.fetch;
        const held = new Promise((resolve) => { window.letGo = resolve; });
        window.fetch = async (address, options) => {
            if (options.method === 'POST') await held;
            return real(address, options);
        };
    ";
    phone.run(slow).await;
    phone.press("Edit").await;
    phone.fill("#notes", "top shelf").await;
    phone.press("Save").await;
    phone.wait_for("document.querySelector('button[aria-busy=true]')").await;
    assert_eq!(phone.texts("button[aria-busy=true]").await, ["Save"]);
    let turns = "return getComputedStyle(document.querySelector('button[aria-busy=true]'), '::after').animationName";
    assert_eq!(phone.run(turns).await, "turn");
    phone.run("letGo()").await;
    phone.sees("Saved.").await;
    phone.wait_for("!document.querySelector('[aria-busy], #edit[open]')").await;
    assert_eq!(anna.item(id_of(&milk)).await["notes"], "top shelf");
}

#[tokio::test]
async fn whatever_is_done_to_an_item_is_said_in_sight() {
    let (_server, anna, phone) = home().await;
    let items = fill_up(&anna).await;
    let said = async |text: &str| {
        is_in_sight(&phone, "#status > .notice", text).await;
        covers_nothing(&phone).await;
    };
    phone.go("/stock?sort=name#add-name").await;
    phone.wait_for("document.activeElement.id === 'add-name'").await;
    phone.run("scrollTo({ top: 400, behavior: 'instant' })").await;
    phone.type_text("Leek").await;
    phone.key(Key::Enter).await;
    said("Added to the stock.").await;
    // A tap shows where the finger is, and what is far down is put on the list from there.
    phone.go("/stock?sort=name").await;
    scroll_down(&phone).await;
    let last = format!("#item-{}", id_of(items.last().unwrap()));
    phone.click(&format!("{last} .amount button")).await;
    is_in_sight(&phone, &format!("{last} output"), "4").await;
    phone.click(&format!("{last} .to-list")).await;
    said("It is on the shopping list now.").await;
    // On the page of an item, with everything unfolded.
    let unfold = "for (const one of document.querySelectorAll('main details')) one.open = true";
    let path = format!("/stock/{}", id_of(&items[0]));
    anna.adjust(id_of(&items[0]), -1).await.expect(200);
    for (form, text) in [("undo", "Undone."), ("shopping", "It is on the shopping list now.")] {
        phone.go(&path).await;
        phone.run(unfold).await;
        scroll_down(&phone).await;
        phone.click(&format!("main form[action='{path}/{form}'] button")).await;
        said(text).await;
    }
    assert_eq!(anna.item(id_of(&items[0])).await["quantity"], 5);
    // The event of a change may arrive before its answer: what was deleted is then read once more.
    phone.expect_complaint("status of 404");
    phone.go(&path).await;
    phone.run(unfold).await;
    phone.click(&format!("main form[action='{path}/delete'] button")).await;
    said("Deleted.").await;
    assert_eq!(phone.run("return location.pathname").await, "/stock");
}

#[tokio::test]
async fn what_was_put_away_is_said_in_sight() {
    let (_server, anna, phone) = home().await;
    for number in 0..MANY {
        let body = json!({ "name": format!("Entry {number:02}"), "quantity": 1 });
        anna.post("/shopping-list", body).await.expect(201);
    }
    let body = json!({ "name": "Soap", "quantity": 2 });
    let entry = anna.post("/shopping-list", body).await.expect(201);
    let id = entry["shoppingItemId"].as_str().unwrap();
    let status = json!({ "status": "purchased", "version": 1 });
    anna.patch(&format!("/shopping-list/{id}/status"), status).await.expect(200);
    phone.go("/shopping/put-away").await;
    phone.click("#put-away").await;
    phone.wait_for("location.pathname === '/shopping'").await;
    is_in_sight(&phone, "#status > .notice", "").await;
    covers_nothing(&phone).await;
    assert_eq!(anna.items("").await[0]["name"], "Soap");
    // What is ticked shows where the finger is.
    scroll_down(&phone).await;
    let last = ".entry[data-status=pending][data-name='Entry 29']";
    phone.click(&format!("{last} .check")).await;
    let bought = ".entry[data-status=purchased][data-name='Entry 29']";
    phone.wait_for(&format!("document.querySelector(\"{bought}\")")).await;
}

/// Counts how often something is said for a while, and makes the while short.
const HURRY: &str = "
    window.saidForAWhile = 0;
    const real = window.setTimeout;
    window.setTimeout = (work, ms, ...all) => {
        if (ms === 8000) ++saidForAWhile;
        return real(work, ms === 8000 ? 50 : ms, ...all);
    };
";

#[tokio::test]
async fn good_news_goes_away_by_itself_and_bad_news_when_dismissed() {
    let (_server, anna, phone) = home().await;
    let milk = anna.add("Milk", 1, "L").await;
    phone.run_in_every_page(HURRY).await;
    phone.expect_complaint("status of 400");
    // On a page that was opened with the news, too.
    let path = format!("/stock/{}", id_of(&milk));
    phone.go(&format!("{path}?notice=stock-saved")).await;
    phone.wait_for("saidForAWhile === 1 && !document.querySelector('#status > *')").await;
    // It is not announced again when the page is re-read.
    assert_eq!(phone.path().await, path);
    anna.adjust(id_of(&milk), 1).await.expect(200);
    phone.says("output", "2").await;
    phone.press("Put on the shopping list").await;
    phone.wait_for("saidForAWhile === 2 && !document.querySelector('#status > *')").await;
    phone.press("Edit").await;
    phone.fill("#quantity", "many").await;
    phone.press("Save").await;
    phone.says("#status .alert", "Please write a number").await;
    assert_eq!(phone.run("return saidForAWhile").await, 2);
    phone.press("Dismiss").await;
    phone.wait_for("!document.querySelector('#status > *')").await;
    assert_eq!(phone.attribute("#status", "role").await.as_deref(), Some("status"));
}

#[tokio::test]
async fn a_message_is_readable_in_light_and_dark_on_a_phone_and_a_laptop() {
    let (server, anna, _) = home().await;
    for options in [
        Options::default(),
        Options::default().dark(),
        Options::default().laptop(),
        Options::default().dark().laptop(),
    ] {
        let browser = Browser::signed_in_with(&server, &anna, options).await;
        browser.expect_complaint("status of 400");
        browser.go("/stock?notice=stock-added").await;
        is_in_sight(&browser, "#status > .notice", "Added to the stock.").await;
        assert_eq!(browser.axe().await, [], "good news");
        browser.fill("#add-name", "Rice").await;
        browser.fill("#add-quantity", "many").await;
        browser.key(Key::Enter).await;
        is_in_sight(&browser, "#status > .alert", "Please write a number").await;
        covers_nothing(&browser).await;
        assert_eq!(browser.axe().await, [], "bad news");
        // As without script.
        browser.run("document.getElementById('add').dataset.plain = ''").await;
        browser.press("Add").await;
        is_in_sight(&browser, ".again .why", "Please write a number").await;
        assert_eq!(browser.axe().await, [], "a form to put right");
    }
}

#[tokio::test]
async fn without_script_the_news_and_the_field_are_in_sight_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.expect_complaint("status of 400");
    phone.go("/stock").await;
    phone.fill("#add-name", "Rice").await;
    phone.fill("#add-quantity", "1,500").await;
    phone.press("Add").await;
    is_in_sight(&phone, ".why", "without separators for thousands").await;
    assert_eq!(phone.run("return document.activeElement.id").await, "wrong");
    phone.fill("#wrong", "1500").await;
    phone.press("Try again").await;
    is_in_sight(&phone, "#status > .notice", "Added to the stock.").await;
    assert_eq!(anna.items("").await[0]["quantity"], 1500);
}
