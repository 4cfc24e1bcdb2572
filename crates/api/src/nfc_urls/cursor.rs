//! Sealed cursors of lists of tags.

use larder_app::Caller;
use larder_domain::{ItemId, NfcUrl, TagPosition};
use larder_http::{LinkBase, ListCursors};
use larder_storage::Page;

use super::dto::{TagDto, TagPageDto};
use crate::Api;

/// The cursors of the tags of one household, or of one of its items.
pub(super) fn list<'a>(api: &'a Api, caller: &Caller, item: Option<ItemId>) -> ListCursors<'a> {
    api.list(format_args!("tags {:?} {item:?}", caller.owner()))
}

/// The page with a cursor of the next one.
pub(super) fn page<'a>(
    links: &LinkBase,
    list: &ListCursors<'_>,
    page: &'a Page<NfcUrl, TagPosition>,
) -> TagPageDto<'a> {
    TagPageDto {
        items: page.items.iter().map(|tag| TagDto::of(tag, links)).collect(),
        next_cursor: list.seal(page.next.as_ref()),
    }
}
