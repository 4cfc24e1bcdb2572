//! Storage locations and shops.

use crate::{
    DeviceReference, LocationName, StorageLocationId, StoreAddress, StoreId, StoreName,
    entity::entity,
};

/// A storage location of a household's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageLocation {
    /// Its id.
    pub id: StorageLocationId,
    /// Its name; unique in the household.
    pub name: LocationName,
    /// The sensor that watches it.
    pub device: Option<DeviceReference>,
}

entity! { StorageLocation { id: "id", name: "name", device: "deviceId" } }

/// A shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// Its name; unique in the household.
    pub name: StoreName,
    /// Its address.
    pub address: Option<StoreAddress>,
}

entity! { Store { id: "id", name: "name", address: "address" } }
