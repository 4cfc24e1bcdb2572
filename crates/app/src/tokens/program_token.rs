//! The text of a token for a program: recognised by scanners for leaked secrets, found without an
//! index, stored only as a digest.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use larder_domain::{ProgramTokenId, UserId};
use sha2::{Digest as _, Sha256};

use super::hexadecimal;

/// The prefix of every token.
const PREFIX: &str = "larder_";
const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 30;
const CHECKSUM_BYTES: usize = 4;
const PAYLOAD_BYTES: usize = 2 * ID_BYTES + SECRET_BYTES;
/// A multiple of three, so that every text has 88 characters after the prefix, and one spelling.
const TOKEN_BYTES: usize = PAYLOAD_BYTES + CHECKSUM_BYTES;

/// Separates these digests from those of other tokens.
const LABEL: &[u8] = b"larder: the token of a program";

/// A token for a program: user, token, and a secret of 240 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProgramTokenText {
    pub(crate) user: UserId,
    pub(crate) id: ProgramTokenId,
    pub(crate) secret: [u8; SECRET_BYTES],
}

impl ProgramTokenText {
    /// Parses a token; `None` if it is malformed or mistyped.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let encoded = text.strip_prefix(PREFIX)?;
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(encoded, &mut bytes).ok()?;
        let (payload, sum) = bytes[..length].split_first_chunk::<PAYLOAD_BYTES>()?;
        if sum != checksum(payload) {
            return None;
        }
        let (user, rest) = payload.split_first_chunk::<ID_BYTES>()?;
        let (id, secret) = rest.split_first_chunk::<ID_BYTES>()?;
        Some(Self {
            user: UserId::from_bytes(*user),
            id: ProgramTokenId::from_bytes(*id),
            secret: secret.try_into().ok()?,
        })
    }

    /// The token as the program sends it.
    pub(crate) fn to_text(self) -> String {
        let payload = self.payload();
        let mut text = PREFIX.to_owned();
        let bytes: Vec<u8> = payload.into_iter().chain(checksum(&payload)).collect();
        URL_SAFE_NO_PAD.encode_string(bytes, &mut text);
        text
    }

    /// The stored form, useless to a reader of the store. The secret is random, so a plain hash
    /// suffices.
    pub(crate) fn digest(&self) -> String {
        let digest = Sha256::new().chain_update(LABEL).chain_update(self.payload()).finalize();
        hexadecimal(&digest)
    }

    fn payload(&self) -> [u8; PAYLOAD_BYTES] {
        let mut bytes = [0; PAYLOAD_BYTES];
        bytes[..ID_BYTES].copy_from_slice(self.user.as_bytes());
        bytes[ID_BYTES..2 * ID_BYTES].copy_from_slice(self.id.as_bytes());
        bytes[2 * ID_BYTES..].copy_from_slice(&self.secret);
        bytes
    }
}

/// The beginning of the SHA-256 of everything before it. It proves nothing: it tells a token from a
/// text that looks like one, without a store.
fn checksum(payload: &[u8; PAYLOAD_BYTES]) -> [u8; CHECKSUM_BYTES] {
    let digest = Sha256::digest(payload);
    *digest.first_chunk().expect("the digest is longer")
}

/// It is a credential, so it stays out of logs.
impl fmt::Debug for ProgramTokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgramTokenText([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> ProgramTokenText {
        ProgramTokenText {
            user: UserId::fixed(1),
            id: ProgramTokenId::fixed(2),
            secret: [3; SECRET_BYTES],
        }
    }

    /// Scanners for leaked secrets know this form.
    #[test]
    fn every_token_has_a_prefix_and_one_length() {
        for secret in [[0; SECRET_BYTES], [3; SECRET_BYTES], [255; SECRET_BYTES]] {
            let token = ProgramTokenText { secret, ..token() };
            let text = token.to_text();
            let rest = text.strip_prefix("larder_").unwrap();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            assert!(rest.len() == 88 && rest.chars().all(is_plain), "{text}");
            assert_eq!(ProgramTokenText::parse(&text), Some(token));
        }
    }

    #[test]
    fn what_was_mistyped_or_cut_off_is_no_token() {
        let text = token().to_text();
        for at in "larder_".len()..text.len() {
            let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
            let mut mistyped = text.clone();
            mistyped.replace_range(at..=at, other);
            assert_eq!(ProgramTokenText::parse(&mistyped), None, "{mistyped}");
            assert_eq!(ProgramTokenText::parse(&text[..at]), None);
        }
        let huge = format!("larder_{}", "A".repeat(100_000));
        let upper = text.replace("larder_", "LARDER_");
        for text in ["", "larder_", &text[7..], &upper, &format!("{text}A"), &huge, "larder_🥬"] {
            assert_eq!(ProgramTokenText::parse(text), None, "{}", text.len());
        }
    }

    /// Tokens outlive servers.
    #[test]
    fn text_and_digest_are_the_same_for_ever() {
        let expected = "larder_AAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAIDAwMDAwMDAwMDAwMDAwMDAwMD\
                        AwMDAwMDAwMDAwOMKyw_";
        assert_eq!(token().to_text(), expected);
        let expected = "fcca928c3d024b799136f1b168c2de75e6d6597b9493c4ab391ccaa09e0af6b4";
        assert_eq!(token().digest(), expected);
    }

    #[test]
    fn the_digest_is_of_the_whole_token_and_tells_nothing_of_it() {
        let digest = token().digest();
        assert!(digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()));
        let others = [
            ProgramTokenText { user: UserId::fixed(9), ..token() },
            ProgramTokenText { id: ProgramTokenId::fixed(9), ..token() },
            ProgramTokenText { secret: [9; SECRET_BYTES], ..token() },
        ];
        assert!(others.iter().all(|other| other.digest() != digest));
        assert_eq!(format!("{:?}", token()), "ProgramTokenText([redacted])");
    }
}
