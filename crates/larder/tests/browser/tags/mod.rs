//! Tags in the hands of an admin: made, written to stickers, printed as labels.

mod labels;
mod making;
mod writing;

use serde_json::Value;

use crate::it::support::url_id;

/// The address of a tag as a page shows it that was opened under this origin.
fn address_at(origin: &str, tag: &Value) -> String {
    format!("{origin}/t/{}", url_id(tag))
}

/// The page of a tag for admins.
fn page_path(tag: &Value) -> String {
    format!("/tags/{}/{}", tag["itemId"].as_str().unwrap(), url_id(tag))
}
