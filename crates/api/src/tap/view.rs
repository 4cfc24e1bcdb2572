//! Pages as HTML, with the headers that go with each of them.

use std::sync::LazyLock;

use askama::Template;
use axum::{
    Extension,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use larder_domain::{Item, TagStep, TapNonce};
use larder_http::{Problem, RenderedPage};
use sha2::{Digest, Sha256};

use super::{
    language::Language,
    words::{Notice, Words},
};

/// In the page itself, so that it needs no request of its own; the policy names it by its hash.
const STYLE: &str = include_str!("tap.css");

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'sha256-{hash}'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).expect("the policy is ASCII")
});

/// The page of a tag that works.
#[derive(Template)]
#[template(path = "tap.html")]
pub(super) struct TapView<'a> {
    pub(super) words: &'a Words,
    pub(super) item: &'a Item,
    pub(super) step: TagStep,
    /// What was done, or can be.
    pub(super) message: &'a str,
    /// Where the forms are sent, seen from the page's own address: a proxy may have put a path before it.
    pub(super) action: &'a str,
    /// For the form that takes and the one that puts back: either may be sent again after the other.
    pub(super) nonces: [&'a TapNonce; 2],
    /// Where the script is; without it the page only does what is pressed.
    pub(super) script: Option<&'a str>,
}

/// A page with nothing to do.
#[derive(Template)]
#[template(path = "notice.html")]
struct NoticeView<'a> {
    words: &'a Words,
    notice: &'a Notice,
}

impl TapView<'_> {
    pub(super) fn into_response(self) -> Response {
        respond(StatusCode::OK, &self)
    }
}

/// The page of something that cannot be.
pub(super) fn notice(status: StatusCode, language: Language, notice: &Notice) -> Response {
    respond(status, &NoticeView { words: Words::of(language), notice })
}

fn respond(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(body) => (status, headers(), Extension(RenderedPage), body).into_response(),
        Err(error) => Problem::internal(&error).into_response(),
    }
}

fn headers() -> [(HeaderName, HeaderValue); 6] {
    let fixed = HeaderValue::from_static;
    [
        (header::CONTENT_TYPE, fixed("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, POLICY.clone()),
        (header::CACHE_CONTROL, fixed("no-store")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (HeaderName::from_static("x-robots-tag"), fixed("noindex, nofollow")),
        (header::VARY, fixed("Accept-Language")),
    ]
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
