//! State shared by handlers.

use std::sync::Arc;

use larder_app::App;
use larder_http::{AccountLimits, CursorKey, SessionCookies};

use crate::tap::TapLimits;

/// State shared by handlers.
pub(crate) struct Web {
    pub(crate) app: Arc<App>,
    pub(crate) cookies: SessionCookies,
    pub(crate) cursors: CursorKey,
    pub(crate) account_limits: Option<Arc<AccountLimits>>,
    pub(crate) tap_limits: Option<TapLimits>,
}

/// The state of every route.
pub(crate) type WebState = Arc<Web>;
