//! Errors as pages: what happened, and what to do now.

use std::fmt;

use askama::Template;
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use larder_app::{AppError, ErrorKind};
use larder_http::{InvalidCursor, RateLimited, status_of};

use crate::{
    Frame, Person, Rule, Section, Visit, Web,
    form::is_ours,
    render_with,
    retry::{Retry, input_of},
    see_other,
    visit::identify,
};

/// Why a request has no page, or another one.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of a use case.
    App(AppError),
    /// There is no page at this URL.
    NotFound,
    /// The form has an invalid or outdated CSRF token.
    Forged,
    /// A form or query that no page of ours sends.
    Malformed,
    /// A form that is longer than any of ours.
    TooLarge,
    /// This field, by the key of its label, violates a rule that only its hint states.
    Invalid(&'static str),
    /// This field, by the key of its label, violates this rule.
    Wrong(&'static str, Rule),
    /// Too many requests.
    RateLimited(RateLimited),
    /// A redirect to another page.
    Elsewhere(String),
}

/// Names the field, by the key of its label, that violates a domain rule.
pub(crate) fn wrong<E: Into<Rule>>(label: &'static str) -> impl FnOnce(E) -> Failure {
    move |error| Failure::Wrong(label, error.into())
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<InvalidCursor> for Failure {
    fn from(_: InvalidCursor) -> Self {
        Self::Malformed
    }
}

impl From<RateLimited> for Failure {
    fn from(limited: RateLimited) -> Self {
        Self::RateLimited(limited)
    }
}

/// The content of a failure page. The guard renders it, because it knows the visitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FailureView {
    pub(crate) status: StatusCode,
    /// The key of the message.
    pub(crate) message: &'static str,
    /// The key of the label of the invalid field.
    pub(crate) field: Option<&'static str>,
    /// The violated rule.
    pub(crate) rule: Rule,
    pub(crate) retry_after_seconds: Option<u64>,
}

impl FailureView {
    const fn new(status: StatusCode, message: &'static str) -> Self {
        Self { status, message, field: None, rule: Rule::Unstated, retry_after_seconds: None }
    }

    const fn wrong(field: &'static str, rule: Rule) -> Self {
        let view = Self::new(StatusCode::BAD_REQUEST, "failure-invalid");
        Self { field: Some(field), rule, ..view }
    }

    /// The message as a sentence.
    pub(crate) fn said(&self, frame: &Frame) -> String {
        match self.field {
            Some(field) => {
                let (field, rule) = (frame.t(field), self.rule.said(frame.words));
                frame.t2(self.message, ("field", field), ("rule", rule))
            }
            None => frame.t(self.message).into_owned(),
        }
    }
}

impl Failure {
    /// The failure for handlers that show it beside their form.
    pub(crate) fn view(&self) -> FailureView {
        match self {
            Self::App(error) => view_of(error),
            Self::NotFound | Self::Elsewhere(_) => {
                FailureView::new(StatusCode::NOT_FOUND, "failure-not-found")
            }
            Self::Forged => FailureView::new(StatusCode::FORBIDDEN, "failure-forged"),
            Self::Malformed => FailureView::new(StatusCode::BAD_REQUEST, "failure-malformed"),
            Self::TooLarge => FailureView::new(StatusCode::PAYLOAD_TOO_LARGE, "failure-too-large"),
            Self::Invalid(field) => FailureView::wrong(field, Rule::Unstated),
            Self::Wrong(field, rule) => FailureView::wrong(field, *rule),
            Self::RateLimited(limited) => FailureView {
                retry_after_seconds: Some(limited.retry_after.as_secs() + 1),
                ..FailureView::new(StatusCode::TOO_MANY_REQUESTS, "failure-too-often")
            },
        }
    }
}

/// The content for an error: the status follows from its kind.
fn view_of(error: &AppError) -> FailureView {
    let kind = error.kind();
    match error {
        AppError::AmountRequired => return FailureView::wrong("field-quantity", Rule::Missing),
        AppError::UnitRequired => return FailureView::wrong("field-unit", Rule::Missing),
        AppError::Storage(cause) => log(kind, cause),
        AppError::Defect(cause) => log(kind, cause),
        _ => {}
    }
    let message = message_of(error).unwrap_or_else(|| message_of_kind(kind));
    FailureView::new(status_of(kind), message)
}

fn log(kind: ErrorKind, cause: &dyn fmt::Display) {
    match kind {
        ErrorKind::Defect => tracing::error!(%cause, "page failed"),
        ErrorKind::Unavailable => tracing::warn!(%cause, "page failed"),
        _ => {}
    }
}

/// The key of an error's own message.
const fn message_of(error: &AppError) -> Option<&'static str> {
    let key = match error {
        AppError::InvalidCredentials => "failure-credentials",
        AppError::RegistrationClosed => "failure-registration-closed",
        AppError::MailUnavailable => "failure-mail-unavailable",
        AppError::ResetLinkExpired => "reset-refused",
        AppError::EmailTaken => "failure-email-taken",
        AppError::AdminRequired | AppError::GrantNotAllowed => "failure-admin-required",
        AppError::AlreadyInHousehold => "failure-already-in-household",
        AppError::InviteNotFound => "failure-invite-not-found",
        AppError::LastAdmin => "failure-last-admin",
        AppError::NameNotConfirmed => "failure-name-not-confirmed",
        AppError::NameTaken => "failure-name-taken",
        AppError::UnitMismatch(_) => "failure-unit-mismatch",
        AppError::LotsUnitMismatch => "failure-lots-unit",
        AppError::LotsNotExact => "failure-lots-exact",
        AppError::DuplicateItem(_) => "failure-duplicate-item",
        AppError::DuplicateProduct(_) => "failure-duplicate-product",
        AppError::BarcodeTaken(_) => "failure-barcode-taken",
        AppError::TooManyBarcodes => "failure-too-many-barcodes",
        AppError::ProductHasLots(_) => "failure-product-has-lots",
        AppError::NotEnough(_) => "failure-not-enough",
        AppError::TooManyLotsAtOnce => "failure-too-many-lots",
        AppError::QuotaExceeded(_) => "failure-quota-exceeded",
        AppError::TooManyProgramTokens(_) => "failure-too-many-tokens",
        AppError::ImageRefused(_) => "failure-image-refused",
        AppError::NothingToUndo => "failure-nothing-to-undo",
        AppError::DuplicateShoppingItem(_) => "failure-duplicate-shopping",
        AppError::Cycle | AppError::SelfLink => "failure-cycle",
        AppError::ResourceExists | AppError::UniqueKeyTaken(_) => "failure-unique-taken",
        AppError::ReservedResourceType => "failure-reserved-type",
        AppError::SchemaTooNew => "failure-schema-too-new",
        // Users without a household are redirected to the welcome page instead.
        AppError::HouseholdRequired => "failure-not-found",
        _ => return None,
    };
    Some(key)
}

