//! Console errors of pages.

use serde_json::Value;

use super::Browser;
use super::webdriver::Session;

/// Errors that pages have logged: of scripts, of the policy, of requests.
#[derive(Default)]
pub(super) struct Console {
    errors: Vec<String>,
    expected: Vec<String>,
}

impl Console {
    /// Reads new messages.
    pub(super) async fn read(session: &Session) -> Vec<String> {
        let log = session.log("browser").await;
        let errors = log.iter().filter(|entry| entry["level"] == "SEVERE");
        errors.filter_map(|entry| entry["message"].as_str().map(str::to_owned)).collect()
    }

    pub(super) fn keep(&mut self, errors: Vec<String>) {
        self.errors.extend(errors);
    }

    /// Unexpected errors.
    pub(super) fn complaints(&self) -> Vec<&str> {
        let is_expected = |error: &str| self.expected.iter().any(|part| error.contains(part));
        let errors = self.errors.iter().map(String::as_str);
        errors.filter(|error| !is_expected(error)).collect()
    }
}

impl Browser {
    /// Errors that contain this text are part of the test.
    pub(crate) fn expect_complaint(&self, part: &str) {
        let mut console = self.console.lock().expect("nobody panics while holding the console");
        console.expected.push(part.to_owned());
    }

    /// Unexpected errors so far. Any at the end fails the test anyway.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let new = Console::read(&self.session).await;
        let mut console = self.console.lock().expect("nobody panics while holding the console");
        console.keep(new);
        console.complaints().into_iter().map(str::to_owned).collect()
    }
}

/// A text member of a JSON document, or an empty text.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
