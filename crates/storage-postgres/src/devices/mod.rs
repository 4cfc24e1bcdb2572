//! Devices of a household, or all of them for the operator.

mod row;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{Device, DevicePosition, FriendlyName, HardwareId, whole_seconds};
use larder_storage::{Devices, FleetScope, Page, RegisterDevice, Registration, Result};
use row::{DeviceRow, capabilities_text, query_devices};
use uuid::Uuid;

use crate::{
    PostgresStore, context::Context, database::one_more, failure::Failure, ids::uuid,
    transaction::Transaction, types::Instant,
};

#[async_trait]
impl Devices for PostgresStore {
    async fn register_device(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice> {
        self.retry(|| async move {
            // Tries the update first, because most devices exist. Devices are never deleted, so if
            // neither update nor insert applies, the device has another owner, or a concurrent
            // transaction inserted it and has committed.
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
        })
        .await
    }

    async fn find_device(&self, scope: FleetScope, device: HardwareId) -> Result<Option<Device>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            let row = query_devices!(
                "SELECT",
                "FROM devices d
                 WHERE d.hardware_id = $1 AND ($2::uuid IS NULL OR d.household_id = $2)",
                device.to_string(),
                scope.household().map(uuid),
            );
            let row = row.fetch_optional(&mut transaction).await?;
            Ok(row.map(DeviceRow::into_device).transpose()?)
        })
        .await
    }

    async fn list_devices(
        &self,
        scope: FleetScope,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>> {
        self.retry(|| async move {
            let mut transaction = self.database.read(&Context::of_fleet(scope)).await?;
            // Most recently seen first. Exclusive start of the page; the first page starts beyond
            // every possible device.
            let (seen_before, id_below) = after
                .map_or((Instant(Timestamp::MAX), String::new()), |after| {
                    (Instant(after.last_seen_at), after.hardware_id.to_string())
                });
            let rows = match scope.household() {
                Some(household) => {
                    query_devices!(
                        "SELECT",
                        "FROM devices d
                         WHERE d.household_id = $1 AND (d.last_seen_at, d.hardware_id) < ($2, $3)
                         ORDER BY d.last_seen_at DESC, d.hardware_id DESC LIMIT $4",
                        uuid(household),
                        seen_before as _,
                        id_below,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
                None => {
                    query_devices!(
                        "SELECT",
                        "FROM devices d
                         WHERE (d.last_seen_at, d.hardware_id) < ($1, $2)
                         ORDER BY d.last_seen_at DESC, d.hardware_id DESC LIMIT $3",
                        seen_before as _,
                        id_below,
                        one_more(limit),
                    )
                    .fetch_all(&mut transaction)
                    .await?
                }
            };
            let devices = rows.into_iter().map(DeviceRow::into_device);
            Ok(Page::cut(devices.collect::<Result<_>>()?, limit, Device::position))
        })
        .await
    }

    async fn rename_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>> {
        self.retry(|| async move {
            let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
            let row = query_devices!(
                "UPDATE devices d SET friendly_name = $3::varchar,
                     is_named_by_person = $3::varchar IS NOT NULL
                 WHERE d.hardware_id = $1 AND ($2::uuid IS NULL OR d.household_id = $2)
                 RETURNING",
                "",
                device.to_string(),
                scope.household().map(uuid),
                name.map(FriendlyName::as_str),
            );
            let row = row.fetch_optional(&mut transaction).await?;
            let Some(device) = row.map(DeviceRow::into_device).transpose()? else {
                return Ok(None);
            };
            transaction.commit().await?;
            Ok(Some(device))
        })
        .await
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
                 friendly_name = CASE WHEN d.is_named_by_person THEN d.friendly_name
                     ELSE COALESCE($6, d.friendly_name) END,
                 last_seen_at = $7
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
