//! Putting away what was bought: in the transaction in which the stock grows the entry goes.

use jiff::Timestamp;
use larder_domain::{Delta, ItemId, ShoppingItem, ShoppingItemId, ShoppingStatus};
use larder_storage::{
    AdjustItem, HouseholdScope, PutAway, Result, ShoppingList as _, Stocking, Write,
};

use super::{
    ItemStore,
    add_item::touch,
    adjust_item::Adjustment,
    change_set::{ChangeSet, Commit, image},
    replace_item::version_is,
};
use crate::{
    Action, RecordEngine, Table,
    layout::{fields::hundredths_number, item, keys},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Item,
    Entry,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn put_entry_away(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
        version: u64,
        into: Stocking<'_>,
        at: Timestamp,
    ) -> Result<PutAway> {
        let is_bought = |entry: &ShoppingItem| {
            entry.version == version && entry.status == ShoppingStatus::Purchased
        };
        if !self.find_shopping_item(scope, id).await?.as_ref().is_some_and(is_bought) {
            return Ok(PutAway::NotBought);
        }
        // What was bought is not counted as pending, so no count changes.
        let take_off = Action::Delete {
            table: Table::InventoryManagement,
            key: keys::shopping_item(scope.household(), id),
            when: version_is(version),
        };
        match into {
            Stocking::More(item, delta) => self.restock(scope, item, delta, take_off, at).await,
            Stocking::Item(item) => {
                let (scope, write) = (scope.inventory(), Write::at(at));
                let added = self.add_or_merge(scope, item, write, Some(&take_off)).await?;
                Ok(added.map_or(PutAway::NotBought, PutAway::Added))
            }
        }
    }

    async fn restock(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        delta: Delta,
        take_off: Action,
        at: Timestamp,
    ) -> Result<PutAway> {
        let Adjustment { applied: applied_hundredths, when, .. } = Adjustment::new(delta);
        let changes = touch(hundredths_number(applied_hundredths), scope.actor(), at);
        let key = keys::item(scope.inventory().owner(), id);
        let set =
            ChangeSet::new().update(Step::Item, key, when, changes).step(Step::Entry, take_off);
        let adjusted = match self.commit(scope.actor(), Write::at(at), set, None).await? {
            Commit::Done(images) => {
                let item = image(&images, 0, item::from_record)?;
                AdjustItem::Adjusted { item, applied_hundredths }
            }
            Commit::Failed(Step::Entry, _) => return Ok(PutAway::NotBought),
            Commit::Failed(Step::Item, None) => AdjustItem::NotFound,
            Commit::Failed(Step::Item, Some(record)) => {
                AdjustItem::Overflow(item::from_record(&record)?)
            }
        };
        Ok(PutAway::Adjusted(adjusted))
    }
}
