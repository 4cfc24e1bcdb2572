//! Reading forms, and redirecting afterwards.

use std::convert::Infallible;

use axum::{
    body::to_bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use larder_app::IdempotentRequest;
use larder_storage::IdempotencyKey;
use serde::{Serialize, de::DeserializeOwned};

use crate::Failure;

/// The maximum size of our forms.
pub(crate) const MAX_FORM_BYTES: usize = 256 * 1024;

/// The fields of a form, by name; a repeated name is a list. The guard has checked its origin.
pub(crate) struct Form<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self, Failure> {
        let bytes =
            to_bytes(request.into_body(), MAX_FORM_BYTES).await.map_err(|_| Failure::TooLarge)?;
        serde_html_form::from_bytes(&bytes).map(Self).map_err(|error| {
            tracing::debug!(%error, "invalid form");
            Failure::Malformed
        })
    }
}

/// The query of a URL, in the same way.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default();
        serde_html_form::from_str(query).map(Self).map_err(|error| {
            tracing::debug!(%error, "invalid query");
            Failure::Malformed
        })
    }
}

/// The name that a script has given to a form that it may have to send again. Only names that follow
/// our rules count.
pub(crate) struct Resendable(pub(crate) Option<IdempotentRequest>);

impl<S: Sync> FromRequestParts<S> for Resendable {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let name = parts.headers.get("idempotency-key").and_then(|name| name.to_str().ok());
        let key = name.and_then(|name| IdempotencyKey::parse(name).ok());
        let digest = format!("{} {}", parts.method, parts.uri.path());
        Ok(Self(key.map(|key| IdempotentRequest { key, digest })))
    }
}

/// The initial values of a form, for a hidden field in it: by these, saving detects which values
/// the user changed.
pub(crate) fn base_of(fields: &impl Serialize) -> String {
    serde_json::to_string(fields).unwrap_or_default()
}

/// The initial values of a form; `None` if absent.
pub(crate) fn read_base<T: DeserializeOwned>(text: &str) -> Result<Option<T>, Failure> {
    if text.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(text).map(Some).map_err(|_| Failure::Malformed)
}

/// The number of attempts of an edit that conflicts with concurrent ones.
pub(crate) const EDIT_ATTEMPTS: usize = 5;

/// Redirects the browser to another page of ours, with GET.
pub(crate) fn see_other(to: &str) -> Response {
    let to = if is_ours(to) { to } else { "/" };
    (StatusCode::SEE_OTHER, [(header::LOCATION, to.to_owned())]).into_response()
}

/// The same with a confirmation: the message `notice-{notice}`.
pub(crate) fn done(to: &str, notice: &str) -> Response {
    let (to, fragment) = to.split_once('#').map_or((to, None), |(to, part)| (to, Some(part)));
    let join = if to.contains('?') { '&' } else { '?' };
    let fragment = fragment.map(|part| format!("#{part}")).unwrap_or_default();
    see_other(&format!("{to}{join}notice={notice}{fragment}"))
}

/// Where to return to: the form's value if it is a page of ours.
pub(crate) fn back_or<'a>(back: Option<&'a str>, otherwise: &'a str) -> &'a str {
    back.filter(|back| is_ours(back)).unwrap_or(otherwise)
}

/// Whether this is a path on our own server: one slash, and nothing that a browser would read as a
/// host or a header.
pub(crate) fn is_ours(path: &str) -> bool {
    let mut bytes = path.bytes();
    bytes.next() == Some(b'/')
        && !matches!(bytes.next(), Some(b'/' | b'\\'))
        && path.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_host() {
        for path in ["/stock", "/", "/stock?sort=name#item-1", "/%E7%B1%B3"] {
            assert_eq!(back_or(Some(path), "/x"), path);
        }
        for path in [
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "stock",
            "",
            "/a\r\nb",
            "/米",
        ] {
            assert_eq!(back_or(Some(path), "/x"), "/x", "{path:?}");
        }
        assert_eq!(see_other("//evil.example").headers()[header::LOCATION], "/");
    }

    #[test]
    fn a_notice_goes_into_the_query() {
        let location =
            |to| done(to, "me-renamed").headers()[header::LOCATION].to_str().unwrap().to_owned();
        assert_eq!(location("/stock"), "/stock?notice=me-renamed");
        assert_eq!(location("/stock?sort=name#a"), "/stock?sort=name&notice=me-renamed#a");
    }
}
