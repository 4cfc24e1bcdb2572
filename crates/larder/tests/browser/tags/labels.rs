//! Printed labels match the paper.

use serde_json::{Value, json};

use super::address_at;
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server, decode_qr, url_id};

/// A paper: its size, and the label at a place: from the left and the top, width and height, in millimetres.
struct Paper {
    format: &'static str,
    size: [f64; 2],
    per_page: usize,
    columns: usize,
    first: [f64; 2],
    pitch: [f64; 2],
    label: [f64; 2],
}

const fn single(format: &'static str, size: [f64; 2]) -> Paper {
    Paper { format, size, per_page: 1, columns: 1, first: [0.0; 2], pitch: size, label: size }
}

/// As the makers of the labels give them.
const PAPERS: [Paper; 6] = [
    Paper {
        format: "a4-24",
        size: [210.0, 297.0],
        per_page: 24,
        columns: 3,
        first: [0.0, 0.5],
        pitch: [70.0, 37.0],
        label: [70.0, 37.0],
    },
    Paper {
        format: "a4-21",
        size: [210.0, 297.0],
        per_page: 21,
        columns: 3,
        first: [7.25, 15.15],
        pitch: [66.0, 38.1],
        label: [63.5, 38.1],
    },
    Paper {
        format: "a4-14",
        size: [210.0, 297.0],
        per_page: 14,
        columns: 2,
        first: [4.65, 15.15],
        pitch: [101.6, 38.1],
        label: [99.1, 38.1],
    },
    single("roll-62", [62.0, 29.0]),
    single("long-29", [90.0, 29.0]),
    single("small-50", [50.0, 30.0]),
];

/// Where every label is on its page, and its code and its words on it, in millimetres.
const MEASURE: &str = r#"
const mm = (pixels) => pixels / 96 * 25.4;
const box = (element, from) => {
  const [inner, outer] = [element.getBoundingClientRect(), from.getBoundingClientRect()];
  return [inner.left - outer.left, inner.top - outer.top, inner.width, inner.height].map(mm);
};
return [...document.querySelectorAll(".paper")].map((paper) => [...paper.querySelectorAll(".label")].map((label) => ({
  place: box(label, paper),
  inside: [...label.querySelectorAll("svg, strong, span, b")].map((part) => box(part, label)),
})));
"#;

/// A household with so many tags, one with the longest possible texts.
async fn tags(server: &Server, count: usize) -> (Client, Vec<Value>) {
    let anna = server.with_household("anna").await;
    let long = anna.add(&"Basmati rice ".repeat(15), 5, "kg").await;
    let mut tags =
        vec![anna.add_tag(&long, json!({ "label": "W".repeat(50), "step": 0.25 })).await];
    let rice = anna.add("お米", 5, "袋").await;
    for number in 1..count {
        tags.push(anna.add_tag(&rice, json!({ "label": format!("棚 {number}") })).await);
    }
    (anna, tags)
}

fn sheet_path(tags: &[Value], format: &str) -> String {
    let chosen: Vec<_> = tags.iter().map(|tag| format!("tag={}", url_id(tag))).collect();
    format!("/tags/labels/sheet?{}&format={format}", chosen.join("&"))
}

#[track_caller]
fn assert_near(measured: &Value, expected: [f64; 4], what: &str) {
    let measured: [f64; 4] = serde_json::from_value(measured.clone()).unwrap();
    let is_near = measured.iter().zip(expected).all(|(one, other)| (one - other).abs() < 0.1);
    assert!(is_near, "{what} is at {measured:?} mm, not {expected:?}");
}

