//! The secret of a session: opaque to clients, found without an index, stored only as a digest.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use larder_domain::{SessionId, SessionKind, UserId};
use sha2::{Digest as _, Sha256};

use super::hexadecimal;

const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;
const TOKEN_BYTES: usize = 2 * ID_BYTES + SECRET_BYTES;

/// The prefix of a cookie, impossible in a refresh token: base64url has no full stop.
const COOKIE_PREFIX: &str = "b.";
/// Separates the digests of cookies from those of refresh tokens: without its prefix, a cookie is
/// not a refresh token.
const COOKIE_LABEL: &[u8] = b"larder: the cookie of a browser";

/// A refresh token or browser cookie: user, session, and a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionToken {
    pub(crate) kind: SessionKind,
    pub(crate) user: UserId,
    pub(crate) session: SessionId,
    pub(crate) secret: [u8; SECRET_BYTES],
}

impl SessionToken {
    /// Parses a refresh token; `None` if it is malformed.
    pub(crate) fn parse_refresh(text: &str) -> Option<Self> {
        Self::parse(SessionKind::Tokens, text)
    }

    /// Parses a browser cookie; `None` if it is malformed.
    pub(crate) fn parse_cookie(text: &str) -> Option<Self> {
        Self::parse(SessionKind::Browser, text.strip_prefix(COOKIE_PREFIX)?)
    }

    fn parse(kind: SessionKind, text: &str) -> Option<Self> {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (user, rest) = bytes[..length].split_first_chunk::<ID_BYTES>()?;
        let (session, rest) = rest.split_first_chunk::<ID_BYTES>()?;
        Some(Self {
            kind,
            user: UserId::from_bytes(*user),
            session: SessionId::from_bytes(*session),
            secret: rest.try_into().ok()?,
        })
    }

    /// The token as the client stores it.
    pub(crate) fn to_text(self) -> String {
        let prefix = match self.kind {
            SessionKind::Browser => COOKIE_PREFIX,
            SessionKind::Tokens => "",
        };
        let mut text = prefix.to_owned();
        URL_SAFE_NO_PAD.encode_string(self.to_bytes(), &mut text);
        text
    }

    /// The stored form, useless to a reader of the store. The secret is random, so a plain hash
    /// suffices.
    pub(crate) fn digest(&self) -> String {
        let label = match self.kind {
            SessionKind::Browser => COOKIE_LABEL,
            SessionKind::Tokens => &[],
        };
        let digest = Sha256::new().chain_update(label).chain_update(self.to_bytes()).finalize();
        hexadecimal(&digest)
    }

    fn to_bytes(self) -> [u8; TOKEN_BYTES] {
        let mut bytes = [0; TOKEN_BYTES];
        bytes[..ID_BYTES].copy_from_slice(self.user.as_bytes());
        bytes[ID_BYTES..2 * ID_BYTES].copy_from_slice(self.session.as_bytes());
        bytes[2 * ID_BYTES..].copy_from_slice(&self.secret);
        bytes
    }
}

/// It is a credential, so it stays out of logs.
impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> SessionToken {
        SessionToken {
            kind: SessionKind::Tokens,
            user: UserId::fixed(1),
            session: SessionId::fixed(2),
            secret: [3; SECRET_BYTES],
        }
    }

    fn cookie() -> SessionToken {
        SessionToken { kind: SessionKind::Browser, ..token() }
    }

    #[test]
    fn tokens_and_cookies_round_trip() {
        assert_eq!((token().to_text().len(), cookie().to_text().len()), (86, 88));
        assert_eq!(SessionToken::parse_refresh(&token().to_text()), Some(token()));
        assert_eq!(SessionToken::parse_cookie(&cookie().to_text()), Some(cookie()));
    }

    #[test]
    fn neither_is_taken_for_the_other() {
        assert_eq!(SessionToken::parse_refresh(&cookie().to_text()), None);
        assert_eq!(SessionToken::parse_cookie(&token().to_text()), None);
        assert_ne!(token().digest(), cookie().digest());
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
            assert_eq!(SessionToken::parse_refresh(text), None, "{}", text.len());
            let cookie = format!("{COOKIE_PREFIX}{text}");
            assert_eq!(SessionToken::parse_cookie(&cookie), None, "{}", text.len());
        }
    }

    /// Sessions outlive servers.
    #[test]
    fn the_digests_are_the_same_for_ever() {
        let expected = "ddcb867db5aa3ac357db5c3bcb2bf878acb3d4d52390976178eff8d53f97e5c1";
        assert_eq!(token().digest(), expected);
        let expected = "a9ba28cd391b0f2af03084820e8c4936d477d1115b5910dfdc2f54841ba455c9";
        assert_eq!(cookie().digest(), expected);
    }

    #[test]
    fn the_digest_is_of_the_whole_token_and_tells_nothing_of_it() {
        for token in [token(), cookie()] {
            let digest = token.digest();
            assert!(digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit()));
            let others = [
                SessionToken { user: UserId::fixed(9), ..token },
                SessionToken { session: SessionId::fixed(9), ..token },
                SessionToken { secret: [9; SECRET_BYTES], ..token },
            ];
            assert!(others.iter().all(|other| other.digest() != digest));
            assert_eq!(format!("{token:?}"), "SessionToken([redacted])");
        }
    }
}
