//! Storage locations and shops. Deleting one clears the references to it in the same transaction.

mod table;

use async_trait::async_trait;
use larder_domain::{StorageLocation, StorageLocationId, Store, StoreId};
use larder_storage::{HouseholdScope, Places, Result, SavePlace, Write};

use crate::{PostgresStore, ids::uuid};

#[async_trait]
impl Places for PostgresStore {
    async fn list_locations(&self, scope: HouseholdScope) -> Result<Vec<StorageLocation>> {
        self.database.retry(|| self.locations(scope)).await
    }

    async fn add_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>> {
        let saved = self.database.retry(|| self.insert_location(scope, location, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(saved)
    }

    async fn find_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
    ) -> Result<Option<StorageLocation>> {
        self.database.retry(|| self.location(scope, id)).await
    }

    async fn replace_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>> {
        let saved = self.database.retry(|| self.update_location(scope, location, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(saved)
    }

    async fn delete_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
        write: Write<'_>,
    ) -> Result<bool> {
        let deleted = self.database.retry(|| self.remove_location(scope, id, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(deleted)
    }

    async fn list_stores(&self, scope: HouseholdScope) -> Result<Vec<Store>> {
        self.database.retry(|| self.shops(scope)).await
    }

    async fn add_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>> {
        let saved = self.database.retry(|| self.insert_shop(scope, store, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(saved)
    }

    async fn find_store(&self, scope: HouseholdScope, id: StoreId) -> Result<Option<Store>> {
        self.database.retry(|| self.shop(scope, id)).await
    }

    async fn replace_store(
        &self,
        scope: HouseholdScope,
        store: &Store,
        write: Write<'_>,
    ) -> Result<SavePlace<Store>> {
        let saved = self.database.retry(|| self.update_shop(scope, store, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(saved)
    }

    async fn delete_store(
        &self,
        scope: HouseholdScope,
        id: StoreId,
        write: Write<'_>,
    ) -> Result<bool> {
        let deleted = self.database.retry(|| self.remove_shop(scope, id, write)).await?;
        self.live.changed(uuid(scope.household()));
        Ok(deleted)
    }
}
