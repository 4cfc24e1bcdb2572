//! Items.

use async_trait::async_trait;
use jiff::civil::Date;
use larder_domain::{
    Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, Versions,
};
use larder_storage::{
    AddItem, AdjustItem, DeleteItem, Inventory, ItemChange, Page, ReplaceItem, Result, Scope,
    SplitItem, StorageError, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::Along,
    belonging::{Part, leave},
    change_set::{ChangeSet, Commit},
    contention,
    replace_item::version_is,
    unlink::Links,
};
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::{item, keys},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Belongs(Part),
    Links,
}

#[async_trait]
impl<E: RecordEngine> Inventory for ItemStore<E> {
    async fn add_item(&self, scope: Scope, item: &Item, write: Write<'_>) -> Result<AddItem> {
        self.ensure_products_of(scope).await?;
        let outcome = self.add_or_merge(scope, item, write, None).await?;
        let outcome = outcome.ok_or_else(|| {
            StorageError::Defect("unexpected NotBought from plain add".to_owned())
        })?;
        if !matches!(outcome, AddItem::Added(_) | AddItem::Merged(_)) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome)
    }

    async fn split_item(
        &self,
        scope: Scope,
        rest: &Item,
        lot: &Item,
        write: Write<'_>,
    ) -> Result<SplitItem> {
        // It is written as it is, so it must be one of this inventory.
        if rest.owner != scope.owner() {
            return Ok(SplitItem::Changed);
        }
        let shrink = Action::Put {
            table: Table::InventoryManagement,
            record: item::to_record(rest),
            when: version_is(rest.version - 1),
            embed: None,
        };
        let along = Along { action: shrink, rest: Some(rest) };
        let outcome = self.add_or_merge(scope, lot, write, Some(&along)).await?;
        if !matches!(outcome, Some(AddItem::Added(_) | AddItem::Merged(_))) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome.map_or(SplitItem::Changed, SplitItem::Added))
    }

    async fn find_item(&self, scope: Scope, id: ItemId) -> Result<Option<Item>> {
        let found = self.items_by_id(scope.owner(), &[id]).await?.pop();
        if found.as_ref().is_none_or(|item| item.product.is_some()) {
            return Ok(found);
        }
        self.ensure_products_of(scope).await?;
        Ok(self.items_by_id(scope.owner(), &[id]).await?.pop())
    }

    async fn find_items(&self, scope: Scope, ids: &[ItemId]) -> Result<Vec<Item>> {
        self.items_by_id(scope.owner(), ids).await
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
        let read = async || {
            if self.is_indexed(sort) {
                self.items_in_order(scope, filter, today, sort, after, limit).await
            } else {
                self.sorted_items(scope, filter, today, sort, after, limit).await
            }
        };
        let page = read().await?;
        if page.items.iter().all(|item| item.product.is_some()) {
            return Ok(page);
        }
        self.ensure_products_of(scope).await?;
        read().await
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
        self.ensure_products_of(scope).await?;
        let outcome = self.replace(scope, id, version, details, merge, write).await?;
        if !matches!(outcome, ReplaceItem::Replaced(_) | ReplaceItem::Merged(_)) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome)
    }

    async fn delete_item(
        &self,
        scope: Scope,
        id: ItemId,
        version: Option<u64>,
        write: Write<'_>,
    ) -> Result<DeleteItem> {
        self.ensure_products_of(scope).await?;
        let mut links = Links::None;
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_item(scope, id).await? else {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(DeleteItem::NotFound);
            };
            if version.is_some_and(|version| version != current.version) {
                self.refuse_used_key(scope.actor(), write).await?;
                return Ok(DeleteItem::VersionConflict(current));
            }
            // The version only if requested: otherwise a concurrent adjustment does not conflict.
            let name = current.details.name.as_str();
            let date = current.details.expiration.map_or_else(
                || Condition::Absent("expirationDate".into()),
                |date| Condition::Equals("expirationDate".into(), date.to_string().into()),
            );
            let mut when = vec![Condition::Equals("name".into(), name.into()), date];
            when.extend(version.into_iter().flat_map(version_is));
            let set = ChangeSet::new()
                .delete(Step::Item, keys::item(scope.owner(), id), when)
                .steps(leave(&current).map(|(part, action)| (Step::Belongs(part), action)));
            let set = links.delete_with(set, Step::Links, &current, write.at);
            let did = (WriteKind::item_deleted(&current), Step::Item);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => {
                    self.after_deletion(scope.actor().into(), &current, links, write.at).await?;
                    return Ok(DeleteItem::Deleted(current));
                }
                Commit::Failed(Step::Links, _) => links = links.other(),
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("deleting an item"))
    }

    async fn adjust_item(
        &self,
        scope: Scope,
        id: ItemId,
        delta: Delta,
        write: Write<'_>,
    ) -> Result<AdjustItem> {
        self.adjust(scope, id, delta, write).await
    }

    async fn item_history(
        &self,
        scope: Scope,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>> {
        let key = keys::item(scope.owner(), id);
        let table = Table::InventoryManagement;
        let entries = self.engine.journal_of(table, &key, before, limit + 1).await?;
        let changes = entries.iter().map(|entry| {
            let decode = |record: &Option<_>| record.as_ref().map(item::from_record).transpose();
            Ok(ItemChange {
                sequence: entry.sequence,
                at: entry.at,
                by: entry.actor.parse().ok(),
                versions: Versions { old: decode(&entry.old)?, new: decode(&entry.new)? },
            })
        });
        let changes = changes.collect::<Result<Vec<_>>>()?;
        Ok(Page::cut(changes, limit, |change| change.sequence))
    }
}
