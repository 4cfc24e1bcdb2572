//! Deleting entries, and clearing their references to deleted items and shops.

use larder_domain::{HouseholdId, ItemId, ShoppingItemId, StoreId};
use larder_storage::{HouseholdScope, Result, Write};

use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn remove_entry(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        write: Write<'_>,
    ) -> Result<bool, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let deleted = sqlx::query!(
            "DELETE FROM shopping_list_items WHERE household_id = $1 AND id = $2
             AND (expires_at IS NULL OR expires_at > $3)",
            uuid(scope.household()),
            uuid(id),
            Instant(write.at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    pub(super) async fn remove_purchased(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<u64, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        // Locked in order of ids, like every other multi-row lock. A lock reads the current row, so
        // entries unchecked meanwhile are skipped.
        let deleted = sqlx::query!(
            "WITH bought AS (
                 SELECT id FROM shopping_list_items
                 WHERE household_id = $1 AND status = 'purchased' AND expires_at > $2
                 ORDER BY id FOR UPDATE
             )
             DELETE FROM shopping_list_items s USING bought WHERE s.id = bought.id",
            uuid(scope.household()),
            Instant(write.at) as _,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(deleted.rows_affected())
    }
}

impl Transaction {
    /// Turns every entry linked to this locked item into free text, before the item is deleted.
    /// Expired entries too, because they refer to it until they are swept.
    pub(crate) async fn unlink_entries(
        &mut self,
        household: HouseholdId,
        item: ItemId,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "WITH linked AS (
                 SELECT id FROM shopping_list_items
                 WHERE household_id = $1 AND item_id = $2
                 ORDER BY id FOR UPDATE
             )
             UPDATE shopping_list_items s
             SET item_id = NULL, version = s.version + 1, updated_at = $3
             FROM linked WHERE s.id = linked.id",
            uuid(household),
            uuid(item),
            Instant(write.at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Locks every entry that is to be bought in this shop, which is locked and about to go.
    pub(crate) async fn lock_entries_of_shop(
        &mut self,
        household: HouseholdId,
        store: StoreId,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "SELECT FROM shopping_list_items WHERE household_id = $1 AND store_id = $2
             ORDER BY id FOR UPDATE",
            uuid(household),
            uuid(store),
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Clears the shop of those entries.
    pub(crate) async fn clear_shop_of_entries(
        &mut self,
        household: HouseholdId,
        store: StoreId,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE shopping_list_items
             SET store_id = NULL, version = version + 1, updated_at = $3
             WHERE household_id = $1 AND store_id = $2",
            uuid(household),
            uuid(store),
            Instant(write.at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
