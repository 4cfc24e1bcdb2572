//! CSRF tokens, which prove that a form was sent from one of our pages: other sites can neither
//! read nor create them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::{App, keyed};

const LABEL: &[u8] = b"larder: forms of pages";

const HALF_BYTES: usize = 16;
const TOKEN_BYTES: usize = 2 * HALF_BYTES;

/// Creates and verifies CSRF tokens. A token is bound to the cookie of the request for the page.
pub(crate) struct CsrfKey(Hmac<Sha256>);

impl CsrfKey {
    /// Derives the key from this secret.
    pub(crate) fn derive(secret: &[u8]) -> Self {
        Self(keyed::derive(secret, LABEL))
    }

    /// A masked token. Pages are compressed, so an attacker who makes a browser repeat requests
    /// with guesses in the URL could learn a constant text from the lengths of the answers
    /// (BREACH).
    fn token(&self, cookie: &str, mask: [u8; HALF_BYTES]) -> String {
        let digest = self.digest(cookie).finalize().into_bytes();
        let mut bytes = [0; TOKEN_BYTES];
        let (shown, masked) = bytes.split_at_mut(HALF_BYTES);
        shown.copy_from_slice(&mask);
        masked.iter_mut().zip(mask.iter().zip(digest)).for_each(|(byte, (m, d))| *byte = m ^ d);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Constant-time.
    fn recognises(&self, cookie: &str, token: &str) -> bool {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        if URL_SAFE_NO_PAD.decode_slice(token, &mut bytes) != Ok(TOKEN_BYTES) {
            return false;
        }
        let (mask, masked) = bytes.split_at_mut(HALF_BYTES);
        masked.iter_mut().zip(mask).for_each(|(byte, m)| *byte ^= *m);
        self.digest(cookie).verify_truncated_left(masked).is_ok()
    }

    fn digest(&self, cookie: &str) -> Hmac<Sha256> {
        self.0.clone().chain_update(cookie)
    }
}

impl App {
    /// The CSRF token for forms and scripts of a page. Different each time; each is valid as long
    /// as the cookie.
    pub fn csrf_token(&self, cookie: &str) -> String {
        self.csrf_key.token(cookie, self.entropy.bytes())
    }

    /// Whether the token belongs to a page shown to the holder of this cookie.
    pub fn is_csrf_token(&self, cookie: &str, token: &str) -> bool {
        self.csrf_key.recognises(cookie, token)
    }

    /// A cookie for a visitor without a session, whose forms need tokens too.
    pub fn visitor_cookie(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.entropy.bytes::<16>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> CsrfKey {
        CsrfKey::derive(&[7; 32])
    }

    #[test]
    fn a_token_is_good_for_its_cookie_alone_whatever_its_mask() {
        let (one, other) = (key().token("cookie", [1; 16]), key().token("cookie", [2; 16]));
        assert_eq!(one.len(), 43);
        assert_ne!(one, other);
        for token in [&one, &other] {
            assert!(key().recognises("cookie", token));
            assert!(!key().recognises("Cookie", token));
            assert!(!key().recognises("", token));
            assert!(!CsrfKey::derive(&[8; 32]).recognises("cookie", token));
        }
    }

    /// The mask hides it: no part of a token is the same in the next one.
    #[test]
    fn nothing_of_a_token_stays_the_same() {
        let (one, other) = (key().token("cookie", [0x0f; 16]), key().token("cookie", [0xf0; 16]));
        let decode = |text| URL_SAFE_NO_PAD.decode(text).unwrap();
        assert!(decode(one).iter().zip(decode(other)).all(|(one, other)| *one != other));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let good = key().token("cookie", [1; 16]);
        let flipped = {
            let mut bytes = URL_SAFE_NO_PAD.decode(&good).unwrap();
            bytes[31] ^= 1;
            URL_SAFE_NO_PAD.encode(bytes)
        };
        let (short, long) = (&good[..42], format!("{good}AA"));
        let (zeros, huge) = (URL_SAFE_NO_PAD.encode([0; 32]), "A".repeat(100_000));
        for token in ["", "🥬", short, &long, &flipped, &zeros, &huge] {
            assert!(!key().recognises("cookie", token), "{}", token.len());
        }
    }
}
