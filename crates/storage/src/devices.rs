//! Devices, which may send readings.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    BootId, Capabilities, ConfirmationId, Device, DevicePosition, FirmwareVersion, FriendlyName,
    HardwareId,
};

use crate::{FleetScope, Page, Result};

/// A device's registration, sent when it starts.
#[derive(Debug, Clone)]
pub struct Registration {
    /// Its MAC address.
    pub hardware_id: HardwareId,
    /// This run of its firmware.
    pub boot_id: BootId,
    /// Its firmware.
    pub firmware_version: FirmwareVersion,
    /// Its name, if it sends one; otherwise, or if a person has named it, the name is unchanged.
    pub friendly_name: Option<FriendlyName>,
    /// Its capabilities.
    pub capabilities: Capabilities,
    /// The confirmation id for a new device.
    pub confirmation_id: ConfirmationId,
    /// The time, stored in whole seconds.
    pub at: Timestamp,
}

/// The result of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterDevice {
    /// The device as it is now, with the confirmation id of its first time.
    Registered(Device),
    /// The device belongs to another household, or to the operator. Nothing was changed.
    NotAllowed,
}

/// Devices of a household, or all of them for the operator.
#[async_trait]
pub trait Devices: Send + Sync {
    /// Registers a device for the scope's household (or the operator). Registering again updates
    /// boot, firmware, capabilities and activity, the name if one is given and no person has given
    /// another, and nothing else.
    /// Atomic: two concurrent registrations of a new device get the same confirmation id. The owner
    /// of a device never changes.
    async fn register_device(
        &self,
        scope: FleetScope,
        registration: &Registration,
    ) -> Result<RegisterDevice>;

    /// One device, if the scope sees it, as the last acknowledged write left it.
    async fn find_device(&self, scope: FleetScope, device: HardwareId) -> Result<Option<Device>>;

    /// A page of devices, most recently seen first (within a second by address, descending). May lag behind writes
    /// where the engine's indexes do.
    async fn list_devices(
        &self,
        scope: FleetScope,
        after: Option<&DevicePosition>,
        limit: usize,
    ) -> Result<Page<Device, DevicePosition>>;

    /// Gives a device a person's name, which registrations leave as it is, or removes its name,
    /// after which the device may name itself again. `None` if the scope sees no such device. New
    /// readings carry the name: at once on this server, within ten seconds on others.
    async fn rename_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>>;
}
