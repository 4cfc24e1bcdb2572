//! The page of a tag, on a phone.

mod looking_ahead;
mod reading;
mod tapping;
mod weak_signal;

use super::support::{Browser, Shelf};
use crate::it::support::Server;

/// The page's last message.
pub(crate) const MESSAGE: &str = "#message";

/// The remaining quantity on the page.
async fn left(browser: &Browser) -> String {
    browser.text("#left").await
}

/// A phone at a shelf of six eggs, and the server that counts them.
async fn phone_at_eggs() -> (Server, Shelf, Browser) {
    let server = Server::start().await;
    let shelf = Shelf::of_eggs(&server).await;
    let phone = Browser::open(&server).await;
    (server, shelf, phone)
}
