//! Rows: how many are in sight, what one tap costs, and lots of one name together.

use serde_json::{Value, json};

use super::{home, line_of, listed};
use crate::browser::support::{Browser, Key, Options};
use crate::it::support::{Client, Server, amount, id_of};

/// Whole rows between the bar and whatever is fixed at the bottom, and the height of the tallest.
pub(in crate::browser) const IN_SIGHT: &str = "
    const boxes = [...document.querySelectorAll('#items > li')].map((row) => row.getBoundingClientRect());
    const nav = document.querySelector('.sections').getBoundingClientRect();
    const end = nav.top > 0 ? nav.top : innerHeight;
    const shown = boxes.filter(({ top, bottom }) => top >= 0 && bottom <= end);
    return [shown.length, Math.max(...boxes.map(({ height }) => height)), document.documentElement.scrollWidth <= innerWidth];
";

/// As irregular as life: long names, no dates, several units.
pub(in crate::browser) async fn fill(anna: &Client, count: i64) {
    let names = [
        "Milk",
        "Whole grain spelt bread from the bakery",
        "米",
        "Tinned tomatoes",
        "トマト缶（カット）",
    ];
    let amounts = [(1.0, "pcs"), (0.5, "kg"), (1250.0, "g"), (3.0, "本")];
    let made = anna.add("Salt", 1, "kg").await;
    let today: jiff::civil::Date = made["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    for n in 0..count {
        let until = (n % 3 != 0).then(|| today + jiff::Span::new().days(n - 3));
        let pick = usize::try_from(n).unwrap();
        let (quantity, unit) = amounts[pick % amounts.len()];
        let item = json!({
            "name": format!("{} {n}", names[pick % names.len()]),
            "quantity": quantity,
            "unit": unit,
            "expirationDate": until.map(|date| date.to_string()),
        });
        anna.add_item(item).await;
    }
}

#[tokio::test]
async fn a_phone_shows_eight_rows_and_a_laptop_fourteen() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    fill(&anna, 40).await;
    for (width, height, least, tallest) in
        [(390, 844, 8, 64.0), (360, 740, 6, 64.0), (320, 640, 5, 64.0), (1280, 800, 14, 48.0)]
    {
        for options in [Options::default(), Options::default().japanese().dark()] {
            let options = options.screen(width, height);
            let browser = Browser::signed_in_with(&server, &anna, options).await;
            browser.go("/stock").await;
            let seen = browser.run(IN_SIGHT).await;
            let (rows, height) = (seen[0].as_u64().unwrap(), seen[1].as_f64().unwrap());
            assert!(rows >= least, "{rows} rows at {width} px");
            assert!(height <= tallest, "a row of {height} px at {width} px");
            assert_eq!(seen[2], true, "nothing is wider than {width} px");
            assert_eq!(browser.axe().await, [], "{width} px");
        }
    }
}

/// What was received since the timings were cleared, with headers.
const RECEIVED: &str = "
    return performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0);
";

#[tokio::test]
async fn a_tap_costs_little_however_many_rows_are_shown() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    fill(&anna, 300).await;
    let eggs =
        json!({ "name": "Eggs", "quantity": 6, "unit": "pcs", "expirationDate": "2020-01-01" });
    let eggs = anna.add_item(eggs).await;
    phone.go("/stock?shown=400").await;
    assert_eq!(phone.count("#items > li").await, 302);
    let is_read_again = "performance.getEntriesByType('resource')
        .some((it) => it.initiatorType === 'fetch' && new URL(it.name).pathname === '/stock')";
    phone.wait_for(is_read_again).await;
    phone.run("performance.clearResourceTimings()").await;
    phone.forget_requests().await;
    phone.click(&format!("{} button", line_of(&eggs))).await;
    let is_saved = async || amount(&anna.item(id_of(&eggs)).await["quantity"]) == "5";
    phone.wait_until("the tap is saved", is_saved).await;
    phone.wait_for(is_read_again).await;
    phone.says(&format!("{} output", line_of(&eggs)), "5").await;
    let received = phone.run(RECEIVED).await.as_u64().unwrap();
    assert!(received <= 4096, "{received} bytes received");
    let sent: usize = phone.requests().await.iter().map(|request| request.body.len()).sum();
    assert!(sent <= 1024, "{sent} bytes sent, and headers");
    // What others do costs as little.
    phone.run("performance.clearResourceTimings()").await;
    anna.adjust(id_of(&eggs), -1).await.expect(200);
    phone.says(&format!("{} output", line_of(&eggs)), "4").await;
    let received = phone.run(RECEIVED).await.as_u64().unwrap();
    assert!(received <= 4096, "{received} bytes received");
}

async fn milk_of_two_dates(anna: &Client) -> [Value; 2] {
    let lot = |quantity, unit, date| json!({ "name": "Milk", "quantity": quantity, "unit": unit, "expirationDate": date });
    let first = anna.add_item(lot(json!(2), "L", "2030-01-01")).await;
    let second = anna.add_item(lot(json!(500), "ml", "2030-02-01")).await;
    [first, second]
}

