//! The web pages, which are all that most people see of Larder.
//!
//! Every page is rendered on the server, and every action is a plain form: it works without
//! JavaScript, and the small modules in `assets/` only enhance it. A handler takes `Member`
//! (or less), calls use cases of `larder-app`, and renders a template; errors become pages
//! (`failure.rs`). No route can forget its protection: the guard around all of them checks every
//! form before its handler.

mod address;
mod assets;
mod below;
mod failure;
mod form;
mod format;
mod frame;
mod guard;
mod language;
mod pages;
mod path_id;
mod retry;
mod rule;
mod state;
mod tap;
mod typed_number;
mod upload;
mod visit;
mod words;

use std::sync::Arc;

use axum::{Router, middleware::from_fn_with_state};
use larder_app::App;
use larder_http::{AccountLimits, BasePath, CursorKey, SessionCookies};
use larder_storage::MonotonicClock;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;

use crate::tap::TapLimits;

// What nearly every page needs.
use crate::{
    failure::{Failure, wrong},
    form::{Form, Query, back_or, done, see_other},
    frame::{Frame, Section, render, render_with},
    path_id::PathId,
    rule::Rule,
    state::{Web, WebState},
    visit::{Keeper, Member, Person, Visit},
    words::Words,
};

/// The dependencies of the pages.
pub struct WebParts {
    /// The use cases.
    pub app: Arc<App>,
    /// Session cookies of browsers.
    pub cookies: SessionCookies,
    /// Seals cursors.
    pub cursor_key: CursorKey,
    /// Rate limits of passwords and codes; `None`: rate limits are off.
    pub account_limits: Option<Arc<AccountLimits>>,
    /// The path of the public URL, if it has one.
    pub base_path: Option<BasePath>,
    /// The clock of rate limits.
    pub clock: Arc<dyn MonotonicClock>,
}

/// The routes of the pages, and the OpenAPI document of those that are part of the contract.
pub struct WebRoutes {
    /// All pages and their assets, with a fallback for unknown URLs.
    pub router: Router,
    /// The page of a tag, and the tap.
    pub contract: OpenApi,
}

/// All routes of this crate. They need the middleware stack of `larder-http`.
pub fn routes(parts: WebParts) -> WebRoutes {
    let tap_limits = parts.account_limits.is_some().then(|| TapLimits::new(&parts.clock));
    let state = WebState::new(Web {
        cookies: parts.cookies,
        app: parts.app,
        cursors: parts.cursor_key,
        account_limits: parts.account_limits,
        tap_limits,
    });
    let (tap, contract) = tap::routes().split_for_parts();
    let router = pages::routes()
        .fallback(failure::not_found)
        .layer(from_fn_with_state(state.clone(), guard::guard))
        .merge(assets::routes());
    let router = match parts.base_path {
        Some(base) => router.layer(from_fn_with_state(base, below::lead_below)),
        None => router,
    };
    let router = router.layer(CompressionLayer::new()).merge(tap).with_state(state);
    WebRoutes { router, contract }
}
