//! The places of every list as bytes.

use std::{fmt::Display, str::FromStr};

use jiff::Timestamp;
use larder_app::SearchPosition;
use larder_domain::{
    ApiKeyPosition, BatchId, DevicePosition, ExpirationDate, GrantPosition, ItemPosition,
    NotificationPosition, ProductPosition, ProgramTokenPosition, Quantity, ReadingPosition,
    ReadingTime, SessionPosition, ShoppingPosition, TagPosition, UrlId, Urn,
};

use super::PagePosition;

/// A place in a list that is ordered by time and id.
fn encode_position(at: Timestamp, id: impl Display) -> Vec<u8> {
    format!("{} {id}", at.as_millisecond()).into_bytes()
}

fn decode_position<T: FromStr>(bytes: &[u8]) -> Option<(Timestamp, T)> {
    let (at, id) = str::from_utf8(bytes).ok()?.split_once(' ')?;
    let at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
    Some((at, id.parse().ok()?))
}

macro_rules! by_time_and_id {
    ($($position:ident { $at:ident, $id:ident }),+ $(,)?) => {$(
        impl PagePosition for $position {
            fn encode(&self) -> Vec<u8> {
                encode_position(self.$at, self.$id)
            }

            fn decode(bytes: &[u8]) -> Option<Self> {
                let ($at, $id) = decode_position(bytes)?;
                Some(Self { $at, $id })
            }
        }
    )+};
}

by_time_and_id! {
    ShoppingPosition { created_at, id },
    NotificationPosition { created_at, id },
    ApiKeyPosition { created_at, id },
    DevicePosition { last_seen_at, hardware_id },
    SessionPosition { began_at, id },
    ProgramTokenPosition { created_at, id },
}

impl PagePosition for ReadingPosition {
    fn encode(&self) -> Vec<u8> {
        format!("{} {}", self.time.as_millis(), self.batch_id).into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (ms, batch_id) = str::from_utf8(bytes).ok()?.split_once(' ')?;
        let time = ReadingTime::from_millis(ms.parse().ok()?).ok()?;
        Some(Self { time, batch_id: BatchId::parse(batch_id).ok()? })
    }
}

/// A place in a list of resources.
impl PagePosition for Urn {
    fn encode(&self) -> Vec<u8> {
        self.as_str().as_bytes().to_vec()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        str::from_utf8(bytes).ok()?.parse().ok()
    }
}

/// A number in a sequence.
impl PagePosition for u64 {
    fn encode(&self) -> Vec<u8> {
        self.to_be_bytes().to_vec()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_be_bytes)
    }
}

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

impl PagePosition for ProductPosition {
    fn encode(&self) -> Vec<u8> {
        let text = match self {
            Self::Name(name, id) => format!("n{id}{name}"),
            Self::Total(Some(total), id) => format!("t{id}{}", total.hundredths()),
            Self::Total(None, id) => format!("t{id}"),
        };
        text.into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (kind, text) = text.split_at_checked(1)?;
        let (id, rest) = text.split_at_checked(36)?;
        let id = id.parse().ok()?;
        match kind {
            "n" => Some(Self::Name(rest.to_owned(), id)),
            "t" if rest.is_empty() => Some(Self::Total(None, id)),
            "t" => Some(Self::Total(Quantity::from_hundredths(rest.parse().ok()?).ok(), id)),
            _ => None,
        }
    }
}

impl PagePosition for SearchPosition {
    fn encode(&self) -> Vec<u8> {
        match self {
            Self::Location(id) => format!("l{id}").into_bytes(),
            Self::Item(position) => [&b"i"[..], &position.encode()].concat(),
            Self::Resource(urn) => [&b"r"[..], &urn.encode()].concat(),
        }
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        match kind {
            b'l' => Some(Self::Location(str::from_utf8(rest).ok()?.parse().ok()?)),
            b'i' => Some(Self::Item(ItemPosition::decode(rest)?)),
            b'r' => Some(Self::Resource(Urn::decode(rest)?)),
            _ => None,
        }
    }
}

