//! The places of a household: storage locations and shops. In individual mode there are none: lists
//! are empty, nothing is found, and adding one requires a household.

use larder_storage::{HouseholdScope, SavePlace};

use crate::{AppError, Caller, Result, authorize};

mod locations;
mod stores;

pub use stores::StoreChanges;

/// The household that a new place is to belong to.
fn household_to_add_to(caller: &Caller) -> Result<HouseholdScope> {
    authorize::find_household(caller).ok_or(AppError::HouseholdRequired)
}

fn saved<T>(outcome: SavePlace<T>, not_found: AppError) -> Result<T> {
    match outcome {
        SavePlace::Saved(place) => Ok(place),
        SavePlace::NameTaken => Err(AppError::NameTaken),
        SavePlace::NotFound => Err(not_found),
    }
}
