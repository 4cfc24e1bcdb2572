//! Browsers: a cookie that stays the same, for a session that lasts as long as it is used.

use std::{fmt, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Email, Password, SessionId, SessionKind, SessionLabel, User};
use larder_storage::Session;
use sha2::{Digest as _, Sha256, digest::CtOutput};

use super::NewAccount;
use crate::{App, AppError, Caller, Result, tokens::SessionToken};

/// How long a browser stays logged in after it was last used.
const LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How often the store is told that it is used.
const EXTENSION_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

/// Someone who has logged in with a browser, and the cookie that shows it.
pub struct BrowserLogin {
    /// Who.
    pub user: User,
    /// The value of the cookie.
    pub cookie: String,
    /// Until when the browser keeps it.
    pub expires_at: Timestamp,
}

/// The cookie stays out of logs.
impl fmt::Debug for BrowserLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrowserLogin")
            .field("user", &self.user)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// Someone who came with a cookie that holds.
#[derive(Debug, Clone)]
pub struct BrowserCaller {
    /// Who.
    pub caller: Caller,
    /// The session that the cookie is of.
    pub session: SessionId,
    /// The session lasts longer now: send the cookie again, with this end.
    pub renewed_until: Option<Timestamp>,
}

impl App {
    /// Makes an account and logs a browser in.
    pub async fn register_in_browser(
        &self,
        new: &NewAccount,
        label: SessionLabel,
    ) -> Result<BrowserLogin> {
        let user = self.create_account(new).await?;
        self.log_browser_in(user, label).await
    }

    /// Logs a browser in. An address that nobody has takes as long and gives the same answer as a wrong password.
    pub async fn login_in_browser(
        &self,
        email: &Email,
        password: &Password,
        label: SessionLabel,
    ) -> Result<BrowserLogin> {
        let user = self.user_with(email, password).await?;
        self.log_browser_in(user, label).await
    }

    /// Who sent this cookie. A session that was not extended since yesterday is: then the cookie must be sent again.
    pub async fn authenticate_browser(&self, cookie: &str) -> Result<BrowserCaller> {
        let session = self.session_with(cookie).await?;
        let caller = self.caller(session.user).await?;
        let renewed_until = self.extend_if_due(&session).await?;
        Ok(BrowserCaller { caller, session: session.id, renewed_until })
    }

    /// The same for requests whose answers bring no cookies. They extend nothing: the browser would forget the
    /// cookie while its session goes on.
    pub async fn recognize_browser(&self, cookie: &str) -> Result<BrowserCaller> {
        let session = self.session_with(cookie).await?;
        let caller = self.caller(session.user).await?;
        Ok(BrowserCaller { caller, session: session.id, renewed_until: None })
    }

    /// Ends the session of a cookie, if it has one.
    pub async fn log_out_browser(&self, cookie: &str) -> Result<()> {
        let Some(token) = SessionToken::parse_cookie(cookie) else { return Ok(()) };
        let (storage, now) = (Arc::clone(&self.storage), self.now());
        let end = async move {
            storage.end_session(token.user, token.session, &token.digest(), now).await
        };
        self.end_and_forget(token.session, end).await
    }

    pub(crate) async fn log_browser_in(
        &self,
        user: User,
        label: SessionLabel,
    ) -> Result<BrowserLogin> {
        let (token, session) = self.new_session(user.id, SessionKind::Browser, label, LIFETIME);
        self.storage.create_session(&session, session.began_at).await?;
        Ok(BrowserLogin { user, cookie: token.to_text(), expires_at: session.expires_at })
    }

    /// The session that this cookie proves.
    async fn session_with(&self, cookie: &str) -> Result<Session> {
        let token = SessionToken::parse_cookie(cookie).ok_or(AppError::Unauthenticated)?;
        let now = self.now();
        let proves = |session: &Session| {
            session.kind == SessionKind::Browser
                && session.user == token.user
                && session.expires_at > now
                && is_same(&session.token_hash, &token.digest())
        };
        let session = self.session_if(token.user, token.session, proves).await?;
        session.ok_or(AppError::Unauthenticated)
    }

    /// Lets the session last longer, if it is time to say so; until when.
    async fn extend_if_due(&self, session: &Session) -> Result<Option<Timestamp>> {
        let now = self.now();
        if now.duration_since(session.last_used_at) < EXTENSION_INTERVAL {
            return Ok(None);
        }
        let until = now + LIFETIME;
        let is_there = self.storage.extend_session(session.user, session.id, until, now).await;
        self.sessions.invalidate(&session.id);
        if is_there? { Ok(Some(until)) } else { Err(AppError::Unauthenticated) }
    }
}

/// Takes as long for what is nearly the same as for anything else.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let digest = |text| CtOutput::<Sha256>::new(Sha256::digest(text));
    digest(one) == digest(other)
}
