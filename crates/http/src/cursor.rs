//! Sealed cursors: positions in a list that only we can create and only their owner can use.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Raised whenever positions change their meaning, so that an old cursor is refused, not misread.
const VERSION: u8 = 1;

/// 128 bits cannot be guessed in online attempts.
const TAG_LEN: usize = 16;

/// Longer than any of our positions (a folded name of 200 characters grows to some kilobytes at
/// worst); longer ones are rejected before decoding.
const MAX_TEXT_LEN: usize = 12 * 1024;

/// The secret that seals cursors.
#[derive(Clone)]
pub struct CursorKey(Hmac<Sha256>);

/// A cursor that was altered, belongs to another list or household, or is outdated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a cursor of this list")]
pub struct InvalidCursor;

impl CursorKey {
    /// A key from 32 secret bytes.
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("an HMAC key may have any length"))
    }

    /// A cursor for a position in the list that `binding` names: household, user, route and the
    /// query without its cursor.
    pub fn seal(&self, binding: &[u8], position: &[u8]) -> String {
        let tag = self.mac(binding, position).finalize().into_bytes();
        let mut sealed = Vec::with_capacity(1 + position.len() + TAG_LEN);
        sealed.push(VERSION);
        sealed.extend_from_slice(position);
        sealed.extend_from_slice(&tag[..TAG_LEN]);
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// The position inside a cursor that was sealed for the same list.
    pub fn open(&self, binding: &[u8], cursor: &str) -> Result<Vec<u8>, InvalidCursor> {
        if cursor.len() > MAX_TEXT_LEN {
            return Err(InvalidCursor);
        }
        let sealed = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| InvalidCursor)?;
        let (body, tag) = sealed.split_last_chunk::<TAG_LEN>().ok_or(InvalidCursor)?;
        let Some((&VERSION, position)) = body.split_first() else {
            return Err(InvalidCursor);
        };
        // Compares in constant time.
        self.mac(binding, position).verify_truncated_left(tag).map_err(|_| InvalidCursor)?;
        Ok(position.to_vec())
    }

    fn mac(&self, binding: &[u8], position: &[u8]) -> Hmac<Sha256> {
        // The length separates the binding from the position.
        let binding_len = u64::try_from(binding.len()).expect("a length fits 64 bits");
        let mac = self.0.clone().chain_update([VERSION]).chain_update(binding_len.to_be_bytes());
        mac.chain_update(binding).chain_update(position)
    }
}

impl std::fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CursorKey([redacted])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> CursorKey {
        CursorKey::new(&[7; 32])
    }

    #[test]
    fn a_cursor_opens_to_its_position() {
        let cursor = key().seal(b"household", b"position");
        assert_eq!(key().open(b"household", &cursor), Ok(b"position".to_vec()));
        assert_eq!(key().open(b"household", &key().seal(b"household", b"")), Ok(Vec::new()));
    }

    #[test]
    fn a_cursor_is_bound_to_its_list_and_key() {
        let cursor = key().seal(b"household", b"position");
        assert_eq!(key().open(b"another", &cursor), Err(InvalidCursor));
        assert_eq!(CursorKey::new(&[8; 32]).open(b"household", &cursor), Err(InvalidCursor));
    }

    #[test]
    fn bytes_cannot_move_between_binding_and_position() {
        let cursor = key().seal(b"ab", b"c");
        let mut shifted = URL_SAFE_NO_PAD.decode(&cursor).unwrap();
        shifted.insert(1, b'b');
        assert_eq!(key().open(b"a", &URL_SAFE_NO_PAD.encode(shifted)), Err(InvalidCursor));
    }

    #[test]
    fn any_altered_bit_is_noticed() {
        let sealed = URL_SAFE_NO_PAD.decode(key().seal(b"h", b"pos")).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut altered = sealed.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let cursor = URL_SAFE_NO_PAD.encode(altered);
            assert_eq!(key().open(b"h", &cursor), Err(InvalidCursor), "bit {bit}");
        }
    }

    #[test]
    fn garbage_is_refused() {
        let long = key().seal(b"h", &[0; 10_000]);
        for cursor in ["", "AQ", "not base64!", "é", &"A".repeat(100), &long] {
            assert_eq!(key().open(b"h", cursor), Err(InvalidCursor), "{cursor}");
        }
    }

    #[test]
    fn the_key_is_never_printed() {
        assert_eq!(format!("{:?}", key()), "CursorKey([redacted])");
    }
}
