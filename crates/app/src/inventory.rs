//! The stock: the household's, or the caller's own in individual mode.

mod bulk;
mod moving;
mod naming;
mod opening;
mod stock_overview;
mod undo;

pub use bulk::{ItemEdit, VersionedEdit};
pub use stock_overview::StockOverview;
pub(crate) use stock_overview::{MAX_COUNTED, StockOverviewCache};

use larder_domain::{
    CategoryId, Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPatch, ItemPosition, ItemSort,
    LeftOpen, find_category,
};
use larder_storage::{
    AddItem, AddedItem, AdjustItem, AdjustedItem, DeleteItem, IdempotencyClaim, ItemChange,
    MAX_LOTS, Page, ReplaceItem, Write,
};

use crate::{App, AppError, Caller, ConflictingItem, Result, authorize, settling::Affected};

impl App {
    /// Adds an item, or merges it into an existing one (then `true`).
    pub async fn add_item(
        &self,
        caller: &Caller,
        details: ItemDetails,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<AddedItem> {
        self.add_item_as(self.entropy.id(), caller, details, claim).await
    }

    /// The same with an id that the caller has made.
    pub(crate) async fn add_item_as(
        &self,
        id: ItemId,
        caller: &Caller,
        details: ItemDetails,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<AddedItem> {
        check_category(details.category)?;
        let (scope, at, claim) = (authorize::inventory(caller), self.now(), claim.cloned());
        let added = details.clone();
        let item = Item::new(id, scope.owner(), details, scope.actor(), at);
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                storage.add_item(scope, &item, Write { at, claim: claim.as_ref() }).await
            },
            move |outcome| Affected::by_adding(outcome, &added),
        );
        self.added_item(caller, outcome.await?)
    }

    /// The details of a new item, with what its product knows of that which was left open.
    pub async fn filled_in(
        &self,
        caller: &Caller,
        details: ItemDetails,
        open: LeftOpen,
    ) -> Result<ItemDetails> {
        if open == LeftOpen::default() {
            return Ok(details);
        }
        let known = self.product_named(caller, &details.name).await?;
        let today = caller.today(self.now());
        Ok(match known {
            Some(product) => details.filled_in(open, &product.details, today),
            None => details,
        })
    }

    /// The item.
    pub async fn item(&self, caller: &Caller, id: ItemId) -> Result<Item> {
        let found = self.storage.find_item(authorize::inventory(caller), id).await?;
        found.ok_or(AppError::ItemNotFound)
    }

    /// A page of items, with "soon" and "expired" seen from the caller's today.
    pub async fn list_items(
        &self,
        caller: &Caller,
        filter: &ItemFilter,
        sort: ItemSort,
        after: Option<&ItemPosition>,
        limit: usize,
    ) -> Result<Page<Item, ItemPosition>> {
        let (scope, today) = (authorize::inventory(caller), caller.today(self.now()));
        Ok(self.storage.list_items(scope, filter, today, sort, after, limit).await?)
    }

