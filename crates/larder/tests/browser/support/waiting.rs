//! Waiting for a page. No fixed sleeps: a condition is polled until it holds or the time limit
//! ends.

use std::time::Instant;

use serde_json::{Value, json};

use super::Browser;
use crate::it::support::waiting::ASKED_EVERY;
use crate::it::support::{PATIENCE, until};

/// How much of a page is shown when something is not on it.
const SHOWN: usize = 2_000;

impl Browser {
    /// Waits until any condition of the test holds.
    pub(crate) async fn wait_until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        until(what, holds).await;
    }

    /// Waits until an expression of JavaScript is true in the page.
    pub(crate) async fn wait_for(&self, expression: &str) {
        self.wait_with(&format!("return Boolean({expression})"), json!([]), expression).await;
    }

    /// Waits until this text is visible anywhere.
    pub(crate) async fn sees(&self, text: &str) {
        let script = "return document.body.innerText.includes(arguments[0])";
        self.wait_with(script, json!([text]), &format!("“{text}” is on the page")).await;
    }

    /// Waits until this text is not visible anywhere.
    pub(crate) async fn sees_no(&self, text: &str) {
        let script = "return !document.body.innerText.includes(arguments[0])";
        self.wait_with(script, json!([text]), &format!("“{text}” is gone from the page")).await;
    }

    /// Waits until the first element that `selector` finds shows this text, among other.
    pub(crate) async fn says(&self, selector: &str, text: &str) {
        let script = "return document.querySelector(arguments[0])?.innerText.includes(arguments[1]) ?? false";
        self.wait_with(script, json!([selector, text]), &format!("{selector} says “{text}”")).await;
    }

    /// Waits until `script` returns true. A page that is just being left counts as one that does not.
    async fn wait_with(&self, script: &str, arguments: Value, what: &str) {
        let started = Instant::now();
        while !matches!(self.session.run(script, arguments.clone()).await, Ok(Value::Bool(true))) {
            if started.elapsed() >= PATIENCE {
                let shown = self.run("return `${location}\n${document.body.innerText}`").await;
                let shown: String =
                    shown.as_str().unwrap_or_default().chars().take(SHOWN).collect();
                panic!("not within {PATIENCE:?}: {what}\n--- the page ---\n{shown}");
            }
            tokio::time::sleep(ASKED_EVERY).await;
        }
    }
}
