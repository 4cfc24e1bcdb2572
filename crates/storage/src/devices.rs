//! Devices: who may send readings, and for whom.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    BootId, Capabilities, ConfirmationId, Device, DevicePosition, FirmwareVersion, FriendlyName,
    HardwareId,
};

use crate::{FleetScope, Page, Result};

/// What a device says of itself when it starts.
#[derive(Debug, Clone)]
pub struct Registration {
    /// Its MAC address.
    pub hardware_id: HardwareId,
    /// This run of its firmware.
    pub boot_id: BootId,
    /// Its firmware.
    pub firmware_version: FirmwareVersion,
    /// What it is called, if it says so; otherwise the name stays.
    pub friendly_name: Option<FriendlyName>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// What it is told if it was not known before.
    pub confirmation_id: ConfirmationId,
    /// When; kept in whole seconds.
    pub at: Timestamp,
}

/// What came of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterDevice {
    /// The device as it is now, with the confirmation id of its first time.
    Registered(Device),
    /// The address is another household's, or the operator's, device. Nothing was changed.
    NotAllowed,
}

/// Devices of a household, or all of them for the operator.
#[async_trait]
pub trait Devices: Send + Sync {
    /// Registers a device for the scope's household (or the operator), or again: then boot, firmware, capabilities
    /// and activity are the new ones, the name only if one is given, and the rest stays. Atomic: of two that come at
    /// once for a new device, both are told the same confirmation id. Whose a device is never changes.
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

    /// Gives a device another name, or none. `None` if the scope sees no such device. Readings that come in from
    /// then on carry it: at once on this server, within ten seconds on others.
    async fn rename_device(
        &self,
        scope: FleetScope,
        device: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Result<Option<Device>>;
}
