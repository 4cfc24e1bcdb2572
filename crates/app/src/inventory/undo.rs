//! Taking back the last change of an item.

use larder_domain::{Item, ItemId, ItemPatch, details_before};

use crate::{App, AppError, Caller, Result};

impl App {
    /// Takes back the change with this number, if it is still the last one of the item and can be taken back.
    pub async fn undo_item_change(
        &self,
        caller: &Caller,
        id: ItemId,
        sequence: u64,
    ) -> Result<Item> {
        let current = self.item(caller, id).await?;
        let newest = self.item_history(caller, id, None, 1).await?.items.pop();
        // The trail may lag: it must end with what the item is now.
        let change = newest.filter(|change| {
            let left = change.versions.new.as_ref();
            change.sequence == sequence && left.is_some_and(|it| it.version == current.version)
        });
        let Some(before) = change.as_ref().and_then(|change| details_before(&change.versions))
        else {
            return Err(AppError::VersionConflict(self.conflicting(caller, current)));
        };
        // Under the version, so that whoever presses twice takes back once.
        let patch = ItemPatch::to(before.clone());
        self.update_item(caller, id, current.version, patch, false, None).await
    }
}
