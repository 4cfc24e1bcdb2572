//! `Idempotency-Key`: the same request again answers the first result and changes nothing.

use axum::{extract::FromRequestParts, http::request::Parts};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use larder_app::{App, AppError, Caller};
use larder_storage::{IdempotencyClaim, IdempotencyKey, WriteOutcome};
use sha2::{Digest, Sha256};

use crate::http::Problem;

const HEADER: &str = "idempotency-key";

/// The key of a request and what tells the request apart, if the client sent a key.
pub(crate) struct Idempotency(Option<(IdempotencyKey, String)>);

impl<S: Sync> FromRequestParts<S> for Idempotency {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(HEADER) else { return Ok(Self(None)) };
        let text = value.to_str().unwrap_or_default();
        let key = IdempotencyKey::parse(text).map_err(|error| {
            Problem::bad_request("INVALID_FIELDS", "Validation failed")
                .field_error("Idempotency-Key", error.to_string())
        })?;
        Ok(Self(Some((key, format!("{} {}", parts.method, parts.uri.path())))))
    }
}

impl Idempotency {
    /// Runs a write at most once for its key, and answers with what it did, now or before.
    pub(crate) async fn run<F>(
        self,
        app: &App,
        caller: &Caller,
        body: &[u8],
        write: impl FnOnce(Option<IdempotencyClaim>) -> F,
    ) -> Result<WriteOutcome, AppError>
    where
        F: Future<Output = Result<WriteOutcome, AppError>>,
    {
        let Some((key, request)) = self.0 else { return write(None).await };
        let claim = app.claim(key, digest(&request, body));
        if let Some(outcome) = app.find_idempotent(caller, &claim).await? {
            return Ok(outcome);
        }
        match write(Some(claim.clone())).await {
            // Another request with the same key was faster: its result is ours.
            Err(AppError::IdempotencyKeyUsed) => {
                let outcome = app.find_idempotent(caller, &claim).await?;
                outcome.ok_or(AppError::IdempotencyKeyUsed)
            }
            other => other,
        }
    }
}

fn digest(request: &str, body: &[u8]) -> String {
    let digest =
        Sha256::new().chain_update(request).chain_update([0]).chain_update(body).finalize();
    URL_SAFE_NO_PAD.encode(digest)
}

/// A key belongs to one route, so the outcome of another kind cannot be under it.
pub(crate) fn unexpected(outcome: &WriteOutcome) -> Problem {
    Problem::internal(&format!("an idempotency key gave {outcome:?}"))
}
