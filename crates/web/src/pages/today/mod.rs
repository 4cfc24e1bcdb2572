//! The first page: what a household should know when somebody comes home.

mod activity;
mod page;

use axum::{Router, routing::get};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new().route("/today", get(page::page))
}
