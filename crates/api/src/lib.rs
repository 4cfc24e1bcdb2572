//! The JSON API: one verb per handler file, its OpenAPI document, and the only map from errors to
//! HTTP.
//!
//! Handlers read a request field by field ([`larder_http::Fields`]), call one use case of
//! `larder-app`, and show its result. No handler knows a storage engine, and none formats errors
//! itself.

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
mod need;
mod nfc_urls;
mod notifications;
mod openapi;
mod paging;
mod path_id;
mod photo;
mod problems;
mod products;
mod rate_limits;
mod resources;
mod scan;
mod search;
mod shopping;
mod state;
mod stores;
mod today;
mod unique_keys;
mod values;
mod waiting;

use std::sync::Arc;

use axum::{Router, http::StatusCode, routing::any};
use larder_app::App;
use larder_http::{AccountLimits, BasePath, CursorKey, Metrics, Problem, SessionCookies};
use larder_storage::MonotonicClock;
use tokio::sync::watch;
use utoipa::openapi::{OpenApi, Server};

use crate::{device::DeviceMetrics, rate_limits::RateLimits};

// What nearly every handler needs.
use crate::{
    idempotency::Idempotency,
    paging::PageQuery,
    path_id::PathId,
    problems::ApiError,
    state::{Api, ApiState, Authenticated, FleetAuthenticated, InInventory, InSession},
};

pub use rate_limits::DEFAULT_DEVICE_REQUESTS_PER_MINUTE;
pub use waiting::{metrics_router, waiting_router};

/// The dependencies of the API.
pub struct ApiParts {
    /// The use cases.
    pub app: Arc<App>,
    /// Seals cursors.
    pub cursor_key: CursorKey,
    /// Session cookies of browsers.
    pub cookies: SessionCookies,
    /// Rate limits of passwords and codes; `None`: rate limits are off.
    pub account_limits: Option<Arc<AccountLimits>>,
    /// The limit of device requests per API key and minute, if rate limits are on.
    pub device_requests_per_minute: u32,
    /// The clock of rate limits.
    pub clock: Arc<dyn MonotonicClock>,
    /// Becomes true when the server is about to stop, which ends live streams.
    pub stopping: watch::Receiver<bool>,
    /// The metrics of `/metrics`.
    pub metrics: Arc<Metrics>,
    /// The OpenAPI document of routes outside of this crate.
    pub other_routes: OpenApi,
    /// The path of the public URL, if it has one.
    pub base_path: Option<BasePath>,
}

/// The whole API. It needs the middleware stack of `larder-http`.
pub fn router(parts: ApiParts) -> Router {
    let ApiParts { app, cursor_key, cookies, clock, stopping, metrics, other_routes, .. } = parts;
    let limits = |accounts| RateLimits::new(accounts, &clock, parts.device_requests_per_minute);
    let rate_limits = parts.account_limits.map(limits);
    let (routes, mut document) = openapi::router()
        .merge(auth::routes())
        .merge(me::routes())
        .merge(households::routes())
        .merge(inventory::routes())
        .merge(products::routes())
        .merge(scan::routes())
        .merge(search::routes())
        .merge(today::routes())
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
    // The server is where the document was read, under whatever name.
    let base = parts.base_path.as_ref().map_or("/", BasePath::as_str);
    document.servers = Some(vec![Server::new(base)]);
    let state = ApiState::new(Api {
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

/// The fallback for unknown paths of the API. Otherwise the pages would answer, whose guard refuses
/// a form without a CSRF token before its path is checked.
fn nothing() -> Router {
    let not_found = || any(async || Problem::for_status(StatusCode::NOT_FOUND));
    ["/api", "/api/", "/api/{*path}"]
        .into_iter()
        .fold(Router::new(), |router, path| router.route(path, not_found()))
}
