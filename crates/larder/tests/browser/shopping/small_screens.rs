//! The page on small phones: one line to add, and room for the list.

use serde_json::{Value, json};

use super::write_down;
use crate::browser::support::{Browser, Options};
use crate::it::support::Server;

/// The height of the card, whether all of it is one line within the screen, and whether the words in
/// its fields fit.
const CARD: &str = "
    const card = document.getElementById('add').getBoundingClientRect();
    const parts = [...document.querySelectorAll('#add input:not([type=hidden]), #add button, #add summary')]
        .filter((one) => one.checkVisibility());
    const boxes = parts.map((one) => one.getBoundingClientRect());
    const isOneLine = boxes.every(({ top, bottom }) => top >= card.top && bottom <= card.bottom && top === boxes[0].top);
    const isInside = boxes.every(({ left, right }) => left >= card.left && right <= card.right);
    const canvas = document.createElement('canvas').getContext('2d');
    const fits = parts.filter((one) => one.placeholder).every((one) => {
        const style = getComputedStyle(one);
        canvas.font = style.font;
        const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return canvas.measureText(one.placeholder).width <= room;
    });
    const isNarrow = document.documentElement.scrollWidth <= innerWidth;
    return [card.height, parts.length, isOneLine, isInside, fits, isNarrow];
";

/// Names that are wider than their room, and the smallest thing to press.
const ROWS: &str = "
    const rows = [...document.querySelectorAll('.entry')];
    const isClipped = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth;
    const clipped = rows.filter((row) => isClipped(row) || [...row.querySelectorAll('.what')].some(isClipped));
    const presses = rows.flatMap((row) => [...row.querySelectorAll('button, a')]).filter((one) => one.checkVisibility());
    const least = Math.min(...presses.map((one) => one.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]));
    return [clipped.map(({ dataset }) => dataset.name), least];
";

#[tokio::test]
async fn one_line_adds_something_and_nothing_is_clipped() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.post("/stores", json!({ "name": "FreshMart" })).await.expect(201);
    for name in ["Whole grain spelt bread from the bakery", "トマト缶（カット）", "Milk"] {
        let entry = write_down(&anna, json!({ "name": name, "quantity": 12 })).await;
        if name == "Milk" {
            super::change(&anna, &entry, json!({ "status": "purchased", "version": 1 })).await;
        }
    }
    anna.add("Rice", 1, "kg").await;
    for (width, height) in [(390, 844), (360, 740), (320, 640)] {
        for options in [Options::default(), Options::default().japanese().dark()] {
            let options = options.screen(width, height);
            let phone = Browser::signed_in_with(&server, &anna, options).await;
            phone.go("/shopping").await;
            let card = phone.run(CARD).await;
            assert!(card[0].as_f64().unwrap() <= 72.0, "{card} at {width} px");
            let rest = [json!(4), json!(true), json!(true), json!(true), json!(true)];
            assert_eq!(card.as_array().unwrap()[1..], rest, "{width} px");
            let rows = phone.run(ROWS).await;
            assert_eq!(rows[0], json!([]), "{width} px");
            assert!(rows[1].as_f64().unwrap() >= 44.0, "{rows} at {width} px");
            assert_eq!(phone.axe().await, [], "{width} px");
            // The rest is one press away, and the first line stays.
            phone.click("#add-more summary").await;
            phone.wait_for("document.querySelector('#add-notes').checkVisibility()").await;
            assert_eq!(phone.run(CARD).await[5], true, "{width} px");
        }
    }
}

#[tokio::test]
async fn printing_is_at_the_end_and_signs_are_of_one_kind() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    write_down(&anna, json!({ "name": "Milk" })).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/shopping").await;
    let print = "
        const link = document.querySelector('main a[href=\"/shopping/print\"]');
        const last = document.querySelector('#bought');
        return [Boolean(last.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING), Boolean(link.querySelector('svg.icon'))]";
    assert_eq!(phone.run(print).await, json!([true, true]));
    let pictures =
        r"return document.querySelector('main').textContent.match(/[✎\p{Extended_Pictographic}]/u)";
    assert_eq!(phone.run(pictures).await, Value::Null);
    assert_eq!(phone.count(".entry .edit svg.icon").await, 1);
    phone.press("Print").await;
    phone.wait_for("location.pathname === '/shopping/print'").await;
}
