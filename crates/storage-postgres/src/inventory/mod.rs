//! Items.

mod add;
mod adjust;
mod list;
mod moving;
mod references;
mod replace;

use async_trait::async_trait;
use jiff::civil::Date;
use larder_domain::{
    Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, Owner, Versions,
    searchable_suffixes,
};
use larder_storage::{
    AddItem, AdjustItem, DeleteItem, Inventory, ItemChange, Page, ReplaceItem, Result, Scope,
    SplitItem, Write, WriteKind,
};
use uuid::Uuid;

use crate::{
    PostgresStore,
    context::Context,
    database::one_more,
    failure::Failure,
    feed::number,
    ids::{domain_id, inventory_id, uuid},
    items::{ItemRow, OwnerColumns, query_items},
    json,
    transaction::Transaction,
    types::Instant,
};

pub(crate) use list::list_first_lots;
pub use list::list_items;
pub(crate) use references::Missing;

/// Characters kept of a suffix: index entries are limited in size, and search terms are shorter.
const SUFFIX_CHARS: usize = 400;

#[async_trait]
impl Inventory for PostgresStore {
    async fn add_item(&self, scope: Scope, item: &Item, write: Write<'_>) -> Result<AddItem> {
        self.retry_change(inventory_id(scope.owner()), || self.add(scope, item, write)).await
    }

    async fn split_item(
        &self,
        scope: Scope,
        rest: &Item,
        lot: &Item,
        write: Write<'_>,
    ) -> Result<SplitItem> {
        let attempt = || self.split(scope, rest, lot, write);
        self.retry_change(inventory_id(scope.owner()), attempt).await
    }

    async fn find_item(&self, scope: Scope, id: ItemId) -> Result<Option<Item>> {
        let row = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let owner = OwnerColumns::of(scope);
            let row = query_items!(
                "SELECT",
                "FROM inventory_items i WHERE i.id = $1
                 AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))",
                uuid(id),
                owner.household,
                owner.person,
            );
            Ok(row.fetch_optional(&mut transaction).await?)
        });
        row.await?.map(ItemRow::into_item).transpose()
    }

    async fn find_items(&self, scope: Scope, ids: &[ItemId]) -> Result<Vec<Item>> {
        let ids: &[Uuid] = &ids.iter().map(|id| uuid(*id)).collect::<Vec<_>>();
        let rows = self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let owner = OwnerColumns::of(scope);
            let rows = query_items!(
                "SELECT",
                "FROM inventory_items i WHERE i.id = ANY ($1)
                 AND (i.household_id = $2 OR (i.household_id IS NULL AND i.created_by = $3))",
                ids,
                owner.household,
                owner.person,
            );
            Ok(rows.fetch_all(&mut transaction).await?)
        });
        rows.await?.into_iter().map(ItemRow::into_item).collect()
    }

    async fn list_items(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        today: Date,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        self.list_page(scope, filter, today, sort, after, limit).await
    }

    async fn replace_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: u64,
        details: &ItemDetails,
        merge: bool,
        write: Write<'_>,
    ) -> Result<ReplaceItem> {
        let attempt = || self.replace(scope, id, version, details, merge, write);
        self.retry_change(inventory_id(scope.owner()), attempt).await
    }

    async fn delete_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: Option<u64>,
        write: Write<'_>,
    ) -> Result<DeleteItem> {
        self.retry_change(inventory_id(scope.owner()), || async move {
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
            // Its shopping entries become free text; its tags remain, to show that it is gone.
            if let Owner::Household(household) = scope.owner() {
                transaction.unlink_entries(household, id, write).await?;
            }
            transaction.delete(id).await?;
            let kind = WriteKind::item_deleted(&current);
            transaction.commit_with(scope.actor(), write, kind, &current).await?;
            Ok(DeleteItem::Deleted(current))
        })
        .await
    }

    async fn adjust_item(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem> {
        self.retry_change(inventory_id(scope.owner()), || self.adjust(scope, id, delta, write))
            .await
    }

    async fn item_history(
        &self,
        scope: Scope,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_scope(scope)).await?;
            let before =
                before.map_or(i64::MAX, |before| i64::try_from(before).unwrap_or(i64::MAX));
            let rows = sqlx::query!(
                r#"SELECT sequence, changed_at AS "changed_at: Instant", changed_by,
                          old_values::text, new_values::text
                   FROM inventory_audit
                   WHERE item_id = $1 AND inventory_id = $2 AND sequence < $3
                   ORDER BY sequence DESC LIMIT $4"#,
                uuid(id),
                inventory_id(scope.owner()),
                before,
                one_more(limit),
            )
            .fetch_all(&mut transaction)
            .await?;
            let decode = |image: Option<String>| image.map(|text| json::decode(&text)).transpose();
            let mut changes = Vec::with_capacity(rows.len());
            for row in rows {
                changes.push(ItemChange {
                    sequence: number(row.sequence)?,
                    at: row.changed_at.0,
                    by: row.changed_by.map(domain_id),
                    versions: Versions {
                        old: decode(row.old_values)?,
                        new: decode(row.new_values)?,
                    },
                });
            }
            Ok(Page::cut(changes, limit, |change| change.sequence))
        })
        .await
    }
}

/// The search suffixes of a folded name.
pub(crate) fn suffixes(folded: &str) -> Vec<String> {
    let mut suffixes: Vec<String> = searchable_suffixes(folded)
        .map(|suffix| suffix.chars().take(SUFFIX_CHARS).collect())
        .collect();
    suffixes.sort_unstable();
    suffixes.dedup();
    suffixes
}

impl Transaction {
    /// Deletes a locked item without references.
    pub(crate) async fn delete(&mut self, id: ItemId) -> Result<(), Failure> {
        sqlx::query!("DELETE FROM inventory_items WHERE id = $1", uuid(id)).execute(self).await?;
        Ok(())
    }
}
