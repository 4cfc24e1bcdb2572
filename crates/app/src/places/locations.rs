//! The household's own storage locations. The predefined ones belong to no household and never
//! change.

use larder_domain::{
    DeviceReference, HardwareId, LocationName, StorageLocation, StorageLocationId,
};
use larder_storage::{HouseholdScope, IdempotencyClaim};

use super::{household_to_add_to, saved};
use crate::{App, AppError, Caller, Result, authorize};

impl App {
    /// The household's own storage locations.
    pub async fn locations(&self, caller: &Caller) -> Result<Vec<StorageLocation>> {
        match authorize::find_household(caller) {
            Some(scope) => Ok(self.storage.list_locations(scope).await?),
            None => Ok(Vec::new()),
        }
    }

    /// The storage location, if it is the household's own.
    pub async fn location(
        &self,
        caller: &Caller,
        id: StorageLocationId,
    ) -> Result<StorageLocation> {
        let found = self.storage.find_location(scope_of_locations(caller)?, id).await?;
        found.ok_or(AppError::LocationNotFound)
    }

    /// Adds a storage location, which one of the household's devices may watch.
    pub async fn add_location(
        &self,
        caller: &Caller,
        name: LocationName,
        device: Option<HardwareId>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<StorageLocation> {
        let scope = household_to_add_to(caller)?;
        let device = self.watching_device(scope, device).await?;
        let location = StorageLocation { id: self.entropy.id(), name, device };
        let outcome = self.storage.add_location(scope, &location, self.write(claim)).await?;
        saved(outcome, AppError::Defect("a new storage location was not found".into()))
    }

    /// Changes a storage location. The outer `None` leaves a field unchanged; an inner one clears
    /// it.
    pub async fn update_location(
        &self,
        caller: &Caller,
        id: StorageLocationId,
        name: Option<LocationName>,
        device: Option<Option<HardwareId>>,
    ) -> Result<StorageLocation> {
        let scope = scope_of_locations(caller)?;
        let current = self.location(caller, id).await?;
        let device = match device {
            Some(device) => self.watching_device(scope, device).await?,
            // A value from before devices could register is kept.
            None => current.device,
        };
        let changed = StorageLocation { id, name: name.unwrap_or(current.name), device };
        let outcome = self.storage.replace_location(scope, &changed, self.write(None)).await?;
        saved(outcome, AppError::LocationNotFound)
    }

    /// Deletes a storage location, and clears the references to it.
    pub async fn delete_location(&self, caller: &Caller, id: StorageLocationId) -> Result<()> {
        let scope = scope_of_locations(caller)?;
        let was_there = self.storage.delete_location(scope, id, self.write(None)).await?;
        if was_there { Ok(()) } else { Err(AppError::LocationNotFound) }
    }

    /// How a location refers to a device, which must be the household's.
    async fn watching_device(
        &self,
        scope: HouseholdScope,
        device: Option<HardwareId>,
    ) -> Result<Option<DeviceReference>> {
        let Some(id) = device else { return Ok(None) };
        let found = self.storage.find_device(authorize::fleet_of(scope), id).await?;
        let device = found.ok_or(AppError::UnknownDevice)?;
        let reference = DeviceReference::parse(&device.hardware_id.to_string());
        let defect = |error| AppError::Defect(format!("{id} is no reference: {error}"));
        reference.map(Some).map_err(defect)
    }
}

fn scope_of_locations(caller: &Caller) -> Result<HouseholdScope> {
    authorize::find_household(caller).ok_or(AppError::LocationNotFound)
}
