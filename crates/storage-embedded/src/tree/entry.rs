//! One entry of a tree.

use larder_storage::{Result, StorageError};
use rusqlite::{Row, Statement};

use super::Tree;
use crate::checksum::Checksum;
use crate::error::{At, corrupt};
use crate::records;

/// The link of the last entry.
pub(crate) const END: i64 = -1;

/// The key of an entry: (pk, sk) in the tree of primary keys, (ipk, isk, pk, sk) in that of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TreeKey<'a>(pub(crate) [&'a str; 4]);

impl<'a> TreeKey<'a> {
    /// Before every other key.
    pub(crate) const SENTINEL: TreeKey<'static> = TreeKey([""; 4]);

    /// A key in the tree of primary keys.
    pub(crate) const fn primary(pk: &'a str, sk: &'a str) -> Self {
        Self([pk, sk, "", ""])
    }

    /// The link to this key, stored in the entry before it.
    pub(crate) fn link(&self) -> i64 {
        self.0.iter().fold(Checksum::of(""), |sum, part| sum.text(part)).value()
    }
}

/// An entry whose checksum has been verified.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) key: TreeKey<'a>,
    pub(crate) rid: i64,
    pub(crate) next: i64,
}

impl Tree {
    /// The entry of a row that starts with the columns of this tree.
    pub(super) fn entry<'r>(&self, row: &'r Row<'_>) -> Result<Entry<'r>> {
        let place = self.name.as_str();
        let mut key = TreeKey::SENTINEL;
        for (at, part) in key.0.iter_mut().enumerate().take(self.arity) {
            *part = row.get_ref(at).at(place)?.as_str().at(place)?;
        }
        let int = |at| row.get_ref(at).at(place)?.as_i64().at(place);
        let entry = Entry { key, rid: int(self.arity)?, next: int(self.arity + 1)? };
        if int(self.arity + 2)? != self.checksum(&entry) {
            return Err(self.damaged(&key, "the entry does not match its checksum"));
        }
        Ok(entry)
    }

    pub(super) fn checksum(&self, entry: &Entry<'_>) -> i64 {
        let keyed = entry.key.0.iter().fold(Checksum::of(&self.name), |sum, part| sum.text(part));
        keyed.int(entry.rid).int(entry.next).value()
    }

    /// Names the record that an entry is of.
    pub(crate) fn damaged(&self, key: &TreeKey<'_>, reason: &str) -> StorageError {
        let [first, second, pk, sk] = key.0;
        let (pk, sk) = if self.arity == 2 { (first, second) } else { (pk, sk) };
        corrupt(records::label(self.table, pk, sk), format!("{reason} (in {})", self.name))
    }

    /// Binds the key to the first parameters of a statement.
    pub(super) fn bind(&self, statement: &mut Statement<'_>, key: &TreeKey<'_>) -> Result<()> {
        for (at, part) in key.0.iter().enumerate().take(self.arity) {
            statement.raw_bind_parameter(at + 1, part).at(&self.name)?;
        }
        Ok(())
    }
}
