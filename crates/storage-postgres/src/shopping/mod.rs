//! The shopping list. Every statement filters out expired entries, swept or not.

mod add;
mod change;
mod list;
mod put_away;
mod remove;
mod row;

use async_trait::async_trait;
use larder_domain::{
    Item, ShoppingChange, ShoppingFilter, ShoppingItem, ShoppingItemId, ShoppingPosition, StoreId,
};
use larder_storage::{
    AddShoppingItem, ChangeShoppingItem, HouseholdScope, Page, PutAway, Result, ShoppingList, Write,
};

use crate::{PostgresStore, failure::Failure, ids::uuid, transaction::Transaction};

pub use list::list_shopping_items;

#[async_trait]
impl ShoppingList for PostgresStore {
    async fn add_shopping_item(
        &self,
        scope: HouseholdScope,
        item: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem> {
        let added = self.database.retry(|| self.add_entry(scope, item, force, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(added)
    }

    async fn find_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Result<Option<ShoppingItem>> {
        self.database.retry(|| self.entry(scope, id)).await
    }

    async fn list_shopping_items(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>> {
        self.database.retry(|| self.entries(scope, filter, after, limit)).await
    }

    async fn change_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
        write: Write<'_>,
    ) -> Result<ChangeShoppingItem> {
        let attempt = || self.change_entry(scope, id, version, change, write);
        let changed = self.database.retry(attempt).await?;
        self.live.changed(uuid(scope.household()));
        Ok(changed)
    }

    async fn delete_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        write: Write<'_>,
    ) -> Result<bool> {
        let deleted = self.database.retry(|| self.remove_entry(scope, id, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(deleted)
    }

    async fn put_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        write: Write<'_>,
    ) -> Result<PutAway> {
        let attempt = || self.put_entry_away(scope, id, version, item, write);
        let outcome = self.database.retry(attempt).await?;
        self.live.changed(uuid(scope.household()));
        Ok(outcome)
    }

    async fn clear_purchased(&self, scope: HouseholdScope, write: Write<'_>) -> Result<u64> {
        let cleared = self.database.retry(|| self.remove_purchased(scope, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(cleared)
    }
}

impl Transaction {
    /// Whether the household has this shop; it is locked against deletion.
    async fn lock_shop(&mut self, scope: HouseholdScope, store: StoreId) -> Result<bool, Failure> {
        let found = sqlx::query_scalar!(
            "SELECT id FROM stores WHERE household_id = $1 AND id = $2 FOR KEY SHARE",
            uuid(scope.household()),
            uuid(store),
        );
        Ok(found.fetch_optional(self).await?.is_some())
    }
}