impl PagePosition for TagPosition {
    fn encode(&self) -> Vec<u8> {
        format!("{}{}", self.id.reveal(), self.created_at.as_millisecond()).into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (id, at) = str::from_utf8(bytes).ok()?.split_at_checked(UrlId::LENGTH)?;
        let created_at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
        Some(Self { created_at, id: UrlId::parse(id).ok()? })
    }
}

impl PagePosition for GrantPosition {
    fn encode(&self) -> Vec<u8> {
        format!("{} {}", self.on, self.principal).into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (on, principal) = str::from_utf8(bytes).ok()?.split_once(' ')?;
        Some(Self { on: on.parse().ok()?, principal: principal.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use larder_domain::{
        ApiKeyId, HardwareId, HouseholdId, ItemId, NotificationId, ShoppingItemId,
        StorageLocationId, UserId,
    };

    use super::*;

    #[track_caller]
    fn survives<P: PagePosition + PartialEq + Debug>(position: P) {
        assert_eq!(P::decode(&position.encode()), Some(position));
    }

    #[test]
    fn positions_round_trip() {
        for milliseconds in [1_700_000_000_123, 0, -1] {
            let created_at = Timestamp::from_millisecond(milliseconds).unwrap();
            survives(ShoppingPosition { created_at, id: ShoppingItemId::fixed(7) });
            survives(NotificationPosition { created_at, id: NotificationId::fixed(7) });
            survives(ApiKeyPosition { created_at, id: ApiKeyId::from_random([7; 16]) });
            survives(ItemPosition::Created(created_at, ItemId::fixed(7)));
            survives(TagPosition { created_at, id: UrlId::from_random([9; 16]) });
            let hardware_id = HardwareId::from_bytes([0xaa, 0, 1, 2, 3, 4]);
            survives(DevicePosition { last_seen_at: created_at, hardware_id });
        }
        for time in [ReadingTime::MIN, ReadingTime::MAX] {
            let batch_id = BatchId::parse("AA:BB:CC:DD:EE:FF_1.2-3").unwrap();
            survives(ReadingPosition { time, batch_id });
        }
        let id = ItemId::fixed(7);
        survives(ItemPosition::Name("りんご 100%".to_owned(), id));
        survives(ItemPosition::Expiration(None, id));
        let date = ExpirationDate::parse("2026-02-28").unwrap();
        survives(ItemPosition::Expiration(Some(date), id));
        let on = Urn::of_household(HouseholdId::fixed(7));
        survives(on.clone());
        survives(SearchPosition::Location(StorageLocationId::fixed(7)));
        survives(SearchPosition::Item(ItemPosition::Expiration(None, id)));
        survives(SearchPosition::Resource(on.clone()));
        survives(GrantPosition { on, principal: Urn::of_user(UserId::fixed(2)) });
        survives(u64::MAX);
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in [
            &b""[..],
            b"1",
            b"c",
            b" ",
            b"1 x",
            b"x 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            b"x6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            b"urn:pp:Box::1 urn:pp:Box::2",
            b"\xff",
            &[b'c'; 50],
            &[b'z'; 30],
            &[0xff; 30],
            &[b'0'; 22],
        ] {
            assert_eq!(ShoppingPosition::decode(bytes), None);
            assert_eq!(DevicePosition::decode(bytes), None);
            assert_eq!(ReadingPosition::decode(bytes), None);
            assert_eq!(ItemPosition::decode(bytes), None);
            assert_eq!(SearchPosition::decode(bytes), None);
            assert_eq!(TagPosition::decode(bytes), None);
            assert_eq!(GrantPosition::decode(bytes), None);
            assert_eq!(Urn::decode(bytes), None);
            assert_eq!(u64::decode(bytes), None);
        }
    }
}
