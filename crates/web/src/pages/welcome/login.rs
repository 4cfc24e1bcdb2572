//! Login and logout.

use askama::Template;
use axum::{
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{self, HeaderName},
    },
    response::Response,
};
use larder_app::{AppError, BrowserLogin, Registration};
use larder_domain::Whose;
use larder_http::{ClientAddress, try_login};
use serde::Deserialize;

use super::label::label;
use crate::{
    Failure, Form, Frame, Query, Section, Visit, Web, WebState, address, back_or, render_with,
    see_other,
    visit::{INVENTORY_COOKIE, KEPT},
};

#[derive(Template)]
#[template(path = "welcome/login.html")]
pub(super) struct LoginPage {
    frame: Frame,
    pub(super) email: String,
    pub(super) next: String,
    /// Who may register.
    registration: Registration,
    /// The error message.
    pub(super) failure: Option<String>,
    /// What people call the identity provider, if there is one.
    provider: Option<String>,
    /// Whether it answered when it was last asked.
    is_provider_reachable: bool,
}

impl LoginPage {
    pub(super) async fn new(web: &Web, visit: &Visit) -> Result<Self, AppError> {
        let provider = web.app.identity_provider();
        Ok(Self {
            frame: visit.frame(Section::None),
            email: String::new(),
            next: String::new(),
            registration: web.app.registration().await?,
            failure: None,
            is_provider_reachable: provider.is_none_or(|provider| provider.is_reachable),
            provider: provider.map(|provider| provider.name.to_owned()),
        })
    }

    fn provider_address(&self) -> String {
        address::with_query("/login/provider", &[("next", &self.next)])
    }

    /// A visitor without an account keeps their invitation.
    fn register_address(&self) -> String {
        address::with_query("/register", &[("invite", self.invite())])
    }

    fn invite(&self) -> &str {
        self.next.strip_prefix("/join/").unwrap_or_default()
    }

    fn can_register(&self) -> bool {
        match self.registration {
            Registration::Open => true,
            Registration::Invite => !self.invite().is_empty(),
            Registration::Closed => false,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct LoginQuery {
    next: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    visit: Visit,
    Query(query): Query<LoginQuery>,
) -> Result<Response, Failure> {
    let mut page = LoginPage::new(&web, &visit).await?;
    page.next = query.next.unwrap_or_default();
    Ok(visit.greet(&web, render_with(StatusCode::OK, &page)))
}

#[derive(Deserialize)]
pub(super) struct Credentials {
    email: String,
    password: String,
    #[serde(default)]
    next: String,
}

pub(super) async fn log_in(
    web: WebState,
    visit: Visit,
    address: ClientAddress,
    headers: HeaderMap,
    Form(credentials): Form<Credentials>,
) -> Result<Response, Failure> {
    let (app, label) = (&web.app, label(&headers));
    let try_password =
        |email, password| async move { app.login_in_browser(&email, &password, label).await };
    let limits = web.account_limits.as_deref();
    let email = credentials.email.trim();
    let login = try_login(limits, address, email, &credentials.password, try_password).await?;
    let login = match login {
        Ok(login) => login,
        Err(AppError::InvalidCredentials) => {
            let mut page = LoginPage::new(&web, &visit).await?;
            (page.email, page.next) = (credentials.email, credentials.next);
            page.failure = Some(visit.words.get("failure-credentials").into_owned());
            return Ok(render_with(StatusCode::UNAUTHORIZED, &page));
        }
        Err(error) => return Err(error.into()),
    };
    let next = see_other(back_or(Some(&credentials.next), "/"));
    Ok(logged_in(&web, &login, next))
}

/// Adds the session cookie of a new login.
pub(super) fn logged_in(web: &Web, login: &BrowserLogin, mut response: Response) -> Response {
    let cookie = web.cookies.set_session(&login.cookie, login.expires_at);
    response.headers_mut().append(header::SET_COOKIE, cookie);
    // Somebody else may have chosen before in this browser.
    let whose =
        web.cookies.set_plain(INVENTORY_COOKIE, Whose::Household.as_str(), web.app.now() + KEPT);
    response.headers_mut().append(header::SET_COOKIE, whose);
    response
}

/// Makes the browser delete its offline data.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

pub(super) async fn log_out(web: WebState, headers: HeaderMap) -> Result<Response, Failure> {
    if let Some(cookie) = web.cookies.session(&headers) {
        web.app.log_out_browser(cookie).await?;
    }
    let mut response = see_other("/login");
    log_out_here(&web, &mut response);
    Ok(response)
}

/// Makes the browser forget the session and its offline data.
pub(crate) fn log_out_here(web: &Web, response: &mut Response) {
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, web.cookies.clear_session());
    headers.insert(CLEAR_SITE_DATA, HeaderValue::from_static("\"cache\", \"storage\""));
}