#[tokio::test]
async fn every_label_is_where_its_paper_has_it_to_a_tenth_of_a_millimetre() {
    let server = Server::start().await;
    let (anna, tags) = tags(&server, 26).await;
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    for paper in &PAPERS {
        laptop.go(&sheet_path(&tags, paper.format)).await;
        let sheets = laptop.printed_sheets().await;
        assert_eq!(sheets.len(), tags.len().div_ceil(paper.per_page), "{}", paper.format);
        for [width, height] in sheets {
            // Points are whole numbers in a document.
            let is_near =
                (width - paper.size[0]).abs() < 0.5 && (height - paper.size[1]).abs() < 0.5;
            assert!(is_near, "{}: {width} × {height} mm", paper.format);
        }
        laptop.look_at_it_on_paper().await;
        let pages = laptop.run(MEASURE).await;
        for page in pages.as_array().unwrap() {
            for (place, label) in page.as_array().unwrap().iter().enumerate() {
                let what = format!("label {place} of {}", paper.format);
                let (column, row) = (place % paper.columns, place / paper.columns);
                let at = |axis: usize, steps: usize| {
                    paper.first[axis] + f64::from(u8::try_from(steps).unwrap()) * paper.pitch[axis]
                };
                let [width, height] = paper.label;
                assert_near(&label["place"], [at(0, column), at(1, row), width, height], &what);
                assert_inside(label, paper.label, &what);
            }
        }
    }
}

/// Nothing of a label is cut off, and its code is large enough to be scanned from a hand's breadth.
#[track_caller]
fn assert_inside(label: &Value, [width, height]: [f64; 2], what: &str) {
    let parts: Vec<[f64; 4]> = serde_json::from_value(label["inside"].clone()).unwrap();
    assert_eq!(parts.len(), 4, "{what}: code, item, label and step");
    for [x, y, w, h] in &parts {
        let is_inside = *x >= 0.0 && *y >= 0.0 && x + w <= width + 0.01 && y + h <= height + 0.01;
        assert!(is_inside, "{what}: {parts:?}");
    }
    assert!(parts[0][2] >= 25.0 && (parts[0][2] - parts[0][3]).abs() < 0.1, "{what}: {parts:?}");
}

#[tokio::test]
async fn the_paper_has_the_labels_and_nothing_else() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, milk) = (anna.add("Rice", 5, "kg").await, anna.add("Milk", 2, "L").await);
    anna.add_tag(&rice, json!({ "label": "Shelf", "step": 0.25 })).await;
    anna.add_tag(&milk, json!({})).await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().dark()).await;
    phone.go("/tags/labels").await;
    phone.press("Choose all").await;
    phone.wait_for("document.querySelectorAll('input:checked').length === 2").await;
    phone.set("#format", "a4-21").await;
    phone.press("Show the labels").await;
    phone.sees("Print with the browser on A4, 21 labels").await;
    phone.look_at_it_on_paper().await;
    let printed = phone.text("body").await;
    assert_eq!(
        printed.split_whitespace().collect::<Vec<_>>(),
        ["Milk", "−1", "L", "Rice", "Shelf", "−0.25", "kg"]
    );
    let colours =
        "const { color, backgroundColor } = getComputedStyle(document.querySelector('.paper'));
        return [color, backgroundColor, getComputedStyle(document.body).backgroundColor]";
    let white = "rgb(255, 255, 255)";
    assert_eq!(phone.run(colours).await, json!(["rgb(0, 0, 0)", white, white]));
}

#[tokio::test]
async fn a_printed_code_opens_its_tag() {
    let server = Server::start().await;
    let (anna, tags) = tags(&server, 2).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go(&sheet_path(&tags, "small-50")).await;
    let codes = phone
        .run("return [...document.querySelectorAll('.label svg')].map((code) => code.outerHTML)")
        .await;
    let codes: Vec<String> = serde_json::from_value(codes).unwrap();
    let read: Vec<_> = codes.iter().map(|code| decode_qr(code)).collect();
    assert_eq!(read, [&tags[0], &tags[1]].map(|tag| address_at(&phone.origin(), tag)));
}

#[tokio::test]
async fn the_button_opens_the_dialog_of_the_printer() {
    let server = Server::start().await;
    let (anna, tags) = tags(&server, 1).await;
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    laptop
        .run_in_every_page("window.print = () => { window.printed = (window.printed ?? 0) + 1; }")
        .await;
    laptop.go(&sheet_path(&tags, "roll-62")).await;
    laptop.press("Print").await;
    laptop.wait_for("window.printed === 1").await;
}
