//! Where things are kept and where they are bought.

use crate::{
    DeviceReference, LocationName, StorageLocationId, StoreAddress, StoreId, StoreName,
    entity::entity,
};

/// A storage location of a household's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageLocation {
    /// Which.
    pub id: StorageLocationId,
    /// What the family calls it; unique in the household.
    pub name: LocationName,
    /// The sensor that watches it.
    pub device: Option<DeviceReference>,
}

entity! { StorageLocation { id: "id", name: "name", device: "deviceId" } }

/// A shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Which.
    pub id: StoreId,
    /// What the family calls it; unique in the household.
    pub name: StoreName,
    /// Where it is.
    pub address: Option<StoreAddress>,
}

entity! { Store { id: "id", name: "name", address: "address" } }
