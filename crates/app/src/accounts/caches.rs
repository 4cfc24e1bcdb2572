//! Caches of callers, of sessions and of tokens for programs: every request needs them, and they rarely change.

use larder_domain::{ProgramTokenId, SessionId, UserId};
use larder_storage::{Cache, ProgramToken, ReadAt, Session};

use crate::Caller;

/// How long a change by another server may go unnoticed, which limits what a removed member can
/// still do there, and how long tokens outlive a logout or a revocation. Ten seconds are promised; the rest is for
/// processing.
const LIFETIME_S: i64 = 8;
/// A few megabytes when full.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Callers by their user.
pub(crate) type CallerCache = Cache<UserId, Caller, ReadAt<LIFETIME_S>>;

/// Sessions of browsers and of access tokens. Only those with a valid cookie or token are cached, so
/// that invalid ones cannot fill the memory.
pub(crate) type SessionCache = Cache<SessionId, Session, ReadAt<LIFETIME_S>>;

/// Tokens for programs, of which likewise only those that were presented are cached.
pub(crate) type ProgramTokenCache = Cache<ProgramTokenId, ProgramToken, ReadAt<LIFETIME_S>>;
