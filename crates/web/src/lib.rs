//! The pages: what most people ever see of Larder.
//!
//! Every page is rendered here, on the server, and every action is a plain form: it works without script, and the
//! small modules in `assets/` only make it smoother. A handler takes `visit::Member` (or less), calls use cases of
//! `larder-app`, and answers a template; what stands in the way becomes a page of its own (`failure.rs`). No route can
//! forget its protection: the guard around all of them checks every form before its handler sees it.

mod address;
mod assets;
mod failure;
mod form;
mod format;
mod frame;
mod guard;
mod language;
mod pages;
mod retry;
mod rule;
mod state;
mod tap;
mod typed_number;
mod visit;
mod words;

use std::sync::Arc;

use axum::{Router, middleware::from_fn_with_state};
use larder_app::App;
use larder_http::{AccountLimits, CursorKey, SessionCookies};
use larder_storage::MonotonicClock;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;

use crate::{
    state::{Web, WebState},
    tap::TapLimits,
};

/// What the pages are made of.
pub struct WebParts {
    /// The use cases.
    pub app: Arc<App>,
    /// What browsers prove with who they are.
    pub cookies: SessionCookies,
    /// Seals cursors.
    pub cursor_key: CursorKey,
    /// How often passwords and codes may be tried; `None`: there are no limits at all.
    pub account_limits: Option<Arc<AccountLimits>>,
    /// Decides when a rate limit is over.
    pub clock: Arc<dyn MonotonicClock>,
}

/// The routes of the pages, and what the contract of the API says of those that scripts and people may rely on.
pub struct WebRoutes {
    /// All pages and what they load, with a page for what is not there.
    pub router: Router,
    /// The page of a tag, and the tap.
    pub contract: OpenApi,
}

/// Everything that this crate serves. It needs the stack of `larder-http` around it.
pub fn routes(parts: WebParts) -> WebRoutes {
    let tap_limits = parts.account_limits.is_some().then(|| TapLimits::new(&parts.clock));
    let state: WebState = Arc::new(Web {
        cookies: parts.cookies,
        app: parts.app,
        cursors: parts.cursor_key,
        account_limits: parts.account_limits,
        tap_limits,
    });
    let (tap, contract) = tap::routes().split_for_parts();
    let router = pages::routes()
        .fallback(failure::not_found)
        .layer(from_fn_with_state(Arc::clone(&state), guard::guard))
        .merge(assets::routes())
        .layer(CompressionLayer::new())
        .merge(tap)
        .with_state(state);
    WebRoutes { router, contract }
}
