//! Scanning with a camera, a hand scanner and the keyboard.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use crate::browser::support::{Browser, Key, Options};
use crate::it::support::{Client, GreyPicture, Server};

const CODES: [&str; 5] =
    ["4006381333931", "4902102072618", "9780201379624", "5901234123457", "3017620422003"];

/// How many frames of the film show each code: two seconds.
const FRAMES_PER_CODE: usize = 8;

/// A film (YUV4MPEG2) that shows one code after the other. The browser repeats it.
fn make_film(path: &Path) {
    let (width, height) = (480, 360);
    let mut film = fs::File::create(path).unwrap();
    writeln!(film, "YUV4MPEG2 W{width} H{height} F4:1 Ip A1:1 C420mpeg2").unwrap();
    for code in CODES {
        let picture = GreyPicture::of_ean_13(code, width, height);
        for _ in 0..FRAMES_PER_CODE {
            film.write_all(b"FRAME\n").unwrap();
            film.write_all(&picture.pixels).unwrap();
            // No colours.
            film.write_all(&vec![128; width * height / 2]).unwrap();
        }
    }
}

/// One of each product, by the names of their codes.
async fn stock(anna: &Client) {
    for code in CODES {
        let body = json!({ "name": code, "quantity": 1, "unit": "box", "barcode": code });
        anna.post("/inventory/items", body).await.expect(201);
    }
}

async fn quantities(anna: &Client) -> Vec<f64> {
    let items = anna.items("includeDepleted=true").await;
    items.iter().map(|item| item["quantity"].as_f64().unwrap()).collect()
}

#[tokio::test]
async fn the_camera_reads_five_printed_codes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codes.y4m");
    make_film(&path);
    // Options are constants; a test has one film.
    let film: &'static str = path.to_str().unwrap().to_owned().leak();
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    stock(&anna).await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().filming(film)).await;
    phone.go("/scan?then=add").await;
    phone.click("#camera-goes-on").await;
    phone.click("#camera-start").await;
    phone
        .wait_until("every code was read", async || {
            quantities(&anna).await.iter().all(|quantity| *quantity >= 2.0)
        })
        .await;
    phone.click("#camera-stop").await;
    phone.wait_for("document.getElementById('camera-view').hidden").await;
    let count = "return Number(document.getElementById('camera-count').textContent)";
    assert!(phone.run(count).await.as_u64().unwrap() >= 5);
    assert_eq!(quantities(&anna).await.len(), 5, "no other code was read");
    assert!(phone.axe().await.is_empty());
}

#[tokio::test]
async fn a_hand_scanner_types_one_code_after_the_other() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    stock(&anna).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/scan?then=use").await;
    // The field has the focus from the beginning, and keeps it.
    for (expected, code) in [4.0, 3.0, 2.0, 1.0, 0.0].into_iter().zip(CODES) {
        phone.type_text(code).await;
        phone.key(Key::Enter).await;
        phone
            .wait_until("one more is used", async || {
                let left: f64 = quantities(&anna).await.iter().sum();
                (left - expected).abs() < 0.1
            })
            .await;
        phone.wait_for("document.activeElement.id === 'scan-code'").await;
        phone.wait_for("document.activeElement.value === ''").await;
    }
    // The store knows before the page does: its answer is still on the way.
    let is_last =
        format!("document.querySelector('#scanned strong').textContent === '{}'", CODES[4]);
    phone.wait_for(&is_last).await;
}

#[tokio::test]
async fn a_new_code_is_named_with_the_keyboard() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/scan").await;
    phone.type_text(CODES[0]).await;
    phone.key(Key::Enter).await;
    phone.wait_for("document.activeElement.id === 'name-it-name'").await;
    phone.type_text("Pencil").await;
    phone.key(Key::Enter).await;
    phone.wait_for("document.getElementById('scanned')").await;
    assert_eq!(phone.text("#scanned strong").await, "Pencil");
    // The question is answered, and the next code can be typed.
    assert_eq!(phone.count("#name-it").await, 0);
    phone.wait_for("document.activeElement.id === 'scan-code'").await;
    let found = anna.get(&format!("/products/by-barcode/{}", CODES[0])).await.expect(200);
    assert_eq!(found["name"], "Pencil");
}

#[tokio::test]
async fn the_camera_leads_to_the_line_of_what_it_sees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codes.y4m");
    make_film(&path);
    let film: &'static str = path.to_str().unwrap().to_owned().leak();
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for code in CODES {
        let body = json!({ "name": code, "quantity": 1, "unit": "box", "barcode": code });
        let item = anna.post("/inventory/items", body).await.expect(201)["item"].clone();
        let wish = json!({ "name": code, "itemId": item["id"], "quantity": 2 });
        anna.post("/shopping-list", wish).await.expect(201);
    }
    let phone = Browser::signed_in_with(&server, &anna, Options::default().filming(film)).await;
    phone.go("/shopping/put-away").await;
    // It is on the form as soon as it is seen, and the form is there again.
    phone.press("Find by barcode").await;
    phone.click("#camera-start").await;
    phone.wait_for("document.activeElement.id.startsWith('row-')").await;
    let name = phone.text("fieldset:focus legend").await;
    assert!(CODES.contains(&&*name), "{name}");
    phone.wait_for("document.getElementById('camera-view').hidden").await;
    let entries = anna.all_pages("/shopping-list", "").await;
    let bought = entries.iter().filter(|entry| entry["status"] == "purchased");
    assert_eq!(bought.map(|entry| &entry["name"]).collect::<Vec<_>>(), [&json!(name)]);
}
