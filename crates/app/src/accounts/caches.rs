//! Caches of callers and of sessions: every request needs them, and they rarely change.

use larder_domain::{SessionId, UserId};
use larder_storage::{Cache, ReadAt, Session};

use crate::Caller;

/// How long a change by another server may go unnoticed, which limits what a removed member can
/// still do there, and how long tokens outlive a logout. Ten seconds are promised; the rest is for
/// processing.
const LIFETIME_S: i64 = 8;
/// A few megabytes when full.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Callers by their user.
pub(crate) type CallerCache = Cache<UserId, Caller, ReadAt<LIFETIME_S>>;

/// Sessions of browsers and of access tokens. Only those with a valid cookie or token are cached, so
/// that invalid ones cannot fill the memory.
pub(crate) type SessionCache = Cache<SessionId, Session, ReadAt<LIFETIME_S>>;
