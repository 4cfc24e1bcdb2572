use std::{
    io::{Read, Write},
    net::TcpStream,
};

use axum::{
    Extension,
    body::Body,
    extract::Path,
    http::{Method, StatusCode},
    response::Html,
    routing::{get, post},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;
use crate::{Fields, Json, JsonBody, Params, testing};

async fn echo(JsonBody(body): JsonBody) -> Result<(), Problem> {
    Fields::parse(&body)?.finish(|| Some(()))
}

async fn list(params: Params) -> Result<Json, Problem> {
    params.finish(|| Some(Json::of(&json!({ "items": [] }))))
}

async fn boom() -> Response {
    panic!("the secret inside")
}

const GONE: Html<&str> = Html("<p>gone</p>");
const PACKED: [(header::HeaderName, &str); 1] = [(header::CONTENT_ENCODING, "gzip")];

fn service() -> (Arc<Metrics>, Router) {
    let router = Router::new()
        .route("/items", get(list).post(echo))
        .route("/items/{number}", get(|Path(number): Path<u8>| async move { number.to_string() }))
        .route("/boom", get(boom))
        .route("/stuck", get(std::future::pending::<()>))
        .route("/leak", get(|| async { (StatusCode::BAD_GATEWAY, "10.0.0.3 refused") }))
        .route("/packed", get(|| async { (StatusCode::BAD_REQUEST, PACKED, "gzip of words") }))
        .route("/page", get(|| async { (StatusCode::NOT_FOUND, Extension(RenderedPage), GONE) }))
        .route("/unmarked", get(|| async { (StatusCode::NOT_FOUND, GONE) }))
        .route("/own", get(|| async { [(header::CACHE_CONTROL, "max-age=60")] }))
        .route("/upload", post(|_: String| async {}));
    let metrics = Arc::new(Metrics::new(Timestamp::UNIX_EPOCH));
    let request_time = Duration::from_secs(3);
    let limits = Limits { request_time, body_bytes: 700_000, ..Limits::default() };
    let request_ids = RequestIds::new([0; 8]);
    let trusted_proxies = TrustedProxies::default();
    let links = LinkSettings::default();
    let settings =
        HttpSettings { limits, metrics: Arc::clone(&metrics), request_ids, trusted_proxies, links };
    (metrics, stack(router, settings))
}

fn request(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("x-request-id", "test-1")
}

async fn get_path(path: &str) -> Response {
    send(request(Method::GET, path).body(Body::empty()).unwrap()).await
}

async fn send(request: Request) -> Response {
    service().1.oneshot(request).await.unwrap()
}

/// Checks that an answer is a problem; returns its status, code and body.
async fn problem(response: Response) -> (u16, String, Value) {
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    assert_eq!(response.headers()["x-request-id"], "test-1");
    let status = response.status().as_u16();
    let body = testing::json(response).await;
    assert_eq!(body["requestId"], "test-1");
    assert_eq!(body["status"], status);
    (status, body["code"].as_str().unwrap().to_owned(), body)
}

#[tokio::test]
async fn an_unknown_route_is_a_problem() {
    let (status, code, _) = problem(get_path("/nowhere").await).await;
    assert_eq!((status, &*code), (404, "NOT_FOUND"));
}

#[tokio::test]
async fn a_wrong_method_is_a_problem_that_names_the_right_ones() {
    let response = send(request(Method::DELETE, "/items").body(Body::empty()).unwrap()).await;
    assert_eq!(response.headers()[header::ALLOW], "GET,HEAD,POST");
    let (status, code, _) = problem(response).await;
    assert_eq!((status, &*code), (405, "METHOD_NOT_ALLOWED"));
}

#[tokio::test]
async fn a_rejection_of_an_extractor_is_a_problem() {
    let (status, code, _) = problem(get_path("/items/many").await).await;
    assert_eq!((status, &*code), (400, "BAD_REQUEST"));
    let body = Body::from(vec![0xff]);
    let response = send(request(Method::POST, "/upload").body(body).unwrap()).await;
    assert_eq!(problem(response).await.0, 400);
}

#[tokio::test]
async fn a_bad_body_is_a_problem() {
    let bad = |kind: &str, body: &'static str| {
        let request = request(Method::POST, "/items").header(header::CONTENT_TYPE, kind);
        send(request.body(Body::from(body)).unwrap())
    };
    assert_eq!(problem(bad("text/plain", "{}").await).await.0, 415);
    assert_eq!(problem(bad("application/json", "{").await).await.1, "MALFORMED_JSON");
    assert_eq!(problem(bad("application/json", "{\"x\":1}").await).await.1, "UNKNOWN_FIELD");
}

