//! The few commands of `WebDriver` that the tests need, and the debugger's behind them.
//!
//! Ours, because both crates that speak it would change more than they bring: one turns on a feature
//! of `serde_json` for the binary under test, the other has a second edition of a dozen crates.

use larder_test_servers::ChromeDriver;
use serde_json::{Value, json};

use crate::it::support::PATIENCE;

/// The member that marks a reference to an element, as the standard has it.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// One browser with a profile of its own.
pub(super) struct Session {
    http: reqwest::Client,
    address: String,
}

/// The driver's error for a command.
#[derive(Debug)]
pub(super) struct Refusal {
    /// One of the standard's, such as `no such element`.
    pub(super) error: String,
    message: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {}", self.error, self.message)
    }
}

/// An element of the page that is open.
pub(super) struct Element(String);

impl Element {
    /// The result of a script, if it is an element.
    pub(super) fn from_value(value: &Value) -> Option<Self> {
        value[ELEMENT].as_str().map(|id| Self(id.to_owned()))
    }

    /// The same for a script's arguments.
    pub(super) fn to_value(&self) -> Value {
        json!({ ELEMENT: self.0 })
    }
}

impl Session {
    /// Starts a browser.
    pub(super) async fn start(capabilities: &Value) -> Self {
        let sessions = format!("http://{}/session", ChromeDriver::shared().address());
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let http = client();
        let started = send(http.post(&sessions).json(&body)).await;
        let started =
            started.unwrap_or_else(|refusal| panic!("Chromium does not start: {refusal}"));
        let id = started["sessionId"].as_str().expect("a session has an id");
        Self { http, address: format!("{sessions}/{id}") }
    }

    /// The same session from another runtime, which cannot share this one's connections.
    pub(super) fn again(&self) -> Self {
        Self { http: client(), address: self.address.clone() }
    }

    /// Closes the browser.
    pub(super) async fn end(&self) -> Result<Value, Refusal> {
        send(self.http.delete(&self.address)).await
    }

    /// Sends a GET.
    pub(super) async fn get(&self, command: &str) -> Result<Value, Refusal> {
        send(self.http.get(format!("{}/{command}", self.address))).await
    }

    /// Has something done.
    pub(super) async fn post(&self, command: &str, body: Value) -> Result<Value, Refusal> {
        send(self.http.post(format!("{}/{command}", self.address)).json(&body)).await
    }

    /// Has something done with an element.
    pub(super) async fn on(
        &self,
        element: &Element,
        command: &str,
        body: Value,
    ) -> Result<Value, Refusal> {
        self.post(&format!("element/{}/{command}", element.0), body).await
    }

    /// Runs the body of a function in the page and returns its result or resolved promise. The
    /// page's content security policy does not apply to it, and it runs even if the page's scripts
    /// are disabled.
    pub(super) async fn run(&self, script: &str, arguments: Value) -> Result<Value, Refusal> {
        self.post("execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// A command of the `DevTools` protocol.
    pub(super) async fn debug(&self, method: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": method, "params": parameters });
        let answer = self.post("goog/cdp/execute", body).await;
        answer.unwrap_or_else(|refusal| panic!("{method}: {refusal}"))
    }

    /// New entries of a log since the last call.
    pub(super) async fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.post("se/log", json!({ "type": kind })).await;
        match log.unwrap_or_else(|refusal| panic!("the log of the {kind}: {refusal}")) {
            Value::Array(entries) => entries,
            other => panic!("the log of the {kind} is no list: {other}"),
        }
    }
}

fn client() -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE);
    client.build().expect("a plain HTTP client can be built")
}

async fn send(request: reqwest::RequestBuilder) -> Result<Value, Refusal> {
    let answer = request.send().await.expect("the driver answers");
    let succeeded = answer.status().is_success();
    let mut body: Value = answer.json().await.expect("the driver answers with JSON");
    let value = body["value"].take();
    if succeeded {
        return Ok(value);
    }
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    Err(Refusal { error: text("error"), message: text("message") })
}
