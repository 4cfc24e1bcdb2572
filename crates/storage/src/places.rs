//! Storage locations and shops of a household.

use async_trait::async_trait;
use larder_domain::{StorageLocation, StorageLocationId, Store, StoreId};

use crate::{HouseholdScope, Result, Write};

/// The result of writing a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavePlace<T> {
    /// This is it now.
    Saved(T),
    /// Another one has this name.
    NameTaken,
    /// There is no such place.
    NotFound,
}

/// Storage locations and shops of a household. Names are unique within it, ignoring case and width.
#[async_trait]
pub trait Places: Send + Sync {
    /// The household's own storage locations, in the order of their ids.
    async fn list_locations(&self, scope: HouseholdScope) -> Result<Vec<StorageLocation>>;

    /// Adds a storage location.
    async fn add_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>>;

    /// The storage location.
    async fn find_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
    ) -> Result<Option<StorageLocation>>;

    /// Replaces a storage location's details.
    async fn replace_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>>;

    /// Deletes a storage location, and clears the references to it. `false` if there was none.
    async fn delete_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
        write: Write<'_>,
    ) -> Result<bool>;

    /// The shops, in the order of their ids.
    async fn list_stores(&self, scope: HouseholdScope) -> Result<Vec<Store>>;

    /// Adds a shop.
    async fn add_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>>;

    /// The shop.
    async fn find_store(&self, scope: HouseholdScope, id: StoreId) -> Result<Option<Store>>;

    /// Replaces a shop's details.
    async fn replace_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>>;

    /// Deletes a shop, and clears the references to it. `false` if there was none.
    async fn delete_store(
        &self,
        scope: HouseholdScope,
        id: StoreId,
        write: Write<'_>,
    ) -> Result<bool>;
}
