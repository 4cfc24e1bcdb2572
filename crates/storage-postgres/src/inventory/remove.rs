//! Deleting an item. Its shopping entries become free text; its tags remain, to show that it is
//! gone.

use larder_domain::{ItemId, Owner};
use larder_storage::{DeleteItem, Result, Scope, Write, WriteKind};

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
        version: Option<u64>,
        write: Write<'_>,
    ) -> Result<DeleteItem, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let owner = OwnerColumns::of(scope);
        // Locked first: from here on no one can change it or add a reference to it.
        let locked = query_items!(
            "SELECT",
            "FROM inventory_items i WHERE i.id = $1
             AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))
             FOR UPDATE",
            uuid(id),
            owner.household,
            owner.person,
        )
        .fetch_optional(&mut transaction)
        .await?;
        let Some(current) = locked.map(ItemRow::into_item).transpose()? else {
            return Ok(DeleteItem::NotFound);
        };
        if version.is_some_and(|version| version != current.version) {
            return Ok(DeleteItem::VersionConflict(current));
        }
        if let Owner::Household(household) = scope.owner() {
            transaction.unlink_entries(household, id, write).await?;
        }
        transaction.delete(id).await?;
        let kind = WriteKind::item_deleted(&current);
        transaction.commit_with(scope.actor(), write, kind, &current).await?;
        Ok(DeleteItem::Deleted(current))
    }
}

impl Transaction {
    /// Deletes a locked item without references.
    pub(super) async fn delete(&mut self, id: ItemId) -> Result<(), Failure> {
        sqlx::query!("DELETE FROM inventory_items WHERE id = $1", uuid(id)).execute(self).await?;
        Ok(())
    }
}
