//! Values that travel through a browser and come back unchanged.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::Sha256;

use crate::keyed;

/// A cookie has at most 4096 bytes with its name and attributes.
const MAX_BYTES: usize = 3800;

/// Signs values of one kind. They are not secret to their browser.
pub(super) struct Sealer(Hmac<Sha256>);

#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    value: T,
    expires_at_ms: i64,
}

impl Sealer {
    pub(super) fn derive(secret: &[u8], label: &[u8]) -> Self {
        Self(keyed::derive(secret, label))
    }

    /// The value as text that is good until this time.
    pub(super) fn seal<T: Serialize>(
        &self,
        value: T,
        expires_at: Timestamp,
    ) -> serde_json::Result<String> {
        let sealed = Sealed { value, expires_at_ms: expires_at.as_millisecond() };
        let value = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&sealed)?);
        let digest = self.0.clone().chain_update(&value).finalize().into_bytes();
        Ok(format!("{value}.{}", URL_SAFE_NO_PAD.encode(digest)))
    }

    /// The value, if we signed it and its time has not passed.
    pub(super) fn open<T: DeserializeOwned>(&self, text: &str, now: Timestamp) -> Option<T> {
        let (value, digest) = text.split_once('.').filter(|_| text.len() <= MAX_BYTES)?;
        let digest = URL_SAFE_NO_PAD.decode(digest).ok()?;
        self.0.clone().chain_update(value).verify_slice(&digest).ok()?;
        let sealed: Sealed<T> =
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(value).ok()?).ok()?;
        (now.as_millisecond() < sealed.expires_at_ms).then_some(sealed.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millisecond: i64) -> Timestamp {
        Timestamp::from_millisecond(millisecond).unwrap()
    }

    #[test]
    fn a_value_comes_back_until_its_time_has_passed() {
        let sealer = Sealer::derive(&[7; 32], b"a label");
        let text = sealer.seal(("state", 5), at(1000)).unwrap();
        let value = Some(("state".to_owned(), 5));
        assert_eq!(sealer.open(&text, at(999)), value);
        assert_eq!(sealer.open::<(String, i32)>(&text, at(1000)), None);
        // Another server with the same secret.
        assert_eq!(Sealer::derive(&[7; 32], b"a label").open(&text, at(0)), value);
        for other in [Sealer::derive(&[8; 32], b"a label"), Sealer::derive(&[7; 32], b"another")] {
            assert_eq!(other.open::<(String, i32)>(&text, at(0)), None);
        }
    }

    #[test]
    fn what_was_changed_or_made_up_is_refused() {
        let sealer = Sealer::derive(&[7; 32], b"a label");
        let text = sealer.seal("state", at(1000)).unwrap();
        let open = |text: &str| sealer.open::<String>(text, at(0));
        for index in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last character of a digest has two bits that say nothing, which must be zero.
            assert_eq!(open(&changed), None, "{index}");
        }
        let (value, _) = text.split_once('.').unwrap();
        for made_up in ["", ".", "a.b", "🥬.🥬", value, &format!("{value}.")] {
            assert_eq!(open(made_up), None, "{made_up}");
        }
        assert_eq!(open(&format!("{text}{}", "A".repeat(100_000))), None);
    }
}
