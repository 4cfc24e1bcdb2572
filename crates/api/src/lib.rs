//! The JSON API: one verb per handler file, its OpenAPI document, and the one map from errors to HTTP.
//!
//! Handlers read a request field by field ([`larder_http::Fields`]), call one use case of `larder-app`, and show what
//! came of it. No handler knows a storage engine, and none answers an error in a shape of its own.

mod api_keys;
mod auth;
mod authorize;
mod batch;
mod categories;
mod credential;
mod device;
mod devices;
mod docs;
mod grants;
mod households;
mod idempotency;
mod inventory;
mod jobs;
mod live;
mod locations;
mod me;
mod nfc_urls;
mod notifications;
mod openapi;
mod paging;
mod path_id;
mod problems;
mod rate_limits;
mod resources;
mod search;
mod shopping;
mod state;
mod stores;
mod unique_keys;
mod values;
mod waiting;

use std::sync::Arc;

use axum::{Router, http::StatusCode, routing::any};
use larder_app::App;
use larder_http::{AccountLimits, CursorKey, Metrics, Problem, SessionCookies};
use larder_storage::MonotonicClock;
use tokio::sync::watch;
use utoipa::openapi::OpenApi;

use crate::{
    device::DeviceMetrics,
    rate_limits::RateLimits,
    state::{Api, ApiState},
};

pub use rate_limits::DEFAULT_DEVICE_REQUESTS_PER_MINUTE;
pub use waiting::waiting_router;

/// What the API is made of.
pub struct ApiParts {
    /// The use cases.
    pub app: Arc<App>,
    /// Seals cursors.
    pub cursor_key: CursorKey,
    /// What browsers prove with who they are.
    pub cookies: SessionCookies,
    /// How often passwords and codes may be tried; `None`: there are no limits at all.
    pub account_limits: Option<Arc<AccountLimits>>,
    /// How many requests devices may send with one API key each minute, if there are limits at all.
    pub device_requests_per_minute: u32,
    /// Decides when a rate limit is over.
    pub clock: Arc<dyn MonotonicClock>,
    /// Turns true when the server is about to stop, which ends live streams.
    pub stopping: watch::Receiver<bool>,
    /// What `/metrics` shows.
    pub metrics: Arc<Metrics>,
    /// What the contract says of routes that others serve.
    pub other_routes: OpenApi,
}

/// The whole API. It needs the stack of `larder-http` around it.
pub fn router(parts: ApiParts) -> Router {
    let ApiParts { app, cursor_key, cookies, clock, stopping, metrics, other_routes, .. } = parts;
    let limits = |accounts| RateLimits::new(accounts, &clock, parts.device_requests_per_minute);
    let rate_limits = parts.account_limits.map(limits);
    let (routes, mut document) = openapi::router()
        .merge(auth::routes())
        .merge(me::routes())
        .merge(households::routes())
        .merge(inventory::routes())
        .merge(search::routes())
        .merge(categories::routes())
        .merge(locations::routes())
        .merge(stores::routes())
        .merge(shopping::routes())
        .merge(notifications::routes())
        .merge(nfc_urls::routes())
        .merge(device::routes())
        .merge(api_keys::routes())
        .merge(devices::routes())
        .merge(resources::routes())
        .merge(unique_keys::routes())
        .merge(jobs::routes())
        .merge(grants::routes())
        .merge(authorize::routes())
        .merge(live::routes())
        .merge(docs::routes())
        .split_for_parts();
    document.merge(other_routes);
    let state: ApiState = Arc::new(Api {
        app,
        cursors: cursor_key,
        pages: inventory::page_cache(),
        rate_limits,
        device_metrics: DeviceMetrics::shown_by(&metrics),
        cookies,
        document: openapi::text(document),
        stopping,
        metrics,
    });
    routes.with_state(state).merge(nothing())
}

/// Addresses of the API at which nothing is. Without it they would be the pages', whose guard answers a form without
/// its token before anybody looks where it was sent.
fn nothing() -> Router {
    let not_found = || any(async || Problem::for_status(StatusCode::NOT_FOUND));
    ["/api", "/api/", "/api/{*path}"]
        .into_iter()
        .fold(Router::new(), |router, path| router.route(path, not_found()))
}
