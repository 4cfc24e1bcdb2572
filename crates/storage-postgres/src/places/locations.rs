//! Storage locations of a household's own.

use larder_domain::{
    DeviceReference, LocationName, StorageLocation, StorageLocationId, text::fold,
};
use larder_storage::{HouseholdScope, Result, SavePlace, Write, WriteKind};
use uuid::Uuid;

use super::unless_taken;
use crate::{
    PostgresStore,
    context::Context,
    failure::Failure,
    ids::{domain_id, uuid},
    items::misfit,
    types::Instant,
};

const NAME_INDEX: &str = "idx_storage_name";

struct LocationRow {
    id: Uuid,
    name: String,
    device_id: Option<String>,
}

impl LocationRow {
    fn into_location(self) -> Result<StorageLocation> {
        let misfit = |column, reason: String| {
            misfit(format!("storage_locations {}", self.id), column, reason)
        };
        let device = self.device_id.map(|device| DeviceReference::parse(&device)).transpose();
        Ok(StorageLocation {
            id: domain_id(self.id),
            name: LocationName::parse(&self.name).map_err(|e| misfit("name", e.to_string()))?,
            device: device.map_err(|e| misfit("device_id", e.to_string()))?,
        })
    }
}

impl PostgresStore {
    pub(super) async fn locations(
        &self,
        scope: HouseholdScope,
    ) -> Result<Vec<StorageLocation>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let rows = sqlx::query_as!(
            LocationRow,
            "SELECT id, name, device_id FROM storage_locations WHERE household_id = $1 ORDER BY id",
            uuid(scope.household()),
        )
        .fetch_all(&mut transaction)
        .await?;
        Ok(rows.into_iter().map(LocationRow::into_location).collect::<Result<_>>()?)
    }

    pub(super) async fn location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
    ) -> Result<Option<StorageLocation>, Failure> {
        let mut transaction = self.database.read(&Context::of_member(scope)).await?;
        let row = sqlx::query_as!(
            LocationRow,
            "SELECT id, name, device_id FROM storage_locations WHERE household_id = $1 AND id = $2",
            uuid(scope.household()),
            uuid(id),
        )
        .fetch_optional(&mut transaction)
        .await?;
        Ok(row.map(LocationRow::into_location).transpose()?)
    }

    pub(super) async fn insert_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        transaction.claim(scope.actor(), write).await?;
        let inserted = sqlx::query!(
            "INSERT INTO storage_locations (id, household_id, name, name_folded, device_id)
             VALUES ($1, $2, $3, fn_folded_key($4), $5)",
            uuid(location.id),
            uuid(scope.household()),
            location.name.as_str(),
            fold(location.name.as_str()),
            location.device.as_ref().map(DeviceReference::as_str),
        )
        .execute(&mut transaction)
        .await;
        if unless_taken(inserted, NAME_INDEX)?.is_none() {
            return Ok(SavePlace::NameTaken);
        }
        transaction.commit_with(scope.actor(), write, WriteKind::LOCATION_ADDED, location).await?;
        Ok(SavePlace::Saved(location.clone()))
    }

    pub(super) async fn update_location(
        &self,
        scope: HouseholdScope,
        location: &StorageLocation,
        write: Write<'_>,
    ) -> Result<SavePlace<StorageLocation>, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let updated = sqlx::query!(
            "UPDATE storage_locations
             SET name = $3, name_folded = fn_folded_key($4), device_id = $5
             WHERE household_id = $2 AND id = $1",
            uuid(location.id),
            uuid(scope.household()),
            location.name.as_str(),
            fold(location.name.as_str()),
            location.device.as_ref().map(DeviceReference::as_str),
        )
        .execute(&mut transaction)
        .await;
        match unless_taken(updated, NAME_INDEX)? {
            None => Ok(SavePlace::NameTaken),
            Some(updated) if updated.rows_affected() == 0 => Ok(SavePlace::NotFound),
            Some(_) => {
                transaction.commit().await?;
                Ok(SavePlace::Saved(location.clone()))
            }
        }
    }

    pub(super) async fn remove_location(
        &self,
        scope: HouseholdScope,
        id: StorageLocationId,
        write: Write<'_>,
    ) -> Result<bool, Failure> {
        let context = Context::of_member(scope).at(write.at);
        let mut transaction = self.database.write(&context).await?;
        let (household, location) = (uuid(scope.household()), uuid(id));
        // From here on nothing new can refer to it.
        let locked = sqlx::query_scalar!(
            "SELECT id FROM storage_locations WHERE household_id = $1 AND id = $2 FOR UPDATE",
            household,
            location,
        )
        .fetch_optional(&mut transaction)
        .await?;
        if locked.is_none() {
            return Ok(false);
        }
        // All items before the first change, in the order of their ids: whoever holds one of them never
        // waits for what this transaction holds.
        sqlx::query!(
            "SELECT FROM inventory_items WHERE household_id = $1 AND storage_location_id = $2
             ORDER BY id FOR UPDATE",
            household,
            location,
        )
        .execute(&mut transaction)
        .await?;
        sqlx::query!(
            "UPDATE inventory_items
             SET storage_location_id = NULL, version = version + 1, updated_by = $3, updated_at = $4
             WHERE household_id = $1 AND storage_location_id = $2",
            household,
            location,
            uuid(scope.actor()),
            Instant(write.at) as _,
        )
        .execute(&mut transaction)
        .await?;
        sqlx::query!("DELETE FROM storage_locations WHERE id = $1", location)
            .execute(&mut transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }
}
