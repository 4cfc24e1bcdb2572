//! Accounts: registering, logging in and staying so.

use std::{fmt, sync::Arc};

use jiff::SignedDuration;
use larder_domain::{Email, Password, SessionKind, SessionLabel, User};
use larder_storage::{NextToken, Rotation};

use crate::{
    App, AppError, Result,
    tokens::{ACCESS_SECONDS, SessionToken},
};

mod authenticate;
mod browser;
mod caches;
mod confirmation;
mod csrf;
mod mail_link;
mod mailing;
mod new_password;
mod own_account;
mod passwords;
mod program_tokens;
mod registration;
mod reset;
mod sessions;
#[cfg(test)]
mod tests;

pub(crate) use browser::is_same;
pub use browser::{BrowserCaller, BrowserLogin};
pub(crate) use caches::{CallerCache, MAX_ENTRIES, ProgramTokenCache, SessionCache};
pub use confirmation::AskedForConfirmation;
pub(crate) use confirmation::CONFIRMATION_LABEL;
pub(crate) use csrf::CsrfKey;
pub(crate) use mail_link::MailLinkKey;
pub use new_password::{GuessablePassword, NewPassword};
pub(crate) use passwords::Passwords;
pub use program_tokens::{MAX_PROGRAM_TOKENS, MadeProgramToken, NewProgramToken};
pub use registration::NewAccount;
pub(crate) use reset::RESET_LABEL;
pub use reset::ResetPassword;

/// How long a refresh token is good.
const REFRESH_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A logged-in user and their tokens.
pub struct Login {
    /// The user.
    pub user: User,
    /// Sent with every request.
    pub access_token: String,
    /// Exchanged once for the next pair of tokens.
    pub refresh_token: String,
    /// How long the access token is good.
    pub expires_in_seconds: u64,
}

/// The tokens stay out of logs.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

impl App {
    /// Registers and logs in.
    pub async fn register(&self, new: &NewAccount) -> Result<Login> {
        let user = self.create_account(new).await?;
        self.begin_session(user).await
    }

    /// Logs in. An unknown address takes as long and gives the same answer as a wrong password.
    pub async fn login(&self, email: &Email, password: &Password) -> Result<Login> {
        let user = self.user_with(email, password).await?;
        self.begin_session(user).await
    }

    /// Exchanges a refresh token for the next pair of tokens. One that was exchanged before has been copied:
    /// its session ends.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Login> {
        let presented =
            SessionToken::parse_refresh(refresh_token).ok_or(AppError::Unauthenticated)?;
        let token = SessionToken { secret: self.entropy.bytes(), ..presented };
        let now = self.now();
        let next = NextToken {
            session: token.session,
            user: token.user,
            token_hash: token.digest(),
            expires_at: now + REFRESH_LIFETIME,
        };
        let (storage, presented_hash) = (Arc::clone(&self.storage), presented.digest());
        // Access tokens end with the session if this token was used before.
        let rotate = async move { storage.rotate_session(&presented_hash, &next, now).await };
        match self.end_and_forget(token.session, rotate).await? {
            Rotation::Rotated => {}
            Rotation::Reused => {
                tracing::warn!(user = %presented.user, "refresh token reused, session ended");
                return Err(AppError::Unauthenticated);
            }
            Rotation::Unknown => return Err(AppError::Unauthenticated),
        }
        let user = self.storage.find_user(presented.user).await?;
        self.logged_in(user.ok_or(AppError::Unauthenticated)?, &token)
    }

    /// Ends the session of a refresh token, if it has one, and with it its access tokens.
    pub async fn logout(&self, refresh_token: &str) -> Result<()> {
        if let Some(token) = SessionToken::parse_refresh(refresh_token) {
            let (storage, now) = (Arc::clone(&self.storage), self.now());
            let end = async move {
                storage.end_session(token.user, token.session, &token.digest(), now).await
            };
            self.end_and_forget(token.session, end).await?;
        }
        Ok(())
    }

    /// The user with this address and password.
    async fn user_with(&self, email: &Email, password: &Password) -> Result<User> {
        let credentials = self.storage.find_credentials(email).await?;
        let (user, hash) = match credentials {
            Some(found) => (Some(found.user), found.password_hash),
            None => (None, None),
        };
        let is_right = self.passwords.verify(password, hash).await?;
        let user = user.filter(|_| is_right).ok_or(AppError::InvalidCredentials)?;
        self.storage.find_user(user).await?.ok_or(AppError::InvalidCredentials)
    }

    async fn begin_session(&self, user: User) -> Result<Login> {
        let (kind, label) = (SessionKind::Tokens, SessionLabel::default());
        let (token, session) = self.new_session(user.id, kind, label, REFRESH_LIFETIME);
        self.storage.create_session(&session, session.began_at).await?;
        self.logged_in(user, &token)
    }

    fn logged_in(&self, user: User, refresh_token: &SessionToken) -> Result<Login> {
        let (session, now) = (refresh_token.session, self.now());
        let access_token = self.tokens.issue(&user, session, now, self.entropy.bytes())?;
        Ok(Login {
            user,
            access_token,
            refresh_token: refresh_token.to_text(),
            expires_in_seconds: ACCESS_SECONDS.unsigned_abs(),
        })
    }
}
