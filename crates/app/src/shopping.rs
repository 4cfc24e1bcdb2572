//! The shopping list of a household. Without a household the list is empty, nothing is found on it, and adding to it
//! is refused.

mod put_away;
mod stock;

pub use put_away::{BoughtEntry, Purchase};
pub use stock::EntryStock;

use larder_domain::{
    ItemId, ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingItemId,
    ShoppingName, ShoppingNotes, ShoppingPosition, ShoppingQuantity, StoreId,
};
use larder_storage::{AddShoppingItem, ChangeShoppingItem, HouseholdScope, IdempotencyClaim, Page};

use crate::{App, AppError, Caller, Result, authorize};

/// Something to put on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShoppingItem {
    /// The linked item, which it restocks; `None` for free text.
    pub item: Option<ItemId>,
    /// Its name.
    pub name: ShoppingName,
    /// Its shop. The outer `None` takes the item's preferred shop, if there is one; an inner one
    /// means any.
    pub store: Option<Option<StoreId>>,
    /// How many.
    pub quantity: Option<ShoppingQuantity>,
    /// A remark.
    pub notes: Option<ShoppingNotes>,
}

impl App {
    /// A page of the list, in the order in which entries were added.
    pub async fn shopping_list(
        &self,
        caller: &Caller,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>> {
        match authorize::find_household(caller) {
            Some(scope) => {
                Ok(self.storage.list_shopping_items(scope, filter, after, limit).await?)
            }
            None => Ok(Page::EMPTY),
        }
    }

    /// The entry.
    pub async fn shopping_item(&self, caller: &Caller, id: ShoppingItemId) -> Result<ShoppingItem> {
        let found = self.storage.find_shopping_item(scope_of_entries(caller)?, id).await?;
        found.ok_or(AppError::ShoppingItemNotFound)
    }

    /// Adds an entry. A second pending entry for an item is refused unless `force` is set.
    pub async fn add_shopping_item(
        &self,
        caller: &Caller,
        new: NewShoppingItem,
        force: bool,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<ShoppingItem> {
        let scope = authorize::find_household(caller).ok_or(AppError::HouseholdRequired)?;
        let NewShoppingItem { item, name, store, quantity, notes } = new;
        let preferred = match (store, item) {
            (None, Some(item)) => self.preferred_store(scope, item).await?,
            _ => None,
        };
        let write = self.write(claim);
        let details = ShoppingDetails { name, store: store.unwrap_or(preferred), quantity, notes };
        let (id, by) = (self.entropy.id(), scope.actor());
        let mut entry = ShoppingItem::new(id, scope.household(), item, details, by, write.at);
        let mut outcome = self.storage.add_shopping_item(scope, &entry, force, write).await?;
        if outcome == AddShoppingItem::StoreNotFound && preferred.is_some() {
            // The preferred shop was deleted since the item was read, and was not requested
            // explicitly.
            entry.details.store = None;
            outcome = self.storage.add_shopping_item(scope, &entry, force, write).await?;
        }
        match outcome {
            AddShoppingItem::Added(entry) => Ok(entry),
            AddShoppingItem::Duplicate(existing) => {
                Err(AppError::DuplicateShoppingItem(Box::new(existing)))
            }
            AddShoppingItem::ItemNotFound => Err(AppError::UnknownItem),
            AddShoppingItem::StoreNotFound => Err(AppError::UnknownStore),
        }
    }

    /// Changes an entry that still has this version.
    pub async fn change_shopping_item(
        &self,
        caller: &Caller,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
    ) -> Result<ShoppingItem> {
        let (scope, write) = (scope_of_entries(caller)?, self.write(None));
        match self.storage.change_shopping_item(scope, id, version, change, write).await? {
            ChangeShoppingItem::Changed(entry) => Ok(entry),
            ChangeShoppingItem::NotFound => Err(AppError::ShoppingItemNotFound),
            ChangeShoppingItem::VersionConflict(current) => {
                Err(AppError::ShoppingVersionConflict(Box::new(current)))
            }
            ChangeShoppingItem::StoreNotFound => Err(AppError::UnknownStore),
        }
    }

    /// Deletes an entry.
    pub async fn delete_shopping_item(&self, caller: &Caller, id: ShoppingItemId) -> Result<()> {
        let scope = scope_of_entries(caller)?;
        let was_there = self.storage.delete_shopping_item(scope, id, self.write(None)).await?;
        if was_there { Ok(()) } else { Err(AppError::ShoppingItemNotFound) }
    }

    /// Deletes all purchased entries, and returns their number.
    pub async fn clear_purchased(&self, caller: &Caller) -> Result<u64> {
        let scope = authorize::find_household(caller).ok_or(AppError::HouseholdRequired)?;
        Ok(self.storage.clear_purchased(scope, self.write(None)).await?)
    }

    async fn preferred_store(
        &self,
        scope: HouseholdScope,
        item: ItemId,
    ) -> Result<Option<StoreId>> {
        let item = self.storage.find_item(scope.inventory(), item).await?;
        Ok(item.ok_or(AppError::UnknownItem)?.details.preferred_store)
    }
}

fn scope_of_entries(caller: &Caller) -> Result<HouseholdScope> {
    authorize::find_household(caller).ok_or(AppError::ShoppingItemNotFound)
}
