//! `GET` and `POST /register`: an account, and with an invitation the household that it is for.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use larder_app::{AppError, BrowserLogin};
use larder_domain::{Email, Password, PersonName};
use larder_http::ClientAddress;
use serde::Deserialize;

use super::{
    join::{invitation_path, join},
    label::label,
    login::logged_in,
};
use crate::{
    address,
    failure::{Failure, FailureView, wrong},
    form::{Form, Query, done, see_other},
    frame::{Frame, Section, render_with},
    state::{Web, WebState},
    visit::Visit,
};

#[derive(Template)]
#[template(path = "welcome/register.html")]
struct RegisterPage<'a> {
    frame: Frame,
    name: &'a str,
    email: &'a str,
    /// The code of the household to join afterwards; empty without one.
    invite: &'a str,
    /// What went wrong.
    failure: Option<FailureView>,
}

impl RegisterPage<'_> {
    /// What is wrong with the field of this label.
    fn why(&self, label: &str) -> Option<String> {
        let failure = self.failure.as_ref().filter(|failure| failure.field == Some(label))?;
        Some(failure.rule.said(self.frame.words))
    }

    /// The attributes that say so.
    fn invalid(&self, label: &str) -> &'static str {
        match self.why(label) {
            Some(_) => r#" autofocus aria-invalid="true" aria-describedby="why""#,
            None => "",
        }
    }

    /// Whoever has an account already keeps the invitation.
    fn login_address(&self) -> String {
        match self.invite {
            "" => "/login".to_owned(),
            code => address::with_query("/login", &[("next", &invitation_path(code))]),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Wanted {
    #[serde(default)]
    invite: String,
}

pub(super) async fn page(
    State(web): State<WebState>,
    visit: Visit,
    Query(wanted): Query<Wanted>,
) -> Response {
    let page = RegisterPage {
        frame: visit.frame(Section::None),
        name: "",
        email: "",
        invite: &wanted.invite,
        failure: None,
    };
    visit.greet(&web, render_with(StatusCode::OK, &page))
}

#[derive(Deserialize)]
pub(super) struct Registration {
    name: String,
    email: String,
    password: String,
    #[serde(default)]
    invite: String,
}

pub(super) async fn register(
    State(web): State<WebState>,
    visit: Visit,
    address: ClientAddress,
    headers: HeaderMap,
    Form(form): Form<Registration>,
) -> Result<Response, Failure> {
    match create(&web, address, &headers, &form).await {
        Ok(login) => {
            let next = join_invited(&web, address, &login, &form.invite).await;
            Ok(logged_in(&web, &login, next))
        }
        // What was typed stays, but for the password, to be put right.
        Err(failure @ (Failure::Wrong(..) | Failure::App(AppError::EmailTaken))) => {
            let view = failure.view();
            let status = view.status;
            let page = RegisterPage {
                frame: visit.frame(Section::None),
                name: &form.name,
                email: &form.email,
                invite: &form.invite,
                failure: Some(view),
            };
            Ok(render_with(status, &page))
        }
        Err(other) => Err(other),
    }
}

async fn create(
    web: &Web,
    address: ClientAddress,
    headers: &HeaderMap,
    form: &Registration,
) -> Result<BrowserLogin, Failure> {
    let name = PersonName::parse(form.name.trim()).map_err(wrong("register-name"))?;
    let email = Email::parse(form.email.trim()).map_err(wrong("field-email"))?;
    let password = Password::parse(&form.password).map_err(wrong("field-password"))?;
    if let Some(limits) = &web.account_limits {
        limits.check_registration(address)?;
    }
    Ok(web.app.register_in_browser(email, password, name, label(headers)).await?)
}

/// Takes whoever was invited into their household, and says where to go on. The account stays if that fails: the next
/// page asks for another code, or to try again.
async fn join_invited(
    web: &Web,
    address: ClientAddress,
    login: &BrowserLogin,
    invite: &str,
) -> Response {
    if invite.trim().is_empty() {
        return see_other("/welcome");
    }
    let joined = async {
        let caller = web.app.recognize_browser(&login.cookie).await?;
        join(web, address, &caller, invite, false).await
    };
    match joined.await {
        Ok(()) => done("/stock", "joined"),
        Err(Failure::App(AppError::InviteNotFound)) => {
            see_other(&address::with_query("/welcome", &[("refused", invite)]))
        }
        Err(_) => see_other(&invitation_path(invite)),
    }
}
