//! Forgotten passwords: `GET` and `POST /forgot` ask for a mail with a link; `GET` and `POST
//! /reset/{token}` are the target of the link.

use askama::Template;
use axum::{extract::Path, http::StatusCode, response::Response};
use larder_app::ResetPassword;
use larder_domain::{Email, Password};
use larder_http::ClientAddress;
use serde::Deserialize;

use crate::{Failure, Form, Frame, Query, Section, Visit, WebState, done, render_with, rule::Rule};

#[derive(Template)]
#[template(path = "welcome/forgot.html")]
struct ForgotPage<'a> {
    frame: Frame,
    email: &'a str,
    can_mail: bool,
    is_asked: bool,
    /// What is wrong with the email.
    refused: Option<Rule>,
}

impl ForgotPage<'_> {
    fn why(&self) -> Option<String> {
        self.refused.map(|rule| rule.said(self.frame.words))
    }
}

#[derive(Deserialize)]
pub(super) struct ForgotQuery {
    #[serde(default)]
    email: String,
}

pub(super) async fn ask_page(
    web: WebState,
    visit: Visit,
    Query(query): Query<ForgotQuery>,
) -> Response {
    let page = ForgotPage {
        frame: visit.frame(Section::None),
        email: &query.email,
        can_mail: web.app.sends_mail(),
        is_asked: false,
        refused: None,
    };
    visit.greet(&web, render_with(StatusCode::OK, &page))
}

#[derive(Deserialize)]
pub(super) struct Forgotten {
    email: String,
}

/// Says the same whether there is such an account or not.
pub(super) async fn ask(
    web: WebState,
    visit: Visit,
    address: ClientAddress,
    Form(form): Form<Forgotten>,
) -> Result<Response, Failure> {
    let refused = match Email::parse_stored(form.email.trim()) {
        Ok(email) => {
            if let Some(limits) = &web.account_limits {
                limits.check_reset_request(address, &email)?;
            }
            web.app.ask_for_reset(email);
            None
        }
        Err(error) => Some(Rule::from(error)),
    };
    let status = if refused.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = ForgotPage {
        frame: visit.frame(Section::None),
        email: &form.email,
        can_mail: web.app.sends_mail(),
        is_asked: refused.is_none(),
        refused,
    };
    Ok(render_with(status, &page))
}

#[derive(Template)]
#[template(path = "welcome/reset.html")]
struct ResetPage<'a> {
    frame: Frame,
    token: &'a str,
    is_good: bool,
    /// What is wrong with the password.
    refused: Option<Rule>,
}

impl ResetPage<'_> {
    fn why(&self) -> Option<String> {
        self.refused.map(|rule| rule.said(self.frame.words))
    }
}

pub(super) async fn page(
    web: WebState,
    visit: Visit,
    Path(token): Path<String>,
) -> Result<Response, Failure> {
    let is_good = web.app.is_reset_possible(&token).await?;
    let status = if is_good { StatusCode::OK } else { StatusCode::GONE };
    let frame = visit.frame(Section::None);
    let page = ResetPage { frame, token: &token, is_good, refused: None };
    Ok(visit.greet(&web, render_with(status, &page)))
}

#[derive(Deserialize)]
pub(super) struct Chosen {
    password: String,
}

pub(super) async fn choose(
    web: WebState,
    visit: Visit,
    address: ClientAddress,
    Path(token): Path<String>,
    Form(form): Form<Chosen>,
) -> Result<Response, Failure> {
    if let Some(limits) = &web.account_limits {
        limits.check_reset(address)?;
    }
    let refused = match Password::parse(&form.password) {
        Ok(password) => match web.app.reset_password(&token, password).await? {
            ResetPassword::Done => return Ok(done("/login", "password-reset")),
            ResetPassword::LinkRefused => None,
            ResetPassword::Guessable(reason) => Some(Rule::from(reason)),
        },
        Err(error) => Some(Rule::from(error)),
    };
    let is_good = refused.is_some();
    let status = if is_good { StatusCode::BAD_REQUEST } else { StatusCode::GONE };
    let frame = visit.frame(Section::None);
    Ok(render_with(status, &ResetPage { frame, token: &token, is_good, refused }))
}
