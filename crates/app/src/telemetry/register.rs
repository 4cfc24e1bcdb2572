//! A device introduces itself.

use larder_domain::{BootId, Capabilities, Device, FirmwareVersion, FriendlyName, HardwareId};
use larder_storage::{RegisterDevice, Registration};

use super::DeviceCaller;
use crate::{App, AppError, Result, authorize};

/// The registration that a device sends when it starts.
#[derive(Debug, Clone)]
pub struct DeviceIntroduction {
    /// Its MAC address.
    pub hardware_id: HardwareId,
    /// This run of its firmware.
    pub boot_id: BootId,
    /// Its firmware.
    pub firmware_version: FirmwareVersion,
    /// Its name, if it sends one.
    pub friendly_name: Option<FriendlyName>,
    /// Its capabilities.
    pub capabilities: Capabilities,
}

impl App {
    /// Registers a device for the household of its key, or the operator; or again, with the same confirmation id.
    pub async fn register_device(
        &self,
        caller: &DeviceCaller,
        device: DeviceIntroduction,
    ) -> Result<Device> {
        let registration = Registration {
            hardware_id: device.hardware_id,
            boot_id: device.boot_id,
            firmware_version: device.firmware_version,
            friendly_name: device.friendly_name,
            capabilities: device.capabilities,
            confirmation_id: self.entropy.id(),
            at: self.now(),
        };
        let scope = authorize::fleet_of_key(caller);
        match self.storage.register_device(scope, &registration).await? {
            RegisterDevice::Registered(device) => {
                self.notify_readings_changed(scope);
                Ok(device)
            }
            RegisterDevice::NotAllowed => Err(AppError::DeviceNotAllowed),
        }
    }
}
