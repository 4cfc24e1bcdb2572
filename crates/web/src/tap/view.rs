//! Pages as HTML, with their headers.

use std::sync::LazyLock;

use askama::Template;
use axum::{
    Extension,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use larder_domain::{Item, Quantity, TagStep, TapNonce};
use larder_http::{Problem, RenderedPage};
use larder_storage::TapDone;
use sha2::{Digest, Sha256};

use super::member::MemberView;
use crate::{Words, format::amount};

/// Inline, so that it needs no request; the policy allows it by its hash.
const STYLE: &str =
    concat!(include_str!("../../assets/colours.css"), include_str!("../../assets/tap.css"));

/// The request headers that responses depend on.
pub(super) const VARY: HeaderValue = HeaderValue::from_static("Cookie, Accept-Language");

static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'sha256-{hash}'; connect-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).expect("the policy is ASCII")
});

/// The page of an active tag.
#[derive(Template)]
#[template(path = "tap/page.html")]
pub(super) struct TapView<'a> {
    pub(super) words: &'static Words,
    pub(super) item: &'a Item,
    /// What only members of the household see.
    pub(super) member: Option<MemberView>,
    /// Whether all lots of its product are low together.
    pub(super) is_low: bool,
    pub(super) step: TagStep,
    /// The result of the tap, or the prompt.
    pub(super) message: &'a str,
    /// The target of the forms, relative to the page's own URL: a proxy may have added a prefix.
    pub(super) action: &'a str,
    /// For the forms that take and put back: either may be sent again after the other.
    pub(super) nonces: [&'a TapNonce; 2],
    /// The URL of the script; without it the page only reacts to its buttons.
    pub(super) script: Option<&'a str>,
}

impl TapView<'_> {
    /// The current quantity.
    fn left(&self) -> String {
        let details = &self.item.details;
        if details.is_depleted() {
            return self.words.get("tap-used-up").into_owned();
        }
        with_amount(self.words, "tap-left", &amount(details.quantity, &details.unit))
    }

    /// The same with a placeholder for the script.
    fn left_pattern(&self) -> String {
        with_amount(self.words, "tap-left", "{}")
    }

    /// Whether to say that it is running low: not when there is nothing left.
    fn shows_low(&self) -> bool {
        self.is_low && !self.item.details.is_depleted()
    }

    fn step(&self) -> String {
        amount(quantity(self.step.hundredths()), &self.item.details.unit)
    }

    /// The label of the button that takes.
    fn take(&self) -> String {
        with_amount(self.words, "tap-take", &self.step())
    }

    /// The label of the button that puts back.
    fn put_back(&self) -> String {
        with_amount(self.words, "tap-put-back", &self.step())
    }

    pub(super) fn into_response(self) -> Response {
        respond(StatusCode::OK, &self)
    }
}

/// The message after a tap.
pub(super) fn done(words: &Words, tap: &TapDone) -> String {
    let details = &tap.item.details;
    let key = match tap.applied_hundredths {
        0 => return words.get("tap-nothing-left").into_owned(),
        1.. => "tap-was-put-back",
        _ if details.is_depleted() => "tap-took-last",
        _ => "tap-took",
    };
    with_amount(words, key, &amount(quantity(tap.applied_hundredths.abs()), &details.unit))
}

fn quantity(hundredths: i64) -> Quantity {
    Quantity::from_hundredths(hundredths).expect("no tap takes more than an item can hold")
}

fn with_amount(words: &Words, key: &str, amount: &str) -> String {
    words.with(key, &[("amount", amount.into())])
}

/// The message for a failed tap: the keys of two texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notice {
    title: &'static str,
    pub(super) text: &'static str,
}

pub(super) const UNKNOWN: Notice = Notice { title: "tap-unknown-title", text: "tap-unknown-text" };
pub(super) const ROTATED: Notice = Notice { title: "tap-rotated-title", text: "tap-rotated-text" };
pub(super) const ITEM_DELETED: Notice =
    Notice { title: "tap-item-deleted-title", text: "tap-item-deleted-text" };
pub(super) const OVERFLOW: Notice =
    Notice { title: "tap-overflow-title", text: "tap-overflow-text" };
pub(super) const RATE_LIMITED: Notice =
    Notice { title: "tap-rate-limited-title", text: "tap-rate-limited-text" };
pub(super) const INVALID: Notice = Notice { title: "tap-failed-title", text: "tap-invalid-text" };
pub(super) const FAILED: Notice = Notice { title: "tap-failed-title", text: "tap-failed-text" };

/// A page without forms.
#[derive(Template)]
#[template(path = "tap/notice.html")]
struct NoticeView {
    words: &'static Words,
    notice: Notice,
    /// The way into the app, for members of the household.
    link: Option<String>,
}

/// The page of a failed tap.
pub(super) fn notice(
    status: StatusCode,
    words: &'static Words,
    notice: Notice,
    link: Option<String>,
) -> Response {
    respond(status, &NoticeView { words, notice, link })
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
        (header::VARY, VARY),
    ]
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
