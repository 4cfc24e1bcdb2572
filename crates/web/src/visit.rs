//! Who looks at a page: anybody, somebody who is logged in, or a member of a household.

use std::sync::{Arc, OnceLock};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, Method, Uri, header, request::Parts},
    response::Response,
};
use jiff::{SignedDuration, Timestamp};
use larder_app::{AppError, BrowserCaller, Caller};
use larder_domain::{SessionId, Whose};

use crate::{
    Failure, Frame, Section, Web, WebState, Words, address,
    failure::previous_page,
    frame::{MOST_UNSEEN, Resident, Theme},
    language,
};

/// The cookie of a theme that somebody has chosen.
pub(crate) const THEME_COOKIE: &str = "larder_theme";

/// The cookie of the inventory that a member has chosen to look at.
pub(crate) const INVENTORY_COOKIE: &str = "larder_inventory";

/// The inventory of the page that a form was sent from.
#[derive(Clone, Copy)]
pub(crate) struct SentFrom(pub(crate) Whose);

/// A choice is kept for a year.
pub(crate) const KEPT: SignedDuration = SignedDuration::from_hours(365 * 24);

/// Somebody looks at a page: what the browser says of itself.
pub(crate) struct Visit {
    pub(crate) words: &'static Words,
    pub(crate) theme: Theme,
    /// The inventory that was chosen last.
    whose: Whose,
    /// The path and query that were asked for.
    pub(crate) at: String,
    /// What the last form did: the key of a message.
    notice: Option<String>,
    /// Proves that a form comes from a page of ours.
    csrf: String,
    /// The cookie of a browser that comes for the first time.
    new_visitor: Option<String>,
}

impl Visit {
    /// What can be said of a request before anybody is asked who it is from.
    pub(crate) fn of(web: &Web, headers: &HeaderMap, uri: &Uri) -> Self {
        let cookies = web.cookies;
        let words = Words::of(language::of_request(cookies, headers));
        let known = cookies.session(headers).or_else(|| cookies.visitor(headers));
        let new_visitor = known.is_none().then(|| web.app.visitor_cookie());
        let secret = known.or(new_visitor.as_deref()).unwrap_or_default();
        let whose = cookies.plain(headers, INVENTORY_COOKIE).and_then(|it| it.parse().ok());
        let whose = whose.unwrap_or(Whose::Household);
        Self {
            words,
            theme: Theme::chosen(cookies.plain(headers, THEME_COOKIE)),
            // A form that comes back here says what it did itself.
            at: uri.path_and_query().map_or_else(
                || "/".to_owned(),
                |address| address::without(address.as_str(), "notice"),
            ),
            notice: notice(uri.query()).filter(|key| words.has(key)),
            csrf: web.app.csrf_token(secret, whose),
            whose,
            new_visitor,
        }
    }

    /// What goes around a page of nobody in particular.
    pub(crate) fn frame(&self, section: Section) -> Frame {
        Frame {
            words: self.words,
            theme: self.theme,
            section,
            csrf: self.csrf.clone(),
            at: self.at.clone(),
            notice: self.notice.as_deref().map(|key| self.words.get(key).into_owned()),
            resident: None,
        }
    }

    /// Has a browser that came for the first time be recognised when it sends the form.
    pub(crate) fn greet(&self, web: &Web, mut response: Response) -> Response {
        if let Some(visitor) = &self.new_visitor {
            response.headers_mut().append(header::SET_COOKIE, web.cookies.set_visitor(visitor));
        }
        response
    }
}

/// The key of the notice that the query names.
fn notice(query: Option<&str>) -> Option<String> {
    let mut pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    let (_, name) = pairs.find(|(key, _)| *key == "notice")?;
    Some(format!("notice-{name}"))
}

impl FromRequestParts<WebState> for Visit {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Failure> {
        Ok(Self::of(web, &parts.headers, &parts.uri))
    }
}

/// Somebody who is logged in, with or without a household.
pub(crate) struct Person {
    pub(crate) visit: Visit,
    pub(crate) caller: Caller,
    pub(crate) session: SessionId,
    /// How many notifications nobody has acknowledged, up to [`MOST_UNSEEN`].
    unseen: usize,
}

impl Person {
    /// Somebody whose session the request carries, with what goes around their pages.
    pub(crate) async fn of(
        web: &Web,
        mut visit: Visit,
        headers: &HeaderMap,
        known: BrowserCaller,
    ) -> Result<Self, AppError> {
        let BrowserCaller { caller, session, .. } = known;
        if let Some(language) = language::chosen(web.cookies, headers).or(caller.user().language) {
            visit.words = Words::of(language);
        }
        // What a script reads for itself has no bell.
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        let unseen = match accept {
            Some(accept) if accept.contains("text/html") => {
                web.app.count_active_notifications(&caller, MOST_UNSEEN).await?
            }
            _ => 0,
        };
        Ok(Self { visit, caller, session, unseen })
    }

    /// What goes around a page of theirs.
    pub(crate) fn frame(&self, section: Section) -> Frame {
        let resident = Resident {
            name: self.caller.user().name.as_str().to_owned(),
            is_admin: self.caller.is_admin(),
            has_household: self.caller.user().membership.is_some(),
            whose: self.caller.whose(),
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
                    // Asked once for a request, so it is empty.
                    let _ = noted.set(until);
                }
                Ok(Self::of(web, visit, &parts.headers, known).await?)
            }
            None => Err(Failure::Elsewhere(login_address(web, parts, &visit.at))),
        }
    }
}

/// The login page. It leads back to the page that was asked for, or to the one with the form, and
/// tells those who were logged in why they are asked again.
fn login_address(web: &Web, parts: &Parts, at: &str) -> String {
    let asks_for_page = matches!(parts.method, Method::GET | Method::HEAD);
    let next = if asks_for_page { Some(at.to_owned()) } else { previous_page(&parts.headers, at) };
    let was_logged_in = web.cookies.session(&parts.headers).is_some();
    let notice = if was_logged_in { "login-ended" } else { "" };
    address::with_query("/login", &[("next", &next.unwrap_or_default()), ("notice", notice)])
}

/// Somebody with an inventory: of their household, or their own, which members choose. A form is
/// for the inventory of the page that it was sent from.
pub(crate) struct Keeper(pub(crate) Person);

impl std::ops::Deref for Keeper {
    type Target = Person;

    fn deref(&self) -> &Person {
        &self.0
    }
}

impl FromRequestParts<WebState> for Keeper {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &WebState) -> Result<Self, Failure> {
        let mut person = Person::from_request_parts(parts, web).await?;
        let visit = &mut person.visit;
        if let Some(SentFrom(whose)) = parts.extensions.get().copied() {
            visit.whose = whose;
        }
        if visit.whose == Whose::Personal {
            let secret = web.cookies.session(&parts.headers).unwrap_or_default();
            visit.csrf = web.app.csrf_token(secret, visit.whose);
            let own = person.caller.clone().looking_at(Whose::Personal);
            person.caller = own.unwrap_or(person.caller);
        }
        Ok(Self(person))
    }
}

/// A member of a household: for whom pages are that only a household has.
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

/// Whose session the request carries, if it is one.
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

/// Where the session of a request is noted to have been extended: its browser is to keep the cookie for longer too.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extension(Arc<OnceLock<Timestamp>>);

impl Extension {
    /// Until when the session is good now, if that has changed.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.0.get().copied()
    }
}
