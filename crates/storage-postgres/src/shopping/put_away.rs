//! Putting away what was bought: in the transaction in which the stock grows the entry goes.

use jiff::Timestamp;
use larder_domain::ShoppingItemId;
use larder_storage::{AddItem, AdjustItem, HouseholdScope, PutAway, Result, Stocking, Write};

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
        into: Stocking<'_>,
        at: Timestamp,
    ) -> Result<PutAway, Failure> {
        let mut transaction = self.database.write(&Context::of_member(scope).at(at)).await?;
        if !transaction.is_bought(scope, id, version, at).await? {
            return Ok(PutAway::NotBought);
        }
        // The item first and then the entry, as everyone locks them.
        let (outcome, has_grown) = transaction.stock(scope, into, at).await?;
        if has_grown {
            if !transaction.take_off(scope, id, version).await? {
                return Ok(PutAway::NotBought);
            }
            transaction.commit().await?;
        }
        Ok(outcome)
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

    /// What came of it, and whether there is more now than before.
    async fn stock(
        &mut self,
        scope: HouseholdScope,
        into: Stocking<'_>,
        at: Timestamp,
    ) -> Result<(PutAway, bool), Failure> {
        Ok(match into {
            Stocking::More(item, delta) => {
                let adjusted = self.adjust(scope.inventory(), item, delta, at).await?;
                let has_grown = matches!(adjusted, AdjustItem::Adjusted { .. });
                (PutAway::Adjusted(adjusted), has_grown)
            }
            Stocking::Item(item) => {
                let added = self.add_or_merge(scope.inventory(), item, Write::at(at)).await?;
                let has_grown = matches!(added, AddItem::Added(_) | AddItem::Merged(_));
                (PutAway::Added(added), has_grown)
            }
        })
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
