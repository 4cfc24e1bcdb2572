//! Caches of callers and of sessions of browsers: every request needs them, and they rarely change.

use larder_domain::{SessionId, UserId};
use larder_storage::{Cache, ReadAt, Session};

use crate::Caller;

/// How long a change by another server may go unnoticed, which limits what a removed member can
/// still do there. Ten seconds are promised; the rest is for processing.
const LIFETIME_S: i64 = 8;
/// A few megabytes when full.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Callers by their user.
pub(crate) type CallerCache = Cache<UserId, Caller, ReadAt<LIFETIME_S>>;

/// Browser sessions. Only those with a valid cookie are cached, so that invalid cookies cannot fill
/// the memory.
pub(crate) type SessionCache = Cache<SessionId, Session, ReadAt<LIFETIME_S>>;
