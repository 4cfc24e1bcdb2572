//! Searching everything that has a name, and the keys that lead to it.

mod page;
mod shortcuts;

use axum::{Router, routing::get};

use crate::WebState;

pub(super) fn routes() -> Router<WebState> {
    Router::new().route("/search", get(page::page)).route("/shortcuts", get(shortcuts::page))
}
