//! `POST /me/confirm-email` requests a mail with a link; `GET` and `POST /confirm-email/{token}`
//! are the target of the link.

use askama::Template;
use axum::{extract::Path, http::StatusCode, response::Response};
use larder_app::AskedForConfirmation;
use larder_http::ClientAddress;
use serde::Deserialize;

use crate::{Failure, Form, Frame, Person, Section, Visit, WebState, back_or, done, render_with};

#[derive(Deserialize)]
pub(super) struct Asking {
    back: Option<String>,
}

pub(super) async fn ask(
    web: WebState,
    person: Person,
    address: ClientAddress,
    Form(form): Form<Asking>,
) -> Result<Response, Failure> {
    let caller = &person.caller;
    if let Some(limits) = &web.account_limits {
        limits.check_confirmation(address, caller.user_id())?;
    }
    let notice = match web.app.ask_for_confirmation(caller).await? {
        AskedForConfirmation::Sent => "confirm-sent",
        AskedForConfirmation::Confirmed => "confirm-already",
        AskedForConfirmation::TooMany => "confirm-too-many",
    };
    Ok(done(back_or(form.back.as_deref(), "/me"), notice))
}

enum Step {
    /// GET changes nothing, because mail scanners open links too.
    Asked,
    Confirmed,
    Refused,
}

#[derive(Template)]
#[template(path = "me/confirmation.html")]
struct ConfirmationPage<'a> {
    frame: Frame,
    token: &'a str,
    step: Step,
}

pub(super) async fn page(web: WebState, visit: Visit, Path(token): Path<String>) -> Response {
    let frame = visit.frame(Section::None);
    let page = ConfirmationPage { frame, token: &token, step: Step::Asked };
    visit.greet(&web, render_with(StatusCode::OK, &page))
}

pub(super) async fn confirm(
    web: WebState,
    visit: Visit,
    Path(token): Path<String>,
) -> Result<Response, Failure> {
    let (status, step) = if web.app.confirm_email(&token).await? {
        (StatusCode::OK, Step::Confirmed)
    } else {
        (StatusCode::GONE, Step::Refused)
    };
    let frame = visit.frame(Section::None);
    Ok(render_with(status, &ConfirmationPage { frame, token: &token, step }))
}
