//! Moving items between a person's own inventory and their household's: one small transaction per
//! item, so that any number can move and an interruption leaves each item in exactly one place.

use larder_domain::{
    Belonging, Item, ItemId, MergeError, Owner, Product, ProductEffect, Whose, merge_amount,
};
use larder_storage::{HouseholdScope, MoveItem, MoveReport, Result, Scope, Write, WriteKind};

use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::{ItemRow, OwnerColumns, query_items},
    products::row::{ProductRow, query_products},
    transaction::Transaction,
};

impl PostgresStore {
    pub(crate) async fn move_items_in(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport> {
        // The claim, if any, belongs to entering the household, which has happened.
        let write = Write::at(write.at);
        let mut report = MoveReport::default();
        for id in self.retry(|| self.personal_items(scope)).await? {
            report.count(&self.move_one(scope, id, Whose::Household, write).await?);
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

    pub(crate) async fn move_one(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem> {
        let moved = self.retry(|| self.try_move(scope, id, to, write)).await?;
        self.live.changed(uuid(scope.actor()));
        self.live.changed(uuid(scope.household()));
        Ok(moved)
    }

    async fn try_move(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem, Failure> {
        let (from, to) = (scope.inventory_of(to.other()), scope.inventory_of(to));
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let products = transaction.lock_products_of_move(id, to).await?;
        let locked = transaction.lock_both(id, from, to).await?;
        let (left, there): (Vec<_>, Vec<_>) = locked.into_iter().partition(|i| i.id == id);
        let Some(item) = left.into_iter().find(|item| item.owner == from.owner()) else {
            return Ok(MoveItem::NotFound);
        };
        if there.iter().any(|i| i.details.merge_key() != item.details.merge_key()) {
            return Err(Failure::Conflict("the item was renamed meanwhile".to_owned()));
        }
        if let Owner::Household(household) = from.owner() {
            transaction.unlink_entries(household, id, write).await?;
        }
        let (kind, moved) = if let Some(existing) = there.into_iter().next() {
            let details = &item.details;
            let added = match merge_amount(&existing.details, details.quantity, &details.unit) {
                Ok(added) => added,
                Err(MergeError::UnitMismatch) => return Ok(MoveItem::UnitMismatch(existing)),
                Err(MergeError::Overflow) => return Ok(MoveItem::Overflow(existing)),
            };
            // First the feed that it leaves, as below: two moves of one kind never wait for each other.
            transaction.delete(item.id).await?;
            let merged = transaction.add_to(&existing, added, to, write).await?;
            (WriteKind::ITEM_MERGED, MoveItem::Merged(merged))
        } else {
            let name = item.details.merge_key().name;
            let known = products.iter().find(|product| Some(product.id) == item.product);
            let product = products.iter().find(|product| {
                product.owner == to.owner() && product.details.folded_name() == name
            });
            let lot = transaction.move_as_is(&item, product, known, to, write).await?;
            let Some(lot) = lot else { return Ok(MoveItem::TooManyLots) };
            (WriteKind::ITEM_ADDED, MoveItem::Moved(lot))
        };
        if let MoveItem::Moved(item) | MoveItem::Merged(item) = &moved {
            transaction.commit_with(scope.actor(), write, kind, item).await?;
        }
        Ok(moved)
    }
}

impl Transaction {
    /// Locks the product of the item, and the product of the same name where it goes.
    async fn lock_products_of_move(
        &mut self,
        id: ItemId,
        to: Scope,
    ) -> Result<Vec<Product>, Failure> {
        let there = OwnerColumns::of(to);
        let rows = query_products!(
            "WHERE p.id IN (
                 SELECT own.product_id FROM inventory_items own WHERE own.id = $1
                 UNION ALL
                 SELECT there.id FROM inventory_items own JOIN products there
                 ON there.name_folded = own.name_folded
                 AND (there.household_id = $2
                     OR (there.household_id IS NULL AND there.created_by = $3))
                 WHERE own.id = $1)
             ORDER BY p.id FOR NO KEY UPDATE",
            uuid(id),
            there.household,
            there.person,
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ProductRow::into_product).collect::<Result<_>>()?)
    }

    /// Locks the item, and that of the same name and date where it goes, in order of their ids like
    /// every other multi-row lock.
    async fn lock_both(
        &mut self,
        id: ItemId,
        from: Scope,
        to: Scope,
    ) -> Result<Vec<Item>, Failure> {
        let (here, there) = (OwnerColumns::of(from), OwnerColumns::of(to));
        let rows = query_items!(
            "SELECT",
            "FROM inventory_items i
             WHERE i.id IN (
                 SELECT own.id FROM inventory_items own
                 WHERE own.id = $1
                 AND (own.household_id = $2 OR (own.household_id IS NULL AND own.created_by = $3))
                 UNION ALL
                 SELECT there.id FROM inventory_items own JOIN inventory_items there
                 ON there.name_folded = own.name_folded
                 AND there.expiration_date IS NOT DISTINCT FROM own.expiration_date
                 AND (there.household_id = $4
                     OR (there.household_id IS NULL AND there.created_by = $5))
                 WHERE own.id = $1
                 AND (own.household_id = $2 OR (own.household_id IS NULL AND own.created_by = $3)))
             ORDER BY i.id FOR UPDATE OF i",
            uuid(id),
            here.household,
            here.person,
            there.household,
            there.person,
        )
        .fetch_all(self)
        .await?;
        Ok(rows.into_iter().map(ItemRow::into_item).collect::<Result<_>>()?)
    }

    /// Makes a locked item a lot where it goes: of the product of its name, or of one that knows
    /// what its own does. `None` if the product is full.
    async fn move_as_is(
        &mut self,
        item: &Item,
        product: Option<&Product>,
        known: Option<&Product>,
        to: Scope,
        write: Write<'_>,
    ) -> Result<Option<Item>, Failure> {
        if let Some(product) = product
            && self.is_full(product.id).await?
        {
            return Ok(None);
        }
        let mut known = known.map(|product| product.details.clone());
        if let (Some(known), None) = (&mut known, product) {
            known.barcodes = self.free_barcodes(to, &known.barcodes).await?;
        }
        let lot = item.moved(to.owner(), to.actor(), write.at);
        let belonging = Belonging::of_new(product, &lot, known.as_ref());
        self.delete(item.id).await?;
        let Some(row) = self.insert(to, &belonging.lot).await? else {
            return Err(Failure::Conflict("the same item was added meanwhile".to_owned()));
        };
        self.write_product_of(&belonging).await?;
        if belonging.effect == ProductEffect::Made
            && self.claim_barcodes(&belonging.product).await?.is_some()
        {
            return Err(Failure::Conflict("a barcode was taken meanwhile".to_owned()));
        }
        Ok(Some(row.into_item()?))
    }
}
