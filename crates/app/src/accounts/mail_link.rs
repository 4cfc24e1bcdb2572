//! Tokens of links that are mailed: for whom, until when, and a digest of both and of what the link
//! depends on. Nothing of them is stored.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use larder_domain::UserId;
use sha2::Sha256;

use crate::keyed;

const ID_BYTES: usize = 16;
const TIME_BYTES: usize = 8;
const DIGEST_BYTES: usize = 32;
const TOKEN_BYTES: usize = ID_BYTES + TIME_BYTES + DIGEST_BYTES;

/// Creates and verifies the tokens of one kind of link.
#[derive(Clone)]
pub(crate) struct MailLinkKey(Hmac<Sha256>);

impl MailLinkKey {
    pub(crate) fn derive(secret: &[u8], label: &[u8]) -> Self {
        Self(keyed::derive(secret, label))
    }

    /// A token that is good until a time, and as long as these facts are the same.
    pub(super) fn token(&self, user: UserId, expires_at: Timestamp, facts: &[&str]) -> String {
        let mut bytes = Vec::with_capacity(TOKEN_BYTES);
        bytes.extend_from_slice(user.as_bytes());
        bytes.extend_from_slice(&expires_at.as_second().to_be_bytes());
        let digest = self.digest(&bytes, facts).finalize().into_bytes();
        bytes.extend_from_slice(&digest);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn digest(&self, claim: &[u8], facts: &[&str]) -> Hmac<Sha256> {
        facts.iter().fold(self.0.clone().chain_update(claim), |digest, fact| {
            // With its length, so that no two lists of facts are the same bytes.
            digest.chain_update((fact.len() as u64).to_be_bytes()).chain_update(fact)
        })
    }
}

/// The token of a link, before verification.
pub(super) struct MailLink {
    bytes: [u8; TOKEN_BYTES],
    /// For whom it claims to be.
    pub(super) user: UserId,
    expires_at: i64,
}

impl MailLink {
    /// `None` for what is no token, or is too old.
    pub(super) fn parse(token: &str, now: Timestamp) -> Option<Self> {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        if URL_SAFE_NO_PAD.decode_slice(token, &mut bytes) != Ok(TOKEN_BYTES) {
            return None;
        }
        let (user, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let expires_at = i64::from_be_bytes(*rest.first_chunk::<TIME_BYTES>()?);
        let link = Self { bytes, user: UserId::from_bytes(*user), expires_at };
        (link.expires_at > now.as_second()).then_some(link)
    }

    /// Whether we created it when these were the facts. Constant-time.
    pub(super) fn is_ours(&self, key: &MailLinkKey, facts: &[&str]) -> bool {
        let (claim, digest) = self.bytes.split_at(ID_BYTES + TIME_BYTES);
        key.digest(claim, facts).verify_slice(digest).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: [&str; 2] = ["anna@example.org", "a hash"];

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn key(byte: u8) -> MailLinkKey {
        MailLinkKey::derive(&[byte; 32], b"a label")
    }

    #[test]
    fn a_link_is_good_for_its_person_and_facts_until_its_time() {
        let (key_1, anna) = (key(7), UserId::fixed(1));
        let token = key_1.token(anna, at(1_800_000_000), &FACTS);
        let link = MailLink::parse(&token, at(1_799_999_999)).unwrap();
        assert!(MailLink::parse(&token, at(1_800_000_000)).is_none());
        assert_eq!(link.user, anna);
        assert!(link.is_ours(&key_1, &FACTS));
        for others in [&["anna@example.org"][..], &["anna@example.orga", " hash"], &[]] {
            assert!(!link.is_ours(&key_1, others), "{others:?}");
        }
        assert!(!link.is_ours(&key(8), &FACTS));
        assert!(!link.is_ours(&MailLinkKey::derive(&[7; 32], b"another label"), &FACTS));
        // Each byte matters: user, expiry, and digest.
        for index in 0..TOKEN_BYTES {
            let mut bytes = link.bytes;
            bytes[index] ^= 1;
            let changed = MailLink::parse(&URL_SAFE_NO_PAD.encode(bytes), at(0));
            assert!(changed.is_none_or(|link| !link.is_ours(&key_1, &FACTS)), "{index}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let good = key(7).token(UserId::fixed(1), at(1), &FACTS);
        assert!(MailLink::parse(&good, at(0)).is_some());
        let (short, long, huge) = (&good[1..], format!("{good}AAAA"), "A".repeat(100_000));
        for token in ["", "🥬", short, &long, &huge] {
            assert!(MailLink::parse(token, at(0)).is_none(), "{}", token.len());
        }
    }
}