#[tokio::test]
async fn lots_of_one_name_are_one_row_that_opens_and_the_first_is_used_first() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    let [first, second] = milk_of_two_dates(&anna).await;
    anna.add("Rice", 1, "kg").await;
    phone.go("/stock").await;
    assert_eq!(listed(&phone).await, ["Milk", "Milk", "Milk", "Rice"], "the lots are folded");
    assert_eq!(phone.count("#items > li").await, 2);
    assert_eq!(phone.text(".several > .amount output").await, "2.5");
    let is_folded =
        format!("return document.querySelector('{}').checkVisibility()", line_of(&first));
    assert_eq!(phone.run(&is_folded).await, false);
    phone.click(".several summary").await;
    assert_eq!(phone.run(&is_folded).await, true);
    phone.press("Take 1: Milk").await;
    phone.says(&format!("{} output", line_of(&first)), "1").await;
    assert_eq!(amount(&anna.item(id_of(&first)).await["quantity"]), "1");
    phone.press("Add 1: Milk").await;
    phone.says(".several > .amount output", "2.5").await;
    let is_back = async || amount(&anna.item(id_of(&first)).await["quantity"]) == "2";
    phone.wait_until("what was added is in the first lot", is_back).await;
    // Three litres are more than there are: both lots are used up.
    let thrice = "for (let n = 0; n < 3; n += 1) document.querySelector('.several > .amount button').click()";
    phone.run(thrice).await;
    let are_empty = async || {
        amount(&anna.item(id_of(&first)).await["quantity"]) == "0"
            && amount(&anna.item(id_of(&second)).await["quantity"]) == "0"
    };
    phone.wait_until("both are used up", are_empty).await;
    // At that moment it can be put on the list.
    phone.wait_for("document.querySelector('.used-up .to-list')").await;
    phone.press("Put Milk on the shopping list").await;
    phone.sees("It is on the shopping list now.").await;
}

#[tokio::test]
async fn lots_are_used_without_script_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [first, _] = milk_of_two_dates(&anna).await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&server, &anna, options).await;
    phone.go("/stock").await;
    phone.press("Take 1: Milk").await;
    phone.says(".several > .amount output", "1.5").await;
    assert_eq!(amount(&anna.item(id_of(&first)).await["quantity"]), "1");
    phone.press("Put Milk on the shopping list").await;
    phone.sees("It is on the shopping list now.").await;
    assert_eq!(phone.path().await, "/stock?notice=stock-on-list");
}

#[tokio::test]
async fn an_amount_in_the_name_is_shown_before_it_is_saved() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    anna.add("Cola 1.5 L", 1, "pcs").await;
    phone.go("/stock").await;
    phone.press("Add to the stock").await;
    phone.wait_for("document.activeElement.id === 'add-name'").await;
    phone.type_text("2 l milk").await;
    phone.says("#understood", "milk · 2 L").await;
    phone.key(Key::Enter).await;
    phone.sees("Added to the stock.").await;
    assert_eq!(listed(&phone).await[0], "milk");
    // What is known by such a name is meant.
    phone.type_text("Cola 1.5 L").await;
    phone.key(Key::Enter).await;
    phone.sees("Added to what is there already.").await;
    let items = anna.items("sort=name").await;
    let told =
        |item: &Value| (item["name"].clone(), amount(&item["quantity"]), item["unit"].clone());
    assert_eq!(
        items.iter().map(told).collect::<Vec<_>>(),
        [
            (json!("Cola 1.5 L"), "2".to_owned(), json!("pcs")),
            (json!("milk"), "2".to_owned(), json!("L")),
        ]
    );
}

#[tokio::test]
async fn on_a_laptop_an_item_is_shown_beside_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 2, "L").await;
    anna.add("Rice", 1, "kg").await;
    let laptop =
        Browser::signed_in_with(&server, &anna, Options::default().screen(1280, 800)).await;
    laptop.go("/stock?sort=name").await;
    laptop.click(&format!("{} .what", line_of(&milk))).await;
    laptop.says("#beside h2", "Milk").await;
    assert_eq!(laptop.path().await, format!("/stock?sort=name&item={}", id_of(&milk)));
    assert_eq!(listed(&laptop).await, ["Milk", "Rice"]);
    laptop.click("#beside .amount button").await;
    laptop.says(&format!("{} output", line_of(&milk)), "1").await;
    assert_eq!(laptop.axe().await, []);
    laptop.press("Dismiss").await;
    laptop.wait_for("document.getElementById('beside').hidden").await;
}

#[tokio::test]
async fn all_are_selected_at_once_and_counted() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    for name in ["Milk", "Rice", "Eggs"] {
        anna.add(name, 1, "pcs").await;
    }
    phone.go("/stock?select=1").await;
    phone.press("Rice").await;
    assert_eq!(phone.text("#several-count").await, "1");
    phone.press("Select all").await;
    assert_eq!(phone.text("#several-count").await, "3");
    phone.press("Put on the shopping list").await;
    phone.sees("3 done.").await;
}

/// Holds what is suggested until it is released, and says when the page has it.
const LATE_SUGGESTIONS: &str = "
    const real = window.fetch;
    window.fetch = (url, options) => {
        if (!String(url).includes('/stock/suggestions')) return real(url, options);
        return new Promise((answer) => {
            window.release = async () => {
                answer(new Response(await (await real(url, options)).text()));
                setTimeout(() => requestAnimationFrame(() => { window.released = true; }));
            };
        });
    };
";

#[tokio::test]
async fn a_late_suggestion_is_not_shown_for_what_is_typed_by_then() {
    let server = Server::start().await;
    let (anna, phone) = home(&server).await;
    anna.add("Salt", 1, "kg").await;
    phone.go("/stock").await;
    phone.press("Add to the stock").await;
    phone.wait_for("document.activeElement.id === 'add-name'").await;
    phone.run(LATE_SUGGESTIONS).await;
    phone.type_text("2 l milk").await;
    phone.wait_for("window.release").await;
    phone.key(Key::Enter).await;
    phone.sees("Added to the stock.").await;
    phone.run("window.release()").await;
    phone.wait_for("window.released").await;
    assert_eq!(phone.run("return document.getElementById('understood').hidden").await, true);
}
