//! A new household is in the time zone of the device that creates it.

use super::register;
use crate::browser::support::Browser;
use crate::it::support::Server;

const CHOSEN: &str = "document.querySelector('select[name=zone]').value";

#[tokio::test]
async fn the_zone_of_the_device_is_proposed_and_kept() {
    let server = Server::start().await;
    let phone = Browser::open(&server).await;
    phone.travel_to("Europe/Berlin").await;
    phone.go("/register").await;
    register(&phone, "anna").await;
    phone.sees("Welcome, anna!").await;
    phone.wait_for(&format!("{CHOSEN} === 'Europe/Berlin'")).await;
    phone.fill("#name", "Villa").await;
    phone.press("Create household").await;
    phone.sees("Villa is ready").await;
    phone.go("/household").await;
    assert_eq!(phone.run(&format!("return {CHOSEN}")).await, "Europe/Berlin");
    // Once there is a household, its own zone is shown, wherever the device is.
    phone.travel_to("").await;
    phone.travel_to("Asia/Tokyo").await;
    phone.reload().await;
    assert_eq!(phone.run(&format!("return {CHOSEN}")).await, "Europe/Berlin");
}

#[tokio::test]
async fn whoever_has_an_account_and_no_household_is_asked_in_the_same_way() {
    let server = Server::start().await;
    let ben = server.register("ben").await;
    let phone = Browser::signed_in(&server, &ben).await;
    phone.travel_to("Asia/Tokyo").await;
    phone.go("/welcome").await;
    phone.wait_for(&format!("{CHOSEN} === 'Asia/Tokyo'")).await;
}

#[tokio::test]
async fn a_zone_that_the_browser_calls_by_an_old_name_is_found() {
    let server = Server::start().await;
    let ben = server.register("ben").await;
    let phone = Browser::signed_in(&server, &ben).await;
    phone.travel_to("Asia/Kolkata").await;
    // As on a server without old zone names, whatever this one has.
    let forget = "document.addEventListener('readystatechange', () => {
        for (const option of document.querySelectorAll('option')) {
            if (option.value === 'Asia/Calcutta') option.remove();
        }
    })";
    phone.run_in_every_page(forget).await;
    phone.go("/welcome").await;
    let zone = phone.text_of("return Intl.DateTimeFormat().resolvedOptions().timeZone").await;
    assert_eq!(zone, "Asia/Calcutta", "the browser uses the old name");
    phone.wait_for(&format!("{CHOSEN} === 'Asia/Kolkata'")).await;
}
