//! A proxy between a browser and Larder, which records every request, adds foreign pages on the
//! same origin, and drops answers.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, StreamExt as _, stream};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::it::support::{PATIENCE, Random, Server, eventually};

/// How long a request can be.
const LONGEST_BODY: usize = 1 << 20;

/// A request that has passed.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    /// The browser's purpose header: empty, `prefetch` or `prefetch;prerender`.
    pub(crate) purpose: String,
    /// `None` until the server has answered.
    pub(crate) status: Option<u16>,
}

impl Seen {
    pub(crate) fn is_tap(&self) -> bool {
        matches!(&*self.method, "POST" | "PATCH")
    }
}

/// The fate of the next tap.
#[derive(Clone, Copy)]
enum NextTap {
    Passes,
    /// It happens, but its answer is cut off in the middle.
    LosesItsAnswer,
    /// It is lost itself: the server never hears of it.
    IsLost,
    /// Refused: the server is busy.
    MeetsABusyServer,
}

/// A running one. It ends when it is dropped.
pub(crate) struct Middleman {
    address: SocketAddr,
    desk: Arc<Desk>,
    task: JoinHandle<()>,
}

struct Desk {
    http: reqwest::Client,
    server: SocketAddr,
    pages: Mutex<BTreeMap<&'static str, (&'static str, String)>>,
    seen: Mutex<Vec<Seen>>,
    next_tap: Mutex<NextTap>,
    /// Which taps are lost, and how many in a hundred.
    losses: Mutex<Option<(Random, u64)>>,
}

impl Middleman {
    /// A proxy that forwards everything.
    pub(crate) async fn before(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE);
        let desk = Arc::new(Desk {
            http: http.build().unwrap(),
            server: server.address().get(),
            pages: Mutex::default(),
            seen: Mutex::default(),
            next_tap: Mutex::new(NextTap::Passes),
            losses: Mutex::default(),
        });
        let router = Router::new().fallback(pass).with_state(Arc::clone(&desk));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, desk, task }
    }

    /// Its address for browsers.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers a path by itself, with this HTML or script.
    pub(crate) fn serve(&self, path: &'static str, content_type: &'static str, body: String) {
        self.desk.pages.lock().unwrap().insert(path, (content_type, body));
    }

    /// Forwards the next tap, but drops its answer.
    pub(crate) fn lose_next_answer(&self) {
        *self.desk.next_tap.lock().unwrap() = NextTap::LosesItsAnswer;
    }

    /// Refuses the next tap, to be retried in a second.
    pub(crate) fn be_busy_once(&self) {
        *self.desk.next_tap.lock().unwrap() = NextTap::MeetsABusyServer;
    }

    /// Loses so many taps in a hundred from now on: every other one on the way, and of the rest the
    /// answer.
    pub(crate) fn lose(&self, random: Random, percent: u64) {
        *self.desk.losses.lock().unwrap() = Some((random, percent));
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.desk.seen.lock().unwrap().clone()
    }

    /// Waits for a matching request.
    pub(crate) async fn until(&self, what: &str, is_wanted: impl Fn(&Seen) -> bool) {
        eventually(what, async || self.seen().iter().any(&is_wanted).then_some(())).await;
    }
}

impl Drop for Middleman {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let purpose = head.headers.get("sec-purpose").and_then(|value| value.to_str().ok());
    let seen = Seen {
        method: head.method.to_string(),
        path: path.clone(),
        purpose: purpose.unwrap_or_default().to_owned(),
        status: None,
    };
    let is_tap = seen.is_tap();
    let number = {
        let mut all = desk.seen.lock().unwrap();
        all.push(seen);
        all.len() - 1
    };
    let page = desk.pages.lock().unwrap().get(path.as_str()).cloned();
    if let Some((content_type, page)) = page {
        return ([(header::CONTENT_TYPE, content_type)], page).into_response();
    }
    let next = if is_tap { desk.fate() } else { NextTap::Passes };
    if matches!(next, NextTap::IsLost) {
        return Body::from_stream(cut_off()).into_response();
    }
    if matches!(next, NextTap::MeetsABusyServer) {
        let headers = [("Retry-After", "1"), ("Content-Type", "application/problem+json")];
        let problem = r#"{"title":"Too many requests"}"#;
        return (StatusCode::TOO_MANY_REQUESTS, headers, problem).into_response();
    }
    let body = axum::body::to_bytes(body, LONGEST_BODY).await.unwrap();
    let answer = desk.ask(head.method, &head.uri, head.headers, body).await;
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    desk.seen.lock().unwrap()[number].status = Some(status.as_u16());
    if matches!(next, NextTap::LosesItsAnswer) {
        answer.bytes().await.expect("the answer arrives whole");
        // Without its status and headers, because a redirect needs no more.
        return Body::from_stream(cut_off()).into_response();
    }
    // About the connection to the server, and not the one to the browser.
    headers.remove(header::TRANSFER_ENCODING);
    headers.remove(header::CONNECTION);
    let is_endless = headers.get(header::CONTENT_TYPE).is_some_and(|it| it == "text/event-stream");
    let body = if is_endless {
        Body::from_stream(answer.bytes_stream())
    } else {
        Body::from(answer.bytes().await.expect("the answer arrives whole"))
    };
    (status, headers, body).into_response()
}

/// The beginning of an answer, which then breaks off. It must have begun: otherwise browsers retry
/// by themselves.
fn cut_off() -> impl Stream<Item = io::Result<Bytes>> {
    let end = stream::once(async {
        // The beginning is sent when nothing more is ready.
        tokio::task::yield_now().await;
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    });
    stream::iter([Ok(Bytes::from_static(b"{"))]).chain(end)
}

impl Desk {
    /// What becomes of this tap.
    fn fate(&self) -> NextTap {
        let next = std::mem::replace(&mut *self.next_tap.lock().unwrap(), NextTap::Passes);
        let mut losses = self.losses.lock().unwrap();
        let Some((random, percent)) = losses.as_mut() else { return next };
        match random.below(100) {
            drawn if drawn >= *percent => next,
            drawn if drawn % 2 == 0 => NextTap::LosesItsAnswer,
            _ => NextTap::IsLost,
        }
    }

    async fn ask(
        &self,
        method: axum::http::Method,
        address: &Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> reqwest::Response {
        let url = format!("http://{}{address}", self.server);
        let request = self.http.request(method, url).headers(headers).body(body);
        request.send().await.expect("the server answers")
    }
}
