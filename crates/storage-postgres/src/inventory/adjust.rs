//! Adjusting a quantity: one statement that locks the row, stops at 0, returns the old value.

use jiff::Timestamp;
use larder_domain::{Delta, ItemId, Quantity};
use larder_storage::{AdjustItem, Result, Scope, StorageError, Write, WriteKind};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::uuid,
    items::{OwnerColumns, query_items_with_old_quantity},
    transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    pub(super) async fn adjust(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let outcome = transaction.adjust(scope, id, delta, write.at).await?;
        if let AdjustItem::Adjusted { item, applied_hundredths } = &outcome {
            let kind = WriteKind::item_adjusted(*applied_hundredths);
            transaction.commit_with(scope.actor(), write, kind, item).await?;
        }
        Ok(outcome)
    }
}

impl Transaction {
    /// Adjusts a quantity. Any other outcome means no change.
    async fn adjust(
        &mut self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        at: Timestamp,
    ) -> Result<AdjustItem, Failure> {
        let owner = OwnerColumns::of(scope);
        // The locking read sees the current row, not the statement's snapshot.
        let row = query_items_with_old_quantity!(
            "WITH before AS (
                 SELECT i.* FROM inventory_items i WHERE i.id = $1
                 AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))
                 FOR NO KEY UPDATE
             ), after AS (
                 UPDATE inventory_items i
                 SET quantity = GREATEST(before.quantity + $4::bigint / 100.0, 0),
                     version = before.version + 1, updated_by = $5, updated_at = $6
                 FROM before
                 WHERE i.id = before.id
                 AND before.quantity + $4::bigint / 100.0 <= $7::bigint / 100.0
                 AND (before.quantity > 0 OR $4::bigint > 0)
                 RETURNING i.*
             )
             SELECT",
            "FROM (
                 SELECT * FROM after
                 UNION ALL
                 SELECT * FROM before WHERE NOT EXISTS (SELECT FROM after)
             ) i, before",
            uuid(id),
            owner.household,
            owner.person,
            delta.hundredths(),
            uuid(scope.actor()),
            Instant(at) as _,
            Quantity::MAX.hundredths(),
        );
        let Some(row) = row.fetch_optional(self).await? else {
            return Ok(AdjustItem::NotFound);
        };
        let old_quantity = row.old_quantity.ok_or_else(|| {
            StorageError::Defect("an adjustment tells what was there before".to_owned())
        })?;
        let applied_hundredths = row.quantity - old_quantity;
        let item = row.into_item()?;
        if applied_hundredths == 0 && delta.hundredths() > 0 {
            return Ok(AdjustItem::Overflow(item));
        }
        Ok(AdjustItem::Adjusted { item, applied_hundredths })
    }
}
