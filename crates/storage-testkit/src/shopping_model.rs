//! The shopping list in the plainest terms: the domain's rules applied to a list.

use jiff::Timestamp;
use larder_domain::{
    ItemId, ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingItemId,
    ShoppingPosition, ShoppingStatus, StoreId,
};
use larder_storage::{AddShoppingItem, ChangeShoppingItem, Write};

use crate::InventoryModel;

/// One household's list, as any store should behave.
#[derive(Debug, Default)]
pub struct ShoppingModel {
    entries: Vec<ShoppingItem>,
}

impl ShoppingModel {
    /// As [`larder_storage::ShoppingList::add_shopping_item`]. Which of several pending entries a duplicate is
    /// answered with is the store's choice: see [`ShoppingModel::is_duplicate`].
    pub fn add(
        &mut self,
        entry: &ShoppingItem,
        force: bool,
        inventory: &InventoryModel,
        write: Write<'_>,
    ) -> AddShoppingItem {
        self.forget(write.at);
        if entry.item.is_some_and(|item| inventory.find(item).is_none()) {
            return AddShoppingItem::ItemNotFound;
        }
        if !entry.details.store.is_none_or(|store| inventory.has_shop(store)) {
            return AddShoppingItem::StoreNotFound;
        }
        let twin = entry.item.and_then(|item| self.pending_for(item));
        match twin {
            Some(twin) if !force => AddShoppingItem::Duplicate(twin.clone()),
            _ => {
                self.entries.push(entry.clone());
                AddShoppingItem::Added(entry.clone())
            }
        }
    }

    /// Whether this entry prevents another one for its item.
    pub fn is_duplicate(&self, entry: &ShoppingItem) -> bool {
        entry.status == ShoppingStatus::Pending && self.entries.contains(entry)
    }

    /// As [`larder_storage::ShoppingList::change_shopping_item`].
    pub fn change(
        &mut self,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
        inventory: &InventoryModel,
        write: Write<'_>,
    ) -> ChangeShoppingItem {
        self.forget(write.at);
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) else {
            return ChangeShoppingItem::NotFound;
        };
        if entry.version != version {
            return ChangeShoppingItem::VersionConflict(entry.clone());
        }
        if let ShoppingChange::Edit(patch) = change
            && let Some(Some(store)) = patch.store
            && !inventory.has_shop(store)
        {
            return ChangeShoppingItem::StoreNotFound;
        }
        *entry = entry.changed(change, write.at);
        ChangeShoppingItem::Changed(entry.clone())
    }

    /// As [`larder_storage::ShoppingList::delete_shopping_item`].
    pub fn delete(&mut self, id: ShoppingItemId, write: Write<'_>) -> bool {
        self.forget(write.at);
        let before = self.entries.len();
        self.entries.retain(|entry| entry.id != id);
        self.entries.len() < before
    }

    /// As [`larder_storage::ShoppingList::clear_purchased`].
    pub fn clear_purchased(&mut self, write: Write<'_>) -> u64 {
        self.forget(write.at);
        let before = self.entries.len();
        self.entries.retain(|entry| entry.status == ShoppingStatus::Pending);
        u64::try_from(before - self.entries.len()).expect("a usize fits in 64 bits")
    }

    /// Turns the entries of a deleted item into free text.
    pub fn unlink(&mut self, item: ItemId, write: Write<'_>) {
        self.forget(write.at);
        for entry in self.entries.iter_mut().filter(|entry| entry.item == Some(item)) {
            *entry = entry.orphaned(write.at);
        }
    }

    /// Removes a deleted shop from the entries that refer to it.
    pub fn remove_store(&mut self, store: StoreId, write: Write<'_>) {
        self.forget(write.at);
        for entry in self.entries.iter_mut().filter(|entry| entry.details.store == Some(store)) {
            *entry = ShoppingItem {
                details: ShoppingDetails { store: None, ..entry.details.clone() },
                version: entry.version + 1,
                updated_at: write.at,
                ..entry.clone()
            };
        }
    }

    /// As [`larder_storage::ShoppingList::find_shopping_item`].
    pub fn find(&self, id: ShoppingItemId, now: Timestamp) -> Option<&ShoppingItem> {
        self.entries.iter().find(|entry| entry.id == id && !entry.is_expired(now))
    }

    /// As [`larder_storage::ShoppingList::list_shopping_items`], without pages.
    pub fn list(&self, filter: &ShoppingFilter, now: Timestamp) -> Vec<ShoppingItem> {
        let live = self.entries.iter().filter(|entry| !entry.is_expired(now));
        let mut entries: Vec<_> = live.filter(|entry| filter.matches(entry)).cloned().collect();
        entries.sort_by_key(ShoppingPosition::of);
        entries
    }

    fn pending_for(&self, item: ItemId) -> Option<&ShoppingItem> {
        self.entries.iter().find(|entry| entry.is_pending_for(item))
    }

    /// Entries that have expired are deleted.
    fn forget(&mut self, now: Timestamp) {
        self.entries.retain(|entry| !entry.is_expired(now));
    }
}
