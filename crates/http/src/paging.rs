//! Where a list goes on: the cursors of one list of one owner, and the places that are sealed in them.

mod positions;

use std::fmt;

use crate::{CursorKey, InvalidCursor};

/// The cursors of one list of one owner.
pub struct ListCursors<'a> {
    key: &'a CursorKey,
    binding: Vec<u8>,
}

impl<'a> ListCursors<'a> {
    /// The cursors of the list that `binding` names: what is listed, whose, and by which query.
    pub fn new(key: &'a CursorKey, binding: fmt::Arguments<'_>) -> Self {
        Self { key, binding: binding.to_string().into_bytes() }
    }

    /// The place that a cursor of this list stands for.
    pub fn open<P: PagePosition>(&self, cursor: &str) -> Result<P, InvalidCursor> {
        P::decode(&self.key.open(&self.binding, cursor)?).ok_or(InvalidCursor)
    }

    /// The cursor to the page after this place; `None` on the last page.
    pub fn seal<P: PagePosition>(&self, next: Option<&P>) -> Option<String> {
        next.map(|next| self.key.seal(&self.binding, &next.encode()))
    }
}

/// A place in a list, as the bytes inside cursors.
pub trait PagePosition: Sized {
    /// The bytes of the place.
    fn encode(&self) -> Vec<u8>;

    /// The place that the bytes stand for. Only bytes of our own making come here, but a version ago they may
    /// have meant something else.
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
        assert_eq!(list("two").open::<u64>(&cursor), Err(InvalidCursor));
        assert_eq!(list("one").seal(None::<&u64>), None);
    }
}
