//! `GET /shortcuts`: what keys do, on every page.

use askama::Template;
use axum::response::Response;

use crate::{Failure, Frame, Keeper, Section, render};

#[derive(Template)]
#[template(path = "search/shortcuts.html")]
struct ShortcutsPage {
    frame: Frame,
}

pub(super) async fn page(keeper: Keeper) -> Result<Response, Failure> {
    Ok(render(&ShortcutsPage { frame: keeper.frame(Section::None) }))
}
