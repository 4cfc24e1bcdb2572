//! The one error shape of the service: RFC 9457 `application/problem+json`.

use std::{borrow::Cow, fmt, time::Duration};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::{InvalidCursor, RateLimited, RequestId};

pub(crate) const CONTENT_TYPE: HeaderValue = HeaderValue::from_static("application/problem+json");

/// An error answer: a status, a stable code and, where useful, details.
///
/// The body of a 5xx is constant: its details are not sent.
#[derive(Debug)]
pub struct Problem(Box<Inner>);

#[derive(Debug)]
struct Inner {
    status: StatusCode,
    code: &'static str,
    title: &'static str,
    detail: Option<Cow<'static, str>>,
    errors: Vec<FieldError>,
    current: Option<Box<RawValue>>,
    existing: Option<Box<RawValue>>,
    suggestion: Option<Box<RawValue>>,
    limit: Option<usize>,
    scope: Option<&'static str>,
    retry_after_seconds: Option<u64>,
    /// The authentication scheme for a 401.
    scheme: &'static str,
}

/// One field of a request and the rule it broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field as the client wrote it.
    pub field: Cow<'static, str>,
    /// The rule, in words.
    pub message: Cow<'static, str>,
}

/// What a [`Problem`] looks like on the wire.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Problem)]
pub struct ProblemDocument {
    /// A stable relative URI that names the kind of problem.
    #[schema(example = "/problems/version-conflict")]
    pub r#type: String,
    /// The kind of problem in words; the same for every occurrence.
    pub title: &'static str,
    /// The HTTP status code.
    pub status: u16,
    /// What went wrong this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub detail: Option<Cow<'static, str>>,
    /// A stable machine word.
    #[schema(example = "VERSION_CONFLICT")]
    pub code: &'static str,
    /// The request this answers, as in the `X-Request-Id` header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Every field that broke a rule.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// The record as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub current: Option<Box<RawValue>>,
    /// The record in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub existing: Option<Box<RawValue>>,
    /// What could be created instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub suggestion: Option<Box<RawValue>>,
    /// The limit that would be exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The scope that the token lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub scope: Option<&'static str>,
}

impl Problem {
    /// A problem with a stable code and its constant title.
    pub fn new(status: StatusCode, code: &'static str, title: &'static str) -> Self {
        Self(Box::new(Inner {
            status,
            code,
            title,
            detail: None,
            errors: Vec::new(),
            current: None,
            existing: None,
            suggestion: None,
            limit: None,
            scope: None,
            retry_after_seconds: None,
            scheme: "Bearer",
        }))
    }

    /// 400 with a code of its own.
    pub fn bad_request(code: &'static str, title: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, title)
    }

    /// 404: missing, or not accessible. The two are indistinguishable.
    pub fn not_found() -> Self {
        Self::for_status(StatusCode::NOT_FOUND)
    }

