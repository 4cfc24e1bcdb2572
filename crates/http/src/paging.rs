//! Paging: the cursors of one list of one owner, and the positions sealed in them.

mod positions;

use std::fmt;

use crate::{CursorKey, InvalidCursor};

/// The cursors of one list of one owner.
pub struct ListCursors<'a> {
    key: &'a CursorKey,
    binding: Vec<u8>,
}

impl<'a> ListCursors<'a> {
    /// The cursors of the list identified by `binding`: entity, owner and query.
    pub fn new(key: &'a CursorKey, binding: fmt::Arguments<'_>) -> Self {
        Self { key, binding: binding.to_string().into_bytes() }
    }

    /// The position that a page starts after; `None` for the first page, which has no cursor.
    pub fn after<P: PagePosition>(&self, cursor: Option<&str>) -> Result<Option<P>, InvalidCursor> {
        cursor.map(|cursor| self.open(cursor)).transpose()
    }

    /// The position of a cursor of this list.
    pub fn open<P: PagePosition>(&self, cursor: &str) -> Result<P, InvalidCursor> {
        P::decode(&self.key.open(&self.binding, cursor)?).ok_or(InvalidCursor)
    }

    /// The cursor to the page after this position; `None` on the last page.
    pub fn seal<P: PagePosition>(&self, next: Option<&P>) -> Option<String> {
        next.map(|next| self.key.seal(&self.binding, &next.encode()))
    }
}

/// A place in a list, as the bytes inside cursors.
pub trait PagePosition: Sized {
    /// The bytes of the place.
    fn encode(&self) -> Vec<u8>;

    /// Decodes a position. The bytes are always our own, but may be from an older version.
    fn decode(bytes: &[u8]) -> Option<Self>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place_in_its_own_list_alone() {
        let key = CursorKey::new(&[7; 32]);
        let list = |owner: &str| ListCursors::new(&key, format_args!("devices of {owner}"));
        let cursor = list("one").seal(Some(&7_u64)).unwrap();
        assert_eq!(list("one").open(&cursor), Ok(7_u64));
        assert_eq!(list("one").after(Some(&cursor)), Ok(Some(7_u64)));
        assert_eq!(list("one").after::<u64>(None), Ok(None));
        assert_eq!(list("two").open::<u64>(&cursor), Err(InvalidCursor));
        assert_eq!(list("one").seal(None::<&u64>), None);
    }
}
