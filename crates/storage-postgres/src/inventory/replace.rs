//! Giving an item other details, under its version; and making two items one when name and date meet.

use larder_domain::{
    Belonging, Item, ItemDetails, ItemId, MergeError, Owner, Product, ProductEffect, merge_amount,
};
use larder_storage::{ReplaceItem, Result, Scope, Write, WriteKind};
use uuid::Uuid;

use super::{
    references::{Missing, of_item},
    suffixes,
};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{inventory_id, uuid},
    items::{ItemRow, query_items},
    transaction::Transaction,
    types::Day,
};

impl PostgresStore {
    pub(super) async fn replace(
        &self,
        scope: Scope,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        write: Write<'_>,
    ) -> Result<ReplaceItem, Failure> {
        let context = Context::of_scope(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let key = details.merge_key();
        let products = transaction.lock_products(scope.owner(), id, &key.name).await?;
        let locked = transaction.lock_with_namesake(scope.owner(), id, details).await?;
        let (current, other): (Vec<_>, Vec<_>) = locked.into_iter().partition(|i| i.id == id);
        let Some(current) = current.into_iter().next() else { return Ok(ReplaceItem::NotFound) };
        if current.version != version {
            return Ok(ReplaceItem::VersionConflict(current));
        }
        let before = Some(of_item(&current.details));
        match transaction.missing_reference(scope.owner(), of_item(details), before).await? {
            Some(Missing::Location) => return Ok(ReplaceItem::LocationNotFound),
            Some(Missing::Store) => return Ok(ReplaceItem::StoreNotFound),
            None => {}
        }
        let Some(other) = other.into_iter().next() else {
            let mut details = details.clone();
            // Undoing brings back a photo that is still there.
            if let Some(photo) = details.photo.filter(|it| current.details.photo != Some(*it))
                && !transaction.lock_photo(scope.owner(), photo, write.at).await?
            {
                details.photo = current.details.photo;
            }
            let changed = current.changed(details, scope.actor(), write.at);
            let belonging = transaction.belonging(&products, &current, &changed).await?;
            if belonging.product.id != current.product.unwrap_or(belonging.product.id)
                && belonging.effect != ProductEffect::Made
                && transaction.is_full(belonging.product.id).await?
            {
                return Ok(ReplaceItem::TooManyLots);
            }
            let is_learned = belonging.effect == ProductEffect::Learned;
            if is_learned {
                transaction.lock_lots(&[belonging.product.id]).await?;
            }
            let item = transaction.overwrite(&current, &belonging.lot).await?;
            transaction.write_product_of(&belonging).await?;
            if is_learned {
                let by = scope.actor();
                transaction.tell_lots(&belonging.product, Some(id), by, write).await?;
            }
            let kind = WriteKind::ITEM_REPLACED;
            transaction.commit_with(scope.actor(), write, kind, &item).await?;
            return Ok(ReplaceItem::Replaced(item));
        };
        if !merge {
            return Ok(ReplaceItem::Duplicate(other));
        }
        match merge_amount(&other.details, details.quantity, &details.unit) {
            Err(MergeError::UnitMismatch) => Ok(ReplaceItem::UnitMismatch(other)),
            Err(MergeError::Overflow) => Ok(ReplaceItem::Overflow(other)),
            Ok(added) => {
                // First: it locks entries, whose holders may wait for the first change.
                if let Owner::Household(household) = scope.owner() {
                    transaction.unlink_entries(household, current.id, write).await?;
                }
                let item = transaction.add_to(&other, added, scope, write).await?;
                transaction.delete(current.id).await?;
                let kind = WriteKind::ITEM_MERGED;
                transaction.commit_with(scope.actor(), write, kind, &item).await?;
                Ok(ReplaceItem::Merged(item))
            }
        }
    }
}

impl Transaction {
    /// To which product a changed item belongs. Its product and the one of its new name are locked.
    async fn belonging(
        &mut self,
        products: &[Product],
        current: &Item,
        changed: &Item,
    ) -> Result<Belonging, Failure> {
        let own = products.iter().find(|product| Some(product.id) == current.product);
        let Some(own) = own else {
            return Err(Failure::Conflict("the item changed its product meanwhile".to_owned()));
        };
        let name = changed.details.merge_key().name;
        let named = products.iter().find(|product| product.details.folded_name() == name);
        let is_only = self.count_lots(own.id).await? == 1;
        Ok(Belonging::of_changed(own, is_only, named, current, changed))
    }

    /// Locks the item, and the other item with this name and date, if they exist, in order of their
    /// ids like every other multi-row lock.
    async fn lock_with_namesake(
        &mut self,
        owner: Owner,
        id: ItemId,
        details: &ItemDetails,
    ) -> Result<Vec<Item>, Failure> {
        let key = details.merge_key();
        let date = key.expiration.map(|date| Day(date.date()));
        let rows = match owner {
            Owner::Household(household) => {
                query_items!(
                    "SELECT",
                    "FROM inventory_items i
                     WHERE i.household_id = $1 AND (i.id = $2 OR (
                         i.name_folded = fn_folded_key($3)
                         AND i.expiration_date IS NOT DISTINCT FROM $4))
                     ORDER BY i.id FOR UPDATE",
                    uuid(household),
                    uuid(id),
                    key.name,
                    date as _,
                )
                .fetch_all(self)
                .await?
            }
            Owner::User(user) => {
                query_items!(
                    "SELECT",
                    "FROM inventory_items i
                     WHERE i.household_id IS NULL AND i.created_by = $1 AND (i.id = $2 OR (
                         i.name_folded = fn_folded_key($3)
                         AND i.expiration_date IS NOT DISTINCT FROM $4))
                     ORDER BY i.id FOR UPDATE",
                    uuid(user),
                    uuid(id),
                    key.name,
                    date as _,
                )
                .fetch_all(self)
                .await?
            }
        };
        Ok(rows.into_iter().map(ItemRow::into_item).collect::<Result<_>>()?)
    }

    /// Writes all details of an item that is locked.
    async fn overwrite(&mut self, current: &Item, changed: &Item) -> Result<Item, Failure> {
        let details = &changed.details;
        let key = details.merge_key();
        let row = match self.write_details(changed).await {
            // The name was taken since the check; a retry sees it.
            Err(Failure::Constraint(name)) if name.starts_with("idx_inventory_unique") => {
                return Err(Failure::Conflict("the name was taken meanwhile".to_owned()));
            }
            updated => updated?,
        };
        if current.details.merge_key().name != key.name {
            let inventory = inventory_id(changed.owner);
            self.replace_words(inventory, changed.id, &key.name).await?;
        }
        if let Owner::Household(household) = changed.owner
            && current.details.name != details.name
        {
            self.rename_tags(household, changed.id, &details.name).await?;
        }
        Ok(row.into_item()?)
    }

    pub(crate) async fn replace_words(
        &mut self,
        inventory: Uuid,
        item: ItemId,
        folded_name: &str,
    ) -> Result<(), Failure> {
        sqlx::query!(
            "WITH gone AS (
                 DELETE FROM inventory_item_words
                 WHERE item_id = $2 AND suffix <> ALL ($3::text[])
             )
             INSERT INTO inventory_item_words (inventory_id, suffix, item_id)
             SELECT $1, suffix, $2 FROM unnest($3::text[]) AS suffix
             ON CONFLICT DO NOTHING",
            inventory,
            uuid(item),
            &suffixes(folded_name),
        )
        .execute(self)
        .await?;
        Ok(())
    }
}
