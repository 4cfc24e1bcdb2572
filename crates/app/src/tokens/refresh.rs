//! Refresh tokens: opaque to clients, found without an index, kept as a digest only.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use larder_domain::{SessionId, UserId};
use sha2::{Digest as _, Sha256};

const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;
const TOKEN_BYTES: usize = 2 * ID_BYTES + SECRET_BYTES;

/// One refresh token: whose, of which session, and a secret that only the newest of the session has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct RefreshToken {
    pub(crate) user: UserId,
    pub(crate) session: SessionId,
    pub(crate) secret: [u8; SECRET_BYTES],
}

impl RefreshToken {
    /// Reads a token; `None` if it cannot be one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (user, rest) = bytes[..length].split_first_chunk::<ID_BYTES>()?;
        let (session, rest) = rest.split_first_chunk::<ID_BYTES>()?;
        Some(Self {
            user: UserId::from_bytes(*user),
            session: SessionId::from_bytes(*session),
            secret: rest.try_into().ok()?,
        })
    }

    /// The token as the client keeps it.
    pub(crate) fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.to_bytes())
    }

    /// What is stored: who reads the store cannot use it. The secret is random, so a plain hash will do.
    pub(crate) fn digest(&self) -> String {
        use fmt::Write as _;
        let mut hex = String::with_capacity(2 * SECRET_BYTES);
        for byte in Sha256::digest(self.to_bytes()) {
            write!(hex, "{byte:02x}").expect("writing into a string never fails");
        }
        hex
    }

    fn to_bytes(self) -> [u8; TOKEN_BYTES] {
        let mut bytes = [0; TOKEN_BYTES];
        bytes[..ID_BYTES].copy_from_slice(self.user.as_bytes());
        bytes[ID_BYTES..2 * ID_BYTES].copy_from_slice(self.session.as_bytes());
        bytes[2 * ID_BYTES..].copy_from_slice(&self.secret);
        bytes
    }
}

/// Whoever has it is logged in, so it stays out of logs.
impl fmt::Debug for RefreshToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefreshToken([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> RefreshToken {
        RefreshToken {
            user: UserId::fixed(1),
            session: SessionId::fixed(2),
            secret: [3; SECRET_BYTES],
        }
    }

    #[test]
    fn a_token_round_trips() {
        assert_eq!(token().to_text().len(), 86);
        assert_eq!(RefreshToken::parse(&token().to_text()), Some(token()));
    }

    #[test]
    fn what_cannot_be_a_token_is_refused() {
        let text = token().to_text();
        let short = URL_SAFE_NO_PAD.encode([0; TOKEN_BYTES - 1]);
        let long = URL_SAFE_NO_PAD.encode([0; TOKEN_BYTES + 1]);
        let huge = "A".repeat(100_000);
        // The last character carries four bits that must be zero: one token has one spelling.
        let respelled = format!("{}x", &text[..85]);
        for text in ["", "garbage", &text[..85], &short, &long, &huge, &respelled, "🥬"] {
            assert_eq!(RefreshToken::parse(text), None, "{}", text.len());
        }
    }

    #[test]
    fn the_digest_is_of_the_whole_token_and_tells_nothing_of_it() {
        let digest = token().digest();
        assert!(digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()), "{digest}");
        let others = [
            RefreshToken { user: UserId::fixed(9), ..token() },
            RefreshToken { session: SessionId::fixed(9), ..token() },
            RefreshToken { secret: [9; SECRET_BYTES], ..token() },
        ];
        assert!(others.iter().all(|other| other.digest() != digest));
        assert_eq!(format!("{:?}", token()), "RefreshToken([redacted])");
    }
}
