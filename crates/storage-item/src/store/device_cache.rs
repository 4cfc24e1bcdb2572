//! A cache of devices, which saves a look-up per reading.

use jiff::Timestamp;
use larder_domain::{Device, DeviceRun, FriendlyName, HardwareId, HouseholdId};
use larder_storage::{Cache, ReadAt, Ticket};

/// A device takes about 300 bytes.
pub(super) const MAX_DEVICES: usize = 32 * 1024;
/// How long a device is cached that another server may have renamed or erased.
const LIFETIME_S: i64 = 10;

/// Devices by their ids.
pub(super) type DeviceCache = Cache<HardwareId, CachedDevice, ReadAt<LIFETIME_S>>;

/// When the read of a device began.
pub(super) type DeviceTicket = Ticket<ReadAt<LIFETIME_S>>;

/// The parts of a device that ingestion needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CachedDevice {
    pub(super) household: Option<HouseholdId>,
    pub(super) friendly_name: Option<FriendlyName>,
    pub(super) last_seen_at: Timestamp,
    pub(super) run: DeviceRun,
}

impl CachedDevice {
    pub(super) fn of(device: &Device) -> Self {
        let Device { household, last_seen_at, last_boot_id: boot_id, .. } = *device;
        let run = DeviceRun { boot_id, firmware_version: device.firmware_version.clone() };
        Self { household, friendly_name: device.friendly_name.clone(), last_seen_at, run }
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{BootId, FirmwareVersion};

    use super::*;

    const FREEZER: HardwareId = HardwareId::from_bytes([1; 6]);

    #[test]
    fn a_device_is_cached_for_ten_seconds() {
        let cache = DeviceCache::new(MAX_DEVICES);
        let at = |second| ReadAt(Timestamp::from_second(second).unwrap());
        let device = CachedDevice {
            household: Some(HouseholdId::fixed(1)),
            friendly_name: FriendlyName::parse("Freezer").ok(),
            last_seen_at: Timestamp::UNIX_EPOCH,
            run: DeviceRun {
                boot_id: BootId::from_random([1; 16]),
                firmware_version: FirmwareVersion::parse("1").unwrap(),
            },
        };
        cache.insert(cache.ticket(at(100)), FREEZER, device.clone());
        let find = |second| cache.look_up_all([FREEZER], at(second)).0.remove(&FREEZER);
        assert_eq!([109, 110, 90].map(find), [Some(device), None, None]);
    }
}
