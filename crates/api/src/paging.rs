//! How lists page.

use std::{fmt::Display, str::FromStr};

use jiff::Timestamp;

use crate::http::Params;

/// How many entries a page has when nobody says.
const DEFAULT_LIMIT: usize = 50;

/// `limit`: 1 to 200, 50 by default.
pub(crate) fn page_limit(params: &mut Params) -> usize {
    let limit = params.integer("limit", 1..=200);
    limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT)
}

/// A place in a list that is ordered by time and id, as the bytes inside cursors.
pub(crate) fn encode_position(at: Timestamp, id: impl Display) -> Vec<u8> {
    format!("{} {id}", at.as_millisecond()).into_bytes()
}

/// The place that the bytes stand for. Only bytes of our own making come here, but a version ago they may
/// have meant something else.
pub(crate) fn decode_position<T: FromStr>(bytes: &[u8]) -> Option<(Timestamp, T)> {
    let (at, id) = str::from_utf8(bytes).ok()?.split_once(' ')?;
    let at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
    Some((at, id.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use larder_domain::ShoppingItemId;

    use super::*;

    #[test]
    fn positions_round_trip() {
        let id = ShoppingItemId::fixed(7);
        for milliseconds in [1_700_000_000_123, 0, -1] {
            let at = Timestamp::from_millisecond(milliseconds).unwrap();
            assert_eq!(decode_position(&encode_position(at, id)), Some((at, id)));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in [&b""[..], b"1", b"1 x", b"x 6ba7b810-9dad-11d1-80b4-00c04fd430c8", b"\xff"] {
            assert_eq!(decode_position::<ShoppingItemId>(bytes), None);
        }
    }
}
