//! Shared test helpers.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde_json::Value;

use crate::{HttpSettings, Limits, LinkSettings, Metrics, RequestIds, TrustedProxies};

/// Settings of the stack with these limits.
pub(crate) fn settings(limits: Limits) -> Arc<HttpSettings> {
    Arc::new(HttpSettings {
        limits,
        metrics: Arc::new(Metrics::new(Timestamp::UNIX_EPOCH)),
        request_ids: RequestIds::new([0; 8]),
        trusted_proxies: TrustedProxies::default(),
        links: LinkSettings::default(),
    })
}

/// The JSON body of a response.
pub(crate) async fn json(response: Response) -> Value {
    serde_json::from_slice(&bytes(response).await).unwrap()
}

/// The body of a response.
pub(crate) async fn bytes(response: Response) -> bytes::Bytes {
    axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap()
}

/// The JSON that a client would read.
pub(crate) async fn rendered(answer: impl IntoResponse) -> Value {
    json(answer.into_response()).await
}
