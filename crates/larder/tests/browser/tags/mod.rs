//! Tags in the hands of an admin: made, written to stickers, printed as labels.

mod labels;
mod making;
mod writing;

use serde_json::Value;

use crate::it::support::url_id;

/// The page of a tag for admins.
fn page_path(tag: &Value) -> String {
    format!("/tags/{}/{}", tag["itemId"].as_str().unwrap(), url_id(tag))
}
