//! Changing several items with one request.

use larder_domain::{Item, ItemId, ItemPatch};

use crate::{App, Caller, IdempotentRequest, Result};

/// A change of one item that still has this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionedEdit {
    /// The item.
    pub id: ItemId,
    /// The version that the change is based on.
    pub version: u64,
    /// The edit.
    pub edit: ItemEdit,
}

/// An edit of an item in bulk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemEdit {
    /// [`App::update_item`].
    Update {
        /// The changes.
        patch: Box<ItemPatch>,
        /// Whether to merge with another item of the same name and date.
        merge: bool,
    },
    /// [`App::delete_item`].
    Delete,
}

impl App {
    /// Edits items in order, each by itself. The results are in the same order: the current item,
    /// or `None` if it was deleted.
    pub async fn edit_items(
        &self,
        caller: &Caller,
        edits: Vec<VersionedEdit>,
        request: Option<IdempotentRequest>,
    ) -> Result<Vec<Result<Option<Item>>>> {
        let stays: Vec<_> = edits.iter().map(|it| it.edit != ItemEdit::Delete).collect();
        let write = async |VersionedEdit { id, version, edit }, claim: Option<_>| match edit {
            ItemEdit::Update { patch, merge } => {
                self.update_item(caller, id, version, *patch, merge, claim.as_ref()).await
            }
            ItemEdit::Delete => self.delete_item(caller, id, Some(version), claim.as_ref()).await,
        };
        let results = self.run_each(caller, request, edits, write).await?;
        let results = results.into_iter().zip(stays);
        Ok(results.map(|(item, stays)| item.map(|item| stays.then_some(item))).collect())
    }
}
