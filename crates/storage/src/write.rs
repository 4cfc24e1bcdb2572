//! The parameters of every write.

use jiff::Timestamp;
use thiserror::Error;

/// When a write happens, and whether it may have happened before.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// The time that the change carries.
    pub at: Timestamp,
    /// The claim that makes it idempotent.
    pub claim: Option<&'a IdempotencyClaim>,
}

impl Write<'_> {
    /// A write at this time that may be repeated.
    pub const fn at(at: Timestamp) -> Self {
        Self { at, claim: None }
    }
}

/// A client's identifier of one request, for detecting retries: 1–64 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

/// The text cannot be an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have 1 to 64 printable ASCII characters")]
pub struct InvalidIdempotencyKey;

impl IdempotencyKey {
    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidIdempotencyKey> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|b| (0x20..=0x7e).contains(&b));
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidIdempotencyKey) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A claim on an idempotency key, written in the same transaction as the change itself. If the key
/// was used before, the write fails with [`crate::StorageError::IdempotencyKeyUsed`] and changes
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyClaim {
    /// The key.
    pub key: IdempotencyKey,
    /// A digest of the request, which tells it from another request with the same key.
    pub request_hash: String,
    /// When the key may be used again.
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_printable_ascii() {
        assert!(IdempotencyKey::parse("a b~").is_ok());
        assert!(IdempotencyKey::parse(&"x".repeat(64)).is_ok());
        for text in ["", &"x".repeat(65), "tab\t", "é", "\u{7f}"] {
            assert_eq!(IdempotencyKey::parse(text), Err(InvalidIdempotencyKey), "{text:?}");
        }
    }
}
