//! State shared by handlers.

use std::{fmt, sync::Arc};

use larder_app::App;
use larder_http::{AccountLimits, CursorKey, ListCursors, SessionCookies, Shared};

use crate::tap::TapLimits;

/// State shared by handlers.
pub(crate) struct Web {
    pub(crate) app: Arc<App>,
    pub(crate) cookies: SessionCookies,
    pub(crate) cursors: CursorKey,
    pub(crate) account_limits: Option<Arc<AccountLimits>>,
    pub(crate) tap_limits: Option<TapLimits>,
}

impl Web {
    /// The cursors of the list that `binding` identifies: its content, owner and query.
    pub(crate) fn list(&self, binding: fmt::Arguments<'_>) -> ListCursors<'_> {
        ListCursors::new(&self.cursors, binding)
    }
}

/// The state of every route.
pub(crate) type WebState = Shared<Web>;
