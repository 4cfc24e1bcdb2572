//! The page behind a tag: whoever holds a phone to it takes one, without a login.
//!
//! A GET changes nothing, because link previews and browsers that look ahead open links too; the page's script
//! posts, or its buttons do where there is no script. The address is the right, so these routes are outside of the
//! guard: there is no session whose form could be forged.

mod address;
mod adjust;
mod error;
mod limits;
mod page;
mod view;

use axum::routing::get;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::WebState;

pub(crate) use limits::TapLimits;

/// The page, the tap, and what the contract says of them.
pub(crate) fn routes() -> OpenApiRouter<WebState> {
    OpenApiRouter::new()
        .routes(routes!(page::tap_page))
        .routes(routes!(adjust::tap))
        // An address cut short before its id.
        .route("/t/", get(page::tap_page))
}
