//! Putting away a purchased entry: one transaction adds to the stock and deletes the entry.

use larder_domain::{Item, ShoppingItem, ShoppingItemId, ShoppingStatus};
use larder_storage::{AddItem, HouseholdScope, PutAway, Result, ShoppingList as _, Write};

use super::{ItemStore, replace_item::version_is};
use crate::{Action, RecordEngine, Table, layout::keys};

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn put_entry_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        write: Write<'_>,
    ) -> Result<PutAway> {
        let is_bought = |entry: &ShoppingItem| {
            entry.version == version && entry.status == ShoppingStatus::Purchased
        };
        if !self.find_shopping_item(scope, id).await?.as_ref().is_some_and(is_bought) {
            self.refuse_used_key(scope.actor(), write).await?;
            return Ok(PutAway::NotBought);
        }
        // Bought entries are not counted as pending, so no count changes.
        let take_off = Action::Delete {
            table: Table::InventoryManagement,
            key: keys::shopping_item(scope.household(), id),
            when: version_is(version),
        };
        let added = self.add_or_merge(scope.inventory(), item, write, Some(&take_off)).await?;
        if !matches!(added, Some(AddItem::Added(_) | AddItem::Merged(_))) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(added.map_or(PutAway::NotBought, PutAway::Added))
    }
}
