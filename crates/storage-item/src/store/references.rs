//! References of an item must exist when it is written.

use larder_domain::{
    ItemDetails, Owner, ProductDetails, StorageLocationId, StoreId, find_seeded_location,
};

use crate::{
    Action, Condition, Key, Table,
    layout::{keys, places::DELETING},
};

/// Something that an item refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    Location,
    Store,
}

/// The references of an item or a product.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct References {
    location: Option<StorageLocationId>,
    store: Option<StoreId>,
}

impl From<&ItemDetails> for References {
    fn from(details: &ItemDetails) -> Self {
        Self { location: details.location, store: details.preferred_store }
    }
}

impl From<&ProductDetails> for References {
    fn from(details: &ProductDetails) -> Self {
        Self { location: details.location, store: details.preferred_store }
    }
}

/// The checks for new references of these details; or the reference that cannot exist, because only
/// households have places.
pub(super) fn checks<'a, T>(
    owner: Owner,
    details: &'a T,
    before: Option<&'a T>,
) -> Result<Vec<(Reference, Action)>, Reference>
where
    References: From<&'a T>,
{
    let mut checks = Vec::new();
    let before = before.map_or_else(References::default, References::from);
    let details = References::from(details);
    let own_location = details
        .location
        .filter(|id| find_seeded_location(*id).is_none())
        .filter(|id| before.location != Some(*id));
    if let Some(location) = own_location {
        let Owner::Household(household) = owner else { return Err(Reference::Location) };
        checks.push((Reference::Location, exists(keys::location(household, location))));
    }
    if let Some(store) = details.store.filter(|id| before.store != Some(*id)) {
        let Owner::Household(household) = owner else { return Err(Reference::Store) };
        checks.push((Reference::Store, exists(keys::store(household, store))));
    }
    Ok(checks)
}

/// A check that a place exists, and is not being deleted.
pub(super) fn exists(key: Key) -> Action {
    let when = vec![Condition::Exists, Condition::Absent(DELETING.into())];
    Action::Check { table: Table::InventoryManagement, key, when }
}
