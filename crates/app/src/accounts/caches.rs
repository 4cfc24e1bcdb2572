//! Caches of callers and of sessions of browsers: every request needs them, and they rarely change.

use larder_domain::{SessionId, UserId};
use larder_storage::{Cache, ReadAt, Session};

use crate::Caller;

/// How long a change by another server may go unnoticed, which bounds what a removed member can still
/// do there. Ten seconds are allowed; the rest is for whoever acts on it.
const LIFETIME_S: i64 = 8;
/// A few megabytes when full.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Callers by their user.
pub(crate) type CallerCache = Cache<UserId, Caller, ReadAt<LIFETIME_S>>;

/// Sessions of browsers. Whatever a cookie does not prove is not cached, so that nobody can fill the
/// memory with cookies.
pub(crate) type SessionCache = Cache<SessionId, Session, ReadAt<LIFETIME_S>>;
