//! The shopping list.

use async_trait::async_trait;
use larder_domain::{
    Item, ShoppingChange, ShoppingFilter, ShoppingItem, ShoppingItemId, ShoppingPosition,
};

use crate::{AddItem, HouseholdScope, Page, Result, Write};

/// The result of adding an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddShoppingItem {
    /// It is on the list.
    Added(ShoppingItem),
    /// The same item of the inventory is on the list already, still to be bought.
    Duplicate(ShoppingItem),
    /// There is no such item in the household's inventory.
    ItemNotFound,
    /// There is no such shop.
    StoreNotFound,
}

/// The result of changing an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeShoppingItem {
    /// This is it now.
    Changed(ShoppingItem),
    /// There is no such entry.
    NotFound,
    /// It has changed since; this is the current one.
    VersionConflict(ShoppingItem),
    /// There is no such shop.
    StoreNotFound,
}

/// The result of putting away. The entry is deleted if, and only if, the stock has grown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one answer per call, never kept in numbers")]
pub enum PutAway {
    /// No entry of this version was bought.
    NotBought,
    /// The result of adding the item.
    Added(AddItem),
}

/// The shopping list of a household. Expired entries are invisible, swept or not.
#[async_trait]
pub trait ShoppingList: Send + Sync {
    /// Adds an entry. One that restocks an item is refused, in the same transaction, while another that is
    /// still to be bought does so too, unless `force` is set.
    async fn add_shopping_item(
        &self,
        scope: HouseholdScope,
        item: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem>;

    /// The entry, as the last acknowledged write left it.
    async fn find_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Result<Option<ShoppingItem>>;

    /// A page of the list in the order in which entries were added. May lag behind writes where the engine's
    /// indexes do.
    async fn list_shopping_items(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>>;

    /// Changes an entry if it still has this version.
    async fn change_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
        write: Write<'_>,
    ) -> Result<ChangeShoppingItem>;

    /// Deletes an entry. `false` if there was none.
    async fn delete_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        write: Write<'_>,
    ) -> Result<bool>;

    /// Deletes a purchased entry, if it still has this version, and adds `item` to the stock as
    /// [`crate::Inventory::add_item`] does, in one transaction. The version makes retries
    /// idempotent.
    async fn put_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        write: Write<'_>,
    ) -> Result<PutAway>;

    /// Deletes all purchased entries, and returns their number. Entries that are unchecked
    /// meanwhile stay.
    async fn clear_purchased(&self, scope: HouseholdScope, write: Write<'_>) -> Result<u64>;
}
