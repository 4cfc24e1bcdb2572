//! Adding an item, or merging it into an existing one. The product of its name is locked first, so
//! that of two who add the same at once one waits for the other.

use larder_domain::{
    Belonging, Item, MergeError, Owner, Product, ProductEffect, Quantity, merge_amount,
};
use larder_storage::{AddItem, Result, Scope, SplitItem, Write, WriteKind};

use super::references::{Missing, of_item};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::uuid,
    items::{ItemRow, query_items},
    transaction::Transaction,
    types::{Day, Instant},
};

impl PostgresStore {
    pub(super) async fn add(
        &self,
        scope: Scope,
        new: &Item,
        write: Write<'_>,
    ) -> Result<AddItem, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let outcome = transaction.add_or_merge(scope, new, write).await?;
        let (kind, item) = match &outcome {
            AddItem::Added(item) => (WriteKind::ITEM_ADDED, item),
            AddItem::Merged(item) => (WriteKind::ITEM_MERGED, item),
            _ => return Ok(outcome),
        };
        transaction.commit_with(scope.actor(), write, kind, item).await?;
        Ok(outcome)
    }
}

impl PostgresStore {
    pub(super) async fn split(
        &self,
        scope: Scope,
        rest: &Item,
        lot: &Item,
        write: Write<'_>,
    ) -> Result<SplitItem, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        // The product first, then the lots, and all before the first change.
        let folded = rest.details.merge_key().name;
        transaction.lock_product_named(scope.owner(), &folded).await?;
        if !transaction.lock_before(rest).await? {
            return Ok(SplitItem::Changed);
        }
        let outcome = transaction.add_or_merge(scope, lot, write).await?;
        let (kind, item) = match &outcome {
            AddItem::Added(item) => (WriteKind::ITEM_ADDED, item),
            AddItem::Merged(item) => (WriteKind::ITEM_MERGED, item),
            _ => return Ok(SplitItem::Added(outcome)),
        };
        transaction.shrink(rest).await?;
        let kind = kind.with_rest(Some(rest));
        transaction.commit_with(scope.actor(), write, kind, item).await?;
        Ok(SplitItem::Added(outcome))
    }
}

impl Transaction {
    /// Locks a lot that still has the version before this one; `false` if it has changed.
    async fn lock_before(&mut self, rest: &Item) -> Result<bool, Failure> {
        let found = sqlx::query_scalar!(
            "SELECT id FROM inventory_items WHERE id = $1 AND version = $2 FOR UPDATE",
            uuid(rest.id),
            i64::try_from(rest.version - 1).unwrap_or(i64::MAX),
        );
        Ok(found.fetch_optional(self).await?.is_some())
    }

    /// Gives a lot that is locked its smaller quantity.
    async fn shrink(&mut self, rest: &Item) -> Result<(), Failure> {
        sqlx::query!(
            "UPDATE inventory_items
             SET quantity = $2::bigint / 100.0, version = version + 1, updated_by = $3,
                 updated_at = $4
             WHERE id = $1",
            uuid(rest.id),
            rest.details.quantity.hundredths(),
            uuid(rest.updated_by),
            Instant(rest.updated_at) as _,
        )
        .execute(self)
        .await?;
        Ok(())
    }

    /// Adds or merges. If it does neither, the caller must not commit.
    pub(crate) async fn add_or_merge(
        &mut self,
        scope: Scope,
        new: &Item,
        write: Write<'_>,
    ) -> Result<AddItem, Failure> {
        match self.missing_reference(scope.owner(), of_item(&new.details), None).await? {
            Some(Missing::Location) => return Ok(AddItem::LocationNotFound),
            Some(Missing::Store) => return Ok(AddItem::StoreNotFound),
            None => {}
        }
        let folded = new.details.merge_key().name;
        let product = self.lock_product_named(scope.owner(), &folded).await?;
        let Some(existing) = self.lock_same_item(scope.owner(), new).await? else {
            return self.add_lot(scope, product.as_ref(), new, write).await;
        };
        let details = &new.details;
        match merge_amount(&existing.details, details.quantity, &details.unit) {
            Err(MergeError::UnitMismatch) => Ok(AddItem::UnitMismatch(existing)),
            Err(MergeError::Overflow) => Ok(AddItem::Overflow(existing)),
            Ok(added) => Ok(AddItem::Merged(self.add_to(&existing, added, scope, write).await?)),
        }
    }
}

impl Transaction {
    /// Adds a lot of a product, which is locked, or which it makes.
    async fn add_lot(
        &mut self,
        scope: Scope,
        product: Option<&Product>,
        new: &Item,
        write: Write<'_>,
    ) -> Result<AddItem, Failure> {
        let belonging = Belonging::of_new(product, new, None);
        if let Some(product) = product {
            if self.is_full(product.id).await? {
                return Ok(AddItem::TooManyLots);
            }
            if belonging.effect == ProductEffect::Learned {
                self.lock_lots(&[product.id]).await?;
            }
        }
        let Some(row) = self.insert(scope, &belonging.lot).await? else {
            return Err(Failure::Conflict("the same item was added meanwhile".to_owned()));
        };
        self.write_product_of(&belonging).await?;
        if belonging.effect == ProductEffect::Learned {
            self.tell_lots(&belonging.product, Some(new.id), scope.actor(), write).await?;
        }
        Ok(AddItem::Added(row.into_item()?))
    }
}

impl Transaction {
    /// The item of this inventory with the same name and date, locked.
    async fn lock_same_item(&mut self, owner: Owner, item: &Item) -> Result<Option<Item>, Failure> {
        let key = item.details.merge_key();
        let date = key.expiration.map(|date| Day(date.date()));
        let row = match owner {
            Owner::Household(household) => {
                query_items!(
                    "SELECT",
                    "FROM inventory_items i
                     WHERE i.household_id = $1 AND i.name_folded = fn_folded_key($2)
                     AND i.expiration_date IS NOT DISTINCT FROM $3
                     FOR UPDATE",
                    uuid(household),
                    key.name,
                    date as _,
                )
                .fetch_optional(self)
                .await?
            }
            Owner::User(user) => {
                query_items!(
                    "SELECT",
                    "FROM inventory_items i
                     WHERE i.household_id IS NULL AND i.created_by = $1
                     AND i.name_folded = fn_folded_key($2)
                     AND i.expiration_date IS NOT DISTINCT FROM $3
                     FOR UPDATE",
                    uuid(user),
                    key.name,
                    date as _,
                )
                .fetch_optional(self)
                .await?
            }
        };
        Ok(row.map(ItemRow::into_item).transpose()?)
    }

    /// Adds to an item that is locked.
    pub(crate) async fn add_to(
        &mut self,
        existing: &Item,
        added: Quantity,
        scope: Scope,
        write: Write<'_>,
    ) -> Result<Item, Failure> {
        let row = query_items!(
            "UPDATE inventory_items i
             SET quantity = i.quantity + $2::bigint / 100.0, version = i.version + 1,
                 updated_by = $3, updated_at = $4
             WHERE i.id = $1
             RETURNING",
            "",
            uuid(existing.id),
            added.hundredths(),
            uuid(scope.actor()),
            Instant(write.at) as _,
        );
        Ok(row.fetch_one(self).await?.into_item()?)
    }
}
