//! What is remembered of devices, so that a reading need not look its device up.
//!
//! Whose a device is never changes, so that is remembered for good. A name is remembered for a while only, because
//! another server may change it; a change made here is seen here at once.

use std::{collections::HashMap, sync::Mutex};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Device, FriendlyName, HardwareId, HouseholdId};
use larder_storage::FleetScope;

use super::bounded::{lock, put};

/// A device takes about 250 bytes.
const MAX_DEVICES: usize = 32 * 1024;
/// For how long a name is believed that another server may have changed.
const NAME_LIFETIME: SignedDuration = SignedDuration::from_secs(10);

/// What ingestion needs to know of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownDevice {
    pub(super) household: Option<HouseholdId>,
    pub(super) friendly_name: Option<FriendlyName>,
    pub(super) last_seen_at: Timestamp,
}

impl KnownDevice {
    pub(super) fn of(device: &Device) -> Self {
        let Device { household, last_seen_at, .. } = *device;
        Self { household, friendly_name: device.friendly_name.clone(), last_seen_at }
    }
}

/// How many changes of devices were made here, before something was read of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Moment(u64);

/// What is remembered of devices. Bounded: what is full starts anew.
#[derive(Default)]
pub(super) struct KnownDevices(Mutex<Known>);

#[derive(Default)]
struct Known {
    devices: HashMap<HardwareId, (KnownDevice, Timestamp)>,
    moment: Moment,
}

impl KnownDevices {
    /// Now. To be taken before reading.
    pub(super) fn moment(&self) -> Moment {
        lock(&self.0).moment
    }

    /// The devices whose names are still believed.
    pub(super) fn find(
        &self,
        devices: impl Iterator<Item = HardwareId>,
        now: Timestamp,
    ) -> HashMap<HardwareId, KnownDevice> {
        let known = lock(&self.0);
        devices
            .filter_map(|device| {
                let (known, read_at) = known.devices.get(&device)?;
                let is_believed = now.duration_since(*read_at).abs() < NAME_LIFETIME;
                is_believed.then(|| (device, known.clone()))
            })
            .collect()
    }

    /// Whether a scope sees a device, if it is known.
    pub(super) fn is_seen(&self, scope: FleetScope, device: HardwareId) -> Option<bool> {
        lock(&self.0).devices.get(&device).map(|(known, _)| scope.sees(known.household))
    }

    /// Remembers a device as it was read at this time, unless one was changed since.
    pub(super) fn remember(
        &self,
        device: HardwareId,
        read: KnownDevice,
        read_at: Timestamp,
        since: Moment,
    ) {
        let mut known = lock(&self.0);
        if known.moment == since {
            put(&mut known.devices, MAX_DEVICES, device, (read, read_at));
        }
    }

    /// Remembers when a device was last seen.
    pub(super) fn seen(&self, device: HardwareId, last_seen_at: Timestamp) {
        if let Some((known, _)) = lock(&self.0).devices.get_mut(&device) {
            known.last_seen_at = last_seen_at;
        }
    }

    /// A device was changed here, or may have been: nothing that was read of it before counts any more. To be called
    /// before whoever changed it is answered.
    pub(super) fn changed(&self, device: HardwareId) {
        let mut known = lock(&self.0);
        known.moment.0 += 1;
        known.devices.remove(&device);
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

    fn named(name: &str) -> KnownDevice {
        KnownDevice {
            household: Some(HouseholdId::fixed(1)),
            friendly_name: FriendlyName::parse(name).ok(),
            last_seen_at: second(0),
        }
    }

    fn find(known: &KnownDevices, at_s: i64) -> Option<KnownDevice> {
        known.find([FREEZER].into_iter(), second(at_s)).remove(&FREEZER)
    }

    #[test]
    fn a_name_is_believed_for_ten_seconds_and_the_owner_for_good() {
        #![expect(clippy::disallowed_methods, reason = "a test makes its own scopes")]
        let known = KnownDevices::default();
        known.remember(FREEZER, named("Freezer"), second(100), known.moment());
        assert_eq!(find(&known, 109), Some(named("Freezer")));
        assert_eq!(find(&known, 110), None);
        // A clock that was set back makes no name last longer.
        assert_eq!(find(&known, 90), None);
        for (household, sees) in [(1, true), (2, false)] {
            let scope = FleetScope::assume_authorized(HouseholdId::fixed(household));
            assert_eq!(known.is_seen(scope, FREEZER), Some(sees));
            assert_eq!(known.is_seen(scope, CELLAR), None);
        }
    }

    #[test]
    fn what_was_read_before_a_change_does_not_come_back_after_it() {
        let known = KnownDevices::default();
        let before = known.moment();
        known.remember(FREEZER, named("Freezer"), second(100), before);
        known.changed(FREEZER);
        assert_eq!(find(&known, 100), None);
        known.remember(FREEZER, named("Freezer"), second(100), before);
        assert_eq!(find(&known, 100), None);
        known.remember(FREEZER, named("Chest"), second(100), known.moment());
        assert_eq!(find(&known, 100), Some(named("Chest")));
    }

    #[test]
    fn activity_is_remembered_with_the_device() {
        let known = KnownDevices::default();
        known.seen(FREEZER, second(5));
        assert_eq!(find(&known, 100), None);
        known.remember(FREEZER, named("Freezer"), second(100), known.moment());
        known.seen(FREEZER, second(101));
        let expected = KnownDevice { last_seen_at: second(101), ..named("Freezer") };
        assert_eq!(find(&known, 102), Some(expected));
    }
}
