//! References of an item must exist when it is written, and until the commit.

use larder_domain::{ItemDetails, Owner, StorageLocationId, StoreId, find_seeded_location};
use larder_storage::Result;

use crate::{failure::Failure, ids::uuid, transaction::Transaction};

/// A dangling reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Location,
    Store,
}

/// The storage location and the shop of an item or a product.
pub(crate) type References = (Option<StorageLocationId>, Option<StoreId>);

/// The references of an item.
pub(super) const fn of_item(details: &ItemDetails) -> References {
    (details.location, details.preferred_store)
}

impl Transaction {
    /// The first dangling reference of these details; the others are locked against deletion.
    /// Unchanged references need no check: deleting their target would have cleared them.
    pub(crate) async fn missing_reference(
        &mut self,
        owner: Owner,
        (location, store): References,
        before: Option<References>,
    ) -> Result<Option<Missing>, Failure> {
        let (old_location, old_store) = before.unwrap_or_default();
        let location = location
            .filter(|id| find_seeded_location(*id).is_none())
            .filter(|id| old_location != Some(*id));
        let store = store.filter(|id| old_store != Some(*id));
        let household = match owner {
            Owner::Household(household) => uuid(household),
            // Only households have places of their own.
            Owner::User(_) if location.is_some() => return Ok(Some(Missing::Location)),
            Owner::User(_) if store.is_some() => return Ok(Some(Missing::Store)),
            Owner::User(_) => return Ok(None),
        };
        if let Some(location) = location {
            let found = sqlx::query_scalar!(
                "SELECT id FROM storage_locations WHERE household_id = $1 AND id = $2
                 FOR KEY SHARE",
                household,
                uuid(location),
            );
            if found.fetch_optional(&mut *self).await?.is_none() {
                return Ok(Some(Missing::Location));
            }
        }
        if let Some(store) = store {
            let found = sqlx::query_scalar!(
                "SELECT id FROM stores WHERE household_id = $1 AND id = $2 FOR KEY SHARE",
                household,
                uuid(store),
            );
            if found.fetch_optional(&mut *self).await?.is_none() {
                return Ok(Some(Missing::Store));
            }
        }
        Ok(None)
    }
}
