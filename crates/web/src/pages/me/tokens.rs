//! `POST /me/tokens`: access for a program. The response shows the tokens, only once.

use askama::Template;
use axum::response::Response;
use larder_domain::SessionLabel;
use larder_http::LinkBase;
use serde::Deserialize;

use crate::{Failure, Form, Frame, Person, Rule, Section, WebState, render, wrong};

#[derive(Deserialize)]
pub(super) struct NewTokenForm {
    label: String,
}

#[derive(Template)]
#[template(path = "me/tokens.html")]
struct TokensPage<'a> {
    frame: Frame,
    label: &'a str,
    access_token: &'a str,
    refresh_token: &'a str,
    minutes: u64,
    links: LinkBase,
}

pub(super) async fn make(
    web: WebState,
    person: Person,
    links: LinkBase,
    Form(form): Form<NewTokenForm>,
) -> Result<Response, Failure> {
    let label = form.label.trim();
    let named = SessionLabel::parse(label).map_err(wrong("me-token-label"))?;
    if named.is_empty() {
        return Err(Failure::Wrong("me-token-label", Rule::Missing));
    }
    let login = web.app.make_tokens(&person.caller, named).await?;
    Ok(render(&TokensPage {
        frame: person.frame(Section::Me),
        label,
        access_token: &login.access_token,
        refresh_token: &login.refresh_token,
        minutes: login.expires_in_seconds / 60,
        links,
    }))
}
