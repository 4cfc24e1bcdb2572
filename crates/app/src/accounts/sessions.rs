//! Someone's sessions: which there are, and ending them.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{SessionId, SessionKind, SessionLabel, SessionPosition, UserId};
use larder_storage::{Lookup, Page, ReadAt, Session, Store};

use super::SessionCache;
use crate::{
    App, AppError, Caller, Result, completion::complete_even_if_cancelled, tokens::SessionToken,
};

/// How many sessions are read at once where all are wanted.
const PAGE: usize = 500;

impl App {
    /// A page of the caller's sessions, newest first.
    pub async fn sessions(
        &self,
        caller: &Caller,
        after: Option<&SessionPosition>,
        limit: usize,
    ) -> Result<Page<Session, SessionPosition>> {
        Ok(self.storage.list_sessions(caller.user_id(), after, limit, self.now()).await?)
    }

    /// Ends one of the caller's sessions. Its browser, or the access tokens of its script, are out at
    /// once here, and within ten seconds on other servers.
    pub async fn end_session(&self, caller: &Caller, session: SessionId) -> Result<()> {
        let (storage, user, now) = (Arc::clone(&self.storage), caller.user_id(), self.now());
        let end = async move { storage.revoke_session(user, session, now).await };
        let was_there = self.end_and_forget(session, end).await?;
        if was_there { Ok(()) } else { Err(AppError::SessionNotFound) }
    }

    /// Ends all of the caller's sessions but one; how many there were.
    pub async fn end_other_sessions(&self, caller: &Caller, keep: SessionId) -> Result<u64> {
        let (storage, sessions) = (Arc::clone(&self.storage), Arc::clone(&self.sessions));
        let (user, now) = (caller.user_id(), self.now());
        complete_even_if_cancelled(end_others(storage, sessions, user, Some(keep), now)).await?
    }

    /// A session that begins now, and what proves it.
    pub(super) fn new_session(
        &self,
        user: UserId,
        kind: SessionKind,
        label: SessionLabel,
        lifetime: SignedDuration,
    ) -> (SessionToken, Session) {
        let now = self.now();
        let token =
            SessionToken { kind, user, session: self.entropy.id(), secret: self.entropy.bytes() };
        let session = Session {
            id: token.session,
            user,
            kind,
            label,
            token_hash: token.digest(),
            began_at: now,
            last_used_at: now,
            expires_at: now + lifetime,
        };
        (token, session)
    }

    /// A session of this user, as far as known here, if it is valid. Only valid ones are remembered.
    pub(super) async fn session_if(
        &self,
        user: UserId,
        session: SessionId,
        is_valid: impl Fn(&Session) -> bool,
    ) -> Result<Option<Session>> {
        let now = self.now();
        match self.sessions.look_up(&session, ReadAt(now)) {
            Lookup::Hit(session) => Ok(Some(session).filter(is_valid)),
            Lookup::Miss(ticket) => {
                let found = self.storage.find_session(user, session, now).await?;
                let found = found.filter(is_valid);
                if let Some(session) = &found {
                    self.sessions.insert(ticket, session.id, session.clone());
                }
                Ok(found)
            }
        }
    }

    /// Does what may end a session, and then forgets what is known of it. Runs to its end even if whoever asked hangs up, and also
    /// forgets after a failure, because a store cannot always tell whether a write happened.
    pub(super) async fn end_and_forget<T: Send + 'static>(
        &self,
        session: SessionId,
        end: impl Future<Output = larder_storage::Result<T>> + Send + 'static,
    ) -> Result<T> {
        let sessions = Arc::clone(&self.sessions);
        let ended = complete_even_if_cancelled(async move {
            let ended = end.await;
            sessions.invalidate(&session);
            ended
        });
        Ok(ended.await??)
    }
}

/// Ends all sessions of someone but one; how many there were.
pub(super) async fn end_others(
    storage: Arc<dyn Store>,
    sessions: Arc<SessionCache>,
    user: UserId,
    keep: Option<SessionId>,
    now: Timestamp,
) -> Result<u64> {
    let (mut ended, mut after) = (0, None);
    loop {
        let page = storage.list_sessions(user, after.as_ref(), PAGE, now).await?;
        for session in page.items.iter().map(|session| session.id).filter(|id| Some(*id) != keep) {
            let was_there = storage.revoke_session(user, session, now).await;
            sessions.invalidate(&session);
            ended += u64::from(was_there?);
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(ended),
        }
    }
}
