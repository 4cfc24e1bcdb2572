//! How lists page: one way to read `limit` and `cursor`, and to open and seal cursors.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use jiff::Timestamp;
use larder_domain::{
    ApiKeyPosition, DevicePosition, NotificationPosition, ReadingPosition, ReadingTime,
    ShoppingPosition, Urn,
};

use crate::{
    http::{CursorKey, InvalidCursor, Params},
    state::Api,
};

/// How many entries a page has when nobody says.
const DEFAULT_LIMIT: usize = 50;

/// How many entries a page of most lists has at most.
pub(crate) const USUAL_MOST: i64 = 200;

/// What every list is asked with.
pub(crate) struct PageQuery {
    pub(crate) limit: usize,
    cursor: Option<String>,
}

impl PageQuery {
    /// `limit`: 1 to `most`, 50 by default; and `cursor`.
    pub(crate) fn read(params: &mut Params, most: i64) -> Self {
        let limit = params.integer("limit", 1..=most);
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT);
        Self { limit, cursor: params.text("cursor") }
    }

    /// The place that the page begins after; `None` for the first page.
    pub(crate) fn after<P: PagePosition>(
        &self,
        list: &ListCursors<'_>,
    ) -> Result<Option<P>, InvalidCursor> {
        self.cursor.as_deref().map(|cursor| list.open(cursor)).transpose()
    }
}

/// The cursors of one list of one owner.
pub(crate) struct ListCursors<'a> {
    key: &'a CursorKey,
    binding: Vec<u8>,
}

impl Api {
    /// The cursors of the list that `binding` names: what is listed, whose, and by which query.
    pub(crate) fn list(&self, binding: fmt::Arguments<'_>) -> ListCursors<'_> {
        ListCursors { key: &self.cursors, binding: binding.to_string().into_bytes() }
    }
}

impl ListCursors<'_> {
    fn open<P: PagePosition>(&self, cursor: &str) -> Result<P, InvalidCursor> {
        P::decode(&self.key.open(&self.binding, cursor)?).ok_or(InvalidCursor)
    }

    /// The cursor to the page after this place; `None` on the last page.
    pub(crate) fn seal<P: PagePosition>(&self, next: Option<&P>) -> Option<String> {
        next.map(|next| self.key.seal(&self.binding, &next.encode()))
    }
}

/// A place in a list, as the bytes inside cursors.
pub(crate) trait PagePosition: Sized {
    /// The bytes of the place.
    fn encode(&self) -> Vec<u8>;

    /// The place that the bytes stand for. Only bytes of our own making come here, but a version ago they may
    /// have meant something else.
    fn decode(bytes: &[u8]) -> Option<Self>;
}

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
}

impl PagePosition for ReadingPosition {
    fn encode(&self) -> Vec<u8> {
        format!("{} {}", self.time.as_millis(), self.batch_id).into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (ms, batch_id) = str::from_utf8(bytes).ok()?.split_once(' ')?;
        let time = ReadingTime::from_millis(ms.parse().ok()?).ok()?;
        Some(Self { time, batch_id: larder_domain::BatchId::parse(batch_id).ok()? })
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

#[cfg(test)]
mod tests {
    use larder_domain::{ApiKeyId, BatchId, HardwareId, NotificationId, ShoppingItemId};

    use super::*;

    #[track_caller]
    fn survives<P: PagePosition + PartialEq + fmt::Debug>(position: P) {
        assert_eq!(P::decode(&position.encode()), Some(position));
    }

    #[test]
    fn positions_round_trip() {
        for milliseconds in [1_700_000_000_123, 0, -1] {
            let created_at = Timestamp::from_millisecond(milliseconds).unwrap();
            survives(ShoppingPosition { created_at, id: ShoppingItemId::fixed(7) });
            survives(NotificationPosition { created_at, id: NotificationId::fixed(7) });
            survives(ApiKeyPosition { created_at, id: ApiKeyId::from_random([7; 16]) });
            let hardware_id = HardwareId::from_bytes([0xaa, 0, 1, 2, 3, 4]);
            survives(DevicePosition { last_seen_at: created_at, hardware_id });
        }
        for time in [ReadingTime::MIN, ReadingTime::MAX] {
            let batch_id = BatchId::parse("AA:BB:CC:DD:EE:FF_1.2-3").unwrap();
            survives(ReadingPosition { time, batch_id });
        }
        survives(Urn::of_household(larder_domain::HouseholdId::fixed(7)));
        survives(u64::MAX);
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in [&b""[..], b"1", b"1 x", b"x 6ba7b810-9dad-11d1-80b4-00c04fd430c8", b"\xff"] {
            assert_eq!(ShoppingPosition::decode(bytes), None);
            assert_eq!(DevicePosition::decode(bytes), None);
            assert_eq!(ReadingPosition::decode(bytes), None);
            assert_eq!(Urn::decode(bytes), None);
            assert_eq!(u64::decode(bytes), None);
        }
    }

    #[test]
    fn a_cursor_leads_back_to_its_place_in_its_own_list_alone() {
        let key = CursorKey::new(&[7; 32]);
        let list = |binding: &str| ListCursors { key: &key, binding: binding.into() };
        let cursor = list("devices of one").seal(Some(&7_u64));
        let query = PageQuery { limit: 1, cursor };
        assert_eq!(query.after(&list("devices of one")), Ok(Some(7_u64)));
        assert_eq!(query.after::<u64>(&list("devices of two")), Err(InvalidCursor));
        assert_eq!(list("devices of one").seal(None::<&u64>), None);
        let first = PageQuery { limit: 1, cursor: None };
        assert_eq!(first.after::<u64>(&list("devices of one")), Ok(None));
    }
}
