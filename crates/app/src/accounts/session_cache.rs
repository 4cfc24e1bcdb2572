//! What is known of the sessions of browsers, for a moment: every page and everything that it loads needs it.

use jiff::Timestamp;
use larder_domain::SessionId;
use larder_storage::Session;

use super::recent::{LoadTicket, Lookup, Recent};

/// Sessions of browsers as the store gave them a moment ago. What is no such session is not kept: whoever floods
/// a server with cookies must not fill its memory.
#[derive(Debug, Default)]
pub(crate) struct SessionCache(Recent<SessionId, Session>);

impl SessionCache {
    /// What is known of the session now.
    pub(super) fn look_up(&self, session: SessionId, now: Timestamp) -> Lookup<Session> {
        self.0.look_up(&session, now)
    }

    /// Remembers a session, unless anything was forgotten since the load began.
    pub(super) fn remember(&self, ticket: LoadTicket, session: Session) {
        self.0.remember(ticket, session.id, session);
    }

    /// Forgets the session, which has ended or lasts longer now.
    pub(super) fn forget(&self, session: SessionId) {
        self.0.forget(&session);
    }
}
