//! Moving a person's own items into their household: one small transaction per item, so that any number can
//! move and an interruption leaves each item in exactly one place.

use larder_domain::{Item, ItemId, Owner, merge_amount};
use larder_storage::{HouseholdScope, MoveReport, Result, Write};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::{ItemRow, query_items},
    transaction::Transaction,
    types::Instant,
};

enum Moved {
    AsIs,
    Merged,
    Kept,
    /// Moved or deleted concurrently.
    Gone,
}

impl PostgresStore {
    pub(crate) async fn move_items_in(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        let mut report = MoveReport::default();
        for id in self.retry(|| self.personal_items(scope)).await? {
            match self.retry(|| self.move_item(scope, id, write)).await? {
                Moved::AsIs => report.moved += 1,
                Moved::Merged => report.merged += 1,
                Moved::Kept => report.kept += 1,
                Moved::Gone => {}
            }
        }
        let done = || async move {
            let mut transaction = self.database.write(&Context::of_member(scope)).await?;
            sqlx::query!(
                "UPDATE users SET moving_items = false WHERE id = $1",
                uuid(scope.actor()),
            )
            .execute(&mut transaction)
            .await?;
            transaction.commit().await
        };
        self.retry(done).await?;
        self.live.changed(uuid(scope.actor()));
        self.live.changed(uuid(scope.household()));
        Ok(report)
    }

    async fn personal_items(&self, scope: HouseholdScope) -> Result<Vec<ItemId>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let ids = sqlx::query_scalar!(
            "SELECT id FROM inventory_items WHERE household_id IS NULL AND created_by = $1
             ORDER BY id",
            uuid(scope.actor()),
        )
        .fetch_all(&mut transaction)
        .await?;
        Ok(ids.into_iter().map(domain_id).collect())
    }

    async fn move_item(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        write: Write<'_>,
    ) -> Result<Moved, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let locked = transaction.lock_both(scope, id).await?;
        let (personal, shared): (Vec<_>, Vec<_>) = locked.into_iter().partition(|i| i.id == id);
        let is_still_theirs = |item: &Item| item.owner == Owner::User(scope.actor());
        let Some(item) = personal.into_iter().find(is_still_theirs) else {
            return Ok(Moved::Gone);
        };
        if shared.iter().any(|i| i.details.merge_key() != item.details.merge_key()) {
            return Err(Failure::Conflict("the item was renamed meanwhile".to_owned()));
        }
        let details = &item.details;
        let moved = match shared.into_iter().next() {
            None => {
                transaction.give(&item, scope, write).await?;
                Moved::AsIs
            }
            Some(existing) => {
                let amount = merge_amount(&existing.details, details.quantity, &details.unit);
                let Ok(added) = amount else { return Ok(Moved::Kept) };
                // The person's feed before the household's, as above: two moves never wait for each other.
                transaction.delete(item.id).await?;
                transaction.add_to(&existing, added, scope.inventory(), write).await?;
                Moved::Merged
            }
        };
        transaction.commit().await?;
        Ok(moved)
    }
}

impl Transaction {
    /// Locks the person's item, and the household's item of the same name and date, if they exist,
    /// in order of their ids like every other multi-row lock.
    async fn lock_both(&mut self, scope: HouseholdScope, id: ItemId) -> Result<Vec<Item>, Failure> {
        let rows = query_items!(
            "SELECT",
            "FROM inventory_items i
             WHERE i.id IN (
                 SELECT own.id FROM inventory_items own
                 WHERE own.id = $1 AND own.household_id IS NULL AND own.created_by = $2
                 UNION ALL
                 SELECT shared.id FROM inventory_items own JOIN inventory_items shared
                 ON shared.household_id = $3 AND shared.name_folded = own.name_folded
                 AND shared.expiration_date IS NOT DISTINCT FROM own.expiration_date
                 WHERE own.id = $1 AND own.household_id IS NULL AND own.created_by = $2)
             ORDER BY i.id FOR UPDATE OF i",
            uuid(id),
            uuid(scope.actor()),
            uuid(scope.household()),
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ItemRow::into_item).collect::<Result<_>>()?)
    }

    /// Makes the household the owner of a person's item.
    async fn give(
        &mut self,
        item: &Item,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<(), Failure> {
        let given = sqlx::query!(
            "WITH words AS (
                 UPDATE inventory_item_words SET inventory_id = $2 WHERE item_id = $1
             )
             UPDATE inventory_items
             SET household_id = $2, version = version + 1, updated_by = $3, updated_at = $4
             WHERE id = $1",
            uuid(item.id),
            uuid(scope.household()),
            uuid(scope.actor()),
            Instant(write.at) as _,
        )
        .execute(self)
        .await;
        match given.map_err(Failure::from) {
            // Someone in the household added the same meanwhile: merge with theirs.
            Err(Failure::Constraint(name)) if name == "idx_inventory_unique" => {
                Err(Failure::Conflict("the same item was added meanwhile".to_owned()))
            }
            given => given.map(drop),
        }
    }
}