#[tokio::test]
async fn a_panic_is_a_constant_500() {
    let (status, _, body) = problem(get_path("/boom").await).await;
    assert_eq!(status, 500);
    assert!(!body.to_string().contains("secret"), "{body}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_503_with_retry_after() {
    let response = get_path("/stuck").await;
    assert_eq!(response.headers()[header::RETRY_AFTER], "1");
    let (status, code, _) = problem(response).await;
    assert_eq!((status, &*code), (503, "UNAVAILABLE"));
}

#[tokio::test]
async fn a_failure_in_words_is_replaced() {
    let (status, _, body) = problem(get_path("/leak").await).await;
    assert_eq!(status, 502);
    assert!(!body.to_string().contains("10.0.0.3"), "{body}");
}

#[tokio::test]
async fn what_replaces_a_packed_body_does_not_claim_to_be_packed() {
    let response = get_path("/packed").await;
    assert_eq!(response.headers().get(header::CONTENT_ENCODING), None);
    assert_eq!(problem(response).await.0, 400);
}

#[tokio::test]
async fn a_page_stays_and_html_that_is_not_marked_as_one_does_not() {
    assert_eq!(testing::bytes(get_path("/page").await).await, "<p>gone</p>");
    let (status, code, _) = problem(get_path("/unmarked").await).await;
    assert_eq!((status, &*code), (404, "NOT_FOUND"));
}

#[tokio::test]
async fn every_answer_is_secured_and_json_can_be_revalidated() {
    let response = get_path("/items").await;
    let headers = response.headers();
    assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(headers[header::REFERRER_POLICY], "no-referrer");
    assert_eq!(headers[header::CACHE_CONTROL], "private, no-cache");
    let held = headers[header::ETAG].clone();
    let again = request(Method::GET, "/items").header(header::IF_NONE_MATCH, held);
    let again = send(again.body(Body::empty()).unwrap()).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()["x-request-id"], "test-1");
    assert_eq!(get_path("/nowhere").await.headers()[header::CACHE_CONTROL], "no-store");
    assert_eq!(get_path("/own").await.headers()[header::CACHE_CONTROL], "max-age=60");
}

#[tokio::test]
async fn head_has_the_tag_and_length_of_get_and_no_body() {
    let whole = get_path("/items").await;
    let head = send(request(Method::HEAD, "/items").body(Body::empty()).unwrap()).await;
    assert_eq!(head.headers()[header::ETAG], whole.headers()[header::ETAG]);
    assert_eq!(head.headers()[header::CONTENT_LENGTH], "12");
    assert!(testing::bytes(head).await.is_empty());
}

#[tokio::test]
async fn metrics_name_the_pattern_and_not_the_path() {
    let (metrics, service) = service();
    let request = request(Method::GET, "/items/7").body(Body::empty()).unwrap();
    service.oneshot(request).await.unwrap();
    let text = metrics.render().unwrap();
    let line =
        "larder_http_requests_total{method=\"GET\",route=\"/items/{number}\",status=\"200\"} 1";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("larder_http_requests_in_flight 0"));
}

#[tokio::test]
async fn an_unknown_parameter_is_a_problem() {
    assert_eq!(problem(get_path("/items?x=1").await).await.1, "UNKNOWN_FIELD");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_still_sending_a_large_body_reads_the_answer() {
    const LENGTH: usize = 5_000_000;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(axum::serve(listener, service().1).into_future());
    let answer = tokio::task::spawn_blocking(move || {
        let mut socket = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /items HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {LENGTH}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).unwrap();
        socket.write_all(&vec![b' '; LENGTH]).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    });
    let answer = answer.await.unwrap();
    server.abort();
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    assert!(answer.contains("\"code\":\"BODY_TOO_LARGE\""), "{answer}");
    assert!(answer.contains("at most 700000 bytes are allowed"), "{answer}");
}