    /// 500. The cause is only logged, with the request id.
    pub fn internal(cause: &dyn fmt::Display) -> Self {
        let request_id = RequestId::current();
        let request_id = request_id.as_ref().map(RequestId::as_str);
        tracing::error!(request_id, %cause, "internal error");
        Self::for_status(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// 503 with `Retry-After`. The cause is only logged.
    pub fn unavailable(cause: &dyn fmt::Display) -> Self {
        let request_id = RequestId::current();
        let request_id = request_id.as_ref().map(RequestId::as_str);
        tracing::warn!(request_id, %cause, "unavailable");
        Self::for_status(StatusCode::SERVICE_UNAVAILABLE).retry_after(Duration::from_secs(1))
    }

    /// The generic problem of a status, for answers without a code.
    pub fn for_status(status: StatusCode) -> Self {
        let (code, title) = match status {
            StatusCode::BAD_REQUEST => ("BAD_REQUEST", "The request is malformed"),
            StatusCode::UNAUTHORIZED => ("UNAUTHENTICATED", "Credentials are needed"),
            StatusCode::FORBIDDEN => ("FORBIDDEN", "Not allowed"),
            StatusCode::NOT_FOUND => ("NOT_FOUND", "Nothing here"),
            StatusCode::METHOD_NOT_ALLOWED => {
                ("METHOD_NOT_ALLOWED", "The method is not allowed here")
            }
            StatusCode::REQUEST_TIMEOUT => ("REQUEST_TIMEOUT", "The request took too long to send"),
            StatusCode::CONFLICT => ("CONFLICT", "In conflict with the present state"),
            StatusCode::GONE => ("GONE", "No longer here"),
            StatusCode::PAYLOAD_TOO_LARGE => ("BODY_TOO_LARGE", "The body is too large"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                ("UNSUPPORTED_MEDIA_TYPE", "The body must be application/json")
            }
            StatusCode::UNPROCESSABLE_ENTITY => ("UNPROCESSABLE", "Valid but impossible"),
            StatusCode::TOO_MANY_REQUESTS => ("RATE_LIMITED", "Too many requests"),
            StatusCode::SERVICE_UNAVAILABLE => ("UNAVAILABLE", "Temporarily unavailable"),
            status if status.is_server_error() => ("INTERNAL", "Something went wrong on our side"),
            _ => ("REQUEST_REFUSED", "The request was refused"),
        };
        Self::new(status, code, title)
    }

    /// The details of this occurrence, for people.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Every field that broke a rule.
    #[must_use]
    pub fn field_errors(mut self, errors: impl IntoIterator<Item = FieldError>) -> Self {
        self.0.errors.extend(errors);
        self
    }

    /// One more field that broke a rule.
    #[must_use]
    pub fn field_error(
        self,
        field: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.field_errors([FieldError { field: field.into(), message: message.into() }])
    }

    /// The current record, for a caller with a stale version.
    #[must_use]
    pub fn current(mut self, record: &impl Serialize) -> Self {
        self.0.current = attach(record);
        self
    }

    /// The record in the way.
    #[must_use]
    pub fn existing(mut self, record: &impl Serialize) -> Self {
        self.0.existing = attach(record);
        self
    }

    /// What could be created instead of the record that is missing.
    #[must_use]
    pub fn suggestion(mut self, record: &impl Serialize) -> Self {
        self.0.suggestion = attach(record);
        self
    }

    /// The limit that would be exceeded.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.0.limit = Some(limit);
        self
    }

    /// The scope that the token lacks.
    #[must_use]
    pub fn scope(mut self, scope: &'static str) -> Self {
        self.0.scope = Some(scope);
        self
    }

    /// `Retry-After`: rounded up to whole seconds, at least one.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.0.retry_after_seconds = Some(seconds.max(1));
        self
    }

    /// The required authentication scheme, if it is not a bearer token.
    #[must_use]
    pub fn scheme(mut self, scheme: &'static str) -> Self {
        self.0.scheme = scheme;
        self
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable machine word.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// `Retry-After`, in seconds, if set.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.0.retry_after_seconds
    }

    /// The fields that broke a rule.
    pub fn errors(&self) -> &[FieldError] {
        &self.0.errors
    }

    /// As it looks on the wire, for an answer that holds several.
    pub fn into_document(self) -> ProblemDocument {
        let inner = *self.0;
        let mut document = ProblemDocument {
            r#type: format!("/problems/{}", inner.code.to_ascii_lowercase().replace('_', "-")),
            title: inner.title,
            status: inner.status.as_u16(),
            detail: None,
            code: inner.code,
            request_id: RequestId::current().map(|id| id.as_str().to_owned()),
            errors: Vec::new(),
            current: None,
            existing: None,
            suggestion: None,
            limit: None,
            scope: None,
        };
        if !inner.status.is_server_error() {
            document.detail = inner.detail;
            document.errors = inner.errors;
            document.current = inner.current;
            document.existing = inner.existing;
            document.suggestion = inner.suggestion;
            document.limit = inner.limit;
            document.scope = inner.scope;
        }
        document
    }
}

fn attach(record: &impl Serialize) -> Option<Box<RawValue>> {
    to_raw_value(record)
        .inspect_err(|error| tracing::error!(%error, "record not attached to a problem"))
        .ok()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.0.status;
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, CONTENT_TYPE);
        if let Some(seconds) = self.0.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            // RFC 9110, 15.5.2: a 401 names the required scheme.
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(self.0.scheme));
        }
        if let Some(scope) = self.0.scope {
            // RFC 6750, 3.1.
            let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
            let challenge = HeaderValue::from_str(&challenge).expect("a scope is a plain word");
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        let body = serde_json::to_vec(&self.into_document())
            .expect("a problem has text keys and values that are JSON already");
        (status, headers, body).into_response()
    }
}

