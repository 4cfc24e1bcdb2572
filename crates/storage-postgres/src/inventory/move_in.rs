//! Moving a person's own items into their household: one small transaction per item, so that any number can
//! move and an interruption leaves each item in exactly one place.

use larder_domain::{Belonging, Item, ItemId, Owner, Product, ProductEffect, merge_amount};
use larder_storage::{HouseholdScope, MoveReport, Result, Write};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::{ItemRow, query_items},
    products::row::{ProductRow, query_products},
    transaction::Transaction,
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
            let context = Context::of_member(scope).at(write.at);
            let mut transaction = self.database.write(&context).await?;
            // The household knows them now.
            sqlx::query!(
                "DELETE FROM products p WHERE p.household_id IS NULL AND p.created_by = $1
                 AND NOT EXISTS (SELECT FROM inventory_items i WHERE i.product_id = p.id)",
                uuid(scope.actor()),
            )
            .execute(&mut transaction)
            .await?;
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
        let products = transaction.lock_products_of_move(scope, id).await?;
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
                let own = products.iter().find(|product| Some(product.id) == item.product);
                let name = item.details.merge_key().name;
                let shared = products.iter().find(|product| {
                    product.owner == scope.inventory().owner()
                        && product.details.folded_name() == name
                });
                let shared_copy = item.changed(item.details.clone(), scope.actor(), write.at);
                let shared_copy = Item { owner: scope.inventory().owner(), ..shared_copy };
                let mut known = own.map(|product| product.details.clone());
                if let (Some(known), None) = (&mut known, shared) {
                    let owner = scope.inventory().owner();
                    known.barcodes = transaction.free_barcodes(owner, &known.barcodes).await?;
                }
                let belonging = Belonging::of_new(shared, &shared_copy, known.as_ref());
                if belonging.effect == ProductEffect::Made
                    && transaction.claim_barcodes(&belonging.product).await?.is_some()
                {
                    return Err(Failure::Conflict("a barcode was taken meanwhile".to_owned()));
                }
                transaction.give(&belonging.lot, scope).await?;
                transaction.write_product_of(&belonging).await?;
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
    /// Locks the product of the person's item, and the household's product of the same name.
    async fn lock_products_of_move(
        &mut self,
        scope: HouseholdScope,
        id: ItemId,
    ) -> Result<Vec<Product>, Failure> {
        let rows = query_products!(
            "WHERE p.id IN (
                 SELECT own.product_id FROM inventory_items own WHERE own.id = $1
                 UNION ALL
                 SELECT shared.id FROM inventory_items own JOIN products shared
                 ON shared.household_id = $2 AND shared.name_folded = own.name_folded
                 WHERE own.id = $1)
             ORDER BY p.id FOR NO KEY UPDATE",
            uuid(id),
            uuid(scope.household()),
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ProductRow::into_product).collect::<Result<_>>()?)
    }

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

    /// Makes the household the owner of a person's item, which belongs to a product of its own.
    async fn give(&mut self, lot: &Item, scope: HouseholdScope) -> Result<(), Failure> {
        let given = self.write_given(lot, scope.household()).await;
        match given {
            // Someone in the household added the same meanwhile: merge with theirs.
            Err(Failure::Constraint(name)) if name == "idx_inventory_unique" => {
                Err(Failure::Conflict("the same item was added meanwhile".to_owned()))
            }
            given => given.map(drop),
        }
    }
}
