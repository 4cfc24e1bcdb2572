//! Idempotent requests.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use futures_util::future::try_join_all;
use jiff::SignedDuration;
use larder_storage::{IdempotencyClaim, IdempotencyKey, Replay};
use sha2::{Digest as _, Sha256};

use crate::{App, AppError, Caller, ErrorKind, Result};

/// How long a key is remembered.
const KEY_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A request that its client may send again.
#[derive(Debug, Clone)]
pub struct IdempotentRequest {
    /// The client's name for the request.
    pub key: IdempotencyKey,
    /// A digest of the request: another request under the same key is a mistake.
    pub digest: String,
}

impl IdempotentRequest {
    /// One of several writes of the request. Each has its own key, because each is its own
    /// transaction.
    fn part(&self, index: usize) -> Result<Self> {
        let digest = Sha256::new()
            .chain_update(self.key.as_str())
            .chain_update([0])
            .chain_update(index.to_be_bytes())
            .finalize();
        let key = IdempotencyKey::parse(&URL_SAFE_NO_PAD.encode(digest))
            .map_err(|error| AppError::Defect(error.to_string()))?;
        Ok(Self { key, digest: self.digest.clone() })
    }
}

impl App {
    /// Runs several writes in order, each by itself and at most once per key: a refusal is the
    /// result of its write and does not stop the others. A failure of the store stops, and a retry
    /// continues there.
    pub(crate) async fn run_each<T: Replay, W, F: Future<Output = Result<T>>>(
        &self,
        caller: &Caller,
        request: Option<IdempotentRequest>,
        writes: Vec<W>,
        write: impl Fn(W, Option<IdempotencyClaim>) -> F,
    ) -> Result<Vec<Result<T>>> {
        let parts = (0..writes.len()).map(|index| request.as_ref().map(|it| it.part(index)));
        let parts = parts.map(Option::transpose).collect::<Result<Vec<_>>>()?;
        // Another request under the same key is refused before any of it happens.
        let find = async |part: &IdempotentRequest| {
            self.find_result::<T>(caller, &self.claim(part.clone())).await
        };
        try_join_all(parts.iter().flatten().map(find)).await?;
        let mut results = Vec::with_capacity(writes.len());
        for (asked, part) in writes.into_iter().zip(parts) {
            match self.run_once(caller, part, |claim| write(asked, claim)).await {
                Err(error)
                    if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Defect)
                        || matches!(error, AppError::IdempotencyMismatch) =>
                {
                    return Err(error);
                }
                result => results.push(result),
            }
        }
        Ok(results)
    }

    /// Runs a write at most once per key, and returns its result, new or stored. Another request
    /// with the same key is [`AppError::IdempotencyMismatch`].
    pub async fn run_once<T: Replay, F: Future<Output = Result<T>>>(
        &self,
        caller: &Caller,
        request: Option<IdempotentRequest>,
        write: impl FnOnce(Option<IdempotencyClaim>) -> F,
    ) -> Result<T> {
        let Some(request) = request else { return write(None).await };
        let claim = self.claim(request);
        if let Some(done) = self.find_result(caller, &claim).await? {
            return Ok(done);
        }
        match write(Some(claim.clone())).await {
            // A concurrent request with the same key may have been faster, and may be why this one was refused: then
            // its result is ours.
            Err(error)
                if error.kind() == ErrorKind::Conflict || error.kind() == ErrorKind::NotFound =>
            {
                self.find_result(caller, &claim).await?.ok_or(error)
            }
            other => other,
        }
    }

    fn claim(&self, IdempotentRequest { key, digest }: IdempotentRequest) -> IdempotencyClaim {
        IdempotencyClaim { key, request_hash: digest, expires_at: self.now() + KEY_LIFETIME }
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
