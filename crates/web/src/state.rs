//! What handlers share.

use std::sync::Arc;

use larder_app::App;
use larder_http::{AccountLimits, CursorKey, SessionCookies};

/// What handlers share.
pub(crate) struct Web {
    pub(crate) app: Arc<App>,
    pub(crate) cookies: SessionCookies,
    pub(crate) cursors: CursorKey,
    pub(crate) account_limits: Option<Arc<AccountLimits>>,
}

/// The state of every route.
pub(crate) type WebState = Arc<Web>;
