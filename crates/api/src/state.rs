//! State shared by handlers.

use std::{marker::PhantomData, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};
use bytes::Bytes;
use larder_app::{App, AppError, Caller, FleetCaller};
use larder_domain::{SessionId, Whose};
use larder_http::{CursorKey, Metrics, Params, Problem, SessionCookies, Shared};
use tokio::sync::watch;

use crate::{
    ApiError, credential::Credential, device::DeviceMetrics, inventory::PageCache, need::Need,
    rate_limits::RateLimits,
};

/// State shared by handlers.
pub(crate) struct Api {
    pub(crate) app: Arc<App>,
    pub(crate) cursors: CursorKey,
    pub(crate) pages: PageCache,
    pub(crate) rate_limits: Option<RateLimits>,
    pub(crate) device_metrics: DeviceMetrics,
    /// Session cookies of browsers.
    pub(crate) cookies: SessionCookies,
    pub(crate) metrics: Arc<Metrics>,
    /// The serialized OpenAPI document.
    pub(crate) document: Bytes,
    /// Becomes true when the server is about to stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// The state of every route.
pub(crate) type ApiState = Shared<Api>;

/// The user of the bearer token or the cookie. A handler without it is public. `N` says what the
/// request needs of a program's token, so that no route is open to all of them by accident.
pub(crate) struct Authenticated<N>(pub(crate) Caller, pub(crate) PhantomData<N>);

/// The same with one of their two inventories: that which `?inventory=` names, otherwise the
/// household's, where there is one. Extract it before other parameters, which don't see this one.
pub(crate) struct InInventory<N>(pub(crate) Caller, pub(crate) PhantomData<N>);

/// The same with the session, if it is a browser's. Not for programs.
pub(crate) struct InSession(pub(crate) Caller, pub(crate) Option<SessionId>);

/// The same for routes that are also open to the operator.
pub(crate) struct FleetAuthenticated<N>(pub(crate) FleetCaller, pub(crate) PhantomData<N>);

impl<N: Need> FromRequestParts<ApiState> for Authenticated<N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        Ok(Self(Credential::of(parts, api)?.caller(api, N::NEED).await?, PhantomData))
    }
}

impl<N: Need> FromRequestParts<ApiState> for InInventory<N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let Authenticated(caller, need) = Authenticated::from_request_parts(parts, api).await?;
        match take_inventory(parts)? {
            None => Ok(Self(caller, need)),
            Some(whose) => {
                parts.extensions.insert(NamedInventory(whose));
                Ok(Self(caller.looking_at(whose).ok_or(AppError::NoHousehold)?, need))
            }
        }
    }
}

/// The inventory that a request has named.
#[derive(Clone, Copy)]
pub(crate) struct NamedInventory(pub(crate) Whose);

/// Takes the parameter that names an inventory out of the query.
fn take_inventory(parts: &mut Parts) -> Result<Option<Whose>, Problem> {
    let is_it = |pair: &&str| pair.split('=').next() == Some("inventory");
    let query = parts.uri.query().unwrap_or_default();
    let (named, others): (Vec<_>, Vec<_>) = query.split('&').partition(is_it);
    if named.is_empty() {
        return Ok(None);
    }
    let mut params = Params::parse(Some(&named.join("&")))?;
    let whose = params.optional("inventory", str::parse);
    params.finish(|| Some(()))?;
    let rest = format!("{}?{}", parts.uri.path(), others.join("&"));
    // What is left of an address is one.
    parts.uri = rest.parse().map_err(|error| Problem::internal(&error))?;
    Ok(whose)
}

impl FromRequestParts<ApiState> for InSession {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        let (caller, session) = Credential::of(parts, api)?.caller_in_session(api).await?;
        Ok(Self(caller, session))
    }
}

impl<N: Need> FromRequestParts<ApiState> for FleetAuthenticated<N> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &ApiState) -> Result<Self, ApiError> {
        Ok(Self(Credential::of(parts, api)?.fleet_caller(api, N::NEED).await?, PhantomData))
    }
}
