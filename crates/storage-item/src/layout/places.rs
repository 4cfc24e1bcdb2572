//! `StorageLocation` and `Store` records.

use larder_domain::{
    DeviceReference, HouseholdId, LocationName, StorageLocation, Store, StoreAddress, StoreName,
};
use larder_storage::Result;

use crate::{
    Key, Record,
    layout::{fields::Fields, keys},
};

pub(crate) const LOCATION_ENTITY: &str = "StorageLocation";
pub(crate) const STORE_ENTITY: &str = "Store";

/// Marks a place that is being deleted: no one sees it, and nothing new may refer to it.
pub(crate) const DELETING: &str = "deleting";

fn place(household: HouseholdId, key: Key, entity: &'static str) -> Record {
    Record::new()
        .with("PK", key.pk)
        .with("SK", key.sk)
        .with("entityType", entity)
        .with("familyId", household.to_string())
}

pub(crate) fn is_deleting(record: &Record) -> bool {
    Fields(record).flag(DELETING)
}

pub(crate) fn location_to_record(household: HouseholdId, location: &StorageLocation) -> Record {
    place(household, keys::location(household, location.id), LOCATION_ENTITY)
        .with("locationId", location.id.to_string())
        .with("name", location.name.as_str())
        .with_some("deviceId", location.device.as_ref().map(DeviceReference::as_str))
}

pub(crate) fn location_from_record(record: &Record) -> Result<StorageLocation> {
    let fields = Fields(record);
    Ok(StorageLocation {
        id: fields.id("locationId")?,
        name: fields.parse("name", LocationName::parse)?,
        device: fields.parse_optional("deviceId", DeviceReference::parse)?,
    })
}

pub(crate) fn store_to_record(household: HouseholdId, store: &Store) -> Record {
    place(household, keys::store(household, store.id), STORE_ENTITY)
        .with("storeId", store.id.to_string())
        .with("name", store.name.as_str())
        .with_some("address", store.address.as_ref().map(StoreAddress::as_str))
}

pub(crate) fn store_from_record(record: &Record) -> Result<Store> {
    let fields = Fields(record);
    Ok(Store {
        id: fields.id("storeId")?,
        name: fields.parse("name", StoreName::parse)?,
        address: fields.parse_optional("address", StoreAddress::parse)?,
    })
}
