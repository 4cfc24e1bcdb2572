//! Putting away what was bought: off the list and into stock.

use std::sync::Arc;

use larder_domain::{
    ExpirationDate, Item, ItemDetails, Quantity, ShoppingItem, ShoppingItemId, ShoppingQuantity,
    ShoppingStatus,
};
use larder_storage::{HouseholdScope, PutAway, Store, Write};

use super::scope_of_entries;
use crate::{App, AppError, Caller, Result, inventory::check_category, settling::Affected};

/// What goes into stock when something bought is put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purchase {
    /// More of the item that the entry restocks.
    Restock {
        /// How much, in the unit of that item; `None` for as many as were on the list.
        quantity: Option<Quantity>,
        /// Until when this is good. The date of what is in stock says nothing about it.
        expiration: Option<ExpirationDate>,
    },
    /// Something of this description.
    Item(ItemDetails),
}

impl App {
    /// Takes something bought off the list and adds it to the stock by the merge rule. Both happen or neither, and
    /// once, however many try at the same moment.
    pub async fn put_away(
        &self,
        caller: &Caller,
        id: ShoppingItemId,
        version: u64,
        purchase: Purchase,
    ) -> Result<Item> {
        let (scope, at) = (scope_of_entries(caller)?, self.now());
        let entry = self.shopping_item(caller, id).await?;
        if entry.version != version || entry.status != ShoppingStatus::Purchased {
            return Err(AppError::ShoppingVersionConflict(Box::new(entry)));
        }
        let details = match purchase {
            Purchase::Restock { quantity, expiration } => {
                self.lot(scope, &entry, quantity, expiration).await?
            }
            Purchase::Item(details) => details,
        };
        check_category(details.category)?;
        let (owner, added) = (scope.inventory().owner(), details.clone());
        let new = Item::new(self.entropy.id(), owner, details, scope.actor(), at);
        let write = |storage: Arc<dyn Store>| async move {
            storage.put_away(scope, id, version, &new, Write::at(at)).await
        };
        let affected = move |outcome: &PutAway| match outcome {
            PutAway::Added(outcome) => Vec::from_iter(Affected::by_adding(outcome, &added)),
            PutAway::NotBought => Vec::new(),
        };
        match self.change_items(Some(caller.zone().clone()), write, affected).await? {
            PutAway::Added(added) => Ok(self.added_item(caller, added)?.item),
            // Somebody was quicker.
            PutAway::NotBought => {
                let entry = self.shopping_item(caller, id).await?;
                Err(AppError::ShoppingVersionConflict(Box::new(entry)))
            }
        }
    }

    /// What was bought of the item that an entry restocks: the same thing, with an amount and a date of its own.
    async fn lot(
        &self,
        scope: HouseholdScope,
        entry: &ShoppingItem,
        quantity: Option<Quantity>,
        expiration: Option<ExpirationDate>,
    ) -> Result<ItemDetails> {
        let item = entry.item.ok_or(AppError::UnknownItem)?;
        let item = self.storage.find_item(scope.inventory(), item).await?;
        let item = item.ok_or(AppError::UnknownItem)?;
        let quantity = quantity.or_else(|| entry.details.quantity.and_then(whole));
        let quantity = quantity.filter(|quantity| !quantity.is_zero());
        Ok(item.details.another_lot(quantity.ok_or(AppError::AmountRequired)?, expiration))
    }
}

/// The amount that the list asked for.
fn whole(quantity: ShoppingQuantity) -> Option<Quantity> {
    Quantity::from_hundredths(i64::from(quantity.get()) * 100).ok()
}
