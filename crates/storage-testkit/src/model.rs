//! The inventory port in the plainest terms: the domain's rules applied to a list.

use std::collections::HashSet;

use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, MergeError,
    StorageLocationId, StoreId, UserId, find_seeded_location, merge_amount,
};
use larder_storage::{AddItem, AdjustItem, DeleteItem, ReplaceItem, Tap, TapDone, Write};

/// One inventory, as any store should behave.
#[derive(Debug, Default)]
pub struct InventoryModel {
    items: Vec<Item>,
    locations: HashSet<StorageLocationId>,
    stores: HashSet<StoreId>,
}

impl InventoryModel {
    /// Adds a location of the household.
    pub fn add_location(&mut self, id: StorageLocationId) {
        self.locations.insert(id);
    }

    /// Adds a shop.
    pub fn add_store(&mut self, id: StoreId) {
        self.stores.insert(id);
    }

    /// Removes a location, and clears the references to it.
    pub fn remove_location(&mut self, id: StorageLocationId, by: UserId, write: Write<'_>) {
        self.locations.remove(&id);
        for item in self.items.iter_mut().filter(|item| item.details.location == Some(id)) {
            let details = ItemDetails { location: None, ..item.details.clone() };
            *item = item.changed(details, by, write.at);
        }
    }

    /// Removes a shop, and clears the references to it.
    pub fn remove_store(&mut self, id: StoreId, by: UserId, write: Write<'_>) {
        self.stores.remove(&id);
        for item in self.items.iter_mut().filter(|item| item.details.preferred_store == Some(id)) {
            let details = ItemDetails { preferred_store: None, ..item.details.clone() };
            *item = item.changed(details, by, write.at);
        }
    }

    /// Whether the shop exists.
    pub fn has_shop(&self, id: StoreId) -> bool {
        self.stores.contains(&id)
    }

    /// Every item, in no order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The item with this id.
    pub fn find(&self, id: ItemId) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    /// As [`larder_storage::Inventory::add_item`].
    pub fn add(&mut self, item: &Item, by: UserId, write: Write<'_>) -> AddItem {
        if !self.has_location(&item.details) {
            return AddItem::LocationNotFound;
        }
        if !self.has_store(&item.details) {
            return AddItem::StoreNotFound;
        }
        let Some(existing) = self.same(&item.details, item.id) else {
            self.items.push(item.clone());
            return AddItem::Added(item.clone());
        };
        match merged(existing, &item.details, by, write) {
            Ok(item) => {
                *existing = item.clone();
                AddItem::Merged(item)
            }
            Err(MergeError::UnitMismatch) => AddItem::UnitMismatch(existing.clone()),
            Err(MergeError::Overflow) => AddItem::Overflow(existing.clone()),
        }
    }

    /// As [`larder_storage::Inventory::replace_item`].
    pub fn replace(
        &mut self,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        by: UserId,
        write: Write<'_>,
    ) -> ReplaceItem {
        let Some(current) = self.find(id).cloned() else { return ReplaceItem::NotFound };
        if current.version != version {
            return ReplaceItem::VersionConflict(current);
        }
        if !self.has_location(details) {
            return ReplaceItem::LocationNotFound;
        }
        if !self.has_store(details) {
            return ReplaceItem::StoreNotFound;
        }
        let Some(other) = self.same(details, id) else {
            let replaced = current.changed(details.clone(), by, write.at);
            *self.find_mut(id).expect("it was found above") = replaced.clone();
            return ReplaceItem::Replaced(replaced);
        };
        if !merge {
            return ReplaceItem::Duplicate(other.clone());
        }
        match merged(other, details, by, write) {
            Ok(item) => {
                *other = item.clone();
                self.items.retain(|item| item.id != id);
                ReplaceItem::Merged(item)
            }
            Err(MergeError::UnitMismatch) => ReplaceItem::UnitMismatch(other.clone()),
            Err(MergeError::Overflow) => ReplaceItem::Overflow(other.clone()),
        }
    }

    /// As [`larder_storage::Inventory::delete_item`].
    pub fn delete(&mut self, id: ItemId, version: Option<u64>) -> DeleteItem {
        let Some(at) = self.items.iter().position(|item| item.id == id) else {
            return DeleteItem::NotFound;
        };
        if version.is_some_and(|version| version != self.items[at].version) {
            return DeleteItem::VersionConflict(self.items[at].clone());
        }
        DeleteItem::Deleted(self.items.swap_remove(at))
    }

    /// As [`larder_storage::Inventory::adjust_item`]. If nothing is applied, nothing changes.
    pub fn adjust(&mut self, id: ItemId, delta: Delta, by: UserId, write: Write<'_>) -> AdjustItem {
        let Some(item) = self.find_mut(id) else { return AdjustItem::NotFound };
        match item.details.quantity.adjust(delta) {
            Err(_) => AdjustItem::Overflow(item.clone()),
            Ok((quantity, applied_hundredths)) => {
                if applied_hundredths != 0 {
                    let details = ItemDetails { quantity, ..item.details.clone() };
                    *item = item.changed(details, by, write.at);
                }
                AdjustItem::Adjusted { item: item.clone(), applied_hundredths }
            }
        }
    }

    /// As [`larder_storage::Tags::tap`] with an active tag of this item: `updated_by` is unchanged.
    pub fn tap(&mut self, id: ItemId, delta: Delta, at: Timestamp) -> Tap {
        let Some(by) = self.find(id).map(|item| item.updated_by) else { return Tap::ItemDeleted };
        match self.adjust(id, delta, by, Write::at(at)) {
            AdjustItem::Adjusted { item, applied_hundredths } => {
                Tap::Done(TapDone { item, applied_hundredths, is_repeated: false })
            }
            AdjustItem::Overflow(item) => Tap::Overflow(item),
            AdjustItem::NotFound => Tap::ItemDeleted,
        }
    }

    /// As [`larder_storage::Inventory::list_items`], without pages.
    pub fn list(&self, filter: &ItemFilter, today: Date, sort: ItemSort) -> Vec<Item> {
        let shown = self.items.iter().filter(|item| filter.matches(item, today));
        let mut items: Vec<Item> = shown.cloned().collect();
        items.sort_by(|a, b| {
            let (a, b) = (ItemPosition::of(a, sort), ItemPosition::of(b, sort));
            a.partial_cmp(&b).expect("positions of one order compare")
        });
        items
    }

    fn find_mut(&mut self, id: ItemId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    /// Another item that is the same thing.
    fn same(&mut self, details: &ItemDetails, other_than: ItemId) -> Option<&mut Item> {
        let key = details.merge_key();
        let mut others = self.items.iter_mut().filter(|item| item.id != other_than);
        others.find(|item| item.details.merge_key() == key)
    }

    fn has_location(&self, details: &ItemDetails) -> bool {
        details.location.is_none_or(|location| {
            find_seeded_location(location).is_some() || self.locations.contains(&location)
        })
    }

    fn has_store(&self, details: &ItemDetails) -> bool {
        details.preferred_store.is_none_or(|store| self.has_shop(store))
    }
}

/// The item after a merge of this quantity.
fn merged(
    existing: &Item,
    incoming: &ItemDetails,
    by: UserId,
    write: Write<'_>,
) -> Result<Item, MergeError> {
    let added = merge_amount(&existing.details, incoming.quantity, &incoming.unit)?;
    let quantity = existing.details.quantity.checked_add(added);
    let quantity = quantity.map_err(|_| MergeError::Overflow)?;
    let details = ItemDetails { quantity, ..existing.details.clone() };
    Ok(existing.changed(details, by, write.at))
}
