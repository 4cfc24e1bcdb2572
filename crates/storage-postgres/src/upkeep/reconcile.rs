//! Repairs denormalised data that has drifted.

use larder_storage::{Result, SystemScope};

use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid};

impl PostgresStore {
    /// Corrects the item names copied to tags, and returns how many differed.
    pub(super) async fn correct_tag_names(&self, scope: SystemScope) -> Result<u64, Failure> {
        let mut transaction = self.database.write(&Context::of_system(scope)).await?;
        // The same lock as renaming, so that the copied names are current.
        let items = sqlx::query_scalar!(
            "SELECT i.id FROM inventory_items i WHERE i.household_id = $1
             AND EXISTS (
                 SELECT FROM nfc_urls t
                 WHERE t.household_id = $1 AND t.item_id = i.id AND t.item_name <> i.name)
             ORDER BY i.id FOR NO KEY UPDATE",
            uuid(scope.household()),
        )
        .fetch_all(&mut transaction)
        .await?;
        if items.is_empty() {
            return Ok(0);
        }
        let corrected = sqlx::query!(
            "UPDATE nfc_urls t SET item_name = i.name FROM inventory_items i
             WHERE t.household_id = $1 AND t.item_id = i.id AND t.item_name <> i.name
             AND i.household_id = $1 AND i.id = ANY ($2)",
            uuid(scope.household()),
            &items,
        )
        .execute(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(corrected.rows_affected())
    }
}
