//! Requests that may arrive twice and take effect once.

use jiff::SignedDuration;
use larder_storage::{IdempotencyClaim, IdempotencyKey, Replay};

use crate::{App, AppError, Caller, Result};

/// How long a key is kept.
const KEY_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A request that its client may send again.
#[derive(Debug, Clone)]
pub struct IdempotentRequest {
    /// The client's name for the request.
    pub key: IdempotencyKey,
    /// A digest of the request: another request under the same key is a mistake.
    pub digest: String,
}

impl App {
    /// Runs a write at most once per key, and answers with what it did, now or before. Another request with the
    /// same key is [`AppError::IdempotencyMismatch`].
    pub async fn run_once<T: Replay, F: Future<Output = Result<T>>>(
        &self,
        caller: &Caller,
        request: Option<IdempotentRequest>,
        write: impl FnOnce(Option<IdempotencyClaim>) -> F,
    ) -> Result<T> {
        let Some(IdempotentRequest { key, digest }) = request else { return write(None).await };
        let claim =
            IdempotencyClaim { key, request_hash: digest, expires_at: self.now() + KEY_LIFETIME };
        if let Some(done) = self.find_result(caller, &claim).await? {
            return Ok(done);
        }
        match write(Some(claim.clone())).await {
            // A concurrent request with the same key was faster: its result is ours.
            Err(AppError::IdempotencyKeyUsed) => {
                self.find_result(caller, &claim).await?.ok_or(AppError::IdempotencyKeyUsed)
            }
            other => other,
        }
    }

    async fn find_result<T: Replay>(
        &self,
        caller: &Caller,
        claim: &IdempotencyClaim,
    ) -> Result<Option<T>> {
        match self.storage.find_idempotent(caller.user_id(), &claim.key).await? {
            Some(used) if used.request_hash != claim.request_hash => {
                Err(AppError::IdempotencyMismatch)
            }
            Some(used) => Ok(Some(T::replay(&used.result)?)),
            None => Ok(None),
        }
    }
}
