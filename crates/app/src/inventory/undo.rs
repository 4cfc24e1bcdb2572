//! Taking back the last change of an item.

use larder_domain::{Item, ItemId, ItemPatch, Undo};

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
        match change.and_then(|change| Undo::of(&change.versions)) {
            None => Err(AppError::VersionConflict(Box::new(current))),
            Some(Undo::Adjust(delta)) => Ok(self.adjust_item(caller, id, delta, None).await?.0),
            Some(Undo::Restore(details)) => {
                let patch = ItemPatch::to(*details);
                self.update_item(caller, id, current.version, patch, false).await
            }
        }
    }
}
