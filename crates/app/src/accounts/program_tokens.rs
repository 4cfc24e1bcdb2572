//! Tokens for programs: which there are, making and revoking them, and recognising one.

use std::{fmt, sync::Arc};

use jiff::Timestamp;
use larder_domain::{
    ProgramTokenId, ProgramTokenPosition, TokenName, TokenNeed, TokenScope, TokenScopes, UserId,
};
use larder_storage::{CreateProgramToken, Lookup, Page, ProgramToken, ReadAt, Store};
use tracing::Instrument as _;

use super::{ProgramTokenCache, browser::is_same};
use crate::{
    App, AppError, Caller, Result, app::whole_milliseconds, completion::complete_even_if_cancelled,
    tokens::ProgramTokenText,
};

/// How many tokens a person may have, including expired ones. Far more than a home has programs,
/// and few enough to be read at once.
pub const MAX_PROGRAM_TOKENS: u32 = 50;

/// A token to be.
#[derive(Debug, Clone)]
pub struct NewProgramToken {
    /// What the person calls it.
    pub name: TokenName,
    /// What it may do.
    pub scopes: TokenScopes,
    /// Until when it is good; `None`: until it is revoked.
    pub expires_at: Option<Timestamp>,
}

/// A new token, and its text, which is never shown again.
pub struct MadeProgramToken {
    /// The token.
    pub token: ProgramToken,
    /// What the program sends.
    pub text: String,
}

/// The text stays out of logs.
impl fmt::Debug for MadeProgramToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MadeProgramToken").field("token", &self.token.id).finish_non_exhaustive()
    }
}

/// One use of a token that is good.
struct TokenUse {
    scopes: TokenScopes,
    /// Whether this use must be recorded in the store. True once: the next use sees it as recorded.
    is_worth_noting: bool,
}

impl App {
    /// Makes a token for a program of the caller's. The caller must have logged in.
    pub async fn make_program_token(
        &self,
        caller: &Caller,
        new: NewProgramToken,
    ) -> Result<MadeProgramToken> {
        let now = self.now();
        let expires_at = new.expires_at.map(whole_milliseconds);
        if expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(AppError::ExpiryPassed);
        }
        let text = ProgramTokenText {
            user: caller.user_id(),
            id: self.entropy.id(),
            secret: self.entropy.bytes(),
        };
        let token = ProgramToken {
            id: text.id,
            user: text.user,
            name: new.name,
            scopes: new.scopes,
            token_hash: text.digest(),
            created_at: now,
            last_used_at: None,
            expires_at,
        };
        match self.storage.create_program_token(&token, MAX_PROGRAM_TOKENS).await? {
            CreateProgramToken::Created => Ok(MadeProgramToken { token, text: text.to_text() }),
            CreateProgramToken::LimitReached => {
                Err(AppError::TooManyProgramTokens(MAX_PROGRAM_TOKENS))
            }
        }
    }

    /// A page of the caller's tokens, newest first, expired ones included.
    pub async fn program_tokens(
        &self,
        caller: &Caller,
        after: Option<&ProgramTokenPosition>,
        limit: usize,
    ) -> Result<Page<ProgramToken, ProgramTokenPosition>> {
        Ok(self.storage.list_program_tokens(caller.user_id(), after, limit).await?)
    }

    /// Revokes one of the caller's tokens: at once here, and within ten seconds on other servers.
    pub async fn revoke_program_token(&self, caller: &Caller, id: ProgramTokenId) -> Result<()> {
        let (storage, tokens) = (Arc::clone(&self.storage), Arc::clone(&self.program_tokens));
        let (user, now) = (caller.user_id(), self.now());
        let was_there = complete_even_if_cancelled(async move {
            let was_there = storage.revoke_program_token(user, id, now).await;
            // Also after a failure, because a store cannot always tell whether a write happened.
            tokens.invalidate(&id);
            was_there
        });
        if was_there.await?? { Ok(()) } else { Err(AppError::ProgramTokenNotFound) }
    }

    /// The person whose program this is, if its token is good and enough for the request.
    pub(super) async fn program_with(
        &self,
        token: &ProgramTokenText,
        need: TokenNeed,
    ) -> Result<Caller> {
        let scopes = self.scopes_of(token).await?.ok_or(AppError::Unauthenticated)?;
        let caller = self.caller(token.user).await?;
        need.check(scopes)?;
        Ok(if scopes.contains(TokenScope::Admin) { caller } else { caller.restricted() })
    }

    /// What a token may do; `None` if it is unknown, revoked or expired. Only good ones are
    /// remembered, so that guesses cannot fill the memory.
    async fn scopes_of(&self, presented: &ProgramTokenText) -> Result<Option<TokenScopes>> {
        let (now, digest) = (self.now(), presented.digest());
        let use_token = |token: &mut ProgramToken| use_token(token, presented, &digest, now);
        let cached =
            |cache: &ProgramTokenCache| cache.look_up_with(&presented.id, ReadAt(now), use_token);
        let used = match cached(&self.program_tokens) {
            Lookup::Hit(used) => used,
            Lookup::Miss(ticket) => {
                let found = self.storage.find_program_token(presented.user, presented.id).await?;
                let Some(token) = found else { return Ok(None) };
                let Some(used) = use_token(&mut token.clone()) else { return Ok(None) };
                self.program_tokens.insert(ticket, token.id, token);
                // Through the cache, so that of many loads at once only one notes the use. A load
                // that was not cached leaves that to the next.
                match cached(&self.program_tokens) {
                    Lookup::Hit(used) => used,
                    Lookup::Miss(_) => Some(TokenUse { is_worth_noting: false, ..used }),
                }
            }
        };
        if used.as_ref().is_some_and(|used| used.is_worth_noting) {
            self.note_program_token_use(presented.user, presented.id, now);
        }
        Ok(used.map(|used| used.scopes))
    }

    /// Records a use without delaying the program. A failure does no harm: some seconds later the
    /// token is loaded again, and its use recorded then.
    fn note_program_token_use(&self, user: UserId, id: ProgramTokenId, now: Timestamp) {
        let storage = Arc::clone(&self.storage);
        let work = async move {
            if let Err(error) = storage.note_program_token_use(user, id, now).await {
                tracing::warn!(token = %id, %error, "use of a program's token not recorded");
            }
        };
        tokio::spawn(work.in_current_span());
    }
}

/// Uses a token, if the presented one proves it and it has not expired.
fn use_token(
    token: &mut ProgramToken,
    presented: &ProgramTokenText,
    digest: &str,
    now: Timestamp,
) -> Option<TokenUse> {
    let is_good = token.user == presented.user
        && is_same(&token.token_hash, digest)
        && !token.has_expired(now);
    if !is_good {
        return None;
    }
    let is_worth_noting = token.is_use_worth_noting(now);
    if is_worth_noting {
        token.last_used_at = Some(now);
    }
    Some(TokenUse { scopes: token.scopes, is_worth_noting })
}

/// Revokes all tokens of someone.
pub(super) async fn revoke_all(
    storage: &dyn Store,
    cache: &ProgramTokenCache,
    user: UserId,
    now: Timestamp,
) -> Result<()> {
    let all = storage.list_program_tokens(user, None, MAX_PROGRAM_TOKENS as usize).await?;
    for id in all.items.iter().map(|token| token.id) {
        let revoked = storage.revoke_program_token(user, id, now).await;
        cache.invalidate(&id);
        revoked?;
    }
    Ok(())
}
