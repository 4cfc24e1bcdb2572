//! Putting away what was bought: off the list and into stock.

use std::sync::Arc;

use larder_domain::{
    Delta, Item, ItemDetails, ShoppingItem, ShoppingItemId, ShoppingQuantity, ShoppingStatus,
};
use larder_storage::{PutAway, Stocking, Store};

use super::scope_of_entries;
use crate::{
    App, AppError, Caller, Result,
    inventory::{added_item, adjusted_item, check_category},
    settling::Affected,
};

impl App {
    /// Takes something bought off the list and puts it into stock: into the item that it restocks, or, as `item`
    /// describes it, as adding does. Both happen or neither, and once, however many try at the same moment.
    pub async fn put_away(
        &self,
        caller: &Caller,
        id: ShoppingItemId,
        version: u64,
        item: Option<ItemDetails>,
    ) -> Result<Item> {
        let entry = self.shopping_item(caller, id).await?;
        if entry.version != version || entry.status != ShoppingStatus::Purchased {
            return Err(AppError::ShoppingVersionConflict(Box::new(entry)));
        }
        match self.stock(caller, &entry, item).await? {
            PutAway::Added(added) => Ok(added_item(added)?.0),
            PutAway::Adjusted(adjusted) => Ok(adjusted_item(adjusted)?.0),
            // Somebody was quicker.
            PutAway::NotBought => {
                let entry = self.shopping_item(caller, id).await?;
                Err(AppError::ShoppingVersionConflict(Box::new(entry)))
            }
        }
    }

    async fn stock(
        &self,
        caller: &Caller,
        entry: &ShoppingItem,
        details: Option<ItemDetails>,
    ) -> Result<PutAway> {
        let (scope, at) = (scope_of_entries(caller)?, self.now());
        let (id, version, zone) = (entry.id, entry.version, Some(caller.zone().clone()));
        match (details, entry.item) {
            (Some(details), _) => {
                check_category(details.category)?;
                let (owner, added) = (scope.inventory().owner(), details.clone());
                let new = Item::new(self.entropy.id(), owner, details, scope.actor(), at);
                let write = |storage: Arc<dyn Store>| async move {
                    storage.put_away(scope, id, version, Stocking::Item(&new), at).await
                };
                let affected = move |outcome: &PutAway| match outcome {
                    PutAway::Added(outcome) => Vec::from_iter(Affected::by_adding(outcome, &added)),
                    PutAway::Adjusted(_) | PutAway::NotBought => Vec::new(),
                };
                self.change_items(zone, write, affected).await
            }
            (None, Some(item)) => {
                let delta = Delta::from_hundredths(bought(entry) * 100)
                    .map_err(|_| AppError::QuantityOverflow(None))?;
                let write = |storage: Arc<dyn Store>| async move {
                    storage.put_away(scope, id, version, Stocking::More(item, delta), at).await
                };
                let affected = |outcome: &PutAway| match outcome {
                    PutAway::Adjusted(outcome) => Vec::from_iter(Affected::by_adjusting(outcome)),
                    PutAway::Added(_) | PutAway::NotBought => Vec::new(),
                };
                self.change_items(zone, write, affected).await
            }
            (None, None) => Err(AppError::UnknownItem),
        }
    }
}

/// How many were bought: what was to be, or one.
fn bought(entry: &ShoppingItem) -> i64 {
    i64::from(entry.details.quantity.map_or(1, ShoppingQuantity::get))
}
