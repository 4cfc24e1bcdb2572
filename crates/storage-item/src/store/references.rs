//! References of an item must exist when it is written.

use larder_domain::{ItemDetails, Owner, find_seeded_location};

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

/// The checks for new references of these details; or the reference that cannot exist, because only
/// households have places.
pub(super) fn checks(
    owner: Owner,
    details: &ItemDetails,
    before: Option<&ItemDetails>,
) -> Result<Vec<(Reference, Action)>, Reference> {
    let mut checks = Vec::new();
    let own_location = details
        .location
        .filter(|id| find_seeded_location(*id).is_none())
        .filter(|id| before.is_none_or(|before| before.location != Some(*id)));
    if let Some(location) = own_location {
        let Owner::Household(household) = owner else { return Err(Reference::Location) };
        checks.push((Reference::Location, exists(keys::location(household, location))));
    }
    let store = details
        .preferred_store
        .filter(|id| before.is_none_or(|before| before.preferred_store != Some(*id)));
    if let Some(store) = store {
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
