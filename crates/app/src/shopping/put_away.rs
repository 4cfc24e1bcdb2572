//! Putting away what was bought: off the list and into stock.

use std::sync::Arc;

use larder_domain::{
    Delta, Item, ItemDetails, ShoppingChange, ShoppingItem, ShoppingItemId, ShoppingQuantity,
    ShoppingStatus,
};

use super::NewShoppingItem;
use crate::{App, AppError, Caller, Result, to_its_end::run_to_its_end};

impl App {
    /// Takes something bought off the list and puts it into stock: into the item that it restocks, or, as `item`
    /// describes it, as adding does. However many try at the same moment, one of them does; for the others there is
    /// no such entry any more. What cannot be put into stock stays on the list.
    pub async fn put_away(
        self: &Arc<Self>,
        caller: &Caller,
        id: ShoppingItemId,
        version: u64,
        item: Option<ItemDetails>,
    ) -> Result<Item> {
        let entry = self.shopping_item(caller, id).await?;
        if entry.version != version || entry.status != ShoppingStatus::Purchased {
            return Err(AppError::ShoppingVersionConflict(Box::new(entry)));
        }
        let (app, caller) = (Arc::clone(self), caller.clone());
        // Between the two writes nobody may stop: what is off the list must get somewhere.
        run_to_its_end(async move {
            app.delete_shopping_item(&caller, id).await?;
            let stocked = app.stock(&caller, &entry, item).await;
            if stocked.is_err() {
                app.put_back(&caller, entry).await;
            }
            stocked
        })
        .await?
    }

    async fn stock(
        &self,
        caller: &Caller,
        entry: &ShoppingItem,
        item: Option<ItemDetails>,
    ) -> Result<Item> {
        match (item, entry.item) {
            (Some(details), _) => Ok(self.add_item(caller, details, None).await?.0),
            (None, Some(item)) => {
                let delta = Delta::from_hundredths(bought(entry) * 100)
                    .map_err(|_| AppError::QuantityOverflow(None))?;
                Ok(self.adjust_item(caller, item, delta, None).await?.0)
            }
            (None, None) => Err(AppError::UnknownItem),
        }
    }

    /// Puts what could not be stocked on the list again, bought as it was.
    async fn put_back(&self, caller: &Caller, entry: ShoppingItem) {
        if let Err(error) = self.try_to_put_back(caller, &entry).await {
            tracing::error!(%error, entry = %entry.id, "an entry is off the list, but not in stock");
        }
    }

    async fn try_to_put_back(&self, caller: &Caller, entry: &ShoppingItem) -> Result<()> {
        let details = entry.details.clone();
        let again = NewShoppingItem {
            item: entry.item,
            name: details.name,
            store: Some(details.store),
            quantity: details.quantity,
            notes: details.notes,
        };
        let added = match self.add_shopping_item(caller, again.clone(), true, None).await {
            // The item or the shop is gone; what was bought is still there.
            Err(AppError::UnknownItem | AppError::UnknownShop) => {
                let free = NewShoppingItem { item: None, store: Some(None), ..again };
                self.add_shopping_item(caller, free, true, None).await?
            }
            added => added?,
        };
        let bought = ShoppingChange::Status(ShoppingStatus::Purchased);
        self.change_shopping_item(caller, added.id, added.version, &bought).await?;
        Ok(())
    }
}

/// How many were bought: what was to be, or one.
fn bought(entry: &ShoppingItem) -> i64 {
    i64::from(entry.details.quantity.map_or(1, ShoppingQuantity::get))
}
