//! Deleting an item. What was to restock it stays on the shopping list as free text, and its tags stay to say
//! that it is gone.

use larder_domain::{Item, ItemId, Owner};
use larder_storage::{Result, Scope, Write};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::uuid,
    items::{ItemRow, OwnerColumns, query_items},
    transaction::Transaction,
};

impl PostgresStore {
    pub(super) async fn remove(
        &self,
        scope: Scope,
        id: ItemId,
        write: Write<'_>,
    ) -> Result<Option<Item>, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        if let Owner::Household(household) = scope.owner() {
            // From here on nothing new can refer to it.
            let locked = sqlx::query_scalar!(
                "SELECT id FROM inventory_items WHERE household_id = $1 AND id = $2 FOR UPDATE",
                uuid(household),
                uuid(id),
            );
            if locked.fetch_optional(&mut transaction).await?.is_none() {
                return Ok(None);
            }
            transaction.unlink_entries(household, id, write).await?;
        }
        let owner = OwnerColumns::of(scope);
        let row = query_items!(
            "DELETE FROM inventory_items i WHERE i.id = $1
             AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))
             RETURNING",
            "",
            uuid(id),
            owner.household,
            owner.person,
        )
        .fetch_optional(&mut transaction)
        .await?;
        transaction.commit().await?;
        Ok(row.map(ItemRow::into_item).transpose()?)
    }
}

impl Transaction {
    /// Deletes an item that is locked and that nothing refers to.
    pub(super) async fn delete(&mut self, id: ItemId) -> Result<(), Failure> {
        sqlx::query!("DELETE FROM inventory_items WHERE id = $1", uuid(id)).execute(self).await?;
        Ok(())
    }
}
