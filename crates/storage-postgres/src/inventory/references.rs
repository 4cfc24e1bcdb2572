//! References of an item must exist when it is written, and until the commit.

use larder_domain::{ItemDetails, Owner, find_seeded_location};
use larder_storage::Result;

use crate::{failure::Failure, ids::uuid, transaction::Transaction};

/// A dangling reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Location,
    Store,
}

impl Transaction {
    /// The first dangling reference of these details; the others are locked against deletion.
    /// Unchanged references need no check: deleting their target would have cleared them.
    pub(super) async fn missing_reference(
        &mut self,
        owner: Owner,
        details: &ItemDetails,
        before: Option<&ItemDetails>,
    ) -> Result<Option<Missing>, Failure> {
        let location = details
            .location
            .filter(|id| find_seeded_location(*id).is_none())
            .filter(|id| before.is_none_or(|before| before.location != Some(*id)));
        let store = details
            .preferred_store
            .filter(|id| before.is_none_or(|before| before.preferred_store != Some(*id)));
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
