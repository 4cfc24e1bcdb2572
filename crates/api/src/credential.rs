//! The credential of a request: a bearer token, or a browser's session cookie.

use axum::http::{Method, header, request::Parts};
use larder_app::{AppError, Caller, FleetCaller, Result};
use larder_domain::{SessionId, TokenNeed};
use larder_http::{CSRF_HEADER, comes_from_another_site};

use crate::{Api, ApiError, problems::csrf_token_invalid};

/// The credential of a request, which can be verified repeatedly.
#[derive(Clone)]
pub(crate) enum Credential {
    /// The token of the `Authorization` header.
    Bearer(String),
    /// The session cookie, which a browser sends automatically.
    Cookie(String),
}

impl Credential {
    /// The credential of the request. The cookie is only used without an `Authorization` header.
    /// Because a browser also sends it for requests of other sites, changes require the CSRF token
    /// of one of our own pages.
    pub(crate) fn of(parts: &Parts, api: &Api) -> Result<Self, ApiError> {
        if let Some(value) = parts.headers.get(header::AUTHORIZATION) {
            let token = value.to_str().ok().and_then(bearer_token);
            return Ok(Self::Bearer(token.ok_or(AppError::Unauthenticated)?.to_owned()));
        }
        let cookie = api.cookies.session(&parts.headers).ok_or(AppError::Unauthenticated)?;
        if !is_safe(&parts.method) {
            let token = parts.headers.get(CSRF_HEADER).and_then(|token| token.to_str().ok());
            let is_ours = token.is_some_and(|token| api.app.is_csrf_token(cookie, token));
            if !is_ours || comes_from_another_site(&parts.headers) {
                return Err(csrf_token_invalid().into());
            }
        }
        Ok(Self::Cookie(cookie.to_owned()))
    }

    /// The user with their current membership. If it is a program's token, it must be enough for
    /// this need.
    pub(crate) async fn caller(&self, api: &Api, need: TokenNeed) -> Result<Caller> {
        match self {
            Self::Bearer(token) => api.app.authenticate(token, need).await,
            Self::Cookie(cookie) => Ok(api.app.recognize_browser(cookie).await?.caller),
        }
    }

    /// The user who has logged in, with the browser's session. An access token has none.
    pub(crate) async fn caller_in_session(&self, api: &Api) -> Result<(Caller, Option<SessionId>)> {
        match self {
            Self::Bearer(token) => Ok((api.app.authenticate(token, TokenNeed::Login).await?, None)),
            Self::Cookie(cookie) => {
                let browser = api.app.recognize_browser(cookie).await?;
                Ok((browser.caller, Some(browser.session)))
            }
        }
    }

    /// The same as [`Self::caller`], also accepting the operator, who has no browser.
    pub(crate) async fn fleet_caller(&self, api: &Api, need: TokenNeed) -> Result<FleetCaller> {
        match self {
            Self::Bearer(token) => api.app.authenticate_for_fleet(token, need).await,
            Self::Cookie(cookie) => {
                Ok(FleetCaller::Person(api.app.recognize_browser(cookie).await?.caller))
            }
        }
    }
}

fn bearer_token(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether requests with this method change nothing. Not all safe methods of HTTP: only those of
/// our routes.
fn is_safe(method: &Method) -> bool {
    [Method::GET, Method::HEAD].contains(method)
}
