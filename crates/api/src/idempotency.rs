//! `Idempotency-Key`: a retried request gets the first result and changes nothing.

use axum::{extract::FromRequestParts, http::request::Parts};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use larder_app::IdempotentRequest;
use larder_http::Problem;
use larder_storage::IdempotencyKey;
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use crate::state::NamedInventory;

const HEADER: &str = "idempotency-key";

/// The key of a request and the text that identifies the request, if the client sent a key.
#[derive(IntoParams)]
#[into_params(names("Idempotency-Key"), parameter_in = Header)]
pub(crate) struct Idempotency(
    /// Makes a repetition safe for 24 hours
    #[param(
        value_type = Option<String>, min_length = 1, max_length = 64,
        pattern = "^[!-~]([ -~]*[!-~])?$",
    )]
    Option<(IdempotencyKey, String)>,
);

impl<S: Sync> FromRequestParts<S> for Idempotency {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Some(value) = parts.headers.get(HEADER) else { return Ok(Self(None)) };
        let text = value.to_str().unwrap_or_default();
        let key = IdempotencyKey::parse(text).map_err(|error| {
            Problem::bad_request("INVALID_FIELDS", "Validation failed")
                .field_error("Idempotency-Key", error.to_string())
        })?;
        // The same body is another request where another inventory is named.
        let inventory = match parts.extensions.get() {
            Some(NamedInventory(whose)) => format!("?inventory={}", whose.as_str()),
            None => String::new(),
        };
        Ok(Self(Some((key, format!("{} {}{inventory}", parts.method, parts.uri.path())))))
    }
}

impl Idempotency {
    /// The idempotent request with this body, if the client sent a key.
    pub(crate) fn request(self, body: &[u8]) -> Option<IdempotentRequest> {
        let (key, request) = self.0?;
        Some(IdempotentRequest { key, digest: digest(&request, body) })
    }
}

fn digest(request: &str, body: &[u8]) -> String {
    let digest =
        Sha256::new().chain_update(request).chain_update([0]).chain_update(body).finalize();
    URL_SAFE_NO_PAD.encode(digest)
}
