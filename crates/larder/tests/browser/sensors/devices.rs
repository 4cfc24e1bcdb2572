//! Looking after devices.

use serde_json::json;

use super::{Cellar, DEVICE, MAC};
use crate::browser::support::{Browser, Options};
use crate::it::support::now_ms;

#[tokio::test]
async fn a_device_gets_a_name_and_a_place_and_the_list_shows_both() {
    let cellar = Cellar::new().await;
    cellar.measured(now_ms(), json!({ "temperature_c": -18.5 })).await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go("/sensors").await;
    phone.press(MAC).await;
    phone.fill("#name", "Chest freezer").await;
    phone.press("Rename").await;
    phone.says("h1", "Chest freezer").await;
    phone.sees("The device has its new name.").await;
    phone.fill("#new-place", "Garage").await;
    phone.press("Save the place").await;
    phone.sees("The place is saved.").await;
    phone.says(".facts", "Garage").await;
    let chosen = "const place = document.querySelector('#place'); return place.selectedOptions[0].textContent";
    assert_eq!(phone.run(chosen).await, "Garage");
    phone.go("/sensors").await;
    assert_eq!(phone.text(".devices h2").await, "Chest freezer");
    let card = phone.text(".devices .card").await;
    assert!(card.contains("Garage") && card.contains("−18.5 °C"), "{card}");
}

#[tokio::test]
async fn what_is_being_typed_stays_when_readings_come_in() {
    let cellar = Cellar::new().await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go(DEVICE).await;
    phone.sees("has not sent a reading yet").await;
    phone.fill("#name", "Half a na").await;
    cellar.measured(now_ms(), json!({ "temperature_c": 4 })).await;
    phone.says("#latest", "4 °C").await;
    assert_eq!(phone.run("return document.querySelector('#name').value").await, "Half a na");
}

#[tokio::test]
async fn the_list_is_spoken_in_japanese_and_stands_in_nobodys_way() {
    let cellar = Cellar::new().await;
    cellar.a_day().await;
    for (options, heading) in [
        (Options::default().japanese(), "センサー"),
        (Options::default().dark().laptop(), "Sensors"),
    ] {
        let browser = Browser::signed_in_with(&cellar.server, &cellar.anna, options).await;
        browser.go("/sensors").await;
        browser.says("h1", heading).await;
        assert_eq!(browser.count(".sparkline path").await, 1);
        assert_eq!(browser.axe().await, []);
    }
}
