//! The page behind a tag: whoever holds a phone to it takes one, without a login.
//!
//! A GET changes nothing, because link previews and browsers that look ahead open links too; the page's script
//! posts, or its buttons do where there is no script.

mod address;
mod adjust;
mod language;
mod page;
mod refusal;
mod script;
mod view;
mod words;

use axum::routing::get;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(page::tap_page))
        .routes(routes!(adjust::tap))
        // An address cut short before its id.
        .route("/t/", get(page::tap_page))
        .route("/tap.js", get(script::tap_script))
}
