//! A cache of devices, so that a reading need not look its device up.
//!
//! The household of a device never changes, so it never becomes stale. A name expires, because
//! another server may change it; a change by this server invalidates it at once.

use std::{collections::HashMap, sync::Mutex};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Device, FriendlyName, HardwareId, HouseholdId};
use larder_storage::FleetScope;

use super::bounded::{lock, put};

/// A device takes about 250 bytes.
const MAX_DEVICES: usize = 32 * 1024;
/// How long a name is cached that another server may have changed.
const NAME_LIFETIME: SignedDuration = SignedDuration::from_secs(10);

/// The parts of a device that ingestion needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CachedDevice {
    pub(super) household: Option<HouseholdId>,
    pub(super) friendly_name: Option<FriendlyName>,
    pub(super) last_seen_at: Timestamp,
}

impl CachedDevice {
    pub(super) fn of(device: &Device) -> Self {
        let Device { household, last_seen_at, .. } = *device;
        Self { household, friendly_name: device.friendly_name.clone(), last_seen_at }
    }
}

/// How many changes of devices this server had made before a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Generation(u64);

/// A bounded cache of devices: a full map is cleared.
#[derive(Default)]
pub(super) struct DeviceCache(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    devices: HashMap<HardwareId, (CachedDevice, Timestamp)>,
    generation: Generation,
}

impl DeviceCache {
    /// The current generation. Taken before reading.
    pub(super) fn generation(&self) -> Generation {
        lock(&self.0).generation
    }

    /// The devices whose names have not expired.
    pub(super) fn find(
        &self,
        devices: impl Iterator<Item = HardwareId>,
        now: Timestamp,
    ) -> HashMap<HardwareId, CachedDevice> {
        let entries = lock(&self.0);
        devices
            .filter_map(|device| {
                let (entry, read_at) = entries.devices.get(&device)?;
                let is_fresh = now.duration_since(*read_at).abs() < NAME_LIFETIME;
                is_fresh.then(|| (device, entry.clone()))
            })
            .collect()
    }

    /// Whether a scope sees a device, if it is cached.
    pub(super) fn is_seen(&self, scope: FleetScope, device: HardwareId) -> Option<bool> {
        lock(&self.0).devices.get(&device).map(|(entry, _)| scope.sees(entry.household))
    }

    /// Caches a device that was read at this time, unless one was changed since.
    pub(super) fn remember(
        &self,
        device: HardwareId,
        read: CachedDevice,
        read_at: Timestamp,
        since: Generation,
    ) {
        let mut entries = lock(&self.0);
        if entries.generation == since {
            put(&mut entries.devices, MAX_DEVICES, device, (read, read_at));
        }
    }

    /// Updates when a device was last seen.
    pub(super) fn seen(&self, device: HardwareId, last_seen_at: Timestamp) {
        if let Some((entry, _)) = lock(&self.0).devices.get_mut(&device) {
            entry.last_seen_at = last_seen_at;
        }
    }

    /// Invalidates a device that this server changed, or may have changed. Called before the change
    /// returns.
    pub(super) fn changed(&self, device: HardwareId) {
        let mut entries = lock(&self.0);
        entries.generation.0 += 1;
        entries.devices.remove(&device);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREEZER: HardwareId = HardwareId::from_bytes([1; 6]);
    const CELLAR: HardwareId = HardwareId::from_bytes([2; 6]);

    fn second(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn named(name: &str) -> CachedDevice {
        CachedDevice {
            household: Some(HouseholdId::fixed(1)),
            friendly_name: FriendlyName::parse(name).ok(),
            last_seen_at: second(0),
        }
    }

    fn find(cache: &DeviceCache, at_s: i64) -> Option<CachedDevice> {
        cache.find([FREEZER].into_iter(), second(at_s)).remove(&FREEZER)
    }

    #[test]
    fn a_name_is_believed_for_ten_seconds_and_the_owner_for_good() {
        #![expect(clippy::disallowed_methods, reason = "a test makes its own scopes")]
        let cache = DeviceCache::default();
        cache.remember(FREEZER, named("Freezer"), second(100), cache.generation());
        assert_eq!(find(&cache, 109), Some(named("Freezer")));
        assert_eq!(find(&cache, 110), None);
        // Setting the clock back does not extend the lifetime of a name.
        assert_eq!(find(&cache, 90), None);
        for (household, sees) in [(1, true), (2, false)] {
            let scope = FleetScope::assume_authorized(HouseholdId::fixed(household));
            assert_eq!(cache.is_seen(scope, FREEZER), Some(sees));
            assert_eq!(cache.is_seen(scope, CELLAR), None);
        }
    }

    #[test]
    fn what_was_read_before_a_change_does_not_come_back_after_it() {
        let cache = DeviceCache::default();
        let before = cache.generation();
        cache.remember(FREEZER, named("Freezer"), second(100), before);
        cache.changed(FREEZER);
        assert_eq!(find(&cache, 100), None);
        cache.remember(FREEZER, named("Freezer"), second(100), before);
        assert_eq!(find(&cache, 100), None);
        cache.remember(FREEZER, named("Chest"), second(100), cache.generation());
        assert_eq!(find(&cache, 100), Some(named("Chest")));
    }

    #[test]
    fn activity_is_remembered_with_the_device() {
        let cache = DeviceCache::default();
        cache.seen(FREEZER, second(5));
        assert_eq!(find(&cache, 100), None);
        cache.remember(FREEZER, named("Freezer"), second(100), cache.generation());
        cache.seen(FREEZER, second(101));
        let expected = CachedDevice { last_seen_at: second(101), ..named("Freezer") };
        assert_eq!(find(&cache, 102), Some(expected));
    }
}
