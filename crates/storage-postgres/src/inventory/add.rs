//! Adding an item, or more of one. The common cases are one statement, `INSERT … ON CONFLICT`; only where units
//! differ, or it may be too much, is the item that is there locked and looked at.

use larder_domain::{Item, MergeError, Owner, Quantity, merge_amount};
use larder_storage::{AddItem, Result, Scope, Write, WriteKind};

use super::{references::Missing, suffixes};
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{inventory_id, uuid},
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

impl Transaction {
    /// Adds an item, or to one that is there. If it is neither added nor merged, nothing may be committed.
    pub(crate) async fn add_or_merge(
        &mut self,
        scope: Scope,
        new: &Item,
        write: Write<'_>,
    ) -> Result<AddItem, Failure> {
        match self.missing_reference(scope.owner(), &new.details, None).await? {
            Some(Missing::Location) => return Ok(AddItem::LocationNotFound),
            Some(Missing::Store) => return Ok(AddItem::StoreNotFound),
            None => {}
        }
        match self.insert_or_merge(scope, new).await? {
            Some(row) if row.id == uuid(new.id) => return Ok(AddItem::Added(row.into_item()?)),
            Some(row) => return Ok(AddItem::Merged(row.into_item()?)),
            None => {}
        }
        let Some(existing) = self.lock_same_item(scope.owner(), new).await? else {
            let reason = "the item to add to was deleted meanwhile";
            return Err(Failure::Conflict(reason.to_owned()));
        };
        let details = &new.details;
        match merge_amount(&existing.details, details.quantity, &details.unit) {
            Err(MergeError::UnitMismatch) => Ok(AddItem::UnitMismatch(existing)),
            Err(MergeError::Overflow) => Ok(AddItem::Overflow(existing)),
            Ok(added) => Ok(AddItem::Merged(self.add_to(&existing, added, scope, write).await?)),
        }
    }
}

/// Inserts an item with what it is found by, or adds to the one that stands in its way at this index.
macro_rules! insert_or_merge {
    ($index:literal, $inventory:expr, $household:expr, $item:expr) => {
        query_items!(
            "WITH item AS (
                 INSERT INTO inventory_items AS i (
                     id, household_id, name, name_folded, quantity, unit, expiration_date,
                     category_id, storage_location_id, image_url, notes, low_stock_threshold,
                     preferred_store_id, created_by, created_at, updated_by, updated_at, version
                 ) VALUES (
                     $1, $2, $3, fn_folded_key($4), $5::bigint / 100.0, $6, $7,
                     $8, $9, $10, $11, $12::bigint / 100.0,
                     $13, $14, $15, $16, $17, $18
                 )
                 ON CONFLICT "
                + $index
                + " DO UPDATE
                 SET quantity = i.quantity + EXCLUDED.quantity, version = i.version + 1,
                     updated_by = EXCLUDED.updated_by, updated_at = EXCLUDED.updated_at
                 WHERE i.unit = EXCLUDED.unit
                 AND i.quantity + EXCLUDED.quantity <= $19::bigint / 100.0
                 RETURNING i.*
             ), words AS (
                 INSERT INTO inventory_item_words (inventory_id, suffix, item_id)
                 SELECT $20, suffix, item.id FROM item, unnest($21::text[]) AS suffix
                 WHERE item.id = $1
             )
             SELECT",
            "FROM item i",
            uuid($item.id),
            $household,
            $item.details.name.as_str(),
            $item.details.merge_key().name,
            $item.details.quantity.hundredths(),
            $item.details.unit.as_str(),
            $item.details.expiration.map(|date| Day(date.date())) as _,
            uuid($item.details.category),
            $item.details.location.map(uuid),
            $item.details.image_url.as_ref().map(larder_domain::ImageUrl::as_str),
            $item.details.notes.as_ref().map(larder_domain::Notes::as_str),
            $item.details.low_stock_threshold.map(Quantity::hundredths),
            $item.details.preferred_store.map(uuid),
            uuid($item.created_by),
            Instant($item.created_at) as _,
            uuid($item.updated_by),
            Instant($item.updated_at) as _,
            i64::try_from($item.version).unwrap_or(i64::MAX),
            Quantity::MAX.hundredths(),
            $inventory,
            &suffixes(&$item.details.merge_key().name),
        )
    };
}

impl Transaction {
    /// The item as it is now, new or with more of it; `None` if only another look can tell.
    async fn insert_or_merge(
        &mut self,
        scope: Scope,
        item: &Item,
    ) -> Result<Option<ItemRow>, Failure> {
        let inventory = inventory_id(scope.owner());
        Ok(match scope.owner() {
            Owner::Household(household) => {
                insert_or_merge!(
                    "(household_id, name_folded, expiration_date) WHERE household_id IS NOT NULL",
                    inventory,
                    Some(uuid(household)),
                    item
                )
                .fetch_optional(self)
                .await?
            }
            Owner::User(_) => {
                insert_or_merge!(
                    "(created_by, name_folded, expiration_date) WHERE household_id IS NULL",
                    inventory,
                    None::<uuid::Uuid>,
                    item
                )
                .fetch_optional(self)
                .await?
            }
        })
    }

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
    pub(super) async fn add_to(
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
