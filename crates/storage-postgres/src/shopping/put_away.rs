//! Putting away what was bought: in the transaction in which the stock grows the entry goes.

use jiff::Timestamp;
use larder_domain::{Item, ShoppingItemId};
use larder_storage::{AddItem, HouseholdScope, PutAway, Result, Write};

use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn put_entry_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        at: Timestamp,
    ) -> Result<PutAway, Failure> {
        let mut transaction = self.database.write(&Context::of_member(scope).at(at)).await?;
        if !transaction.is_bought(scope, id, version, at).await? {
            return Ok(PutAway::NotBought);
        }
        // The item first and then the entry, as everyone locks them.
        let added = transaction.add_or_merge(scope.inventory(), item, Write::at(at)).await?;
        if matches!(added, AddItem::Added(_) | AddItem::Merged(_)) {
            if !transaction.take_off(scope, id, version).await? {
                return Ok(PutAway::NotBought);
            }
            transaction.commit().await?;
        }
        Ok(PutAway::Added(added))
    }
}

impl Transaction {
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

    /// Whether the entry still had this version; then it is gone.
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
