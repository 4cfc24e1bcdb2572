//! Adding to the list. The item is locked before its entries are read: of concurrent additions one
//! succeeds, and the others see its entry.

use larder_domain::{ItemId, ShoppingItem, ShoppingNotes, ShoppingQuantity};
use larder_storage::{AddShoppingItem, HouseholdScope, Result, Write, WriteKind};

use super::row::{ShoppingRow, query_entries};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn add_entry(
        &self,
        scope: HouseholdScope,
        entry: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        // The shop before the item, in the order in which the deletion of a shop locks both.
        if let Some(store) = entry.details.store
            && !transaction.lock_shop(scope, store).await?
        {
            return Ok(AddShoppingItem::StoreNotFound);
        }
        if let Some(item) = entry.item {
            if !transaction.lock_item(scope, item).await? {
                return Ok(AddShoppingItem::ItemNotFound);
            }
            if !force && let Some(existing) = transaction.pending_entry(scope, item).await? {
                return Ok(AddShoppingItem::Duplicate(existing));
            }
        }
        let entry = transaction.insert_entry(entry).await?;
        transaction
            .commit_with(scope.actor(), write, WriteKind::SHOPPING_ITEM_ADDED, &entry)
            .await?;
        Ok(AddShoppingItem::Added(entry))
    }
}

impl Transaction {
    /// Locks the item; `false` if the household does not have it. Concurrent entries for it wait.
    async fn lock_item(&mut self, scope: HouseholdScope, item: ItemId) -> Result<bool, Failure> {
        let found = sqlx::query_scalar!(
            "SELECT id FROM inventory_items WHERE household_id = $1 AND id = $2
             FOR NO KEY UPDATE",
            uuid(scope.household()),
            uuid(item),
        );
        Ok(found.fetch_optional(self).await?.is_some())
    }

    /// The oldest entry that is still to be bought and restocks this item. One that is pending never expires.
    async fn pending_entry(
        &mut self,
        scope: HouseholdScope,
        item: ItemId,
    ) -> Result<Option<ShoppingItem>, Failure> {
        let row = query_entries!(
            "SELECT",
            "FROM shopping_list_items s
             WHERE s.household_id = $1 AND s.item_id = $2 AND s.status = 'pending'
             ORDER BY s.created_at, s.id LIMIT 1",
            uuid(scope.household()),
            uuid(item),
        );
        Ok(row.fetch_optional(self).await?.map(ShoppingRow::into_entry).transpose()?)
    }

    /// Adds an entry, and returns it as it was stored.
    pub(crate) async fn insert_entry(
        &mut self,
        entry: &ShoppingItem,
    ) -> Result<ShoppingItem, Failure> {
        let details = &entry.details;
        let row = query_entries!(
            "INSERT INTO shopping_list_items AS s (
                 id, household_id, item_id, name, store_id, status, quantity, notes, version,
                 expires_at, added_by, created_at, updated_at
             ) VALUES ($1, $2, $3, $4, $5, $6, $7::bigint::integer, $8, $9, $10, $11, $12, $13)
             RETURNING",
            "",
            uuid(entry.id),
            uuid(entry.household),
            entry.item.map(uuid),
            details.name.as_str(),
            details.store.map(uuid),
            entry.status.as_str(),
            details.quantity.map(ShoppingQuantity::get).map(i64::from),
            details.notes.as_ref().map(ShoppingNotes::as_str),
            i64::try_from(entry.version).unwrap_or(i64::MAX),
            entry.expires_at.map(Instant) as _,
            uuid(entry.added_by),
            Instant(entry.created_at) as _,
            Instant(entry.updated_at) as _,
        );
        Ok(row.fetch_one(self).await?.into_entry()?)
    }
}