/// The key of the message of all other errors of a kind.
const fn message_of_kind(kind: ErrorKind) -> &'static str {
    match kind {
        // Missing and forbidden are indistinguishable. Without a login, the user is redirected to
        // it instead.
        ErrorKind::NotFound | ErrorKind::Forbidden | ErrorKind::Unauthenticated => {
            "failure-not-found"
        }
        ErrorKind::Gone => "failure-tag-gone",
        ErrorKind::Conflict => "failure-changed-meanwhile",
        ErrorKind::Invalid => "failure-choice-gone",
        ErrorKind::Unprocessable => "failure-quantity-overflow",
        ErrorKind::TooLarge => "failure-too-large",
        ErrorKind::Unavailable => "failure-unavailable",
        ErrorKind::Defect => "failure-internal",
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Elsewhere(to) => see_other(&to),
            Self::App(AppError::Unauthenticated) => see_other("/login"),
            Self::App(AppError::NoHousehold | AppError::HouseholdRequired) => see_other("/welcome"),
            other => {
                let view = other.view();
                let mut response = view.status.into_response();
                response.extensions_mut().insert(view);
                response
            }
        }
    }
}

/// The fallback for unknown URLs: a page for people, and the API's problem for all others.
pub(crate) async fn not_found(request: Request) -> Response {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let is_person = accept.is_some_and(|accept| accept.contains("text/html"));
    if is_person {
        Failure::NotFound.into_response()
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

#[derive(Template)]
#[template(path = "failure.html")]
struct FailurePage<'a> {
    frame: Frame,
    message: String,
    /// The form's name of the invalid field.
    field: Option<&'static str>,
    /// The violated rule.
    rule: String,
    retry: Option<Retry<'a>>,
    /// The page that led here.
    back: Option<String>,
    is_missing: bool,
}

impl FailurePage<'_> {
    /// The key of the heading.
    const fn title(&self) -> &'static str {
        if self.is_missing { "failure-missing-title" } else { "failure-title" }
    }
}

