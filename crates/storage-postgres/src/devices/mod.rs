//! Devices of a household, or all of them for the operator.

mod list;
mod register;
mod row;

use async_trait::async_trait;
use larder_domain::{Device, DevicePosition, FriendlyName, HardwareId};
use larder_storage::{Devices, FleetScope, Page, RegisterDevice, Registration, Result};

use crate::{PostgresStore, context::Context, failure::Failure, ids::uuid};
use row::{DeviceRow, query_devices};

#[async_trait]
impl Devices for PostgresStore {
    async fn register_device(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice> {
        self.database.retry(|| self.take_in_device(scope, registration)).await
    }

    async fn find_device(&self, scope: FleetScope, device: HardwareId) -> Result<Option<Device>> {
        self.database.retry(|| self.device(scope, device)).await
    }

    async fn list_devices(
        &self,
        scope: FleetScope,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>> {
        self.database.retry(|| self.devices_page(scope, after, limit)).await
    }

    async fn rename_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>> {
        self.database.retry(|| self.name_device(scope, device, name)).await
    }
}

impl PostgresStore {
    async fn device(
        &self,
        scope: FleetScope,
        device: HardwareId,
    ) -> Result<Option<Device>, Failure> {
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
    }

    async fn name_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>, Failure> {
        let mut transaction = self.database.write(&Context::of_fleet(scope)).await?;
        let row = query_devices!(
            "UPDATE devices d SET friendly_name = $3
             WHERE d.hardware_id = $1 AND ($2::uuid IS NULL OR d.household_id = $2)
             RETURNING",
            "",
            device.to_string(),
            scope.household().map(uuid),
            name.map(FriendlyName::as_str),
        );
        let row = row.fetch_optional(&mut transaction).await?;
        let Some(device) = row.map(DeviceRow::into_device).transpose()? else { return Ok(None) };
        transaction.commit().await?;
        Ok(Some(device))
    }
}
