//! People, how they prove who they are, and their logins.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Email, HouseholdId, InviteCode, PersonName, SessionId, SessionKind, SessionLabel,
    SessionPosition, User, UserId,
};

use crate::{Page, Result};

/// An identity that someone else vouches for: who, and the name they know the person by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalIdentity {
    /// The issuer.
    pub issuer: String,
    /// The subject at that issuer.
    pub subject: String,
}

/// On what condition somebody is let in. It is checked in the transaction of the registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// None.
    Anyone,
    /// Nobody has an account yet. Of many at once, exactly one is the first.
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
    /// Why they may register.
    pub admission: Admission,
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
    /// The condition of their admission does not hold. This is told before anything else.
    NotAdmitted,
}

/// What a login is checked against.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// Who.
    pub user: UserId,
    /// The hashed password; `None` for those who log in elsewhere.
    pub password_hash: Option<String>,
}

/// A login. What proves it is one secret at a time: a browser's stays, of tokens only the newest is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Which.
    pub id: SessionId,
    /// Whose.
    pub user: UserId,
    /// How they stay logged in.
    pub kind: SessionKind,
    /// What they recognise it by.
    pub label: SessionLabel,
    /// The digest of the secret that is good now.
    pub token_hash: String,
    /// Since when.
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

/// The token that takes the place of the newest one of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextToken {
    /// Of which session.
    pub session: SessionId,
    /// Whose.
    pub user: UserId,
    /// Its digest.
    pub token_hash: String,
    /// Until when the session lasts with it.
    pub expires_at: Timestamp,
}

/// What came of presenting a refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// It was the newest, and has been replaced.
    Rotated,
    /// It had been replaced before: someone has a copy. The whole session was ended.
    Reused,
    /// There is no such session of tokens. Nothing was changed.
    Unknown,
}

/// Accounts and logins. These calls come before authorization and carry no scope.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Registers a person.
    async fn create_user(&self, user: &NewUser, at: Timestamp) -> Result<CreateUser>;

    /// Whether anybody has ever registered. Once it is so, it stays so.
    async fn has_accounts(&self) -> Result<bool>;

    /// The person with this id, with the membership that holds now.
    async fn find_user(&self, id: UserId) -> Result<Option<User>>;

    /// What a login with this address is checked against.
    async fn find_credentials(&self, email: &Email) -> Result<Option<Credentials>>;

    /// The person whom an issuer vouches for.
    async fn find_user_by_identity(&self, identity: &ExternalIdentity) -> Result<Option<UserId>>;

    /// Gives a person another name, also where their household lists them. `false` if there is no such person.
    async fn rename_user(&self, user: UserId, name: &PersonName, at: Timestamp) -> Result<bool>;

    /// Notes that the person reads mail at this address. `false` if there is no such person, or they have another
    /// address.
    async fn confirm_email(&self, user: UserId, email: &Email, at: Timestamp) -> Result<bool>;

    /// Counts a mail to the person that is about to be sent on this day. `false`, and it is not counted, if there
    /// were so many before. `false` also if there is no such person.
    async fn count_mail(&self, user: UserId, day: Date, limit: u32, at: Timestamp) -> Result<bool>;

    /// Takes back that a mail was counted, if that day still is: it was not sent.
    async fn uncount_mail(&self, user: UserId, day: Date, at: Timestamp) -> Result<()>;

    /// Replaces the hashed password of a person. `false` if there is no such person.
    async fn set_password(&self, user: UserId, hash: &str, at: Timestamp) -> Result<bool>;

    /// Begins a session.
    async fn create_session(&self, session: &Session, at: Timestamp) -> Result<()>;

    /// The session as the last acknowledged write left it; `None` once it has ended or expired.
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

    /// Notes that a session was used, and lets it last until `expires_at`. `false` if it is not there.
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

    /// Ends a session, if the token is one that it knows. Ending what is not there is no failure.
    async fn end_session(
        &self,
        user: UserId,
        session: SessionId,
        presented_hash: &str,
        at: Timestamp,
    ) -> Result<()>;

    /// Ends a session for the person whose it is, whatever its token. `false` if it is not there.
    async fn revoke_session(&self, user: UserId, session: SessionId, at: Timestamp)
    -> Result<bool>;
}