/// The page of ours that a request came from, unless it is the same.
pub(crate) fn previous_page(headers: &HeaderMap, at: &str) -> Option<String> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let (_, address) = text(header::REFERER)?.split_once("://")?;
    let path = address.strip_prefix(text(header::HOST)?)?;
    (path != at && is_ours(path)).then(|| path.to_owned())
}

/// The page of a failure. If one field of a form is invalid, it can be corrected there, also
/// without JavaScript.
pub(crate) async fn failure_page(
    web: &Web,
    visit: &Visit,
    headers: &HeaderMap,
    view: &FailureView,
    form: &[u8],
) -> Response {
    // Logged-in users keep their navigation; if the session cannot be read now, the page is
    // plainer.
    let frame = match identify(web, headers).await {
        Ok(Some(known)) => {
            let visit_of_them = Visit::of(web, headers, &visit.at.parse().unwrap_or_default());
            match Person::of(web, visit_of_them, headers, known).await {
                Ok(person) => person.frame(Section::None),
                Err(_) => visit.frame(Section::None),
            }
        }
        _ => visit.frame(Section::None),
    };
    // A form that asks for a page sends its fields in the address.
    let retry = match visit.at.split_once('?') {
        Some((path, query)) if form.is_empty() => Retry::of(view, query.as_bytes(), path, "get"),
        _ => Retry::of(view, form, &visit.at, "post"),
    };
    let page = FailurePage {
        message: view.said(&frame),
        field: view.field.map(input_of),
        rule: view.rule.said(frame.words),
        retry,
        back: previous_page(headers, &visit.at),
        is_missing: view.status == StatusCode::NOT_FOUND,
        frame,
    };
    let mut response = render_with(view.status, &page);
    if let Some(seconds) = view.retry_after_seconds {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leads_back_to_the_page_of_ours_that_led_to_it() {
        let back = |referer: &str, at: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("larder.example:7070"));
            headers.insert(header::REFERER, referer.parse().expect("it is a header"));
            previous_page(&headers, at)
        };
        let stock = Some("/stock?sort=name".to_owned());
        assert_eq!(back("https://larder.example:7070/stock?sort=name", "/stock/add"), stock);
        assert_eq!(back("https://larder.example:7070/stock", "/stock"), None, "it is the same");
        for foreign in [
            "https://larder.example:70700/stock",
            "https://evil.example/stock",
            "https://larder.example:7070//evil.example",
            "https://larder.example:7070",
            "stock",
        ] {
            assert_eq!(back(foreign, "/stock/add"), None, "{foreign}");
        }
        assert_eq!(previous_page(&HeaderMap::new(), "/stock"), None);
    }
}
