//! The whole first run of a family.

use super::{path_of, register};
use crate::browser::support::{Browser, Options};
use crate::it::support::Server;

#[tokio::test]
async fn from_the_first_visit_to_a_family_with_one_list() {
    let server = Server::start().await;
    let of_anna = Browser::open(&server).await;
    of_anna.go("/").await;
    of_anna.sees("Know what is at home").await;
    of_anna.press("Create an account").await;
    register(&of_anna, "anna").await;
    of_anna.sees("Welcome, anna!").await;
    // The device knows its time zone.
    let zone = of_anna.text_of("return Intl.DateTimeFormat().resolvedOptions().timeZone").await;
    of_anna
        .wait_for(&format!("document.querySelector('select[name=zone]').value === '{zone}'"))
        .await;
    of_anna.fill("#name", "Villa").await;
    of_anna.press("Create household").await;
    of_anna.sees("Villa is ready").await;
    let invitation = path_of(&of_anna.text("#invite-link").await);

    let of_ben = Browser::with(&server, Options::default().laptop()).await;
    of_ben.go(&invitation).await;
    of_ben.sees("You are invited").await;
    of_ben.press("Create an account").await;
    register(&of_ben, "ben").await;
    of_ben.sees("You are a member of the household now.").await;

    of_anna.go("/household").await;
    of_anna.sees("ben@example.org").await;
    // Both see the same list.
    for browser in [&of_anna, &of_ben] {
        browser.go("/shopping").await;
    }
    of_anna.run(ADD_MILK).await;
    for browser in [&of_anna, &of_ben] {
        browser.sees("Oat milk").await;
    }
}

/// Puts something on the list through the API, as the page would: with the cookie and its token.
const ADD_MILK: &str = r#"
const token = document.querySelector("meta[name=csrf-token]").content;
const headers = { "content-type": "application/json", "x-csrf-token": token };
return fetch("/api/v1/shopping-list", { method: "POST", headers, body: JSON.stringify({ name: "Oat milk" }) })
    .then((answer) => answer.status);
"#;

#[tokio::test]
async fn the_first_run_works_without_script_and_in_japanese() {
    let server = Server::start().await;
    let phone = Browser::with(&server, Options::default().japanese().without_script()).await;
    phone.go("/").await;
    phone.press("アカウントを作る").await;
    phone.fill("input[name=name]", "結衣").await;
    phone.fill("input[name=email]", "yui@example.org").await;
    phone.fill("input[name=password]", "長いパスワードです").await;
    phone.press("アカウントを作る").await;
    phone.sees("ようこそ、結衣さん").await;
    assert_eq!(
        phone.run("return document.querySelector('select[name=zone]').value").await,
        "Asia/Tokyo"
    );
    phone.fill("#name", "田中家").await;
    phone.press("家族を登録する").await;
    phone.sees("「田中家」を作成しました").await;
    phone.press("デモデータを入れる").await;
    phone.sees("デモデータを入れました").await;
    phone.sees("牛乳").await;
}

#[tokio::test]
async fn a_mistake_is_said_beside_the_form_and_what_was_typed_stays() {
    let server = Server::start().await;
    server.with_household("anna").await;
    let phone = Browser::open(&server).await;
    phone.expect_complaint("status of 409");
    phone.go("/register").await;
    register(&phone, "anna").await;
    phone.sees("There is an account with this email already.").await;
    assert_eq!(phone.attribute("input[name=name]", "value").await.as_deref(), Some("anna"));
    assert_eq!(phone.path().await, "/register");
}
