//! Requests that may come twice and happen once.

use jiff::SignedDuration;
use larder_storage::{IdempotencyClaim, IdempotencyKey, WriteOutcome};

use crate::{App, AppError, Caller, Result};

/// How long a key is kept.
const KEY_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

impl App {
    /// A claim on this key from now on, to go with the write.
    pub fn claim(&self, key: IdempotencyKey, request_hash: String) -> IdempotencyClaim {
        IdempotencyClaim { key, request_hash, expires_at: self.now() + KEY_LIFETIME }
    }

    /// What the same request did when it came first; `None` if it comes for the first time. Another request
    /// with the same key is [`AppError::IdempotencyMismatch`].
    pub async fn find_idempotent(
        &self,
        caller: &Caller,
        claim: &IdempotencyClaim,
    ) -> Result<Option<WriteOutcome>> {
        match self.storage.find_idempotent(caller.user_id(), &claim.key).await? {
            Some(used) if used.request_hash != claim.request_hash => {
                Err(AppError::IdempotencyMismatch)
            }
            used => Ok(used.map(|used| used.outcome)),
        }
    }
}
