//! `StorageLocation` and `Store` records.

use larder_domain::{HouseholdId, StorageLocation, Store};
use larder_storage::Result;

use crate::{
    Key, Record,
    layout::{entity::Layout, fields::Fields, keys},
};

pub(crate) const LOCATION_ENTITY: &str = "StorageLocation";
pub(crate) const STORE_ENTITY: &str = "Store";

/// Marks a place that is being deleted: invisible, and closed to new references.
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

pub(crate) const LOCATION: Layout = Layout { renamed: &[("id", "locationId")], writes_null: false };
pub(crate) const STORE: Layout = Layout { renamed: &[("id", "storeId")], writes_null: false };

pub(crate) fn location_to_record(household: HouseholdId, location: &StorageLocation) -> Record {
    let key = keys::location(household, location.id);
    LOCATION.write(location, place(household, key, LOCATION_ENTITY))
}

pub(crate) fn location_from_record(record: &Record) -> Result<StorageLocation> {
    LOCATION.read(record)
}

pub(crate) fn store_to_record(household: HouseholdId, store: &Store) -> Record {
    STORE.write(store, place(household, keys::store(household, store.id), STORE_ENTITY))
}

pub(crate) fn store_from_record(record: &Record) -> Result<Store> {
    STORE.read(record)
}
