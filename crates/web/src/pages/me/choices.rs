//! `POST /me/choices`: language and appearance. They belong to this browser and are not secret, so
//! they are cookies.

use axum::{extract::State, http::header, response::Response};
use jiff::SignedDuration;
use serde::Deserialize;

use crate::{
    form::{Form, back_or, see_other},
    frame::Theme,
    language::{self, LANGUAGE_COOKIE},
    state::WebState,
    visit::THEME_COOKIE,
};

/// Lifetime of a choice.
const KEPT: SignedDuration = SignedDuration::from_hours(365 * 24);

#[derive(Deserialize)]
pub(super) struct Choices {
    language: Option<String>,
    theme: Option<String>,
    back: Option<String>,
}

pub(super) async fn choose(State(web): State<WebState>, Form(form): Form<Choices>) -> Response {
    let mut response = see_other(back_or(form.back.as_deref(), "/me"));
    let until = web.app.now() + KEPT;
    let mut keep = |name, value| {
        response
            .headers_mut()
            .append(header::SET_COOKIE, web.cookies.set_plain(name, value, until));
    };
    if let Some(language) = form.language.as_deref().and_then(language::from_tag) {
        keep(LANGUAGE_COOKIE, language.tag());
    }
    if let Some(theme) = form.theme.as_deref() {
        keep(THEME_COOKIE, Theme::chosen(Some(theme)).as_str());
    }
    response
}
