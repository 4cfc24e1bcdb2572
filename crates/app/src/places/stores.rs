//! The shops of a household.

use larder_domain::{Store, StoreAddress, StoreId, StoreName};
use larder_storage::{HouseholdScope, IdempotencyClaim};

use super::{household_to_add_to, saved};
use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// The household's shops.
    pub async fn stores(&self, caller: &Caller) -> Result<Vec<Store>> {
        match authorize::find_household(caller) {
            Some(scope) => Ok(self.storage.list_stores(scope).await?),
            None => Ok(Vec::new()),
        }
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
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Store> {
        let scope = household_to_add_to(caller)?;
        let store = Store { id: self.entropy.id(), name, address };
        let outcome = self.storage.add_store(scope, &store, self.write(claim)).await?;
        saved(outcome, AppError::Defect("a new shop was not found".into()))
    }

    /// Changes a shop. The outer `None` leaves a field unchanged; an inner one clears it.
    pub async fn update_store(
        &self,
        caller: &Caller,
        id: StoreId,
        name: Option<StoreName>,
        address: Option<Option<StoreAddress>>,
    ) -> Result<Store> {
        let current = self.store(caller, id).await?;
        let changed = Store {
            id,
            name: name.unwrap_or(current.name),
            address: address.unwrap_or(current.address),
        };
        let scope = scope_of_stores(caller)?;
        let outcome = self.storage.replace_store(scope, &changed, self.write(None)).await?;
        saved(outcome, AppError::StoreNotFound)
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