impl From<InvalidCursor> for Problem {
    fn from(error: InvalidCursor) -> Self {
        Self::bad_request("INVALID_CURSOR", "The cursor is not valid here")
            .field_error("cursor", error.to_string())
    }
}

impl From<RateLimited> for Problem {
    fn from(limited: RateLimited) -> Self {
        Self::for_status(StatusCode::TOO_MANY_REQUESTS).retry_after(limited.retry_after)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::PartialSchema;

    use super::*;
    use crate::testing::{json, rendered};

    #[tokio::test]
    async fn a_problem_carries_everything_that_was_attached() {
        let problem = Problem::new(StatusCode::CONFLICT, "VERSION_CONFLICT", "Changed meanwhile")
            .detail("version 3 is not 4")
            .field_error("version", "is stale")
            .current(&json!({ "version": 4 }));
        assert_eq!(
            rendered(problem).await,
            json!({
                "type": "/problems/version-conflict",
                "title": "Changed meanwhile",
                "status": 409,
                "detail": "version 3 is not 4",
                "code": "VERSION_CONFLICT",
                "errors": [{ "field": "version", "message": "is stale" }],
                "current": { "version": 4 },
            })
        );
    }

    #[tokio::test]
    async fn a_5xx_reveals_nothing_of_what_was_attached() {
        let problem = Problem::for_status(StatusCode::INTERNAL_SERVER_ERROR)
            .detail("disk /dev/sda1 is full")
            .field_error("password", "secret")
            .existing(&json!({ "secret": true }));
        assert_eq!(
            rendered(problem).await,
            json!({
                "type": "/problems/internal",
                "title": "Something went wrong on our side",
                "status": 500,
                "code": "INTERNAL",
            })
        );
    }

    #[tokio::test]
    async fn a_problem_names_the_request_it_answers() {
        let ids = crate::RequestIds::new([7; 8]);
        let id = ids.for_request(&HeaderMap::new());
        let response = id.clone().scope(async { Problem::not_found().into_response() }).await;
        assert_eq!(json(response).await["requestId"], id.as_str());
    }

    #[test]
    fn retry_after_is_whole_seconds_and_at_least_one() {
        let header = |wait| {
            let problem = Problem::for_status(StatusCode::TOO_MANY_REQUESTS).retry_after(wait);
            problem.into_response().headers()[header::RETRY_AFTER].clone()
        };
        assert_eq!(header(Duration::ZERO), "1");
        assert_eq!(header(Duration::from_millis(1001)), "2");
        assert_eq!(header(Duration::from_secs(3)), "3");
    }

    #[test]
    fn the_contract_describes_what_is_sent() {
        assert_eq!(ProblemDocument::name(), "Problem");
        let schema = serde_json::to_value(ProblemDocument::schema()).unwrap();
        let mut fields: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
        fields.sort_unstable();
        let wanted = "code current detail errors existing limit requestId scope status suggestion \
                      title type";
        assert!(fields.into_iter().eq(wanted.split(' ')), "{schema:#}");
    }

    #[test]
    fn a_401_names_its_scheme() {
        let response = Problem::for_status(StatusCode::UNAUTHORIZED).into_response();
        assert_eq!(response.headers()[header::WWW_AUTHENTICATE], "Bearer");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        let other = Problem::for_status(StatusCode::UNAUTHORIZED).scheme("ApiKey");
        assert_eq!(other.into_response().headers()[header::WWW_AUTHENTICATE], "ApiKey");
    }

    #[test]
    fn too_many_requests_and_foreign_cursors_have_their_codes() {
        let limited = Problem::from(RateLimited { retry_after: Duration::from_millis(20) });
        assert_eq!((limited.status().as_u16(), limited.code()), (429, "RATE_LIMITED"));
        let cursor = Problem::from(InvalidCursor);
        assert_eq!((cursor.status().as_u16(), cursor.code()), (400, "INVALID_CURSOR"));
    }
}
