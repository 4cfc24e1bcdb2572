//! The visitor of a page: anyone, a logged-in user, or a member of a household.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Uri, header, request::Parts},
    response::Response,
};
use jiff::Timestamp;
use larder_app::{AppError, BrowserCaller, Caller};
use larder_domain::SessionId;

use crate::{
    address,
    failure::Failure,
    frame::{Frame, MOST_UNSEEN, Resident, Section, Theme},
    language,
    state::{Web, WebState},
    words::Words,
};

/// The cookie of the chosen theme.
pub(crate) const THEME_COOKIE: &str = "larder_theme";

/// A visit by any browser.
pub(crate) struct Visit {
    pub(crate) words: &'static Words,
    pub(crate) theme: Theme,
    /// The requested path and query.
    pub(crate) at: String,
    /// The confirmation of the last form: the key of a message.
    notice: Option<String>,
    /// The CSRF token.
    csrf: String,
    /// The cookie for a new visitor.
    new_visitor: Option<String>,
}

impl Visit {
    /// The visit of a request, before authentication.
    pub(crate) fn of(web: &Web, headers: &HeaderMap, uri: &Uri) -> Self {
        let cookies = web.cookies;
        let words = Words::of(language::of_request(cookies, headers));
        let known = cookies.session(headers).or_else(|| cookies.visitor(headers));
        let new_visitor = known.is_none().then(|| web.app.visitor_cookie());
        let secret = known.or(new_visitor.as_deref()).unwrap_or_default();
        Self {
            words,
            theme: Theme::chosen(cookies.plain(headers, THEME_COOKIE)),
            // A form that returns here sets its own notice.
            at: uri.path_and_query().map_or_else(
                || "/".to_owned(),
                |address| address::without(address.as_str(), "notice"),
            ),
            notice: notice(uri.query(), words),
            csrf: web.app.csrf_token(secret),
            new_visitor,
        }
    }

    /// The layout without a user.
    pub(crate) fn frame(&self, section: Section) -> Frame {
        Frame {
            words: self.words,
            theme: self.theme,
            section,
            csrf: self.csrf.clone(),
            at: self.at.clone(),
            notice: self.notice.clone(),
            resident: None,
        }
    }

    /// Sets the cookie of a new visitor, which their forms are verified by.
    pub(crate) fn greet(&self, web: &Web, mut response: Response) -> Response {
        if let Some(visitor) = &self.new_visitor {
            response.headers_mut().append(header::SET_COOKIE, web.cookies.set_visitor(visitor));
        }
        response
    }
}

/// The message of the notice in the query, if there is one.
fn notice(query: Option<&str>, words: &Words) -> Option<String> {
    let mut pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, name) = pairs.find(|(key, _)| *key == "notice")?;
    let key = format!("notice-{name}");
    words.has(&key).then(|| words.get(&key).into_owned())
}

impl FromRequestParts<WebState> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Failure> {
        Ok(Self::of(web, &parts.headers, &parts.uri))
    }
}

/// A logged-in user, with or without a household.
pub(crate) struct Person {
    pub(crate) visit: Visit,
    pub(crate) caller: Caller,
    pub(crate) session: SessionId,
    /// The number of unacknowledged notifications, up to [`MOST_UNSEEN`].
    unseen: usize,
}

impl Person {
    /// The user of the request's session, with the data of their layout.
    pub(crate) async fn of(
        web: &Web,
        visit: Visit,
        headers: &HeaderMap,
        known: BrowserCaller,
    ) -> Result<Self, AppError> {
        let BrowserCaller { caller, session, .. } = known;
        // Requests by scripts have no bell.
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        let unseen = match accept {
            Some(accept) if accept.contains("text/html") => {
                web.app.count_active_notifications(&caller, MOST_UNSEEN).await?
            }
            _ => 0,
        };
        Ok(Self { visit, caller, session, unseen })
    }

    /// The layout of their pages.
    pub(crate) fn frame(&self, section: Section) -> Frame {
        let resident = Resident {
            name: self.caller.user().name.as_str().to_owned(),
            is_admin: self.caller.is_admin(),
            has_household: self.caller.membership().is_some(),
            unseen: self.unseen,
        };
        Frame { resident: Some(resident), ..self.visit.frame(section) }
    }
}

impl FromRequestParts<WebState> for Person {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Failure> {
        let visit = Visit::of(web, &parts.headers, &parts.uri);
        match identify(web, &parts.headers).await? {
            Some(known) => {
                let noted = parts.extensions.get::<Extension>();
                if let (Some(until), Some(Extension(noted))) = (known.renewed_until, noted) {
                    // Set only once per request, so it is empty.
                    let _ = noted.set(until);
                }
                Ok(Self::of(web, visit, &parts.headers, known).await?)
            }
            None => Err(Failure::Elsewhere(address::with_query("/login", &[("next", &visit.at)]))),
        }
    }
}

/// A member of a household: the visitor of most pages.
pub(crate) struct Member(pub(crate) Person);

impl std::ops::Deref for Member {
    type Target = Person;

    fn deref(&self) -> &Person {
        &self.0
    }
}

impl FromRequestParts<WebState> for Member {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Failure> {
        let person = Person::from_request_parts(parts, web).await?;
        if person.caller.membership().is_none() {
            return Err(Failure::Elsewhere("/welcome".to_owned()));
        }
        Ok(Self(person))
    }
}

/// The user of the request's session, if it is valid.
pub(crate) async fn identify(
    web: &Web,
    headers: &HeaderMap,
) -> Result<Option<BrowserCaller>, AppError> {
    let Some(secret) = web.cookies.session(headers) else { return Ok(None) };
    match web.app.authenticate_browser(secret).await {
        Ok(caller) => Ok(Some(caller)),
        Err(AppError::Unauthenticated) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Records that the session of a request was extended, so that the cookie is extended too.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extension(Arc<OnceLock<Timestamp>>);

impl Extension {
    /// The new expiry of the session, if it has changed.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.0.get().copied()
    }
}
