//! Tokens for programs: `POST /me/tokens`, whose response shows the new one, only once, and `POST
//! /me/tokens/{id}/revoke`.

use askama::Template;
use axum::response::Response;
use jiff::{SignedDuration, Timestamp};
use larder_app::{MAX_PROGRAM_TOKENS, NewProgramToken};
use larder_domain::{ProgramTokenId, TokenName, TokenScope, TokenScopes};
use larder_http::LinkBase;
use larder_storage::ProgramToken;
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, PathId, Person, Rule, Section, Web, WebState, done,
    format::{ago, day},
    render, wrong,
};

/// How many days a token can be good.
pub(super) const LIFETIMES_DAYS: [i64; 3] = [30, 90, 365];

/// A scope as a choice.
pub(super) struct ScopeChoice {
    pub(super) name: &'static str,
    pub(super) text: String,
}

/// All scopes.
pub(super) fn scope_choices(frame: &Frame) -> Vec<ScopeChoice> {
    let choice = |scope| ScopeChoice {
        name: TokenScope::as_str(scope),
        text: frame.t(text_of(scope)).into_owned(),
    };
    TokenScope::ALL.into_iter().map(choice).collect()
}

/// What a scope permits, in a sentence.
const fn text_of(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Read => "me-scope-read",
        TokenScope::Stock => "me-scope-stock",
        TokenScope::Shopping => "me-scope-shopping",
        TokenScope::Devices => "me-scope-devices",
        TokenScope::Things => "me-scope-things",
        TokenScope::Admin => "me-scope-admin",
    }
}

/// A token as a row of a list.
pub(super) struct TokenRow {
    pub(super) id: ProgramTokenId,
    pub(super) name: String,
    pub(super) scopes: String,
    pub(super) has_expired: bool,
    /// When it was last used, relative to now.
    pub(super) used: Option<String>,
    /// Its last day.
    pub(super) until: Option<String>,
}

/// All tokens of the user: no more than fit on a page.
pub(super) async fn rows(web: &Web, person: &Person) -> Result<Vec<TokenRow>, Failure> {
    let limit = MAX_PROGRAM_TOKENS as usize;
    let tokens = web.app.program_tokens(&person.caller, None, limit).await?;
    let (words, zone, now) = (person.visit.words, person.caller.zone(), web.app.now());
    let row = |token: &ProgramToken| TokenRow {
        id: token.id,
        name: token.name.as_str().to_owned(),
        scopes: token.scopes.iter().map(TokenScope::as_str).collect::<Vec<_>>().join(", "),
        has_expired: token.has_expired(now),
        used: token.last_used_at.map(|at| ago(words, at, now)),
        until: token.expires_at.map(|at| day(words, zone.day_of(at))),
    };
    Ok(tokens.items.iter().map(row).collect())
}

#[derive(Deserialize)]
pub(super) struct NewTokenForm {
    label: String,
    #[serde(default)]
    scope: Vec<String>,
    /// A number of days, or empty for ever.
    #[serde(default)]
    expiry: String,
}

#[derive(Template)]
#[template(path = "me/token.html")]
struct TokenPage<'a> {
    frame: Frame,
    name: &'a str,
    token: &'a str,
    links: LinkBase,
}

pub(super) async fn make(
    web: WebState,
    person: Person,
    links: LinkBase,
    Form(form): Form<NewTokenForm>,
) -> Result<Response, Failure> {
    let name = TokenName::parse(form.label.trim()).map_err(wrong("me-token-label"))?;
    let scopes: Result<Vec<TokenScope>, _> = form.scope.iter().map(|name| name.parse()).collect();
    let scopes = TokenScopes::of(scopes.map_err(|_| Failure::Malformed)?)
        .ok_or(Failure::Wrong("me-token-scope", Rule::Nothing))?;
    let expires_at = read_expiry(&form.expiry, web.app.now())?;
    let new = NewProgramToken { name, scopes, expires_at };
    let made = web.app.make_program_token(&person.caller, new).await?;
    Ok(render(&TokenPage {
        frame: person.frame(Section::Me),
        name: made.token.name.as_str(),
        token: &made.text,
        links,
    }))
}

fn read_expiry(text: &str, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    if text.is_empty() {
        return Ok(None);
    }
    let days = text.parse().ok().filter(|days| LIFETIMES_DAYS.contains(days));
    let days = days.ok_or(Failure::Wrong("me-token-expiry", Rule::Choice))?;
    Ok(Some(now + SignedDuration::from_hours(24 * days)))
}

pub(super) async fn revoke(
    web: WebState,
    person: Person,
    PathId(id): PathId<ProgramTokenId>,
) -> Result<Response, Failure> {
    web.app.revoke_program_token(&person.caller, id).await?;
    Ok(done("/me", "me-token-revoked"))
}
