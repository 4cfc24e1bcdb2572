//! Putting away purchased entries: off the list and into stock.

use std::sync::Arc;

use futures_util::future::try_join_all;
use jiff::civil::Date;
use larder_domain::{
    CategoryId, ExpirationDate, Item, ItemDetails, ItemName, OTHER_CATEGORY, Quantity,
    ShoppingItem, ShoppingItemId, ShoppingQuantity, ShoppingStatus, StorageLocationId, Unit,
};
use larder_storage::{AddedItem, IdempotencyClaim, PutAway, Store, Write};

use super::{scope_of_entries, stock::EntryStock};
use crate::{
    App, AppError, Caller, IdempotentRequest, Result, inventory::check_category, settling::Affected,
};

/// A purchase, as far as it is specified. The rest is derived from the entry and the stock; the date
/// from how long such things keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purchase {
    /// Its name.
    pub name: Option<ItemName>,
    /// How much.
    pub quantity: Option<Quantity>,
    /// In which unit.
    pub unit: Option<Unit>,
    /// Until when it is good. An inner `None` means no date.
    pub expiration: Option<Option<ExpirationDate>>,
    /// Its category.
    pub category: Option<CategoryId>,
    /// Its storage location. An inner `None` means none.
    pub location: Option<Option<StorageLocationId>>,
}

/// An entry that is to be put away if it still has this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoughtEntry {
    /// The entry.
    pub id: ShoppingItemId,
    /// The version that the purchase is based on.
    pub version: u64,
    /// The purchase.
    pub purchase: Purchase,
}

impl App {
    /// Deletes purchased entries and adds them to the stock by the merge rule, in order. Each is
    /// atomic, and happens once, however many concurrent requests there are.
    pub async fn put_away(
        &self,
        caller: &Caller,
        bought: Vec<BoughtEntry>,
        request: Option<IdempotentRequest>,
    ) -> Result<Vec<Result<AddedItem>>> {
        let find = async |bought: &BoughtEntry| match self.shopping_item(caller, bought.id).await {
            Ok(entry) => Ok(Some(entry)),
            Err(AppError::ShoppingItemNotFound) => Ok(None),
            Err(error) => Err(error),
        };
        let entries = try_join_all(bought.iter().map(find)).await?;
        let stock = self.stock_of_entries(caller, entries.iter().flatten()).await?;
        let stock = &stock;
        let write = async |(bought, entry): (BoughtEntry, Option<ShoppingItem>), claim| {
            let entry = entry.ok_or(AppError::ShoppingItemNotFound)?;
            self.put_entry_away(caller, bought, &entry, stock, claim).await
        };
        self.run_each(caller, request, bought.into_iter().zip(entries).collect(), write).await
    }

    async fn put_entry_away(
        &self,
        caller: &Caller,
        BoughtEntry { id, version, purchase }: BoughtEntry,
        entry: &ShoppingItem,
        stock: &EntryStock,
        claim: Option<IdempotencyClaim>,
    ) -> Result<AddedItem> {
        if entry.version != version || entry.status != ShoppingStatus::Purchased {
            return Err(AppError::ShoppingVersionConflict(Box::new(entry.clone())));
        }
        let (scope, at) = (scope_of_entries(caller)?, self.now());
        let details = purchase.details(entry, stock, caller.today(at))?;
        check_category(details.category)?;
        let (owner, added) = (scope.inventory().owner(), details.clone());
        let new = Item::new(self.entropy.id(), owner, details, scope.actor(), at);
        let write = |storage: Arc<dyn Store>| async move {
            let write = Write { at, claim: claim.as_ref() };
            storage.put_away(scope, id, version, &new, write).await
        };
        let affected = move |outcome: &PutAway| match outcome {
            PutAway::Added(outcome) => Affected::by_adding(outcome, &added),
            PutAway::NotBought => Vec::new(),
        };
        match self.change_items(Some(caller), write, affected).await? {
            PutAway::Added(added) => self.added_item(caller, added),
            // A concurrent request was first.
            PutAway::NotBought => {
                let entry = self.shopping_item(caller, id).await?;
                Err(AppError::ShoppingVersionConflict(Box::new(entry)))
            }
        }
    }
}

impl Purchase {
    /// The details of the new stock.
    fn details(self, entry: &ShoppingItem, stock: &EntryStock, today: Date) -> Result<ItemDetails> {
        let Self { name, quantity, unit, expiration, category, location } = self;
        let known = stock.find(entry);
        // Never the date of what is in stock.
        let kept = || known?.shelf_life?.end(today);
        let expiration = expiration.unwrap_or_else(kept);
        let restocked = match (entry.item, known) {
            (Some(_), None) => return Err(AppError::UnknownItem),
            (Some(_), Some(item)) => Some(item.clone().another_lot(item.quantity, expiration)),
            (None, _) => None,
        };
        // One of a known unit may be a gram; one of a new item is one piece.
        let one = known.is_none().then_some(Quantity::ONE);
        let listed = entry.details.quantity.and_then(whole);
        let quantity = quantity.or(listed).or(one).filter(|quantity| !quantity.is_zero());
        let quantity = quantity.ok_or(AppError::AmountRequired)?;
        let unit = unit.or_else(|| known.map(|known| known.unit.clone()));
        let unit = unit.ok_or(AppError::UnitRequired)?;
        let (known_category, known_location) =
            known.map_or((OTHER_CATEGORY, None), |known| (known.category, known.location));
        let category = category.unwrap_or(known_category);
        let location = location.unwrap_or(known_location);
        let named = || -> Result<_> {
            let name = ItemName::parse_stored(entry.details.name.as_str());
            let name = name.map_err(|error| AppError::Defect(error.to_string()))?;
            Ok(ItemDetails::new(name, quantity, unit.clone()))
        };
        let details = restocked.map_or_else(named, Ok)?;
        let name = name.unwrap_or_else(|| details.name.clone());
        Ok(ItemDetails { name, quantity, unit, expiration, category, location, ..details })
    }
}

/// The quantity on the list.
fn whole(quantity: ShoppingQuantity) -> Option<Quantity> {
    Quantity::from_hundredths(i64::from(quantity.get()) * 100).ok()
}
