//! The stock, on a phone.

mod editing;
mod quick_add;
mod reading;
pub(super) mod rows;
mod tapping;
mod without_signal;

use crate::browser::support::Browser;
use crate::it::support::Server;

/// A selector of the line, or the card, of an item.
fn line_of(item: &serde_json::Value) -> String {
    format!("#item-{}", crate::it::support::id_of(item))
}

/// The names in the list, in its order.
async fn listed(browser: &Browser) -> Vec<String> {
    browser.texts("#items .title").await
}

/// A household with a phone.
async fn home(server: &Server) -> (crate::it::support::Client, Browser) {
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in(server, &anna).await;
    (anna, phone)
}
