//! CSRF tokens, which prove that a form was sent from one of our pages: other sites can neither
//! read nor create them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use larder_domain::Whose;
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

    /// A masked token of a page with this inventory. Pages are compressed, so an attacker who makes a browser repeat requests
    /// with guesses in the URL could learn a constant text from the lengths of the answers
    /// (BREACH).
    fn token(&self, cookie: &str, whose: Whose, mask: [u8; HALF_BYTES]) -> String {
        let digest = self.digest(cookie, whose).finalize().into_bytes();
        let mut bytes = [0; TOKEN_BYTES];
        let (shown, masked) = bytes.split_at_mut(HALF_BYTES);
        shown.copy_from_slice(&mask);
        masked.iter_mut().zip(mask.iter().zip(digest)).for_each(|(byte, (m, d))| *byte = m ^ d);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The inventory of the page that the token is from. Constant-time.
    fn recognise(&self, cookie: &str, token: &str) -> Option<Whose> {
        // A buffer of the exact size refuses everything longer before it is decoded.
        let mut bytes = [0; TOKEN_BYTES];
        if URL_SAFE_NO_PAD.decode_slice(token, &mut bytes) != Ok(TOKEN_BYTES) {
            return None;
        }
        let (mask, masked) = bytes.split_at_mut(HALF_BYTES);
        masked.iter_mut().zip(mask).for_each(|(byte, m)| *byte ^= *m);
        let is_of = |whose| self.digest(cookie, whose).verify_truncated_left(masked).is_ok();
        Whose::ALL.into_iter().find(|whose| is_of(*whose))
    }

    fn digest(&self, cookie: &str, whose: Whose) -> Hmac<Sha256> {
        let digest = self.0.clone().chain_update(cookie);
        match whose {
            Whose::Household => digest,
            // A zero byte is in no cookie.
            Whose::Personal => digest.chain_update(b"\0personal"),
        }
    }
}

impl App {
    /// The CSRF token for forms and scripts of a page that shows this inventory. Different each
    /// time; each is valid as long as the cookie.
    pub fn csrf_token(&self, cookie: &str, whose: Whose) -> String {
        self.csrf_key.token(cookie, whose, self.entropy.bytes())
    }

    /// Whether the token belongs to a page shown to the holder of this cookie.
    pub fn is_csrf_token(&self, cookie: &str, token: &str) -> bool {
        self.shown_inventory(cookie, token).is_some()
    }

    /// The inventory of the page that the token is from: what is sent from it is for that one, also
    /// if another tab has switched since.
    pub fn shown_inventory(&self, cookie: &str, token: &str) -> Option<Whose> {
        self.csrf_key.recognise(cookie, token)
    }

    /// A cookie for a visitor without a session, whose forms need tokens too.
    pub fn visitor_cookie(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.entropy.bytes::<16>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Whose = Whose::Household;

    fn key() -> CsrfKey {
        CsrfKey::derive(&[7; 32])
    }

    #[test]
    fn a_token_is_good_for_its_cookie_alone_whatever_its_mask() {
        let (one, other) =
            (key().token("cookie", HOME, [1; 16]), key().token("cookie", HOME, [2; 16]));
        assert_eq!(one.len(), 43);
        assert_ne!(one, other);
        for token in [&one, &other] {
            assert_eq!(key().recognise("cookie", token), Some(HOME));
            assert_eq!(key().recognise("Cookie", token), None);
            assert_eq!(key().recognise("", token), None);
            assert_eq!(CsrfKey::derive(&[8; 32]).recognise("cookie", token), None);
        }
    }

    #[test]
    fn a_token_tells_the_inventory_of_its_page() {
        for whose in Whose::ALL {
            let token = key().token("cookie", whose, [1; 16]);
            assert_eq!(key().recognise("cookie", &token), Some(whose));
        }
    }

    /// The mask hides it: no part of a token is the same in the next one.
    #[test]
    fn nothing_of_a_token_stays_the_same() {
        let (one, other) =
            (key().token("cookie", HOME, [0x0f; 16]), key().token("cookie", HOME, [0xf0; 16]));
        let decode = |text| URL_SAFE_NO_PAD.decode(text).unwrap();
        assert!(decode(one).iter().zip(decode(other)).all(|(one, other)| *one != other));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let good = key().token("cookie", HOME, [1; 16]);
        let flipped = {
            let mut bytes = URL_SAFE_NO_PAD.decode(&good).unwrap();
            bytes[31] ^= 1;
            URL_SAFE_NO_PAD.encode(bytes)
        };
        let (short, long) = (&good[..42], format!("{good}AA"));
        let (zeros, huge) = (URL_SAFE_NO_PAD.encode([0; 32]), "A".repeat(100_000));
        for token in ["", "🥬", short, &long, &flipped, &zeros, &huge] {
            assert_eq!(key().recognise("cookie", token), None, "{}", token.len());
        }
    }
}
