//! The shops of a household.

use larder_domain::{SortOrder, Store, StoreAddress, StoreId, StoreName};
use larder_storage::{HouseholdScope, IdempotencyClaim};

use super::{household_to_add_to, saved};
use crate::{App, AppError, Caller, Result, authorize};

/// The changes of a shop. `None` leaves a field unchanged; an inner one clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreChanges {
    /// Its name.
    pub name: Option<StoreName>,
    /// Its address.
    pub address: Option<Option<StoreAddress>>,
    /// Its place in the order of shops.
    pub sort_order: Option<Option<SortOrder>>,
}

impl App {
    /// The household's shops, in its order.
    pub async fn stores(&self, caller: &Caller) -> Result<Vec<Store>> {
        let Some(scope) = authorize::find_household(caller) else { return Ok(Vec::new()) };
        let mut stores = self.storage.list_stores(scope).await?;
        Store::sort(&mut stores);
        Ok(stores)
    }

    /// The shop.
    pub async fn store(&self, caller: &Caller, id: StoreId) -> Result<Store> {
        let found = self.storage.find_store(scope_of_stores(caller)?, id).await?;
        found.ok_or(AppError::StoreNotFound)
    }

    /// Adds a shop.
    pub async fn add_store(
        &self,
        caller: &Caller,
        name: StoreName,
        address: Option<StoreAddress>,
        sort_order: Option<SortOrder>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Store> {
        let scope = household_to_add_to(caller)?;
        let store = Store { id: self.entropy.id(), name, address, sort_order };
        let outcome = self.storage.add_store(scope, &store, self.write(claim)).await?;
        saved(outcome, AppError::Defect("a new shop was not found".into()))
    }

    /// Changes a shop.
    pub async fn update_store(
        &self,
        caller: &Caller,
        id: StoreId,
        wanted: StoreChanges,
    ) -> Result<Store> {
        let current = self.store(caller, id).await?;
        let StoreChanges { name, address, sort_order } = wanted;
        let changed = Store {
            id,
            name: name.unwrap_or(current.name),
            address: address.unwrap_or(current.address),
            sort_order: sort_order.unwrap_or(current.sort_order),
        };
        let scope = scope_of_stores(caller)?;
        let outcome = self.storage.replace_store(scope, &changed, self.write(None)).await?;
        saved(outcome, AppError::StoreNotFound)
    }

    /// Moves a shop one place up or down in the household's order. One that is first or last stays.
    pub async fn shift_store(&self, caller: &Caller, id: StoreId, up: bool) -> Result<()> {
        let stores = self.stores(caller).await?;
        if !stores.iter().any(|store| store.id == id) {
            return Err(AppError::StoreNotFound);
        }
        for (id, place) in Store::shift(&stores, id, up) {
            let changes = StoreChanges { sort_order: Some(Some(place)), ..StoreChanges::default() };
            match self.update_store(caller, id, changes).await {
                // It was deleted meanwhile: the others have their order all the same.
                Ok(_) | Err(AppError::StoreNotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Deletes a shop, and clears the references to it.
    pub async fn delete_store(&self, caller: &Caller, id: StoreId) -> Result<()> {
        let scope = scope_of_stores(caller)?;
        let was_there = self.storage.delete_store(scope, id, self.write(None)).await?;
        if was_there { Ok(()) } else { Err(AppError::StoreNotFound) }
    }
}

fn scope_of_stores(caller: &Caller) -> Result<HouseholdScope> {
    authorize::find_household(caller).ok_or(AppError::StoreNotFound)
}
