//! The responses of a server whose store is not open yet.

use std::{sync::Arc, time::Duration};

use axum::{Router, http::StatusCode, routing::get};
use larder_http::{Metrics, Problem};

use crate::live;

/// The server without a store: alive, with metrics; everything else is unavailable, to be retried.
pub fn waiting_router(metrics: Arc<Metrics>) -> Router {
    // Unlike `Problem::unavailable`, without logging: the code that opens the store logs once why
    // it takes long; every request would repeat that.
    let later = async || {
        Problem::for_status(StatusCode::SERVICE_UNAVAILABLE).retry_after(Duration::from_secs(1))
    };
    Router::new()
        .route("/healthz", get(live::health::healthz))
        .merge(metrics_router(metrics))
        .fallback(later)
}

/// Only the metrics, for a listener of their own.
pub fn metrics_router(metrics: Arc<Metrics>) -> Router {
    Router::new().route("/metrics", get(async move || live::metrics::render(&metrics)))
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, extract::Request, http::header, response::Response};
    use jiff::Timestamp;
    use tower::ServiceExt as _;

    use super::*;

    async fn answer(method: &str, path: &str) -> Response {
        let router = waiting_router(Arc::new(Metrics::new(Timestamp::UNIX_EPOCH)));
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap()
    }

    #[tokio::test]
    async fn without_a_store_everything_is_to_be_asked_again_later() {
        for (method, path) in [
            ("GET", "/readyz"),
            ("GET", "/api/v1/me"),
            ("POST", "/api/v1/auth/login"),
            ("GET", "/"),
        ] {
            let answer = answer(method, path).await;
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
            assert_eq!(answer.headers()[header::RETRY_AFTER], "1", "{path}");
            assert_eq!(
                answer.headers()[header::CONTENT_TYPE],
                "application/problem+json",
                "{path}"
            );
        }
    }

    #[tokio::test]
    async fn without_a_store_the_server_still_lives_and_counts() {
        assert_eq!(answer("GET", "/healthz").await.status(), StatusCode::OK);
        assert_eq!(answer("GET", "/metrics").await.status(), StatusCode::OK);
    }
}
