//! Devices for people and the operator. In individual mode there are none.

use larder_domain::{Device, DevicePosition, FriendlyName, HardwareId};
use larder_storage::Page;

use super::FleetCaller;
use crate::{App, AppError, Result, authorize};

impl App {
    /// A page of devices, most recently seen first.
    pub async fn devices(
        &self,
        caller: &FleetCaller,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>> {
        match authorize::fleet(caller) {
            Some(scope) => Ok(self.storage.list_devices(scope, after, limit).await?),
            None => Ok(Page::EMPTY),
        }
    }

    /// One device.
    pub async fn device(&self, caller: &FleetCaller, id: HardwareId) -> Result<Device> {
        let scope = authorize::fleet(caller).ok_or(AppError::DeviceNotFound)?;
        self.storage.find_device(scope, id).await?.ok_or(AppError::DeviceNotFound)
    }

    /// Renames a device, or removes its name; for admins and the operator.
    pub async fn rename_device(
        &self,
        caller: &FleetCaller,
        id: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Device> {
        let scope = authorize::unless_alone(authorize::fleet_administration(caller))?;
        let scope = scope.ok_or(AppError::DeviceNotFound)?;
        let renamed = self.storage.rename_device(scope, id, name).await?;
        self.notify_readings_changed(scope);
        renamed.ok_or(AppError::DeviceNotFound)
    }
}
