//! The last part of a visited tag URL, parsed such that probing reveals nothing.

use std::fmt;

use hmac::{Hmac, Mac};
use larder_domain::UrlId;
use sha2::Sha256;

use crate::keyed;

const LABEL: &[u8] = b"larder: addresses of tags";

/// The rest is not hashed: no id is so long, and hashing would cost us more than the sender.
const MAX_HASHED_BYTES: usize = 64;

/// Turns ids into digests for logs, and invalid texts into ids that no tag has.
pub(crate) struct TagKey(Hmac<Sha256>);

impl TagKey {
    /// Derives the key from this secret.
    pub(crate) fn derive(secret: &[u8]) -> Self {
        Self(keyed::derive(secret, LABEL))
    }

    /// Parses the last part of a URL. An invalid id becomes one that does not exist, and is looked
    /// up like any other: the same work, the same answer.
    pub(crate) fn read(&self, text: &str) -> TagAddress {
        let hashed = &text.as_bytes()[..text.len().min(MAX_HASHED_BYTES)];
        let digest: [u8; 32] = self.0.clone().chain_update(hashed).finalize().into_bytes().into();
        let (digest, stand_in) = digest.split_at(16);
        let stand_in = UrlId::from_random(stand_in.try_into().expect("half of 32 bytes are 16"));
        let digest = digest.try_into().expect("half of 32 bytes are 16");
        TagAddress { id: UrlId::parse(text).unwrap_or(stand_in), digest: TagDigest(digest) }
    }
}

/// The last part of a visited URL, whether or not a tag has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagAddress {
    id: UrlId,
    digest: TagDigest,
}

impl TagAddress {
    /// The id to look up.
    pub const fn id(&self) -> UrlId {
        self.id
    }

    /// Its digest for logs.
    pub const fn digest(&self) -> TagDigest {
        self.digest
    }
}

/// A tag in logs: the same for the same URL, and irreversible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagDigest([u8; 16]);

impl fmt::Display for TagDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "0123456789ABCDEFabcdef";

    fn key() -> TagKey {
        TagKey::derive(&[7; 32])
    }

    #[test]
    fn an_id_is_read_as_it_is() {
        assert_eq!(key().read(GOOD).id(), UrlId::parse(GOOD).unwrap());
    }

    #[test]
    fn every_other_text_stands_for_an_id_of_its_own() {
        let (one, other) = (key().read("too short"), key().read("too short!"));
        assert_ne!(one.id(), other.id());
        assert_eq!(one.id(), key().read("too short").id());
        let elsewhere = TagKey::derive(&[8; 32]).read("too short");
        assert_ne!(one.id(), elsewhere.id(), "whoever has no key cannot foretell it");
        let long = "x".repeat(100_000);
        assert_eq!(key().read(&long).id(), key().read(&long[..64]).id());
    }

    #[test]
    fn the_digest_is_stable_keyed_and_tells_nothing_of_the_address() {
        let digest = key().read(GOOD).digest().to_string();
        assert_eq!(digest.len(), 32);
        assert_eq!(digest, key().read(GOOD).digest().to_string());
        assert_ne!(digest, TagKey::derive(&[8; 32]).read(GOOD).digest().to_string());
        assert!(!format!("{:?}", key().read(GOOD)).contains(GOOD));
    }
}
