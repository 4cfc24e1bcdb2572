//! Storage locations and shops.

use larder_domain::{
    DeviceReference, LocationName, StorageLocation, Store, StoreAddress, StoreName,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};

use super::fields::{parse, parse_optional, read};

/// A storage location.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LocationJson {
    id: String,
    name: String,
    device_id: Option<String>,
}

/// A shop.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoreJson {
    id: String,
    name: String,
    address: Option<String>,
}

impl LocationJson {
    pub(crate) fn of(location: &StorageLocation) -> Self {
        Self {
            id: location.id.to_string(),
            name: location.name.to_string(),
            device_id: location.device.as_ref().map(|device| device.as_str().to_owned()),
        }
    }

    pub(crate) fn into_location(self) -> Result<StorageLocation> {
        Ok(StorageLocation {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, LocationName::parse)?,
            device: parse_optional("device_id", self.device_id.as_deref(), DeviceReference::parse)?,
        })
    }
}

impl StoreJson {
    pub(crate) fn of(store: &Store) -> Self {
        Self {
            id: store.id.to_string(),
            name: store.name.to_string(),
            address: store.address.as_ref().map(|address| address.as_str().to_owned()),
        }
    }

    pub(crate) fn into_store(self) -> Result<Store> {
        Ok(Store {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, StoreName::parse)?,
            address: parse_optional("address", self.address.as_deref(), StoreAddress::parse)?,
        })
    }
}
