//! `POST /me/choices`: language and appearance, as cookies of this browser. The language is also stored with the user,
//! for browsers in which none was chosen.

use axum::{http::header, response::Response};
use larder_domain::UserPatch;
use serde::Deserialize;

use crate::{
    Failure, Form, Person, WebState, back_or,
    frame::Theme,
    language::{self, LANGUAGE_COOKIE},
    see_other,
    visit::{KEPT, THEME_COOKIE},
};

#[derive(Deserialize)]
pub(super) struct Choices {
    language: Option<String>,
    theme: Option<String>,
    back: Option<String>,
}

pub(super) async fn choose(
    web: WebState,
    person: Person,
    Form(form): Form<Choices>,
) -> Result<Response, Failure> {
    let mut response = see_other(back_or(form.back.as_deref(), "/me"));
    let until = web.app.now() + KEPT;
    let mut keep = |name, value| {
        response
            .headers_mut()
            .append(header::SET_COOKIE, web.cookies.set_plain(name, value, until));
    };
    if let Some(language) = form.language.as_deref().and_then(language::from_tag) {
        keep(LANGUAGE_COOKIE, language.tag());
        let patch = UserPatch { language: Some(Some(language)), ..UserPatch::default() };
        web.app.update_me(&person.caller, patch).await?;
    }
    if let Some(theme) = form.theme.as_deref() {
        keep(THEME_COOKIE, Theme::chosen(Some(theme)).as_str());
    }
    Ok(response)
}
