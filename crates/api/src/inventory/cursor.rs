//! Positions in lists of items as the bytes inside cursors.

use jiff::Timestamp;
use larder_domain::{ExpirationDate, ItemPosition};

/// The bytes of a position.
pub(super) fn encode(position: &ItemPosition) -> Vec<u8> {
    let text = match position {
        ItemPosition::Created(at, id) => format!("c{id}{}", at.as_millisecond()),
        ItemPosition::Name(name, id) => format!("n{id}{name}"),
        ItemPosition::Expiration(Some(date), id) => format!("e{id}{date}"),
        ItemPosition::Expiration(None, id) => format!("e{id}"),
    };
    text.into_bytes()
}

/// The position that the bytes stand for. Only bytes of our own making come here, but a version ago they
/// may have meant something else.
pub(super) fn decode(bytes: &[u8]) -> Option<ItemPosition> {
    let text = str::from_utf8(bytes).ok()?;
    let (kind, text) = text.split_at_checked(1)?;
    let (id, rest) = text.split_at_checked(36)?;
    let id = id.parse().ok()?;
    match kind {
        "c" => {
            let at = Timestamp::from_millisecond(rest.parse().ok()?).ok()?;
            Some(ItemPosition::Created(at, id))
        }
        "n" => Some(ItemPosition::Name(rest.to_owned(), id)),
        "e" if rest.is_empty() => Some(ItemPosition::Expiration(None, id)),
        "e" => Some(ItemPosition::Expiration(Some(ExpirationDate::parse(rest).ok()?), id)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::ItemId;

    use super::*;

    #[test]
    fn positions_round_trip() {
        let id = ItemId::fixed(7);
        for position in [
            ItemPosition::Created(Timestamp::from_millisecond(1_700_000_000_123).unwrap(), id),
            ItemPosition::Created(Timestamp::from_millisecond(-1).unwrap(), id),
            ItemPosition::Name("りんご 100%".to_owned(), id),
            ItemPosition::Expiration(None, id),
            ItemPosition::Expiration(Some(ExpirationDate::parse("2026-02-28").unwrap()), id),
        ] {
            assert_eq!(decode(&encode(&position)), Some(position));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in
            [&b""[..], b"c", b"x6ba7b810-9dad-11d1-80b4-00c04fd430c8", b"\xff", &[b'c'; 50]]
        {
            assert_eq!(decode(bytes), None);
        }
    }
}
