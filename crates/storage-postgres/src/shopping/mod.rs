//! The shopping list. Every statement filters out expired entries, swept or not.

mod add;
mod change;
mod remove;
pub(crate) mod row;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    Item, ShoppingChange, ShoppingFilter, ShoppingItem, ShoppingItemId, ShoppingPosition,
    StoreChoice, StoreId,
};
use larder_storage::{
    AddItem, AddShoppingItem, ChangeShoppingItem, HouseholdScope, Page, PutAway, Result,
    ShoppingList, Write, WriteKind,
};
use row::{ShoppingRow, query_entries};
use sqlx::{Postgres, QueryBuilder};

use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, ids::uuid,
    transaction::Transaction, types::Instant,
};

#[async_trait]
impl ShoppingList for PostgresStore {
    async fn add_shopping_item(
        &self,
        scope: HouseholdScope,
        item: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem> {
        self.retry_change(uuid(scope.household()), || self.add_entry(scope, item, force, write))
            .await
    }

    async fn find_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Result<Option<ShoppingItem>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_member(scope)).await?;
            let row = query_entries!(
                "SELECT",
                "FROM shopping_list_items s
                 WHERE s.household_id = $1 AND s.id = $2
                 AND (s.expires_at IS NULL OR s.expires_at > $3)",
                uuid(scope.household()),
                uuid(id),
                Instant(self.clock.now()) as _,
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(ShoppingRow::into_entry).transpose()?)
        })
        .await
    }

    async fn list_shopping_items(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_member(scope)).await?;
            let now = self.clock.now();
            let mut query = list_shopping_items("", scope, filter, now, after, limit);
            let rows = query.build_query_as::<ShoppingRow>().fetch_all(&mut transaction).await?;
            let entries =
                rows.into_iter().map(ShoppingRow::into_entry).collect::<Result<Vec<_>>>()?;
            Ok(Page::cut(entries, limit, ShoppingPosition::of))
        })
        .await
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
        self.retry_change(uuid(scope.household()), attempt).await
    }

    async fn delete_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        write: Write<'_>,
    ) -> Result<bool> {
        self.retry_change(uuid(scope.household()), || self.remove_entry(scope, id, write)).await
    }

    async fn put_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        write: Write<'_>,
    ) -> Result<PutAway> {
        self.retry_change(uuid(scope.household()), || async move {
            let context = Context::of_member(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            transaction.claim(scope.actor(), write).await?;
            if !transaction.is_bought(scope, id, version, write.at).await? {
                return Ok(PutAway::NotBought);
            }
            // The item first and then the entry, as everyone locks them.
            let added = transaction.add_or_merge(scope.inventory(), item, write).await?;
            let (kind, item) = match &added {
                AddItem::Added(item) => (WriteKind::ITEM_ADDED, item),
                AddItem::Merged(item) => (WriteKind::ITEM_MERGED, item),
                _ => return Ok(PutAway::Added(added)),
            };
            // Deleted in the transaction that adds to the stock.
            if !transaction.take_off(scope, id, version).await? {
                return Ok(PutAway::NotBought);
            }
            transaction.commit_with(scope.actor(), write, kind, item).await?;
            Ok(PutAway::Added(added))
        })
        .await
    }

    async fn clear_purchased(&self, scope: HouseholdScope, write: Write<'_>) -> Result<u64> {
        self.retry_change(uuid(scope.household()), || self.remove_purchased(scope, write)).await
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

    async fn is_bought(
        &mut self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        let found = sqlx::query_scalar!(
            "SELECT id FROM shopping_list_items
             WHERE household_id = $1 AND id = $2 AND version = $3 AND status = 'purchased'
             AND (expires_at IS NULL OR expires_at > $4)",
            uuid(scope.household()),
            uuid(id),
            i64::try_from(version).unwrap_or(i64::MAX),
            Instant(at) as _,
        );
        Ok(found.fetch_optional(self).await?.is_some())
    }

    /// Deletes the entry if it still has this version.
    async fn take_off(
        &mut self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
    ) -> Result<bool, Failure> {
        let deleted = sqlx::query!(
            "DELETE FROM shopping_list_items WHERE household_id = $1 AND id = $2 AND version = $3",
            uuid(scope.household()),
            uuid(id),
            i64::try_from(version).unwrap_or(i64::MAX),
        )
        .execute(self)
        .await?;
        Ok(deleted.rows_affected() > 0)
    }
}

const COLUMNS: &str = "SELECT s.id, s.household_id, s.item_id, s.name, s.store_id, s.status, \
    s.quantity, s.notes, s.version, s.expires_at, s.added_by, s.created_at, s.updated_at \
    FROM shopping_list_items s ";

/// The statement that reads a page and one more entry. `prefix` lets tests prepend EXPLAIN.
pub fn list_shopping_items(
    prefix: &'static str,
    scope: HouseholdScope,
    filter: &ShoppingFilter,
    now: Timestamp,
    after: Option<&ShoppingPosition>,
    limit: usize,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new(prefix);
    query.push(COLUMNS);
    query.push("WHERE s.household_id = ").push_bind(uuid(scope.household()));
    match filter.store {
        None => {}
        Some(StoreChoice::Unassigned) => {
            query.push(" AND s.store_id IS NULL");
        }
        Some(StoreChoice::Store(store)) => {
            query.push(" AND s.store_id = ").push_bind(uuid(store));
        }
    }
    if let Some(status) = filter.status {
        query.push(" AND s.status = ").push_bind(status.as_str());
    }
    query.push(" AND (s.expires_at IS NULL OR s.expires_at > ").push_bind(Instant(now)).push(")");
    if let Some(after) = after {
        query.push(" AND (s.created_at, s.id) > (").push_bind(Instant(after.created_at));
        query.push(", ").push_bind(uuid(after.id)).push(")");
    }
    query.push(" ORDER BY s.created_at, s.id LIMIT ");
    query.push_bind(one_more(limit));
    query
}
