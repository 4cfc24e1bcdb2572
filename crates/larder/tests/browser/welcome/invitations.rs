//! Invitations: by link, by QR code, and until the code is replaced.

use serde_json::json;

use super::path_of;
use crate::browser::support::Browser;
use crate::it::support::{Server, decode_qr};

#[tokio::test]
async fn the_picture_on_the_page_leads_into_the_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    let of_anna = Browser::signed_in(&server, &anna).await;
    of_anna.go("/household").await;
    // It does not push away what the page is for.
    assert!(
        !of_anna
            .run("return document.querySelector('.qr').checkVisibility()")
            .await
            .as_bool()
            .unwrap()
    );
    of_anna.press("Invite the family").await;
    let picture = of_anna.text_of("return document.querySelector('.qr').innerHTML").await;
    let link = decode_qr(&picture);
    assert_eq!(link, of_anna.text("#invite-link").await);

    let of_ben = Browser::signed_in(&server, &ben).await;
    of_ben.go(&path_of(&link)).await;
    of_ben.press("Join the household").await;
    of_ben.sees("You are a member of the household now.").await;
    // An open page shows new members live.
    of_anna.sees("ben@example.org").await;
}

#[tokio::test]
async fn a_new_code_ends_the_old_link() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    let of_anna = Browser::signed_in(&server, &anna).await;
    of_anna.go("/household").await;
    of_anna.press("Invite the family").await;
    let old = path_of(&of_anna.text("#invite-link").await);
    of_anna.run("window.confirm = () => true").await;
    of_anna.press("Make a new code").await;
    of_anna.sees("The old one does not work any more.").await;
    let fresh = path_of(&of_anna.text("#invite-link").await);
    assert_ne!(fresh, old);

    let of_ben = Browser::signed_in(&server, &ben).await;
    of_ben.expect_complaint("status of 404");
    of_ben.go(&old).await;
    of_ben.press("Join the household").await;
    of_ben.sees("No household has this invite code.").await;
    of_ben.go(&fresh).await;
    of_ben.press("Join the household").await;
    of_ben.sees("You are a member of the household now.").await;
}

#[tokio::test]
async fn the_link_is_copied_and_passed_on_where_the_browser_can() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone
        .run_in_every_page(
            "navigator.share = (what) => { window.shared = what; return Promise.resolve(); };
             navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };",
        )
        .await;
    phone.go("/household").await;
    phone.press("Invite the family").await;
    let link = phone.text("#invite-link").await;
    phone.press("Share").await;
    phone.wait_for("window.shared").await;
    let shared = phone.run("return window.shared").await;
    assert_eq!(shared["url"], json!(link));
    assert_eq!(shared["text"], "Join our household in Larder");
    phone.press("Copy the link").await;
    phone.sees("Copied").await;
    assert_eq!(phone.run("return window.copied").await, json!(link));
}
