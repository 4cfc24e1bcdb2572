//! The browser's cookies: sessions, and visitors before login.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use cookie::{Cookie, CookieBuilder, Expiration, SameSite, time::OffsetDateTime};
use jiff::Timestamp;

use crate::PublicUrl;

/// The header in which a script proves that its page is ours.
pub const CSRF_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");

/// The names and attributes of our cookies, which depend on whether people reach us over TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionCookies {
    is_secure: bool,
}

impl SessionCookies {
    /// For a server that people reach at this address.
    pub fn for_public_url(public_url: &PublicUrl) -> Self {
        Self { is_secure: public_url.is_https() }
    }

    /// Whether people reach the server over TLS.
    pub const fn is_secure(self) -> bool {
        self.is_secure
    }

    /// The secret of a session that the request carries.
    pub fn session(self, headers: &HeaderMap) -> Option<&str> {
        find(headers, self.session_name())
    }

    /// Identifies a browser without a session between a form and its submission.
    pub fn visitor(self, headers: &HeaderMap) -> Option<&str> {
        find(headers, self.visitor_name())
    }

    /// Any other cookie, such as a choice of language.
    pub fn plain<'a>(self, headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
        find(headers, name)
    }

    /// Sets the session cookie until `until`.
    pub fn set_session(self, secret: &str, until: Timestamp) -> HeaderValue {
        self.set(self.session_name(), secret, Some(until))
    }

    /// Has the browser forget its session.
    pub fn clear_session(self) -> HeaderValue {
        self.set(self.session_name(), "", Some(Timestamp::UNIX_EPOCH))
    }

    /// Has the browser be recognised until it is closed.
    pub fn set_visitor(self, secret: &str) -> HeaderValue {
        self.set(self.visitor_name(), secret, None)
    }

    /// What the browser has to keep while somebody logs in elsewhere.
    pub fn sign_on(self, headers: &HeaderMap) -> Option<&str> {
        find(headers, self.sign_on_name())
    }

    /// Has the browser keep it until `until`.
    pub fn set_sign_on(self, value: &str, until: Timestamp) -> HeaderValue {
        self.set(self.sign_on_name(), value, Some(until))
    }

    /// Has the browser forget it.
    pub fn clear_sign_on(self) -> HeaderValue {
        self.set(self.sign_on_name(), "", Some(Timestamp::UNIX_EPOCH))
    }

    /// Sets a preference, which is not secret.
    pub fn set_plain(self, name: &str, value: &str, until: Timestamp) -> HeaderValue {
        self.set(name, value, Some(until))
    }

    /// Sets a preference that scripts of our pages change too.
    pub fn set_shared(self, name: &str, value: &str, until: Timestamp) -> HeaderValue {
        let until = OffsetDateTime::from_unix_timestamp(until.as_second());
        let expires = until.map_or(Expiration::Session, Expiration::DateTime);
        printed(&self.begin(name, value).expires(expires).build())
    }

    /// `__Host-` prevents a neighbouring subdomain from planting our cookie; browsers accept it
    /// only over TLS.
    const fn session_name(self) -> &'static str {
        if self.is_secure { "__Host-larder_session" } else { "larder_session" }
    }

    const fn visitor_name(self) -> &'static str {
        if self.is_secure { "__Host-larder_visitor" } else { "larder_visitor" }
    }

    const fn sign_on_name(self) -> &'static str {
        if self.is_secure { "__Host-larder_sign_on" } else { "larder_sign_on" }
    }

    fn set(self, name: &str, value: &str, until: Option<Timestamp>) -> HeaderValue {
        let expires =
            match until.map(|until| OffsetDateTime::from_unix_timestamp(until.as_second())) {
                Some(Ok(at)) => Expiration::DateTime(at),
                _ => Expiration::Session,
            };
        printed(&self.begin(name, value).http_only(true).expires(expires).build())
    }

    fn begin<'a>(self, name: &'a str, value: &'a str) -> CookieBuilder<'a> {
        Cookie::build((name, value)).path("/").secure(self.is_secure).same_site(SameSite::Lax)
    }
}

fn printed(cookie: &Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).expect("our cookies are printable ASCII")
}

/// Whether the browser reports a cross-site request.
pub fn comes_from_another_site(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site")
}

fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        values.flat_map(|value| value.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SessionCookies = SessionCookies { is_secure: false };
    const SECURE: SessionCookies = SessionCookies { is_secure: true };

    fn carrying(cookie: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(cookie))])
    }

    #[test]
    fn a_session_is_found_among_other_cookies() {
        let headers = carrying("theme=dark; larder_session=abc_-; other=1");
        assert_eq!(PLAIN.session(&headers), Some("abc_-"));
        assert_eq!(PLAIN.plain(&headers, "theme"), Some("dark"));
        assert_eq!(PLAIN.visitor(&headers), None);
    }

    #[test]
    fn over_tls_a_cookie_without_the_prefix_counts_for_nothing() {
        assert_eq!(SECURE.session(&carrying("larder_session=planted")), None);
        assert_eq!(SECURE.session(&carrying("__Host-larder_session=ours")), Some("ours"));
    }

    #[test]
    fn scripts_and_other_sites_never_see_it() {
        let until: Timestamp = "2026-02-03T04:05:06Z".parse().unwrap();
        assert_eq!(
            SECURE.set_session("abc", until),
            "__Host-larder_session=abc; HttpOnly; SameSite=Lax; Secure; Path=/; Expires=Tue, 03 Feb 2026 04:05:06 GMT"
        );
        assert_eq!(PLAIN.set_visitor("v"), "larder_visitor=v; HttpOnly; SameSite=Lax; Path=/");
        assert_eq!(
            PLAIN.clear_session(),
            "larder_session=; HttpOnly; SameSite=Lax; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        );
    }

    #[test]
    fn a_shared_preference_is_for_scripts_too() {
        let until: Timestamp = "2026-02-03T04:05:06Z".parse().unwrap();
        assert_eq!(
            SECURE.set_shared("larder_shop", "any", until),
            "larder_shop=any; SameSite=Lax; Secure; Path=/; Expires=Tue, 03 Feb 2026 04:05:06 GMT"
        );
    }

    #[test]
    fn a_browser_says_where_a_request_comes_from() {
        let from = |site| {
            HeaderMap::from_iter([(
                HeaderName::from_static("sec-fetch-site"),
                HeaderValue::from_static(site),
            )])
        };
        assert!(comes_from_another_site(&from("cross-site")));
        assert!(comes_from_another_site(&from("same-site")));
        assert!(!comes_from_another_site(&from("same-origin")));
        assert!(!comes_from_another_site(&from("none")));
        assert!(!comes_from_another_site(&HeaderMap::new()));
    }
}
