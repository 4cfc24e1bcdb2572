//! Items.

mod add;
mod adjust;
mod history;
mod list;
mod move_in;
mod references;
mod remove;
mod replace;

use async_trait::async_trait;
use jiff::civil::Date;
use larder_domain::{
    Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, searchable_suffixes,
};
use larder_storage::{
    AddItem, AdjustItem, DeleteItem, Inventory, ItemChange, Page, ReplaceItem, Result, Scope, Write,
};

use crate::{
    PostgresStore,
    context::Context,
    ids::{inventory_id, uuid},
    items::{ItemRow, OwnerColumns, query_items},
};

pub use list::list_items;

/// Characters kept of a suffix: index entries are limited in size, and search terms are shorter.
const SUFFIX_CHARS: usize = 400;

#[async_trait]
impl Inventory for PostgresStore {
    async fn add_item(&self, scope: Scope, item: &Item, write: Write<'_>) -> Result<AddItem> {
        let outcome = self.database.retry(|| self.add(scope, item, write)).await?;
        self.live.changed(inventory_id(scope.owner()));
        Ok(outcome)
    }

    async fn find_item(&self, scope: Scope, id: ItemId) -> Result<Option<Item>> {
        let row = self.database.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let owner = OwnerColumns::of(scope);
            let row = query_items!(
                "SELECT",
                "FROM inventory_items i WHERE i.id = $1
                 AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))",
                uuid(id),
                owner.household,
                owner.person,
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        row.await?.map(ItemRow::into_item).transpose()
    }

    async fn list_items(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        self.list_page(scope, filter, today, sort, after, limit).await
    }

    async fn replace_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        write: Write<'_>,
    ) -> Result<ReplaceItem> {
        let attempt = || self.replace(scope, id, version, details, merge, write);
        let outcome = self.database.retry(attempt).await?;
        self.live.changed(inventory_id(scope.owner()));
        Ok(outcome)
    }

    async fn delete_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: Option<u64>,
        write: Write<'_>,
    ) -> Result<DeleteItem> {
        let outcome = self.database.retry(|| self.remove(scope, id, version, write)).await?;
        self.live.changed(inventory_id(scope.owner()));
        Ok(outcome)
    }

    async fn adjust_item(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem> {
        let outcome = self.database.retry(|| self.adjust(scope, id, delta, write)).await?;
        self.live.changed(inventory_id(scope.owner()));
        Ok(outcome)
    }

    async fn item_history(
        &self,
        scope: Scope,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>> {
        self.database.retry(|| self.history(scope, id, before, limit)).await
    }
}

/// The search suffixes of a folded name.
pub(crate) fn suffixes(folded: &str) -> Vec<String> {
    let mut suffixes: Vec<String> = searchable_suffixes(folded)
        .map(|suffix| suffix.chars().take(SUFFIX_CHARS).collect())
        .collect();
    suffixes.sort_unstable();
    suffixes.dedup();
    suffixes
}
