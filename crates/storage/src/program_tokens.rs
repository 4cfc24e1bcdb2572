//! Tokens that people make for programs.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    PROGRAM_TOKEN_USE_INTERVAL, ProgramTokenId, ProgramTokenPosition, TokenName, TokenScopes,
    UserId,
};

use crate::{Page, Result};

/// A token that a person has made for a program. It stays in the list after it has expired, until
/// it is revoked: its name says which program has stopped working.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramToken {
    /// Its id.
    pub id: ProgramTokenId,
    /// Whose rights it has.
    pub user: UserId,
    /// What that person calls it.
    pub name: TokenName,
    /// What it may do, of all that the person may.
    pub scopes: TokenScopes,
    /// The digest of its text.
    pub token_hash: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to within [`PROGRAM_TOKEN_USE_INTERVAL`].
    pub last_used_at: Option<Timestamp>,
    /// Until when it is good; `None`: until it is revoked.
    pub expires_at: Option<Timestamp>,
}

impl ProgramToken {
    /// Whether it is no longer good.
    pub fn has_expired(&self, at: Timestamp) -> bool {
        self.expires_at.is_some_and(|expires_at| expires_at <= at)
    }

    /// Whether a use at this time is worth noting.
    pub fn is_use_worth_noting(&self, at: Timestamp) -> bool {
        self.last_used_at.is_none_or(|last| at.duration_since(last) >= PROGRAM_TOKEN_USE_INTERVAL)
    }

    /// Its place in the list of the person's tokens.
    pub const fn position(&self) -> ProgramTokenPosition {
        ProgramTokenPosition { created_at: self.created_at, id: self.id }
    }
}

/// The result of storing a new token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateProgramToken {
    /// It is there now.
    Created,
    /// The person has as many as they may have.
    LimitReached,
}

/// Tokens for programs. These calls precede authorization and need no scope.
#[async_trait]
pub trait ProgramTokens: Send + Sync {
    /// Stores a new token, unless the person has `limit` of them, including expired ones. They
    /// never get more, however many are made at once.
    async fn create_program_token(
        &self,
        token: &ProgramToken,
        limit: u32,
    ) -> Result<CreateProgramToken>;

    /// The person's token after the last acknowledged write, expired or not.
    async fn find_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
    ) -> Result<Option<ProgramToken>>;

    /// A page of the person's tokens as the last acknowledged write left them, newest first (within
    /// a moment by id, descending), expired or not.
    async fn list_program_tokens(
        &self,
        user: UserId,
        after: Option<&ProgramTokenPosition>,
        limit: usize,
    ) -> Result<Page<ProgramToken, ProgramTokenPosition>>;

    /// Records a use. One that was revoked meanwhile stays so.
    async fn note_program_token_use(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<()>;

    /// Deletes a token of this person. `false` if they have no such token.
    async fn revoke_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<bool>;
}
