use std::sync::Mutex;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as Call, State};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::join_all;
use futures_util::stream::pending;
use jiff::{SignedDuration, Timestamp};
use larder_storage::ManualClock;
use tokio::net::TcpListener;

use super::*;

/// A service that counts its calls and gives the same answer to all.
struct Service {
    catalog: EndpointCatalog,
    clock: Arc<ManualClock>,
    calls: Arc<Mutex<Vec<String>>>,
}

type Answers = Arc<dyn Fn() -> Response + Send + Sync>;

async fn receive(
    State((calls, answer)): State<(Arc<Mutex<Vec<String>>>, Answers)>,
    call: Call,
) -> Response {
    calls.lock().unwrap().push(call.uri().to_string());
    answer()
}

impl Service {
    async fn answering(answer: impl Fn() -> Response + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/world/", listener.local_addr().unwrap());
        let calls = Arc::default();
        let state: (Arc<Mutex<Vec<String>>>, Answers) = (Arc::clone(&calls), Arc::new(answer));
        let router = Router::new().fallback(receive).with_state(state);
        tokio::spawn(axum::serve(listener, router).into_future());
        let clock = Arc::new(ManualClock::new(Timestamp::UNIX_EPOCH));
        let url = OutboundUrl::parse(&url).unwrap();
        let catalog = EndpointCatalog::new(url, Arc::clone(&clock) as _).unwrap();
        Self { catalog, clock, calls }
    }

    async fn saying(body: &'static str) -> Self {
        Self::answering(move || body.into_response()).await
    }

    async fn find(&self) -> Option<CatalogEntry> {
        self.catalog.find(Gtin::parse("4006381333931").unwrap()).await
    }

    fn calls(&self) -> usize {
        self.calls.lock().unwrap().len()
    }
}

const PEN: &str = r#"{"code":"4006381333931","status":1,"status_verbose":"product found",
    "product":{"product_name":"Pen","brands":"Stabilo,Schwan","quantity":""}}"#;

#[tokio::test]
async fn a_product_is_asked_for_once_a_day() {
    let service = Service::saying(PEN).await;
    let pen = CatalogEntry::new("Pen", "Stabilo", "");
    assert_eq!(service.find().await, pen);
    assert_eq!(service.find().await, pen);
    assert_eq!(
        *service.calls.lock().unwrap(),
        ["/world/api/v2/product/4006381333931.json?fields=product_name,brands,quantity"]
    );
    service.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(service.find().await, pen);
    assert_eq!(service.calls(), 2);
}

#[tokio::test]
async fn an_unknown_product_is_remembered_too() {
    let unknown = r#"{"code":"4006381333931","status":0,"status_verbose":"product not found"}"#;
    let service = Service::saying(unknown).await;
    let missing = Service::answering(|| StatusCode::NOT_FOUND.into_response()).await;
    let nameless = Service::saying(r#"{"status":1,"product":{"product_name":" "}}"#).await;
    for service in [service, missing, nameless] {
        assert_eq!(service.find().await, None);
        assert_eq!(service.find().await, None);
        assert_eq!(service.calls(), 1);
    }
}

#[tokio::test]
async fn what_is_no_answer_suggests_nothing_and_is_asked_again() {
    let elsewhere = Service::saying(PEN).await;
    let target = elsewhere.catalog.url.uri().to_owned();
    let redirect = Service::answering(move || {
        (StatusCode::FOUND, [("location", target.clone())]).into_response()
    })
    .await;
    let long = format!(r#"{{"status":1,"x":"{}","product":null}}"#, "x".repeat(MAX_ANSWER_BYTES));
    let long = Service::answering(move || long.clone().into_response()).await;
    let failing = Service::answering(|| StatusCode::SERVICE_UNAVAILABLE.into_response()).await;
    let page = Service::saying("<html>").await;
    let nested = Box::leak("[".repeat(MAX_ANSWER_BYTES).into_boxed_str());
    let nested = Service::saying(nested).await;
    let odd = Service::saying(r#"{"status":"success","product":{"product_name":"Pen"}}"#).await;
    for service in [redirect, long, failing, page, nested, odd] {
        assert_eq!(service.find().await, None);
        assert_eq!(service.find().await, None);
        assert_eq!(service.calls(), 2, "a failure is not cached");
    }
    assert_eq!(elsewhere.calls(), 0, "no redirect is followed");
}

#[tokio::test]
async fn a_service_that_takes_too_long_is_not_waited_for() {
    let slow = Service::answering(|| {
        // The headers come at once, and the body never.
        Response::new(Body::from_stream(pending::<std::io::Result<Bytes>>()))
    })
    .await;
    let started = std::time::Instant::now();
    assert_eq!(slow.find().await, None);
    let took = started.elapsed();
    assert!((ANSWERS_WITHIN..2 * ANSWERS_WITHIN).contains(&took), "{took:?}");
    // While as many calls as are allowed wait, others are not made.
    let codes = ["96385074", "036000291452", "4902102072618", "10614141000415"];
    let codes = codes.into_iter().chain(["00000000", "00000017", "00000024", "00000031"]);
    let waiting: Vec<_> = codes.map(|code| Gtin::parse(code).unwrap()).collect();
    assert_eq!(waiting.len(), MAX_CALLS);
    let asked = waiting.iter().map(|gtin| slow.catalog.find(*gtin));
    let busy = async {
        while slow.calls() <= MAX_CALLS {
            tokio::task::yield_now().await;
        }
        let started = std::time::Instant::now();
        assert_eq!(slow.find().await, None);
        started.elapsed()
    };
    let (_, took) = tokio::join!(join_all(asked), busy);
    assert!(took < ANSWERS_WITHIN / 2, "{took:?}");
    assert_eq!(slow.calls(), 1 + MAX_CALLS);
}
