//! Running it: health, documentation, request ids, starting, stopping, limits.

mod documentation;
mod limits;
mod schemas;
mod starting;
mod stopping;

use reqwest::Method;
use serde_json::Value;

use crate::it::support::{Server, id_of};

#[tokio::test]
async fn health_and_readiness_answer_200() {
    let server = Server::start().await;
    let nobody = server.anonymous();
    assert_eq!(nobody.get_root("/healthz").await.status, 200);
    assert_eq!(nobody.get_root("/readyz").await.status, 200);
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_never_by_path() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    for _ in 0..3 {
        anna.item(id_of(&rice)).await;
    }
    anna.get("/no/such/route").await.expect_refusal(404);
    let metrics = server.anonymous().get_root("/metrics").await;
    assert_eq!(metrics.status, 200);
    let counted = metrics.text.lines().find(|line| {
        line.starts_with("larder_http_requests_total{")
            && line.contains(r#"method="GET""#)
            && line.contains("/inventory/items/{")
            && line.contains(r#"status="200""#)
            && !line.contains("/history")
    });
    let counted = counted.unwrap_or_else(|| panic!("not counted:\n{}", metrics.text));
    assert!(counted.ends_with(" 3"), "{counted}");
    assert!(!metrics.text.contains(id_of(&rice)), "ids would make endless series");
    assert!(!metrics.text.contains("/no/such/route"), "so would unknown paths");
    assert!(metrics.text.contains("larder_http_request_seconds_bucket"));
}

#[tokio::test]
async fn a_safe_request_id_is_echoed_and_any_other_replaced() {
    let server = Server::start().await;
    let nobody = server.anonymous();
    let ask = |id: &str| {
        nobody.send(nobody.request_root(Method::GET, "/healthz").header("X-Request-Id", id))
    };
    let longest = "x".repeat(64);
    for safe in ["abc-123_x.Y", longest.as_str()] {
        assert_eq!(ask(safe).await.header("x-request-id"), safe);
    }
    let too_long = "x".repeat(65);
    for unsafe_id in ["", "with space", "semi;colon", "<script>", too_long.as_str()] {
        let made = ask(unsafe_id).await.header("x-request-id").to_owned();
        assert_ne!(made, unsafe_id);
        assert!(made.len() >= 8, "{made:?}");
    }
    let (first, second) = (nobody.get_root("/healthz").await, nobody.get_root("/healthz").await);
    assert_ne!(first.header("x-request-id"), second.header("x-request-id"));
    let refused = nobody.get("/me").await;
    assert_eq!(
        refused.expect_problem(401, "UNAUTHENTICATED")["requestId"],
        refused.header("x-request-id")
    );
}

#[tokio::test]
async fn unknown_routes_and_methods_are_problems_too() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for path in ["/nothing", "/api/v1", "/api/v1/nothing", "/api/v2/me", "/healthz/more"] {
        anna.get_root(path).await.expect_problem(404, "NOT_FOUND");
    }
    // Also for a browser without an origin, whose form submissions are refused.
    let nobody = server.anonymous();
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS] {
        for path in ["/api", "/api/v1", "/api/v1/nothing", "/api/v2/me", "/api/v1/stores/x/y"] {
            let request = nobody.request_root(method.clone(), path).header("Accept", "text/html");
            nobody.send(request).await.expect_problem(404, "NOT_FOUND");
        }
    }
    let answer = anna.delete("/today").await;
    answer.expect_problem(405, "METHOD_NOT_ALLOWED");
    assert!(answer.header("allow").contains("GET"), "{:?}", answer.header("allow"));
}

#[tokio::test]
async fn answers_say_how_they_may_be_used() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let answer = anna.get("/me").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let caching = answer.header("cache-control");
    assert!(caching.contains("private") || caching.contains("no-store"), "{caching}");
    assert!(answer.json().get("id").is_some_and(Value::is_string));
}
