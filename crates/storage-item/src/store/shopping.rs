//! The shopping list. How many pending entries restock an item is counted beside the item, so that
//! of two concurrent additions one succeeds and the other sees a duplicate.

use async_trait::async_trait;
use larder_domain::{
    HouseholdId, Item, ItemId, Owner, ShoppingChange, ShoppingFilter, ShoppingItem, ShoppingItemId,
    ShoppingPosition, ShoppingStatus,
};
use larder_storage::{
    AddItem, AddShoppingItem, ChangeShoppingItem, HouseholdScope, Page, PutAway, Result,
    ShoppingList, Write, WriteKind,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    add_item::Along,
    change_set::{ChangeSet, Commit},
    contention, references,
    replace_item::version_is,
};
use crate::{
    Action, Condition, Key, Number, Record, RecordEngine, Table,
    layout::{keys, shopping},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Store,
    Link,
    Entry,
}

/// One more pending entry of an item.
pub(super) enum OneMore {
    /// The step that counts it, if nothing changes meanwhile.
    Counted(Action),
    /// This entry is a duplicate.
    Refused(ShoppingItem),
}

#[async_trait]
impl<E: RecordEngine> ShoppingList for ItemStore<E> {
    async fn add_shopping_item(
        &self,
        scope: HouseholdScope,
        item: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem> {
        let outcome = self.add_entry(scope, item, force, write).await?;
        if !matches!(outcome, AddShoppingItem::Added(_)) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(outcome)
    }

    async fn find_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Result<Option<ShoppingItem>> {
        let record = self.get(&keys::shopping_item(scope.household(), id)).await?;
        record.as_ref().map(shopping::from_record).transpose()
    }

    async fn list_shopping_items(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>> {
        self.shopping_page(scope.household(), filter, after, limit).await
    }

    async fn change_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        change: &ShoppingChange,
        write: Write<'_>,
    ) -> Result<ChangeShoppingItem> {
        let mut is_link_gone = false;
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_shopping_item(scope, id).await? else {
                return Ok(ChangeShoppingItem::NotFound);
            };
            if current.version != version {
                return Ok(ChangeShoppingItem::VersionConflict(current));
            }
            let changed = current.changed(change, write.at);
            let mut set = ChangeSet::new();
            if let Some(store) = changed.details.store
                && current.details.store != Some(store)
            {
                let key = keys::store(scope.household(), store);
                set = set.step(Step::Store, references::exists(key));
            }
            set = set.steps(recount(&current, Some(&changed), is_link_gone)).put(
                Step::Entry,
                shopping::to_record(&changed),
                version_is(version),
            );
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(ChangeShoppingItem::Changed(changed)),
                Commit::Failed(Step::Store, _) => return Ok(ChangeShoppingItem::StoreNotFound),
                Commit::Failed(Step::Link, found) => is_link_gone = found.is_none(),
                // It changed meanwhile: the next attempt returns its current state.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("changing a shopping list"))
    }

    async fn delete_shopping_item(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        write: Write<'_>,
    ) -> Result<bool> {
        let mut is_link_gone = false;
        for _ in 0..MAX_ATTEMPTS {
            let Some(current) = self.find_shopping_item(scope, id).await? else {
                return Ok(false);
            };
            let key = keys::shopping_item(scope.household(), id);
            let set = ChangeSet::new().steps(recount(&current, None, is_link_gone)).delete(
                Step::Entry,
                key,
                version_is(current.version),
            );
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(true),
                Commit::Failed(Step::Link, found) => is_link_gone = found.is_none(),
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("deleting from a shopping list"))
    }

    /// One transaction adds to the stock and deletes the entry.
    async fn put_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        item: &Item,
        write: Write<'_>,
    ) -> Result<PutAway> {
        let is_bought = |entry: &ShoppingItem| {
            entry.version == version && entry.status == ShoppingStatus::Purchased
        };
        if !self.find_shopping_item(scope, id).await?.as_ref().is_some_and(is_bought) {
            self.refuse_used_key(scope.actor(), write).await?;
            return Ok(PutAway::NotBought);
        }
        // Bought entries are not counted as pending, so no count changes.
        let take_off = Action::Delete {
            table: Table::InventoryManagement,
            key: keys::shopping_item(scope.household(), id),
            when: version_is(version),
        };
        let take_off = Along { action: take_off, rest: None };
        let added = self.add_or_merge(scope.inventory(), item, write, Some(&take_off)).await?;
        if !matches!(added, Some(AddItem::Added(_) | AddItem::Merged(_))) {
            self.refuse_used_key(scope.actor(), write).await?;
        }
        Ok(added.map_or(PutAway::NotBought, PutAway::Added))
    }

