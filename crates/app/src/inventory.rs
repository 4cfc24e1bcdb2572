//! What is in the cupboard: the household's, or the caller's own in individual mode.

use larder_domain::{
    CategoryId, Delta, Item, ItemDetails, ItemFilter, ItemId, ItemPatch, ItemPosition, ItemSort,
    find_category,
};
use larder_storage::{AddItem, AdjustItem, IdempotencyClaim, ItemChange, Page, ReplaceItem};

use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// Adds an item, or its quantity to the same thing that is there already (then `true`).
    pub async fn add_item(
        &self,
        caller: &Caller,
        details: ItemDetails,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<(Item, bool)> {
        check_category(details.category)?;
        let (scope, write) = (authorize::inventory(caller), self.write(claim));
        let item = Item::new(self.entropy.id(), scope.owner(), details, scope.actor(), write.at);
        match self.storage.add_item(scope, &item, write).await? {
            AddItem::Added(item) => Ok((item, false)),
            AddItem::Merged(item) => Ok((item, true)),
            AddItem::UnitMismatch(item) => Err(AppError::UnitMismatch(Box::new(item))),
            AddItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(Box::new(item)))),
            AddItem::LocationNotFound => Err(AppError::UnknownLocation),
            AddItem::StoreNotFound => Err(AppError::UnknownStore),
        }
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

    /// Changes an item that still has this version. With `merge`, running into another item of the same
    /// name and date makes the two one, which is answered.
    pub async fn update_item(
        &self,
        caller: &Caller,
        id: ItemId,
        version: u64,
        patch: ItemPatch,
        merge: bool,
    ) -> Result<Item> {
        patch.category.map_or(Ok(()), check_category)?;
        let current = self.item(caller, id).await?;
        if current.version != version {
            return Err(AppError::VersionConflict(Box::new(current)));
        }
        let (scope, details) = (authorize::inventory(caller), patch.apply(&current.details));
        let write = self.write(None);
        match self.storage.replace_item(scope, id, version, &details, merge, write).await? {
            ReplaceItem::Replaced(item) | ReplaceItem::Merged(item) => Ok(item),
            ReplaceItem::NotFound => Err(AppError::ItemNotFound),
            ReplaceItem::VersionConflict(item) => Err(AppError::VersionConflict(Box::new(item))),
            ReplaceItem::Duplicate(item) => Err(AppError::DuplicateItem(Box::new(item))),
            ReplaceItem::UnitMismatch(item) => Err(AppError::UnitMismatch(Box::new(item))),
            ReplaceItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(Box::new(item)))),
            ReplaceItem::LocationNotFound => Err(AppError::UnknownLocation),
            ReplaceItem::StoreNotFound => Err(AppError::UnknownStore),
        }
    }

    /// Deletes an item. Its history stays.
    pub async fn delete_item(&self, caller: &Caller, id: ItemId) -> Result<()> {
        let scope = authorize::inventory(caller);
        let deleted = self.storage.delete_item(scope, id, self.write(None)).await?;
        deleted.map(drop).ok_or(AppError::ItemNotFound)
    }

    /// Changes a quantity, which stops at 0, and answers what was really applied, in hundredths.
    pub async fn adjust_item(
        &self,
        caller: &Caller,
        id: ItemId,
        delta: Delta,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<(Item, i64)> {
        let scope = authorize::inventory(caller);
        match self.storage.adjust_item(scope, id, delta, self.write(claim)).await? {
            AdjustItem::Adjusted { item, applied_hundredths } => Ok((item, applied_hundredths)),
            AdjustItem::NotFound => Err(AppError::ItemNotFound),
            AdjustItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(Box::new(item)))),
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
}

fn check_category(id: CategoryId) -> Result<()> {
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
