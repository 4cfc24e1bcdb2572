//! Undoing the last change of an item.

use larder_domain::{Item, ItemId, ItemPatch, details_before};
use larder_storage::IdempotencyClaim;

use crate::{App, AppError, Caller, Result};

impl App {
    /// Undoes the change that gave an item this version, if it is still the last one and can be undone.
    pub async fn undo_item_change(
        &self,
        caller: &Caller,
        id: ItemId,
        version: u64,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Item> {
        let current = self.item(caller, id).await?;
        if current.version != version {
            return Err(AppError::VersionConflict(self.conflicting(caller, current)));
        }
        let newest = self.item_history(caller, id, None, 1).await?.items.pop();
        // The history may lag: it must end with the current item.
        let change = newest
            .filter(|change| change.versions.new.as_ref().is_some_and(|it| it.version == version));
        let before = change.as_ref().and_then(|change| details_before(&change.versions));
        let before = before.ok_or(AppError::NothingToUndo)?;
        // With the version, so that a double press undoes once.
        let patch = ItemPatch::to(before.clone());
        self.update_item(caller, id, version, patch, false, claim).await
    }
}
