//! People, how they prove who they are, and their logins.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Email, PersonName, SessionId, User, UserId};

use crate::Result;

/// An identity that someone else vouches for: who, and the name they know the person by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalIdentity {
    /// The issuer.
    pub issuer: String,
    /// The subject at that issuer.
    pub subject: String,
}

/// A person to be.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Who.
    pub id: UserId,
    /// The address, unique among all users, whatever its case.
    pub email: Email,
    /// The name.
    pub name: PersonName,
    /// The hashed password; `None` for those who log in elsewhere.
    pub password_hash: Option<String>,
    /// Where else they log in; unique among all users.
    pub identity: Option<ExternalIdentity>,
}

/// What came of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateUser {
    /// The user exists now.
    Created,
    /// The address is someone's already.
    EmailTaken,
    /// The external identity is someone's already.
    IdentityTaken,
}

/// What a login is checked against.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Who.
    pub user: UserId,
    /// The hashed password; `None` for those who log in elsewhere.
    pub password_hash: Option<String>,
}

/// A login: one family of refresh tokens, of which only the newest is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Which.
    pub id: SessionId,
    /// Whose.
    pub user: UserId,
    /// The digest of the token that is good now.
    pub token_hash: String,
    /// Until when.
    pub expires_at: Timestamp,
}

/// What came of presenting a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// It was the newest, and has been replaced.
    Rotated,
    /// It had been replaced before: someone has a copy. The whole session was ended.
    Reused,
    /// There is no such session.
    Unknown,
}

/// Accounts and logins. These calls come before authorization and carry no scope.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Registers a person.
    async fn create_user(&self, user: &NewUser, at: Timestamp) -> Result<CreateUser>;

    /// The person with this id, with the membership that holds now.
    async fn find_user(&self, id: UserId) -> Result<Option<User>>;

    /// What a login with this address is checked against.
    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>>;

    /// The person whom an issuer vouches for.
    async fn find_user_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<UserId>>;

    /// Begins a session.
    async fn create_session(&self, session: &Session, at: Timestamp) -> Result<()>;

    /// Replaces the token `presented` of a session by the one in `next`; ends the session if it is not the
    /// newest.
    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &Session,
        at: Timestamp,
    ) -> Result<Rotation>;

    /// Ends a session, if the token is one that it knows. Ending what is not there is no failure.
    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        at: Timestamp,
    ) -> Result<()>;
}
