//! `GET` and `POST /register`: create an account, and join the household of an invitation.

use askama::Template;
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use larder_app::{AppError, BrowserLogin, NewAccount, NewPassword, Registration};
use larder_domain::{Email, Password, PersonName};
use larder_http::ClientAddress;
use serde::Deserialize;

use super::{
    join::{invitation_path, read_code},
    label::label,
    login::logged_in,
};
use crate::{
    Failure, Form, Frame, Query, Section, Visit, Web, WebState, address, done,
    failure::FailureView, render_with, see_other, wrong,
};

#[derive(Template)]
#[template(path = "welcome/register.html")]
struct RegisterPage<'a> {
    frame: Frame,
    name: &'a str,
    email: &'a str,
    /// The invite code; empty without one.
    invite: &'a str,
    /// Who may register.
    registration: Registration,
    /// The error.
    failure: Option<FailureView>,
}

impl RegisterPage<'_> {
    /// Whether the visitor may register, as far as the page can tell.
    fn is_possible(&self) -> bool {
        match self.registration {
            Registration::Open => true,
            Registration::Invite => !self.invite.is_empty(),
            Registration::Closed => false,
        }
    }

    fn is_closed(&self) -> bool {
        self.registration == Registration::Closed
    }

    /// The error of the field with this label.
    fn why(&self, label: &str) -> Option<String> {
        let failure = self.failure.as_ref().filter(|failure| failure.field == Some(label))?;
        Some(failure.rule.said(self.frame.words))
    }

    /// The attributes that mark it as invalid.
    fn invalid(&self, label: &str) -> &'static str {
        match self.why(label) {
            Some(_) => r#" autofocus aria-invalid="true" aria-describedby="why""#,
            None => "",
        }
    }

    /// A visitor with an account keeps their invitation.
    fn login_address(&self) -> String {
        match self.invite {
            "" => "/login".to_owned(),
            code => address::with_query("/login", &[("next", &invitation_path(code))]),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct RegisterQuery {
    #[serde(default)]
    invite: String,
}

pub(super) async fn page(
    web: WebState,
    visit: Visit,
    Query(query): Query<RegisterQuery>,
) -> Result<Response, Failure> {
    let page = RegisterPage {
        frame: visit.frame(Section::None),
        name: "",
        email: "",
        invite: query.invite.trim(),
        registration: web.app.registration().await?,
        failure: None,
    };
    Ok(visit.greet(&web, render_with(StatusCode::OK, &page)))
}

#[derive(Deserialize)]
pub(super) struct RegistrationForm {
    name: String,
    email: String,
    password: String,
    #[serde(default)]
    invite: String,
}

pub(super) async fn register(
    web: WebState,
    visit: Visit,
    address: ClientAddress,
    headers: HeaderMap,
    Form(form): Form<RegistrationForm>,
) -> Result<Response, Failure> {
    match create(&web, address, &headers, &form).await {
        Ok((login, next)) => Ok(logged_in(&web, &login, next)),
        // Typed values, except the password, are kept to be corrected. An invalid invitation is
        // dropped.
        Err(
            failure @ (Failure::Wrong(..)
            | Failure::App(AppError::EmailTaken | AppError::RegistrationClosed)),
        ) => {
            let view = failure.view();
            let status = view.status;
            let is_refused = matches!(failure, Failure::App(AppError::RegistrationClosed));
            let page = RegisterPage {
                frame: visit.frame(Section::None),
                name: &form.name,
                email: &form.email,
                invite: if is_refused { "" } else { &form.invite },
                registration: web.app.registration().await?,
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
    form: &RegistrationForm,
) -> Result<(BrowserLogin, Response), Failure> {
    let name = PersonName::parse(form.name.trim()).map_err(wrong("register-name"))?;
    let email = Email::parse(form.email.trim()).map_err(wrong("field-email"))?;
    let password = Password::parse(&form.password).map_err(wrong("field-password"))?;
    let is_invited = !form.invite.trim().is_empty();
    if let Some(limits) = &web.account_limits {
        limits.check_registration(address)?;
        if is_invited {
            limits.check_invitation(address)?;
        }
    }
    let about = [email.as_str(), name.as_str()];
    let password = NewPassword::choose(password, &about).map_err(wrong("field-password"))?;
    let invite_code = read_code(&form.invite);
    let is_readable = invite_code.is_some();
    let mut new = NewAccount { email, password, name, invite_code };
    let login = if is_invited && !is_readable {
        Err(web.app.unknown_invitation())
    } else {
        web.app.register_in_browser(&new, label(headers)).await
    };
    match login {
        Ok(login) if is_invited => Ok((login, done("/stock", "joined"))),
        Ok(login) => Ok((login, see_other("/welcome"))),
        // If registration is open, the account is created nevertheless: the next page asks for
        // another code.
        Err(AppError::InviteNotFound) => {
            new.invite_code = None;
            let login = web.app.register_in_browser(&new, label(headers)).await?;
            let next = address::with_query("/welcome", &[("refused", &form.invite)]);
            Ok((login, see_other(&next)))
        }
        Err(error) => Err(error.into()),
    }
}
