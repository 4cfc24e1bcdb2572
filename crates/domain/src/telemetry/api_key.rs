//! The keys that devices authenticate with.

use std::fmt;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::ApiKeyId;
use crate::HouseholdId;
use crate::text::KeyDescription;

/// How much time passes at least between two notes of a key's use.
pub const API_KEY_USE_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// The text is no API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have 64 hexadecimal digits in lower case")]
pub struct InvalidApiKey;

/// A raw key: 32 random bytes as 64 lower-case hex digits. It is shown once and never stored, so it
/// does not print; [`ApiKeySecret::reveal`] is the only way to its text.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeySecret(String);

impl ApiKeySecret {
    /// A key of our own making.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(hex(&bytes))
    }

    /// Parses exactly 64 digits; upper case would be another key, and never one of ours.
    pub fn parse(text: &str) -> Result<Self, InvalidApiKey> {
        let fits = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidApiKey) }
    }

    /// The 64 digits, for showing it once and for hashing.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKeySecret(secret)")
    }
}

/// SHA-256 of the pepper and the raw key: stored in place of the key, and used to find it. It is
/// only for records and not for logs, so it does not print.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ApiKeyHash([u8; 32]);

impl ApiKeyHash {
    /// A hash from its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 lower-case hex digits.
    pub fn parse(text: &str) -> Result<Self, InvalidApiKey> {
        let digits = ApiKeySecret::parse(text)?.0;
        let digit = |byte: u8| if byte <= b'9' { byte - b'0' } else { byte - b'a' + 10 };
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0]) << 4 | digit(pair[1]);
        }
        Ok(Self(bytes))
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for ApiKeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKeyHash(secret)")
    }
}

impl fmt::Display for ApiKeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The stored form of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its name that may be shown.
    pub id: ApiKeyId,
    /// The owner of its devices; `None`: the operator.
    pub household: Option<HouseholdId>,
    /// The hash by which it is found.
    pub hash: ApiKeyHash,
    /// When it was made, in whole seconds.
    pub created_at: Timestamp,
    /// When it was last used, to within [`API_KEY_USE_INTERVAL`].
    pub last_used_at: Option<Timestamp>,
    /// Whether it works: not revoked.
    pub is_active: bool,
    /// A description by its creator.
    pub description: Option<KeyDescription>,
}

impl ApiKey {
    /// Whether a use at this time is worth noting.
    pub fn is_use_worth_noting(&self, at: Timestamp) -> bool {
        self.last_used_at.is_none_or(|last| at.duration_since(last) >= API_KEY_USE_INTERVAL)
    }

    /// Its place in a list, newest first.
    pub const fn position(&self) -> ApiKeyPosition {
        ApiKeyPosition { created_at: self.created_at, id: self.id }
    }
}

/// The place of a key in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiKeyPosition {
    /// When it was made.
    pub created_at: Timestamp,
    /// Which it is.
    pub id: ApiKeyId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_64_lower_case_hex_digits_and_does_not_print() {
        let key = ApiKeySecret::from_random([0xab; 32]);
        assert_eq!(key.reveal(), "ab".repeat(32));
        assert_eq!(ApiKeySecret::parse(key.reveal()), Ok(key.clone()));
        assert_eq!(format!("{key:?}"), "ApiKeySecret(secret)");
        for text in ["", &"AB".repeat(32), &"ab".repeat(31), &"ab".repeat(33), &"xy".repeat(32)] {
            assert_eq!(ApiKeySecret::parse(text), Err(InvalidApiKey), "{text}");
        }
    }

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let hash = ApiKeyHash::from_bytes(std::array::from_fn(|n| u8::try_from(n * 7).unwrap()));
        assert_eq!(ApiKeyHash::parse(&hash.to_string()), Ok(hash));
        assert_eq!(format!("{hash:?}"), "ApiKeyHash(secret)");
    }

    #[test]
    fn a_use_is_noted_every_five_minutes() {
        let key = |last_used_at| ApiKey {
            id: ApiKeyId::from_random([1; 16]),
            household: None,
            hash: ApiKeyHash::from_bytes([0; 32]),
            created_at: Timestamp::UNIX_EPOCH,
            last_used_at,
            is_active: true,
            description: None,
        };
        let second = |s| Timestamp::from_second(s).unwrap();
        assert!(key(None).is_use_worth_noting(second(0)));
        assert!(!key(Some(second(0))).is_use_worth_noting(second(299)));
        assert!(key(Some(second(0))).is_use_worth_noting(second(300)));
    }
}