    /// Changes an item that still has this version. With `merge`, a conflict with another item of
    /// the same name and date merges the two, and returns the result.
    pub async fn update_item(
        &self,
        caller: &Caller,
        id: ItemId,
        version: u64,
        patch: ItemPatch,
        merge: bool,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Item> {
        patch.category.map_or(Ok(()), check_category)?;
        let current = self.item(caller, id).await?;
        if current.version != version {
            return Err(AppError::VersionConflict(self.conflicting(caller, current)));
        }
        let (scope, at, claim) = (authorize::inventory(caller), self.now(), claim.cloned());
        let details = patch.apply(&current.details);
        let replacement = details.clone();
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                let (new, write) = (&replacement, Write { at, claim: claim.as_ref() });
                storage.replace_item(scope, id, version, new, merge, write).await
            },
            move |outcome| match outcome {
                ReplaceItem::Replaced(item) => Affected::by_change(Some(&current), Some(item)),
                ReplaceItem::Merged(other) => {
                    let gone = Affected::by_change(Some(&current), None);
                    [gone, Affected::by_merge(other, &details)].concat()
                }
                _ => Vec::new(),
            },
        );
        let conflicting = |item| self.conflicting(caller, item);
        match outcome.await? {
            ReplaceItem::Replaced(item) | ReplaceItem::Merged(item) => Ok(item),
            ReplaceItem::NotFound => Err(AppError::ItemNotFound),
            ReplaceItem::VersionConflict(item) => Err(AppError::VersionConflict(conflicting(item))),
            ReplaceItem::Duplicate(item) => Err(AppError::DuplicateItem(conflicting(item))),
            ReplaceItem::UnitMismatch(item) => Err(AppError::UnitMismatch(conflicting(item))),
            ReplaceItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(conflicting(item)))),
            ReplaceItem::LocationNotFound => Err(AppError::UnknownLocation),
            ReplaceItem::StoreNotFound => Err(AppError::UnknownPreferredStore),
            ReplaceItem::TooManyLots => Err(AppError::QuotaExceeded(MAX_LOTS)),
        }
    }

    /// Deletes an item, with `version` only if it still has it, and returns it. Its history
    /// remains.
    pub async fn delete_item(
        &self,
        caller: &Caller,
        id: ItemId,
        version: Option<u64>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Item> {
        let (scope, at, claim) = (authorize::inventory(caller), self.now(), claim.cloned());
        let deleted = self.change_items(
            Some(caller),
            |storage| async move {
                storage.delete_item(scope, id, version, Write { at, claim: claim.as_ref() }).await
            },
            |outcome| match outcome {
                DeleteItem::Deleted(item) => Affected::by_change(Some(item), None),
                DeleteItem::NotFound | DeleteItem::VersionConflict(_) => Vec::new(),
            },
        );
        match deleted.await? {
            DeleteItem::Deleted(item) => Ok(item),
            DeleteItem::NotFound => Err(AppError::ItemNotFound),
            DeleteItem::VersionConflict(item) => {
                Err(AppError::VersionConflict(self.conflicting(caller, item)))
            }
        }
    }

    /// Adjusts a quantity, which stops at 0, and returns the applied delta, in hundredths.
    pub async fn adjust_item(
        &self,
        caller: &Caller,
        id: ItemId,
        delta: Delta,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<AdjustedItem> {
        let (scope, at, claim) = (authorize::inventory(caller), self.now(), claim.cloned());
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                storage.adjust_item(scope, id, delta, Write { at, claim: claim.as_ref() }).await
            },
            Affected::by_adjusting,
        );
        match outcome.await? {
            AdjustItem::Adjusted { item, applied_hundredths } => {
                Ok(AdjustedItem { item, applied_hundredths })
            }
            AdjustItem::NotFound => Err(AppError::ItemNotFound),
            AdjustItem::Overflow(item) => {
                Err(AppError::QuantityOverflow(Some(self.conflicting(caller, item))))
            }
        }
    }

    /// The audit trail of an item before this entry (`None`: from the newest), newest first. It outlives
    /// the item.
    pub async fn item_history(
        &self,
        caller: &Caller,
        id: ItemId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page<ItemChange, u64>> {
        let scope = authorize::inventory(caller);
        let page = self.storage.item_history(scope, id, before, limit).await?;
        if page.items.is_empty() && before.is_none() {
            // The trail of an old item may have been dropped; then the item itself still shows that it exists.
            self.item(caller, id).await?;
        }
        Ok(page)
    }

    pub(crate) fn added_item(&self, caller: &Caller, outcome: AddItem) -> Result<AddedItem> {
        let conflicting = |item| self.conflicting(caller, item);
        match outcome {
            AddItem::Added(item) => Ok(AddedItem { item, merged: false }),
            AddItem::Merged(item) => Ok(AddedItem { item, merged: true }),
            AddItem::UnitMismatch(item) => Err(AppError::UnitMismatch(conflicting(item))),
            AddItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(conflicting(item)))),
            AddItem::LocationNotFound => Err(AppError::UnknownLocation),
            AddItem::StoreNotFound => Err(AppError::UnknownPreferredStore),
            AddItem::TooManyLots => Err(AppError::QuotaExceeded(MAX_LOTS)),
        }
    }

    /// An item that is in the caller's way.
    pub(crate) fn conflicting(&self, caller: &Caller, item: Item) -> Box<ConflictingItem> {
        Box::new(ConflictingItem { today: caller.today(self.now()), item })
    }
}

pub(crate) fn check_category(id: CategoryId) -> Result<()> {
    find_category(id).map(drop).ok_or(AppError::UnknownCategory)
}

#[cfg(test)]
mod tests {
    use larder_domain::OTHER_CATEGORY;

    use super::*;

    #[test]
    fn only_categories_of_the_system_exist() {
        assert!(check_category(OTHER_CATEGORY).is_ok());
        let unknown = check_category(CategoryId::fixed(1));
        assert!(matches!(unknown, Err(AppError::UnknownCategory)));
    }
}
