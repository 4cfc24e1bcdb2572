//! Network requests of a page, from the browser's debugger.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Browser;
use super::console::text;

/// One request of a page and its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) url: String,
    /// `Document`, `Script`, `Stylesheet`, `Fetch` and so on.
    pub(crate) kind: String,
    pub(crate) body: String,
    /// `None` until the answer begins.
    pub(crate) status: Option<u64>,
    headers: BTreeMap<String, String>,
    /// Bytes transferred for it, including headers; 0 until the answer ends.
    pub(crate) transferred: u64,
}

impl Request {
    /// A header of the answer; empty when absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// Requests in the order in which they were sent.
#[derive(Default)]
pub(super) struct Traffic {
    /// Each with the debugger's id.
    requests: Vec<(String, Request)>,
}

impl Traffic {
    /// Processes an entry of the driver's log.
    fn note(&mut self, entry: &Value) {
        let message = entry["message"].as_str().expect("an entry has a message");
        let message: Value = serde_json::from_str(message).expect("a message is JSON");
        let (event, told) = (&message["message"]["method"], &message["message"]["params"]);
        let id = text(&told["requestId"]);
        match event.as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => {
                if let Some(redirect) = told.get("redirectResponse") {
                    self.answered(&id, redirect);
                }
                let sent = &told["request"];
                let request = Request {
                    method: text(&sent["method"]),
                    url: text(&sent["url"]),
                    kind: text(&told["type"]),
                    body: text(&sent["postData"]),
                    ..Request::default()
                };
                self.requests.push((id, request));
            }
            "Network.responseReceived" => self.answered(&id, &told["response"]),
            "Network.loadingFinished" => {
                if let Some(request) = self.latest(&id) {
                    // The debugger counts in floating point.
                    let length = told["encodedDataLength"].to_string();
                    let whole = length.split('.').next().unwrap_or_default();
                    request.transferred = whole.parse().expect("a length is a number");
                }
            }
            _ => {}
        }
    }

    fn answered(&mut self, id: &str, response: &Value) {
        let Some(request) = self.latest(id) else { return };
        request.status = response["status"].as_u64();
        let headers = response["headers"].as_object().into_iter().flatten();
        request.headers =
            headers.map(|(name, value)| (name.to_ascii_lowercase(), text(value))).collect();
    }

    /// A redirected request keeps its id.
    fn latest(&mut self, id: &str) -> Option<&mut Request> {
        let found = self.requests.iter_mut().rev().find(|(known, _)| known == id);
        found.map(|(_, request)| request)
    }
}

impl Browser {
    /// The requests of pages so far, or since [`Self::forget_requests`]; those of a service worker are
    /// not among them.
    pub(crate) async fn requests(&self) -> Vec<Request> {
        let log = self.session.log("performance").await;
        let mut traffic = self.traffic.lock().expect("nobody panics while holding the requests");
        for entry in &log {
            traffic.note(entry);
        }
        let requests = traffic.requests.iter().map(|(_, request)| request);
        // Resources from inside the browser are no requests.
        requests.filter(|request| request.url.starts_with("http")).cloned().collect()
    }

    /// Resets the record.
    pub(crate) async fn forget_requests(&self) {
        self.requests().await;
        self.traffic.lock().expect("nobody panics while holding the requests").requests.clear();
    }

    /// The status of the page that was opened last.
    pub(crate) async fn status(&self) -> u64 {
        let requests = self.requests().await;
        let page = requests.iter().rev().find(|request| request.kind == "Document");
        page.and_then(|page| page.status).expect("a page was opened and answered")
    }
}
