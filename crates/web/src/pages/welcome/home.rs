//! `GET /`: redirects users to their start page, and introduces Larder to visitors.

use askama::Template;
use axum::{http::HeaderMap, response::Response};
use larder_app::{BrowserCaller, Registration};

use crate::{Failure, Frame, Section, Visit, WebState, render, see_other, visit::identify};

#[derive(Template)]
#[template(path = "welcome/home.html")]
struct HomePage {
    frame: Frame,
    can_register: bool,
}

pub(super) async fn home(
    web: WebState,
    visit: Visit,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    Ok(match identify(&web, &headers).await? {
        // Whoever has a time zone of their own has begun without a household.
        Some(BrowserCaller { caller, .. })
            if caller.membership().is_some() || caller.user().zone.is_some() =>
        {
            see_other("/today")
        }
        Some(_) => see_other("/welcome"),
        None => {
            let can_register = web.app.registration().await? == Registration::Open;
            render(&HomePage { frame: visit.frame(Section::None), can_register })
        }
    })
}
