//! Writing a URL to an NFC sticker, from the browser if it can, and otherwise with an app.

use super::{address_at, page_path};
use crate::browser::support::{Browser, Shelf};
use crate::it::support::Server;

/// A phone with NFC: what is to be written waits in `window.asked` until the test decides how it goes.
const NFC: &str = r#"
window.NDEFReader = class {
  write(message, { signal }) {
    return new Promise((succeed, fail) => {
      window.asked = { message, succeed, fail: (name) => fail(new DOMException("as the phone says", name)) };
      signal.addEventListener("abort", () => fail(signal.reason));
    });
  }
};
"#;

const SAID: &str = "#nfc [role=status]";

async fn phone_with_nfc(server: &Server, shelf: &Shelf) -> Browser {
    let phone = Browser::signed_in(server, &shelf.admin).await;
    phone.run_in_every_page(NFC).await;
    phone.go(&page_path(&shelf.tag)).await;
    phone
}

#[tokio::test]
async fn the_address_is_written_as_one_url_record() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = phone_with_nfc(&server, &shelf).await;
    phone.sees_no("This browser cannot write NFC tags.").await;
    phone
        .sees("Whoever has the address of a tag can take or put back its item without logging in.")
        .await;
    phone.press("Write to NFC tag").await;
    phone.says(SAID, "Hold the sticker to the back of the phone now").await;
    let message = phone.run("return window.asked.message").await;
    let address = address_at(&phone.origin(), &shelf.tag);
    let record = serde_json::json!({ "recordType": "url", "data": address });
    assert_eq!(message, serde_json::json!({ "records": [record] }));
    // The page re-reads itself meanwhile, and keeps its message.
    shelf.admin.adjust(shelf.item["id"].as_str().unwrap(), -1).await.expect(200);
    phone.sees("5個").await;
    phone.says(SAID, "Hold the sticker to the back of the phone now").await;
    phone.run("window.asked.succeed()").await;
    phone.says(SAID, "Written.").await;
}

#[tokio::test]
async fn what_goes_wrong_is_said_in_words_and_can_be_tried_again() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = phone_with_nfc(&server, &shelf).await;
    for (failure, words) in [
        ("NotAllowedError", "Allow it in the settings of this site"),
        ("NotSupportedError", "This phone has no NFC"),
        ("NotReadableError", "NFC is switched off"),
        ("NetworkError", "The sticker was moved too soon"),
        ("SyntaxError", "That did not work."),
    ] {
        phone.press("Write to NFC tag").await;
        phone.says(SAID, "Hold the sticker").await;
        phone.run(&format!("window.asked.fail('{failure}')")).await;
        phone.says(SAID, words).await;
    }
    phone.press("Write to NFC tag").await;
    phone.run("window.asked.succeed()").await;
    phone.says(SAID, "Written.").await;
}

#[tokio::test]
async fn writing_can_be_cancelled() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = phone_with_nfc(&server, &shelf).await;
    phone.press("Write to NFC tag").await;
    phone.press("Cancel").await;
    phone.says(SAID, "Cancelled. Nothing was written.").await;
    phone.wait_for("document.querySelector('[data-nfc=cancel]').hidden").await;
}

#[tokio::test]
async fn a_browser_without_nfc_says_which_app_writes_it() {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = Browser::signed_in(&server, &shelf.admin).await;
    phone.go(&page_path(&shelf.tag)).await;
    phone.sees("This browser cannot write NFC tags.").await;
    phone.sees("NFC Tools").await;
    phone.sees("NTAG213 or NTAG215").await;
    phone.sees_no("Write to NFC tag").await;
}
