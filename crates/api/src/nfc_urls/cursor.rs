//! Where a page of tags ends, sealed.

use jiff::Timestamp;
use larder_app::Caller;
use larder_domain::{ItemId, NfcUrl, TagPosition, UrlId};
use larder_storage::Page;

use super::dto::{TagDto, TagPageDto};
use crate::{http::InvalidCursor, state::Api};

/// What a cursor belongs to: the tags of one household, or of one of its items.
fn binding(caller: &Caller, item: Option<ItemId>) -> Vec<u8> {
    format!("tags {:?} {item:?}", caller.owner()).into_bytes()
}

/// The position that a cursor stands for.
pub(super) fn open(
    api: &Api,
    caller: &Caller,
    item: Option<ItemId>,
    cursor: Option<&str>,
) -> Result<Option<TagPosition>, InvalidCursor> {
    let Some(text) = cursor else { return Ok(None) };
    let bytes = api.cursors.open(&binding(caller, item), text)?;
    decode(&bytes).ok_or(InvalidCursor).map(Some)
}

/// The page with a cursor to the next.
pub(super) fn page<'a>(
    api: &Api,
    caller: &Caller,
    item: Option<ItemId>,
    page: &'a Page<NfcUrl, TagPosition>,
) -> TagPageDto<'a> {
    let next = page.next.as_ref();
    TagPageDto {
        items: page.items.iter().map(|tag| TagDto::of(tag, &api.public_url)).collect(),
        next_cursor: next.map(|next| api.cursors.seal(&binding(caller, item), &encode(next))),
    }
}

fn encode(position: &TagPosition) -> Vec<u8> {
    format!("{}{}", position.id.reveal(), position.created_at.as_millisecond()).into_bytes()
}

/// Only bytes of our own making come here, but a version ago they may have meant something else.
fn decode(bytes: &[u8]) -> Option<TagPosition> {
    let (id, at) = str::from_utf8(bytes).ok()?.split_at_checked(UrlId::LENGTH)?;
    let created_at = Timestamp::from_millisecond(at.parse().ok()?).ok()?;
    Some(TagPosition { created_at, id: UrlId::parse(id).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for millisecond in [1_700_000_000_123, 0, -1] {
            let created_at = Timestamp::from_millisecond(millisecond).unwrap();
            let position = TagPosition { created_at, id: UrlId::from_random([9; 16]) };
            assert_eq!(decode(&encode(&position)), Some(position));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        for bytes in [&b""[..], b"short", &[b'z'; 30], &[0xff; 30], &[b'0'; 22]] {
            assert_eq!(decode(bytes), None);
        }
    }
}
