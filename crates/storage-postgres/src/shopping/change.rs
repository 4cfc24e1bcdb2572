//! Changing an entry under its version.

use jiff::Timestamp;
use larder_domain::{
    ShoppingChange, ShoppingItem, ShoppingItemId, ShoppingNotes, ShoppingQuantity,
};
use larder_storage::{ChangeShoppingItem, HouseholdScope, Result, Write};

use super::row::{ShoppingRow, query_entries};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn change_entry(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
        write: Write<'_>,
    ) -> Result<ChangeShoppingItem, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let Some(current) = transaction.lock_entry(scope, id, write.at).await? else {
            return Ok(ChangeShoppingItem::NotFound);
        };
        if current.version != version {
            return Ok(ChangeShoppingItem::VersionConflict(current));
        }
        let changed = current.changed(change, write.at);
        // An unchanged shop needs no check: deleting it would have cleared the reference. Hence
        // deleting the new shop never waits for this entry either.
        if let Some(store) = changed.details.store
            && current.details.store != Some(store)
            && !transaction.lock_shop(scope, store).await?
        {
            return Ok(ChangeShoppingItem::StoreNotFound);
        }
        let changed = transaction.overwrite_entry(&changed).await?;
        transaction.commit().await?;
        Ok(ChangeShoppingItem::Changed(changed))
    }
}

impl Transaction {
    /// Locks and returns the entry, if it is still on the list.
    async fn lock_entry(
        &mut self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        at: Timestamp,
    ) -> Result<Option<ShoppingItem>, Failure> {
        let row = query_entries!(
            "SELECT",
            "FROM shopping_list_items s
             WHERE s.household_id = $1 AND s.id = $2
             AND (s.expires_at IS NULL OR s.expires_at > $3)
             FOR UPDATE",
            uuid(scope.household()),
            uuid(id),
            Instant(at) as _,
        );
        Ok(row.fetch_optional(self).await?.map(ShoppingRow::into_entry).transpose()?)
    }

    /// Writes all mutable columns of a locked entry.
    async fn overwrite_entry(&mut self, changed: &ShoppingItem) -> Result<ShoppingItem, Failure> {
        let details = &changed.details;
        let row = query_entries!(
            "UPDATE shopping_list_items s
             SET name = $2, store_id = $3, status = $4, quantity = $5::bigint::integer, notes = $6,
                 version = $7, expires_at = $8, updated_at = $9
             WHERE s.id = $1
             RETURNING",
            "",
            uuid(changed.id),
            details.name.as_str(),
            details.store.map(uuid),
            changed.status.as_str(),
            details.quantity.map(ShoppingQuantity::get).map(i64::from),
            details.notes.as_ref().map(ShoppingNotes::as_str),
            i64::try_from(changed.version).unwrap_or(i64::MAX),
            changed.expires_at.map(Instant) as _,
            Instant(changed.updated_at) as _,
        );
        Ok(row.fetch_one(self).await?.into_entry()?)
    }
}
