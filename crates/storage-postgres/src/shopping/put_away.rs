//! Putting away a purchased entry: it is deleted in the transaction that adds to the stock.

use jiff::Timestamp;
use larder_domain::{Item, ShoppingItemId};
use larder_storage::{AddItem, HouseholdScope, PutAway, Result, Write, WriteKind};

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
        write: Write<'_>,
    ) -> Result<PutAway, Failure> {
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
        if !transaction.take_off(scope, id, version).await? {
            return Ok(PutAway::NotBought);
        }
        transaction.commit_with(scope.actor(), write, kind, item).await?;
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
