//! Accounts: registering, logging in and staying so.

use std::fmt;

use jiff::SignedDuration;
use larder_domain::{Email, Password, PersonName, User};
use larder_storage::{CreateUser, NewUser, Rotation, Session};

use crate::{
    App, AppError, Result,
    tokens::{ACCESS_SECONDS, RefreshToken},
};

mod authenticate;
mod caller_cache;
mod passwords;

pub(crate) use caller_cache::CallerCache;
pub(crate) use passwords::Passwords;

/// How long a refresh token is good.
const REFRESH_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Someone who is logged in, and the tokens that show it.
pub struct Login {
    /// Who.
    pub user: User,
    /// Goes with every request.
    pub access_token: String,
    /// Gets the next pair of tokens, once.
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
    /// Makes an account and logs it in.
    pub async fn register(
        &self,
        email: Email,
        password: Password,
        name: PersonName,
    ) -> Result<Login> {
        let password_hash = self.passwords.hash(&password, self.entropy.bytes()).await?;
        let now = self.now();
        let account = NewUser {
            id: self.entropy.id(),
            email,
            name,
            password_hash: Some(password_hash),
            identity: None,
        };
        match self.storage.create_user(&account, now).await? {
            CreateUser::Created => {}
            CreateUser::EmailTaken => return Err(AppError::EmailTaken),
            CreateUser::IdentityTaken => {
                return Err(AppError::Defect("an account without identity met one".into()));
            }
        }
        let user = User {
            id: account.id,
            email: account.email,
            name: account.name,
            created_at: now,
            membership: None,
            is_moving_items: false,
        };
        self.begin_session(user).await
    }

    /// Logs in. An address that nobody has takes as long and gives the same answer as a wrong password.
    pub async fn login(&self, email: &Email, password: &Password) -> Result<Login> {
        let credentials = self.storage.find_credentials(email).await?;
        let (user, hash) = match credentials {
            Some(found) => (Some(found.user), found.password_hash),
            None => (None, None),
        };
        let is_right = self.passwords.verify(password, hash).await?;
        let user = user.filter(|_| is_right).ok_or(AppError::InvalidCredentials)?;
        let user = self.storage.find_user(user).await?.ok_or(AppError::InvalidCredentials)?;
        self.begin_session(user).await
    }

    /// Exchanges a refresh token for the next pair of tokens. One that was exchanged before has been copied:
    /// its session ends.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Login> {
        let presented = RefreshToken::parse(refresh_token).ok_or(AppError::Unauthenticated)?;
        let next = RefreshToken { secret: self.entropy.bytes(), ..presented };
        let (now, session) = (self.now(), self.session(&next));
        match self.storage.rotate_session(&presented.digest(), &session, now).await? {
            Rotation::Rotated => {}
            Rotation::Reused => {
                tracing::warn!(user = %presented.user, "a refresh token came twice; its session was ended");
                return Err(AppError::Unauthenticated);
            }
            Rotation::Unknown => return Err(AppError::Unauthenticated),
        }
        let user = self.storage.find_user(presented.user).await?;
        self.logged_in(user.ok_or(AppError::Unauthenticated)?, &next)
    }

    /// Ends the session of a refresh token, if it has one.
    pub async fn logout(&self, refresh_token: &str) -> Result<()> {
        if let Some(token) = RefreshToken::parse(refresh_token) {
            let digest = token.digest();
            self.storage.end_session(token.user, token.session, &digest, self.now()).await?;
        }
        Ok(())
    }

    async fn begin_session(&self, user: User) -> Result<Login> {
        let token = RefreshToken {
            user: user.id,
            session: self.entropy.id(),
            secret: self.entropy.bytes(),
        };
        self.storage.create_session(&self.session(&token), self.now()).await?;
        self.logged_in(user, &token)
    }

    fn session(&self, newest: &RefreshToken) -> Session {
        Session {
            id: newest.session,
            user: newest.user,
            token_hash: newest.digest(),
            expires_at: self.now() + REFRESH_LIFETIME,
        }
    }

    fn logged_in(&self, user: User, refresh_token: &RefreshToken) -> Result<Login> {
        let access_token = self.tokens.issue(&user, self.now(), self.entropy.bytes())?;
        Ok(Login {
            user,
            access_token,
            refresh_token: refresh_token.to_text(),
            expires_in_seconds: ACCESS_SECONDS.unsigned_abs(),
        })
    }
}
