//! The page in each language, light and dark, with a screen reader, a keyboard, or a small screen.

use serde_json::json;

use super::{MESSAGE, left, phone_at_eggs};
use crate::browser::support::{Browser, Key, Options, Shelf};
use crate::it::support::Server;

#[tokio::test]
async fn a_japanese_phone_is_spoken_to_in_japanese() {
    let server = Server::start().await;
    let eggs = json!({ "name": "卵", "quantity": 3, "unit": "個", "lowStockThreshold": 3 });
    let shelf = Shelf::of(&server, eggs).await;
    let phone = Browser::with(&server, Options::default().japanese()).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "1個 使いました。").await;
    assert_eq!(left(&phone).await, "残り2個");
    phone.sees("残りわずかです").await;
    assert_eq!(phone.attribute("html", "lang").await.as_deref(), Some("ja"));
    phone.offline(true).await;
    phone.press("1個戻す").await;
    phone.says(MESSAGE, "オフラインです。自動的に再試行します。").await;
}

#[tokio::test]
async fn nothing_stands_in_anybodys_way_in_light() {
    nothing_stands_in_anybodys_way(Options::default(), false).await;
}

#[tokio::test]
async fn nothing_stands_in_anybodys_way_in_dark() {
    nothing_stands_in_anybodys_way(Options::default().dark(), true).await;
}

async fn nothing_stands_in_anybodys_way(options: Options, is_dark: bool) {
    let server = Server::start().await;
    let rice = json!({ "name": "Brown rice", "quantity": 2, "unit": "kg", "lowStockThreshold": 2 });
    let shelf = Shelf::of(&server, rice).await;
    let phone = Browser::with(&server, options).await;
    phone.expect_complaint("status of 404");
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1 kg.").await;
    let ground = "return Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])";
    let ground = phone.run(ground).await.as_u64().unwrap();
    assert_eq!(ground < 128, is_dark, "the background's red is {ground}");
    assert_eq!(phone.axe().await, []);
    phone.offline(true).await;
    phone.press("Take").await;
    phone.says(MESSAGE, "You are offline, will retry.").await;
    assert_eq!(phone.axe().await, []);
    phone.offline(false).await;
    phone.says(MESSAGE, "Took 1 kg, which was the last.").await;

    phone.go("/t/0000000000000000000000").await;
    phone.says("h1", "Unknown tag").await;
    assert_eq!(phone.axe().await, []);
}

#[tokio::test]
async fn replaced_tags_and_deleted_items_have_pages_that_say_so() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.expect_complaint("status of 410");
    shelf.admin.rotate(&shelf.tag).await.expect(200);
    let gone = shelf.another(json!({ "name": "Milk", "quantity": 1, "unit": "L" })).await;
    gone.remove().await;
    for (shelf, heading) in [(shelf, "This tag was replaced"), (gone, "This item is gone")] {
        phone.go(&shelf.path()).await;
        assert_eq!(phone.status().await, 410);
        phone.says("h1", heading).await;
        assert_eq!(phone.axe().await, []);
    }
}

#[tokio::test]
async fn the_result_is_announced_and_the_buttons_are_large_and_reached_by_keyboard() {
    let (_server, shelf, phone) = phone_at_eggs().await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1個.").await;
    let announced = phone.text("[role=status]").await;
    let lines: Vec<_> = announced.split('\n').filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["Took 1個.", "5個 left"]);
    for name in ["Take 1個", "Put back 1個"] {
        phone.key(Key::Tab).await;
        let focused = "
            const button = document.activeElement;
            const { width, height } = button.getBoundingClientRect();
            const outline = getComputedStyle(button).outlineWidth;
            return { name: button.innerText, width, height, outline };
        ";
        let focused = phone.run(focused).await;
        assert!(focused["name"].as_str().unwrap().ends_with(name), "{focused}");
        assert!(focused["width"].as_f64().unwrap() >= 48.0, "{focused}");
        assert!(focused["height"].as_f64().unwrap() >= 48.0, "{focused}");
        assert_eq!(focused["outline"], "3px");
    }
    phone.key(Key::Enter).await;
    phone.says(MESSAGE, "Put back 1個.").await;
    assert_eq!(shelf.left().await, "6");
}

#[tokio::test]
async fn the_smallest_screen_and_the_longest_name_fit_without_scrolling_sideways() {
    let server = Server::start().await;
    let longest = json!({
        "name": "W".repeat(180),
        "quantity": 99_999_999.99,
        "unit": "M".repeat(20),
    });
    let shelf = Shelf::of(&server, longest).await;
    let phone = Browser::with(&server, Options::default().screen(320, 568)).await;
    phone.go(&shelf.path()).await;
    phone.says(MESSAGE, "Took 1").await;
    let widths = "const { scrollWidth, clientWidth } = document.documentElement; return [scrollWidth, clientWidth]";
    assert_eq!(phone.run(widths).await, json!([320, 320]));
}