    async fn clear_purchased(&self, scope: HouseholdScope, write: Write<'_>) -> Result<u64> {
        let entries = self.shopping_records(scope.household()).await?;
        let purchased = ShoppingStatus::Purchased.as_str();
        let keys = entries.iter().filter(|entry| entry.text("status") == Some(purchased));
        let keys: Vec<Key> =
            keys.filter_map(|record| Table::InventoryManagement.key_of(record)).collect();
        // Purchased entries are not counted as pending, so no count changes.
        self.commit_each(scope.actor(), write, &keys, |key| Action::Delete {
            table: Table::InventoryManagement,
            key: key.clone(),
            when: vec![Condition::Equals("status".into(), purchased.into())],
        })
        .await
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Every entry of a list, as the last acknowledged write left it.
    pub(super) async fn shopping_records(&self, household: HouseholdId) -> Result<Vec<Record>> {
        self.all_under(keys::family_pk(household), keys::SHOPPING_PREFIX).await
    }

    async fn add_entry(
        &self,
        scope: HouseholdScope,
        new: &ShoppingItem,
        force: bool,
        write: Write<'_>,
    ) -> Result<AddShoppingItem> {
        let household = scope.household();
        for _ in 0..MAX_ATTEMPTS {
            let mut set = ChangeSet::new();
            if let Some(item) = new.item {
                let key = keys::item(Owner::Household(household), item);
                let when = vec![Condition::Exists];
                let table = Table::InventoryManagement;
                set = set.step(Step::Item, Action::Check { table, key, when });
            }
            if let Some(store) = new.details.store {
                let key = keys::store(household, store);
                set = set.step(Step::Store, references::exists(key));
            }
            if let Some(item) = new.item {
                match self.count_one_more(household, item, force).await? {
                    OneMore::Counted(action) => set = set.step(Step::Link, action),
                    OneMore::Refused(existing) => {
                        return self.refuse_duplicate(scope, new, existing).await;
                    }
                }
            }
            let record = shopping::to_record(new);
            let set = set.put(Step::Entry, record, vec![Condition::NotExists]);
            let did = (WriteKind::SHOPPING_ITEM_ADDED, Step::Entry);
            match self.commit(scope.actor(), write, set, Some(did)).await? {
                Commit::Done(_) => return Ok(AddShoppingItem::Added(new.clone())),
                Commit::Failed(Step::Item, _) => return Ok(AddShoppingItem::ItemNotFound),
                Commit::Failed(Step::Store, _) => return Ok(AddShoppingItem::StoreNotFound),
                // Someone added or bought the same meanwhile.
                Commit::Failed(_, _) => {}
            }
        }
        Err(contention("adding to a shopping list"))
    }

    /// Whether one more pending entry of an item may be added.
    pub(super) async fn count_one_more(
        &self,
        household: HouseholdId,
        item: ItemId,
        force: bool,
    ) -> Result<OneMore> {
        let (table, key) = (Table::InventoryManagement, keys::shopping_link(household, item));
        let Some(link) = self.get(&key).await? else {
            let record = shopping::link_record(household, item, 1);
            let when = vec![Condition::NotExists];
            return Ok(OneMore::Counted(Action::Put { table, record, when, embed: None }));
        };
        let (pending, version) = shopping::link_from_record(&link)?;
        let (when, changes) = if force {
            (vec![Condition::Exists], shopping::pending_changed(1))
        } else if pending <= 0 {
            let none = Condition::AtMost(shopping::PENDING.into(), Number::ZERO);
            (vec![none], shopping::pending_changed(1))
        } else if let Some(existing) = self.find_pending(household, item).await? {
            return Ok(OneMore::Refused(existing));
        } else {
            // It was just bought, or the count is wrong: if the count is unchanged since before the
            // list was read, no entry is pending.
            (version_is(version), shopping::pending_corrected(1))
        };
        Ok(OneMore::Counted(Action::Update { table, key, when, changes }))
    }

    /// The first entry still to be bought that restocks an item.
    async fn find_pending(
        &self,
        household: HouseholdId,
        item: ItemId,
    ) -> Result<Option<ShoppingItem>> {
        let records = self.shopping_records(household).await?;
        let entries = records.iter().map(shopping::from_record).collect::<Result<Vec<_>>>()?;
        let pending = entries.into_iter().filter(|entry| entry.is_pending_for(item));
        Ok(pending.min_by_key(ShoppingPosition::of))
    }

    /// The refusal of a second entry for one item, unless one of its references is dangling.
    async fn refuse_duplicate(
        &self,
        scope: HouseholdScope,
        new: &ShoppingItem,
        existing: ShoppingItem,
    ) -> Result<AddShoppingItem> {
        if let Some(store) = new.details.store
            && self.find_place(&keys::store(scope.household(), store)).await?.is_none()
        {
            return Ok(AddShoppingItem::StoreNotFound);
        }
        Ok(AddShoppingItem::Duplicate(existing))
    }
}

/// The step that adjusts an item's count of pending entries when an entry changes or is deleted. If
/// the item was deleted meanwhile there is no count, and that is the condition.
fn recount(
    current: &ShoppingItem,
    next: Option<&ShoppingItem>,
    is_link_gone: bool,
) -> Vec<(Step, Action)> {
    let Some(item) = current.item else { return vec![] };
    let counted = |entry: &ShoppingItem| i64::from(entry.is_pending_for(item));
    let by = next.map_or(0, counted) - counted(current);
    if by == 0 {
        return vec![];
    }
    let (table, key) = (Table::InventoryManagement, keys::shopping_link(current.household, item));
    let action = if is_link_gone {
        Action::Check { table, key, when: vec![Condition::NotExists] }
    } else {
        let changes = shopping::pending_changed(by);
        Action::Update { table, key, when: vec![Condition::Exists], changes }
    };
    vec![(Step::Link, action)]
}
