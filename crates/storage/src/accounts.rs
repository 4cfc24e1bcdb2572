//! Users, their credentials, and their sessions.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Email, HouseholdId, InviteCode, PersonName, SessionId, SessionKind, SessionLabel,
    SessionPosition, User, UserId, UserPatch,
};

use crate::{Page, Result};

/// An external identity: the issuer, and the user's name there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalIdentity {
    /// The issuer.
    pub issuer: String,
    /// The subject at that issuer.
    pub subject: String,
}

/// The condition of a registration, checked in its transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// None.
    Anyone,
    /// No account exists yet. Of concurrent registrations, exactly one is the first.
    FirstAccount,
    /// This code opens this household at that moment. The person becomes a member of it.
    Invited {
        /// The household that the code was found to open.
        household: HouseholdId,
        /// The code.
        code: InviteCode,
    },
}

/// A person to be.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// The user's id.
    pub id: UserId,
    /// The address, unique among all users, ignoring case.
    pub email: Email,
    /// The name.
    pub name: PersonName,
    /// The hashed password; `None` for external logins.
    pub password_hash: Option<String>,
    /// The external identity; unique among all users.
    pub identity: Option<ExternalIdentity>,
    /// Why they may register.
    pub admission: Admission,
}

/// The result of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateUser {
    /// The user exists now.
    Created,
    /// The address is someone's already.
    EmailTaken,
    /// The external identity is someone's already.
    IdentityTaken,
    /// The condition of the registration does not hold. Takes precedence over other refusals.
    NotAdmitted,
}

/// The result of linking an account to an external identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkIdentity {
    /// The identity logs in to the account, now or since an earlier attempt.
    Linked,
    /// The identity logs in to another account.
    Taken,
    /// The account is linked to another identity, and has at most one.
    HasAnother,
    /// There is no such account.
    NotFound,
}

/// The credentials for checking a login.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The user.
    pub user: UserId,
    /// The hashed password; `None` for external logins.
    pub password_hash: Option<String>,
}

/// A login. It is proved by one secret at a time: a browser's is constant, of tokens only the
/// newest is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The user.
    pub user: UserId,
    /// How they stay logged in.
    pub kind: SessionKind,
    /// How they recognise it.
    pub label: SessionLabel,
    /// The digest of the secret that is good now.
    pub token_hash: String,
    /// When it began.
    pub began_at: Timestamp,
    /// When it was last extended: a session that is in use is, now and then.
    pub last_used_at: Timestamp,
    /// Until when.
    pub expires_at: Timestamp,
}

impl Session {
    /// Its place in the list of the person's sessions.
    pub const fn position(&self) -> SessionPosition {
        SessionPosition { began_at: self.began_at, id: self.id }
    }
}

/// The token that replaces the newest one of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextToken {
    /// Of which session.
    pub session: SessionId,
    /// The user.
    pub user: UserId,
    /// Its digest.
    pub token_hash: String,
    /// Until when the session lasts with it.
    pub expires_at: Timestamp,
}

/// The result of presenting a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// It was the newest, and has been replaced.
    Rotated,
    /// It had been replaced before: someone has a copy. The whole session was ended.
    Reused,
    /// There is no such session of tokens. Nothing was changed.
    Unknown,
}

/// Accounts and logins. These calls precede authorization and need no scope.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Registers a person.
    async fn create_user(&self, user: &NewUser, at: Timestamp) -> Result<CreateUser>;

    /// Whether any user has ever registered. Never becomes `false` again.
    async fn has_accounts(&self) -> Result<bool>;

    /// The user with this id, with their current membership.
    async fn find_user(&self, id: UserId) -> Result<Option<User>>;

    /// The credentials for a login with this address.
    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>>;

    /// The person whom an issuer vouches for.
    async fn find_user_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<UserId>>;

    /// The external identity that logs in to this account.
    async fn find_identity(&self, user: UserId) -> Result<Option<ExternalIdentity>>;

    /// Has an external identity log in to this account.
    async fn link_identity(
        &self,
        user: UserId,
        identity: &ExternalIdentity,
        at: Timestamp,
    ) -> Result<LinkIdentity>;

    /// Keeps the account's external identity from logging in to it. `false` if it has none, or no
    /// password: nobody could log in to it any more.
    async fn unlink_identity(&self, user: UserId, at: Timestamp) -> Result<bool>;

    /// Changes what a user has stated about themselves; a new name also in their household's list of
    /// members. `false` if there is no such user.
    async fn update_user(&self, user: UserId, patch: &UserPatch, at: Timestamp) -> Result<bool>;

    /// Records that the user has confirmed this address. `false` if there is no such user, or they
    /// have another address.
    async fn confirm_email(&self, user: UserId, email: &Email, at: Timestamp) -> Result<bool>;

    /// Counts a mail to the user that is about to be sent on this day. `false`, without counting,
    /// if the limit is reached or there is no such user.
    async fn count_mail(&self, user: UserId, day: Date, limit: u32, at: Timestamp) -> Result<bool>;

    /// Uncounts a mail that was not sent, unless the day has passed.
    async fn uncount_mail(&self, user: UserId, day: Date, at: Timestamp) -> Result<()>;

    /// Replaces the hashed password of a user. `false` if there is no such user.
    async fn set_password(&self, user: UserId, hash: &str, at: Timestamp) -> Result<bool>;

    /// Begins a session.
    async fn create_session(&self, session: &Session, at: Timestamp) -> Result<()>;

    /// The session after the last acknowledged write; `None` once it has ended or expired.
    async fn find_session(
        &self,
        user: UserId,
        session: SessionId,
        at: Timestamp,
    ) -> Result<Option<Session>>;

    /// A page of the person's sessions as the last acknowledged write left them, newest first (within a
    /// moment by id, descending), expired ones left out.
    async fn list_sessions(
        &self,
        user: UserId,
        after: Option<&SessionPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Session, SessionPosition>>;

    /// Records a use of a session, and extends it until `expires_at`. `false` if it does not exist.
    async fn extend_session(
        &self,
        user: UserId,
        session: SessionId,
        expires_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool>;

    /// Replaces the newest token of a session by the next, which counts as its use; ends the session if
    /// `presented` is not the newest. A browser's session has no tokens to replace: it is unknown here.
    async fn rotate_session(
        &self,
        presented_hash: &str,
        next: &NextToken,
        at: Timestamp,
    ) -> Result<Rotation>;

    /// Ends a session, if the token belongs to it. Ending an absent one succeeds.
    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        at: Timestamp,
    ) -> Result<()>;

    /// Ends a user's session, whatever its token. `false` if it does not exist.
    async fn revoke_session(&self, user: UserId, session: SessionId, at: Timestamp)
    -> Result<bool>;
}
