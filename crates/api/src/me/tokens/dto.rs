//! Tokens for programs as the API shows them: never their text or its digest.

use larder_domain::{ProgramTokenId, TokenScope};
use larder_storage::ProgramToken;
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// A token for a program.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProgramToken)]
pub(super) struct TokenDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: ProgramTokenId,
    #[schema(max_length = 100)]
    name: &'a str,
    /// What it may do of all that I may.
    scopes: Vec<&'static str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// To within a minute; null if it was never used.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Time>,
    /// Null: it is good until it is revoked.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Time>,
}

impl<'a> TokenDto<'a> {
    pub(super) fn of(token: &'a ProgramToken) -> Self {
        Self {
            id: token.id,
            name: token.name.as_str(),
            scopes: token.scopes.iter().map(TokenScope::as_str).collect(),
            created_at: Time(token.created_at),
            last_used_at: token.last_used_at.map(Time),
            expires_at: token.expires_at.map(Time),
        }
    }
}

/// A new token for a program.
#[derive(Serialize, ToSchema)]
#[schema(as = NewProgramToken)]
pub(super) struct MadeTokenDto<'a> {
    #[serde(flatten)]
    pub(super) described: TokenDto<'a>,
    /// What the program sends as `Authorization: Bearer …`. Shown only once; it cannot be
    /// recovered.
    #[schema(pattern = "^larder_[A-Za-z0-9_-]{88}$")]
    pub(super) token: &'a str,
}

/// A page of tokens for programs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProgramTokenPage)]
pub(super) struct TokenPageDto<'a> {
    #[schema(inline = false)]
    pub(super) items: Vec<TokenDto<'a>>,
    /// The cursor of the next page; null on the last page.
    pub(super) next_cursor: Option<String>,
}
