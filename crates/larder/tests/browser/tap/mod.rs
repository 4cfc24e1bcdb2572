//! The page of a tag: what happens when somebody holds a phone to it.

mod looking_ahead;
mod reading;
mod tapping;
mod weak_signal;

use super::support::Browser;

/// What the page says happened last.
pub(crate) const MESSAGE: &str = "#message";

/// How much the page says is left.
async fn left(browser: &Browser) -> String {
    browser.text("#left").await
}
