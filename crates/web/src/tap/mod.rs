//! The page of a tag: tapping it with a phone takes one, without a login.
//!
//! A GET changes nothing, because link previews and prefetching open links too; the page's script
//! posts, or its buttons do without JavaScript. The URL is the credential, so these routes are
//! outside of the guard: no session permits anything here, and thus there is no CSRF. Who is logged
//! in only sees a little more.

mod address;
mod adjust;
mod error;
mod limits;
mod member;
mod page;
mod view;

use axum::routing::get;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::WebState;

pub(crate) use limits::TapLimits;

/// The routes and their OpenAPI document.
pub(crate) fn routes() -> OpenApiRouter<WebState> {
    OpenApiRouter::new()
        .routes(routes!(page::tap_page))
        .routes(routes!(adjust::tap))
        // A truncated URL without its id.
        .route("/t/", get(page::tap_page))
}
