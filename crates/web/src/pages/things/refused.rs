//! Refusals of forms about a thing whose reason names another thing. The typed values are kept, as
//! with every refusal.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::{AppError, Caller};
use larder_storage::TakenKey;

use super::{address_of, attributes::Unreadable, naming};
use crate::{Failure, Frame, Section, Web, render_with};

#[derive(Template)]
#[template(path = "things/refused.html")]
struct RefusedPage {
    frame: Frame,
    message: String,
    /// The conflicting thing: URL and title.
    thing: Option<(String, String)>,
    back: String,
}

/// The attributes are invalid.
pub(super) fn unreadable(frame: Frame, reason: &Unreadable, back: String) -> Response {
    let message = reason.message(&frame);
    render_with(StatusCode::BAD_REQUEST, &RefusedPage { frame, message, thing: None, back })
}

/// Another thing has this unique value.
pub(super) async fn taken(
    (web, caller): (&Web, &Caller),
    frame: Frame,
    taken: &TakenKey,
    back: String,
) -> Result<Response, Failure> {
    let value = taken.key.value.as_str();
    let holder = match &taken.holder {
        Some(holder) => match web.app.resource(caller, holder).await {
            Ok(holder) => Some((address_of(&holder.urn), naming::title(frame.words, &holder))),
            Err(AppError::ResourceNotFound) => None,
            Err(error) => return Err(error.into()),
        },
        None => None,
    };
    let message = match &holder {
        Some((_, title)) => {
            frame.t2("things-taken-by", ("value", value), ("title", title.as_str()))
        }
        None => frame.t1("things-taken-elsewhere", "value", value),
    };
    let page = RefusedPage { frame, message, thing: holder, back };
    Ok(render_with(StatusCode::CONFLICT, &page))
}
