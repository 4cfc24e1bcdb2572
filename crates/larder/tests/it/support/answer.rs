//! One response, with the assertions that every test needs.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Status, headers and body of one response.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) async fn read(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await.expect("the body arrives whole");
        Self { status, headers, text }
    }

    /// A header as text; empty when absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("headers are ASCII"))
    }

    /// The body as JSON; `null` if it is empty.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        if self.text.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}", self.text))
    }

    /// The body, after asserting the status.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "unexpected status; the body is: {}", self.text);
        self.json()
    }

    /// The problem, after asserting its status, its code and everything that all problems share.
    #[track_caller]
    pub(crate) fn expect_problem(&self, status: u16, code: &str) -> Value {
        let problem = self.expect_refusal(status);
        assert_eq!(problem["code"], code, "unexpected code in: {}", self.text);
        problem
    }

    /// The same if the contract names no code.
    #[track_caller]
    pub(crate) fn expect_refusal(&self, status: u16) -> Value {
        let problem = self.expect(status);
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["requestId"], self.header("x-request-id"));
        for member in ["type", "title", "code"] {
            let text = problem[member].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "`{member}` is missing in: {}", self.text);
        }
        problem
    }

    /// A 400 that names exactly this field and says why.
    #[track_caller]
    pub(crate) fn expect_invalid_field(&self, field: &str) {
        self.expect_field_error("INVALID_FIELDS", field);
    }

    /// A 400 with this code that names exactly this field and says why.
    #[track_caller]
    pub(crate) fn expect_field_error(&self, code: &str, field: &str) {
        let problem = self.expect_problem(400, code);
        let errors = problem["errors"].as_array().expect("a validation problem lists its errors");
        let fields: Vec<_> = errors.iter().map(|error| error["field"].as_str()).collect();
        assert_eq!(fields, [Some(field)], "unexpected fields in: {}", self.text);
        let message = errors[0]["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "the rule is not named in: {}", self.text);
    }
}
