//! The ports of devices, API keys and readings in the plainest terms: the domain's rules applied to maps.

mod keys;
mod readings;

use std::collections::{BTreeMap, HashMap};

use larder_domain::{
    ApiKey, ApiKeyId, BatchId, Device, FriendlyName, HardwareId, HouseholdId, Reading,
    ReadingPosition, whole_seconds,
};
use larder_storage::{FleetScope, RegisterDevice, Registration};

pub use readings::Chart;

/// A model of all devices, keys and readings, as any store should behave.
#[derive(Debug, Default)]
pub struct TelemetryModel {
    devices: BTreeMap<HardwareId, Device>,
    keys: BTreeMap<ApiKeyId, ApiKey>,
    readings: BTreeMap<(HardwareId, ReadingPosition), Reading>,
    /// The second from which on an id that a household's devices used is forgotten.
    batches: HashMap<(Option<HouseholdId>, BatchId), i64>,
}

impl TelemetryModel {
    /// Registers a device, or again.
    pub fn register(&mut self, scope: FleetScope, said: &Registration) -> RegisterDevice {
        let at = whole_seconds(said.at);
        let first = || Device {
            hardware_id: said.hardware_id,
            household: scope.household(),
            confirmation_id: said.confirmation_id,
            capabilities: said.capabilities.clone(),
            first_registered_at: at,
            last_seen_at: at,
            last_boot_id: said.boot_id,
            firmware_version: said.firmware_version.clone(),
            friendly_name: None,
            is_named_by_person: false,
        };
        let device = self.devices.entry(said.hardware_id).or_insert_with(first);
        if device.household != scope.household() {
            return RegisterDevice::NotAllowed;
        }
        device.capabilities = said.capabilities.clone();
        device.last_seen_at = at;
        device.last_boot_id = said.boot_id;
        device.firmware_version = said.firmware_version.clone();
        if let Some(name) = said.friendly_name.as_ref().filter(|_| !device.is_named_by_person) {
            device.friendly_name = Some(name.clone());
        }
        RegisterDevice::Registered(device.clone())
    }

    /// One device.
    pub fn device(&self, scope: FleetScope, id: HardwareId) -> Option<&Device> {
        self.devices.get(&id).filter(|device| scope.sees(device.household))
    }

    /// All devices, most recently seen first.
    pub fn devices(&self, scope: FleetScope) -> Vec<Device> {
        let seen = self.devices.values().filter(|device| scope.sees(device.household));
        let mut devices: Vec<_> = seen.cloned().collect();
        devices.sort_by_key(|device| std::cmp::Reverse(device.position()));
        devices
    }

    /// Renames a device, or removes its name.
    pub fn rename(
        &mut self,
        scope: FleetScope,
        id: HardwareId,
        name: Option<&FriendlyName>,
    ) -> Option<Device> {
        let device = self.devices.get_mut(&id).filter(|device| scope.sees(device.household))?;
        device.friendly_name = name.cloned();
        device.is_named_by_person = name.is_some();
        Some(device.clone())
    }
}
