//! A receiver of webhooks that verifies every signature first.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::Value;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::PATIENCE;

/// The signing secret of every server under test.
pub(crate) const WEBHOOK_SECRET: &str = "a-webhook-secret-for-tests-0123456789abcdef";

/// A receiver that gives its answers in turn, and then accepts everything.
pub(crate) struct Receiver {
    address: SocketAddr,
    calls: mpsc::UnboundedReceiver<Value>,
}

/// The destination of calls, and their answers.
#[derive(Clone)]
struct Desk {
    calls: mpsc::UnboundedSender<Value>,
    answers: Arc<Mutex<Vec<u16>>>,
}

impl Receiver {
    /// One without TLS.
    pub(crate) async fn answering(answers: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        Self::serving(address, answers, |router| axum::serve(listener, router).into_future())
    }

    /// The same with a listener of the test's own.
    pub(crate) fn serving<F>(
        address: SocketAddr,
        answers: &[u16],
        serve: impl FnOnce(Router) -> F,
    ) -> Self
    where
        F: Future<Output = std::io::Result<()>> + Send + 'static,
    {
        let (sender, calls) = mpsc::unbounded_channel();
        let answers = answers.iter().rev().copied().collect::<Vec<_>>();
        let answers = Arc::new(Mutex::new(answers));
        let router = Router::new().fallback(receive).with_state(Desk { calls: sender, answers });
        tokio::spawn(serve(router));
        Self { address, calls }
    }

    /// The value of `LARDER_WEBHOOK_URL`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook?key=hunter2", self.address)
    }

    /// The next call's body; fails after a time-out.
    pub(crate) async fn next(&mut self) -> Value {
        let call = timeout(PATIENCE, self.calls.recv()).await;
        call.expect("a call comes in time").expect("the receiver goes on")
    }

    /// Received calls that were not read yet.
    pub(crate) fn waiting(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.calls.try_recv().ok()).collect()
    }
}

async fn receive(State(desk): State<Desk>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let header = |name: &str| headers[name].to_str().unwrap();
    if !is_signed(header("larder-signature"), &body) {
        return StatusCode::UNAUTHORIZED;
    }
    let call: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(call["deliveryId"], header("larder-delivery"));
    assert_eq!(call["event"], header("larder-event"));
    let status = desk.answers.lock().unwrap().pop().unwrap_or(204);
    // The receiver is dropped when the test is over.
    _ = desk.calls.send(call);
    StatusCode::from_u16(status).unwrap()
}

fn is_signed(signature: &str, body: &[u8]) -> bool {
    let Some((time, mac)) = signature.split_once(",v1=") else { return false };
    let Some(time) = time.strip_prefix("t=") else { return false };
    let mut expected = Hmac::<Sha256>::new_from_slice(WEBHOOK_SECRET.as_bytes()).unwrap();
    expected.update(time.as_bytes());
    expected.update(b".");
    expected.update(body);
    let expected = expected.finalize().into_bytes();
    let hex = expected.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    mac == hex
}
