//! Photos of products and resources.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use thiserror::Error;

use crate::entity::field;

/// The content address of a photo: the first 128 bits of the SHA-256 of its full size. The same
/// picture has the same address, and another one has another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhotoId([u8; 16]);

/// The text is no address of a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 32 hexadecimal digits")]
pub struct InvalidPhotoId;

impl PhotoId {
    /// The address that follows from this SHA-256.
    pub fn from_sha256(digest: &[u8; 32]) -> Self {
        let mut id = [0; 16];
        id.copy_from_slice(&digest[..16]);
        Self(id)
    }

    /// Reads 32 hexadecimal digits in lower case.
    pub fn parse(text: &str) -> Result<Self, InvalidPhotoId> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(InvalidPhotoId),
        };
        let text = text.as_bytes();
        if text.len() != 32 {
            return Err(InvalidPhotoId);
        }
        let mut id = [0; 16];
        for (byte, pair) in id.iter_mut().zip(text.chunks(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(id))
    }
}

impl FromStr for PhotoId {
    type Err = InvalidPhotoId;

    fn from_str(text: &str) -> Result<Self, InvalidPhotoId> {
        Self::parse(text)
    }
}

impl fmt::Display for PhotoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PhotoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

crate::ids::serialize_as_text! { PhotoId }

field! { PhotoId: text(|id| &id.to_string(), |text: &str| Self::parse(text)) }

/// How many days a photo stays readable that no product has, so that undoing can bring it back.
pub const UNUSED_PHOTO_DAYS: i64 = 30;

/// When a photo goes that no product has from this moment on: at the end of a day, so that those of
/// one day are counted together.
pub fn unused_photo_expiry(at: Timestamp) -> Timestamp {
    const DAY: i64 = 24 * 60 * 60;
    let days = at.as_second().div_euclid(DAY) + UNUSED_PHOTO_DAYS + 1;
    Timestamp::from_second(days * DAY).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_it_is_read() {
        let mut digest = [0; 32];
        digest[0] = 0xab;
        digest[15] = 0x01;
        digest[16] = 0xff;
        let id = PhotoId::from_sha256(&digest);
        let text = "ab000000000000000000000000000001";
        assert_eq!((id.to_string().as_str(), PhotoId::parse(text)), (text, Ok(id)));
        for text in ["", "ab", "AB000000000000000000000000000001", &"é".repeat(16)] {
            assert_eq!(PhotoId::parse(text), Err(InvalidPhotoId), "{text}");
        }
    }

    #[test]
    fn an_unused_photo_stays_thirty_days_to_the_end_of_the_last() {
        let expiry = |at: &str| unused_photo_expiry(at.parse().unwrap()).to_string();
        assert_eq!(expiry("2026-01-01T00:00:00Z"), "2026-02-01T00:00:00Z");
        assert_eq!(expiry("2026-01-01T23:59:59.999Z"), "2026-02-01T00:00:00Z");
        assert_eq!(expiry("2026-01-02T00:00:00Z"), "2026-02-02T00:00:00Z");
    }
}
