//! Registering a device, for the first time or again.

use larder_domain::{FriendlyName, whole_seconds};
use larder_storage::{FleetScope, RegisterDevice, Registration, Result};
use uuid::Uuid;

use super::row::{DeviceRow, capabilities_text, query_devices};
use crate::{
    PostgresStore, context::Context, failure::Failure, ids::uuid, transaction::Transaction,
    types::Instant,
};

impl PostgresStore {
    /// Tries the update first, because most devices exist. Devices are never deleted, so if neither
    /// update nor insert applies, the device has another owner, or a concurrent transaction
    /// inserted it and has committed.
    pub(super) async fn take_in_device(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice, Failure> {
        let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
        let mut row = transaction.renew_device(scope, registration).await?;
        if row.is_none() {
            row = transaction.insert_device(scope, registration).await?;
        }
        if row.is_none() {
            row = transaction.renew_device(scope, registration).await?;
        }
        let Some(row) = row else { return Ok(RegisterDevice::NotAllowed) };
        let device = row.into_device()?;
        transaction.commit().await?;
        Ok(RegisterDevice::Registered(device))
    }
}

impl Transaction {
    /// A device that is the scope's own, as it is now.
    async fn renew_device(
        &mut self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<Option<DeviceRow>, Failure> {
        let row = query_devices!(
            "UPDATE devices d
             SET last_boot_id = $3, firmware_version = $4, capabilities = $5::text::jsonb,
                 friendly_name = COALESCE($6, d.friendly_name), last_seen_at = $7
             WHERE d.hardware_id = $1 AND d.household_id IS NOT DISTINCT FROM $2
             RETURNING",
            "",
            registration.hardware_id.to_string(),
            scope.household().map(uuid),
            Uuid::from_bytes(*registration.boot_id.as_bytes()),
            registration.firmware_version.as_str(),
            capabilities_text(&registration.capabilities),
            registration.friendly_name.as_ref().map(FriendlyName::as_str),
            Instant(whole_seconds(registration.at)) as _,
        );
        Ok(row.fetch_optional(self).await?)
    }

    /// Inserts a device that is not registered yet.
    async fn insert_device(
        &mut self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<Option<DeviceRow>, Failure> {
        let row = query_devices!(
            "INSERT INTO devices AS d
                 (hardware_id, household_id, confirmation_id, capabilities, first_registered_at,
                  last_seen_at, last_boot_id, firmware_version, friendly_name)
             VALUES ($1, $2, $3, $4::text::jsonb, $5, $5, $6, $7, $8)
             ON CONFLICT (hardware_id) DO NOTHING
             RETURNING",
            "",
            registration.hardware_id.to_string(),
            scope.household().map(uuid),
            Uuid::from_bytes(*registration.confirmation_id.as_bytes()),
            capabilities_text(&registration.capabilities),
            Instant(whole_seconds(registration.at)) as _,
            Uuid::from_bytes(*registration.boot_id.as_bytes()),
            registration.firmware_version.as_str(),
            registration.friendly_name.as_ref().map(FriendlyName::as_str),
        );
        Ok(row.fetch_optional(self).await?)
    }
}
