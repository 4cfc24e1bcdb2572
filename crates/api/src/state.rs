//! What handlers share.

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use bytes::Bytes;
use larder_app::{App, Caller, FleetCaller};
use tokio::sync::watch;

use crate::{
    device::DeviceMetrics,
    http::{CursorKey, Metrics, Problem},
    inventory::PageCache,
    rate_limits::RateLimits,
};

/// What handlers share.
pub(crate) struct Api {
    pub(crate) app: Arc<App>,
    pub(crate) cursors: CursorKey,
    pub(crate) pages: PageCache,
    pub(crate) rate_limits: Option<RateLimits>,
    pub(crate) device_metrics: DeviceMetrics,
    /// Where people reach the server, without a final slash.
    pub(crate) public_url: String,
    pub(crate) metrics: Arc<Metrics>,
    /// The OpenAPI document, as it is sent.
    pub(crate) document: Bytes,
    /// Turns true when the server is about to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// The state of every route.
pub(crate) type ApiState = Arc<Api>;

/// Whoever the bearer token belongs to. A handler without it is public.
pub(crate) struct Authenticated(pub(crate) Caller);

/// The same on the routes that are open to the operator too.
pub(crate) struct FleetAuthenticated(pub(crate) FleetCaller);

/// The token of the `Authorization` header.
pub(crate) fn bearer(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

impl FromRequestParts<ApiState> for Authenticated {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, Problem> {
        let token = bearer(parts).ok_or(larder_app::AppError::Unauthenticated)?;
        Ok(Self(api.app.authenticate(token).await?))
    }
}

impl FromRequestParts<ApiState> for FleetAuthenticated {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, Problem> {
        let token = bearer(parts).ok_or(larder_app::AppError::Unauthenticated)?;
        Ok(Self(api.app.authenticate_for_fleet(token).await?))
    }
}
