//! Positions in lists of items as the bytes inside cursors.

use jiff::Timestamp;
use larder_domain::{ExpirationDate, ItemPosition};

use crate::paging::PagePosition;

impl PagePosition for ItemPosition {
    fn encode(&self) -> Vec<u8> {
        let text = match self {
            Self::Created(at, id) => format!("c{id}{}", at.as_millisecond()),
            Self::Name(name, id) => format!("n{id}{name}"),
            Self::Expiration(Some(date), id) => format!("e{id}{date}"),
            Self::Expiration(None, id) => format!("e{id}"),
        };
        text.into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (kind, text) = text.split_at_checked(1)?;
        let (id, rest) = text.split_at_checked(36)?;
        let id = id.parse().ok()?;
        match kind {
            "c" => Some(Self::Created(Timestamp::from_millisecond(rest.parse().ok()?).ok()?, id)),
            "n" => Some(Self::Name(rest.to_owned(), id)),
            "e" if rest.is_empty() => Some(Self::Expiration(None, id)),
            "e" => Some(Self::Expiration(Some(ExpirationDate::parse(rest).ok()?), id)),
            _ => None,
        }
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
            assert_eq!(ItemPosition::decode(&position.encode()), Some(position));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in
            [&b""[..], b"c", b"x6ba7b810-9dad-11d1-80b4-00c04fd430c8", b"\xff", &[b'c'; 50]]
        {
            assert_eq!(ItemPosition::decode(bytes), None);
        }
    }
}
