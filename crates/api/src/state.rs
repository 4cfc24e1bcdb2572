//! What handlers share.

use std::sync::Arc;

use axum::{extract::FromRequestParts, http::request::Parts};
use bytes::Bytes;
use larder_app::{App, Caller, FleetCaller};
use larder_domain::SessionId;
use larder_http::{CursorKey, Metrics, SessionCookies};
use tokio::sync::watch;

use crate::{
    credential::Credential, device::DeviceMetrics, inventory::PageCache, problems::ApiError,
    rate_limits::RateLimits,
};

/// What handlers share.
pub(crate) struct Api {
    pub(crate) app: Arc<App>,
    pub(crate) cursors: CursorKey,
    pub(crate) pages: PageCache,
    pub(crate) rate_limits: Option<RateLimits>,
    pub(crate) device_metrics: DeviceMetrics,
    /// What browsers prove with who they are.
    pub(crate) cookies: SessionCookies,
    pub(crate) metrics: Arc<Metrics>,
    /// The OpenAPI document, as it is sent.
    pub(crate) document: Bytes,
    /// Turns true when the server is about to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// The state of every route.
pub(crate) type ApiState = Arc<Api>;

/// Whoever the bearer token or the cookie belongs to. A handler without it is public.
pub(crate) struct Authenticated(pub(crate) Caller);

/// The same with the session, if it is a browser's.
pub(crate) struct InSession(pub(crate) Caller, pub(crate) Option<SessionId>);

/// The same on the routes that are open to the operator too.
pub(crate) struct FleetAuthenticated(pub(crate) FleetCaller);

impl FromRequestParts<ApiState> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        Ok(Self(Credential::of(parts, api)?.caller(api).await?))
    }
}

impl FromRequestParts<ApiState> for InSession {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let (caller, session) = Credential::of(parts, api)?.caller_in_session(api).await?;
        Ok(Self(caller, session))
    }
}

impl FromRequestParts<ApiState> for FleetAuthenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        Ok(Self(Credential::of(parts, api)?.fleet_caller(api).await?))
    }
}
