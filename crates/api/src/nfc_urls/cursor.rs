//! Where a page of tags ends, sealed.

use jiff::Timestamp;
use larder_app::Caller;
use larder_domain::{ItemId, NfcUrl, TagPosition, UrlId};
use larder_storage::Page;

use super::dto::{TagDto, TagPageDto};
use crate::{
    paging::{ListCursors, PagePosition},
    state::Api,
};

/// The cursors of the tags of one household, or of one of its items.
pub(super) fn list<'a>(api: &'a Api, caller: &Caller, item: Option<ItemId>) -> ListCursors<'a> {
    api.list(format_args!("tags {:?} {item:?}", caller.owner()))
}

/// The page with a cursor to the next.
pub(super) fn page<'a>(
    api: &Api,
    list: &ListCursors<'_>,
    page: &'a Page<NfcUrl, TagPosition>,
) -> TagPageDto<'a> {
    TagPageDto {
        items: page.items.iter().map(|tag| TagDto::of(tag, &api.public_url)).collect(),
        next_cursor: list.seal(page.next.as_ref()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for millisecond in [1_700_000_000_123, 0, -1] {
            let created_at = Timestamp::from_millisecond(millisecond).unwrap();
            let position = TagPosition { created_at, id: UrlId::from_random([9; 16]) };
            assert_eq!(TagPosition::decode(&position.encode()), Some(position));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in [&b""[..], b"short", &[b'z'; 30], &[0xff; 30], &[b'0'; 22]] {
            assert_eq!(TagPosition::decode(bytes), None);
        }
    }
}
