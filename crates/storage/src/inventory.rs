//! Items.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};
use larder_domain::{
    Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, UserId, Versions,
};

use crate::{Page, Result, Scope, Write};

/// The result of adding an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddItem {
    /// It is a new one.
    Added(Item),
    /// Merged into an existing item, now this.
    Merged(Item),
    /// The existing item has a unit that does not convert.
    UnitMismatch(Item),
    /// The sum with the existing item would be too large.
    Overflow(Item),
    /// There is no such storage location.
    LocationNotFound,
    /// There is no such shop.
    StoreNotFound,
    /// Its product has [`crate::MAX_LOTS`] lots.
    TooManyLots,
}

/// The result of taking a lot out of another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one answer per call, never kept in numbers")]
pub enum SplitItem {
    /// The other lot is gone or has changed since.
    Changed,
    /// The result of adding the new lot. The other one has shrunk if, and only if, this grew.
    Added(AddItem),
}

/// The result of replacing an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceItem {
    /// This is it now.
    Replaced(Item),
    /// Name and date became those of another item, and the two became this one.
    Merged(Item),
    /// There is no such item.
    NotFound,
    /// It has changed since; this is the current one.
    VersionConflict(Item),
    /// This other item has the same name and date.
    Duplicate(Item),
    /// The other item is in a unit that does not convert.
    UnitMismatch(Item),
    /// Together with the other item it is too much.
    Overflow(Item),
    /// There is no such storage location.
    LocationNotFound,
    /// There is no such shop.
    StoreNotFound,
    /// Its product has [`crate::MAX_LOTS`] lots.
    TooManyLots,
}

/// The result of deleting an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteItem {
    /// Deleted; this is what it was.
    Deleted(Item),
    /// There is no such item.
    NotFound,
    /// It has changed since; this is the current one.
    VersionConflict(Item),
}

impl DeleteItem {
    /// The deleted item.
    #[must_use]
    pub fn deleted(self) -> Option<Item> {
        match self {
            Self::Deleted(item) => Some(item),
            Self::NotFound | Self::VersionConflict(_) => None,
        }
    }
}

/// The result of adjusting a quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdjustItem {
    /// This is the item now.
    Adjusted {
        /// The item after it.
        item: Item,
        /// The applied delta, in hundredths.
        applied_hundredths: i64,
    },
    /// There is no such item.
    NotFound,
    /// The sum would be too large; this is the unchanged item.
    Overflow(Item),
}

/// One entry of an item's audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemChange {
    /// Its number.
    pub sequence: u64,
    /// The time.
    pub at: Timestamp,
    /// The user; `None` for the system.
    pub by: Option<UserId>,
    /// Before and after.
    pub versions: Versions<Item>,
}

/// Items of one inventory.
#[async_trait]
pub trait Inventory: Send + Sync {
    /// Adds an item, or its quantity to the item of the same name and date. Exact under any
    /// concurrency. A new item is a lot of the product of its name, which is made if there is none,
    /// learns what the item says of it, and tells the item the rest.
    async fn add_item(&self, scope: Scope, item: &Item, write: Write<'_>) -> Result<AddItem>;

    /// Adds a lot that was part of another, as [`Inventory::add_item`] does. `rest` is the other one
    /// as it will be, if it still has the version before.
    async fn split_item(
        &self,
        scope: Scope,
        rest: &Item,
        lot: &Item,
        write: Write<'_>,
    ) -> Result<SplitItem>;

    /// The item, as the last acknowledged write left it.
    async fn find_item(&self, scope: Scope, id: ItemId) -> Result<Option<Item>>;

    /// Those of these items that exist, in no order, each as the last acknowledged write left it.
    async fn find_items(&self, scope: Scope, ids: &[ItemId]) -> Result<Vec<Item>>;

    /// A page of items. May lag behind writes where the engine's indexes do.
    async fn list_items(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>>;

    /// Replaces an item's details if it still has this version. What changes of the product's
    /// knowledge changes in the product and all of its lots. An item with another name is one of
    /// another product; the only lot of a product takes it along. With `merge`, a conflict with
    /// another item of the same name and date merges the two: the other remains, with both
    /// quantities.
    async fn replace_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        write: Write<'_>,
    ) -> Result<ReplaceItem>;

    /// Deletes an item, with `version` only if it still has it, and returns it.
    async fn delete_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: Option<u64>,
        write: Write<'_>,
    ) -> Result<DeleteItem>;

    /// Changes a quantity in one atomic step that stops at 0.
    async fn adjust_item(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem>;

    /// The audit trail of an item before this entry (`None`: from the newest), newest first. It outlives
    /// the item. May lag behind writes where the engine's indexes do.
    async fn item_history(
        &self,
        scope: Scope,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>>;
}
