//! Devices and their capabilities.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::{BootId, ConfirmationId, ReadingTime};
use crate::HouseholdId;
use crate::text::{FeatureName, FirmwareVersion, FriendlyName};

/// How much time passes at least between two notes of a device's activity.
pub const LAST_SEEN_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// A device's MAC address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HardwareId([u8; 6]);

/// The text is no MAC address as devices write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a MAC address in upper case such as AA:BB:CC:DD:EE:FF")]
pub struct InvalidHardwareId;

impl HardwareId {
    /// The address with these bytes.
    pub const fn from_bytes(bytes: [u8; 6]) -> Self {
        Self(bytes)
    }

    /// Its six bytes.
    pub const fn as_bytes(&self) -> &[u8; 6] {
        &self.0
    }
}

impl FromStr for HardwareId {
    type Err = InvalidHardwareId;

    /// Reads `^[0-9A-F]{2}(:[0-9A-F]{2}){5}$`.
    fn from_str(text: &str) -> Result<Self, InvalidHardwareId> {
        let text = text.as_bytes();
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'A'..=b'F' => Ok(byte - b'A' + 10),
            _ => Err(InvalidHardwareId),
        };
        if text.len() != 17 || text.iter().skip(2).step_by(3).any(|byte| *byte != b':') {
            return Err(InvalidHardwareId);
        }
        let mut bytes = [0; 6];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks(3)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for HardwareId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let mut text = [b':'; 17];
        for (at, byte) in self.0.iter().enumerate() {
            text[at * 3] = DIGITS[usize::from(byte >> 4)];
            text[at * 3 + 1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

crate::ids::serialize_as_text! { HardwareId }

impl fmt::Debug for HardwareId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A device's capabilities.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    sensors: Vec<FeatureName>,
    features: BTreeMap<FeatureName, bool>,
}

/// Too many capabilities for one device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must name at most 64 sensors and 64 features")]
pub struct InvalidCapabilities;

impl Capabilities {
    /// The most sensors, and the most features.
    pub const MAX: usize = 64;

    /// Sensors in the device's own order, and features that it has or has not.
    pub fn new(
        sensors: Vec<FeatureName>,
        features: BTreeMap<FeatureName, bool>,
    ) -> Result<Self, InvalidCapabilities> {
        let fits = sensors.len() <= Self::MAX && features.len() <= Self::MAX;
        if fits { Ok(Self { sensors, features }) } else { Err(InvalidCapabilities) }
    }

    /// The sensors, in the device's own order.
    pub fn sensors(&self) -> &[FeatureName] {
        &self.sensors
    }

    /// The features by name.
    pub const fn features(&self) -> &BTreeMap<FeatureName, bool> {
        &self.features
    }
}

/// A registered device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its MAC address.
    pub hardware_id: HardwareId,
    /// The owner; `None`: the operator. Never changes.
    pub household: Option<HouseholdId>,
    /// The confirmation of its first registration, the same each time.
    pub confirmation_id: ConfirmationId,
    /// Its capabilities, as last registered.
    pub capabilities: Capabilities,
    /// When it registered first, in whole seconds.
    pub first_registered_at: Timestamp,
    /// When it registered or sent something last, to within [`LAST_SEEN_INTERVAL`], in whole seconds.
    pub last_seen_at: Timestamp,
    /// Its latest boot that it has told, by registering or with a reading.
    pub last_boot_id: BootId,
    /// Its firmware in that boot.
    pub firmware_version: FirmwareVersion,
    /// Its name: a person's, or else the one that it sends.
    pub friendly_name: Option<FriendlyName>,
    /// Whether a person has named it. Then the name that it sends does not count.
    pub is_named_by_person: bool,
}

/// A run of a device's firmware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRun {
    /// The boot that began it.
    pub boot_id: BootId,
    /// The firmware.
    pub firmware_version: FirmwareVersion,
}

impl DeviceRun {
    /// Whether this boot of this firmware is the run.
    pub fn is_of(&self, boot_id: BootId, firmware_version: &FirmwareVersion) -> bool {
        self.boot_id == boot_id && self.firmware_version == *firmware_version
    }

    /// Whether a reading of another run shows that the device has started again. One that was
    /// measured before the device was last seen may be left over from an earlier run.
    pub fn has_ended(
        &self,
        last_seen_at: Timestamp,
        other: &Self,
        measured_at: ReadingTime,
    ) -> bool {
        self != other && measured_at.as_millis() > last_seen_at.as_millisecond()
    }
}

/// Whether a device is heard of as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceHealth {
    /// It was heard of lately.
    Well,
    /// It has missed readings.
    Late,
    /// It needs somebody to look after it.
    Lost,
}

impl DeviceHealth {
    /// A device that measures every five minutes has missed two readings by then.
    const LATE_AFTER: SignedDuration = SignedDuration::from_mins(15);
    /// A weak signal does not last this long.
    const LOST_AFTER: SignedDuration = SignedDuration::from_hours(24);

    /// The health of a device that was last seen at this time.
    pub fn of(last_seen_at: Timestamp, now: Timestamp) -> Self {
        match now.duration_since(last_seen_at) {
            silence if silence > Self::LOST_AFTER => Self::Lost,
            silence if silence > Self::LATE_AFTER => Self::Late,
            _ => Self::Well,
        }
    }

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Late => "late",
            Self::Lost => "lost",
        }
    }
}

/// Whether activity at this time is worth noting of a device that was last seen at another.
pub fn is_activity_worth_noting(last_seen_at: Timestamp, at: Timestamp) -> bool {
    at.duration_since(last_seen_at) >= LAST_SEEN_INTERVAL
}

impl Device {
    /// Its place in a list, most recently seen first.
    pub const fn position(&self) -> DevicePosition {
        DevicePosition { last_seen_at: self.last_seen_at, hardware_id: self.hardware_id }
    }
}

/// The place of a device in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DevicePosition {
    /// When it was last seen.
    pub last_seen_at: Timestamp,
    /// Which it is.
    pub hardware_id: HardwareId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_late_after_a_quarter_of_an_hour_and_lost_after_a_day() {
        let now = Timestamp::from_second(1_000_000).unwrap();
        let health = |minutes| DeviceHealth::of(now - SignedDuration::from_mins(minutes), now);
        for (minutes, expected) in [
            (-5, DeviceHealth::Well),
            (15, DeviceHealth::Well),
            (16, DeviceHealth::Late),
            (24 * 60, DeviceHealth::Late),
            (24 * 60 + 1, DeviceHealth::Lost),
        ] {
            assert_eq!(health(minutes), expected, "{minutes}");
        }
    }

    #[test]
    fn a_reading_of_another_run_ends_a_run_unless_it_is_left_over() {
        let boot = |n| BootId::from_random([n; 16]);
        let firmware = |text| FirmwareVersion::parse(text).unwrap();
        let run = |n, text| DeviceRun { boot_id: boot(n), firmware_version: firmware(text) };
        let seen = Timestamp::from_second(1_000_000_000).unwrap();
        let ended = |n, text, ms: i64| {
            let measured_at = ReadingTime::from_millis(1_000_000_000_000 + ms).unwrap();
            run(1, "1").has_ended(seen, &run(n, text), measured_at)
        };
        assert!(ended(2, "1", 1));
        assert!(ended(1, "2", 1));
        assert!(!ended(1, "1", 1));
        assert!(!ended(2, "2", 0));
        assert!(!ended(2, "2", -1));
    }

    #[test]
    fn a_mac_address_is_read_in_upper_case_alone() {
        let id: HardwareId = "AA:0B:C1:DD:EE:FF".parse().unwrap();
        assert_eq!(id.to_string(), "AA:0B:C1:DD:EE:FF");
        assert_eq!(id.as_bytes(), &[0xaa, 0x0b, 0xc1, 0xdd, 0xee, 0xff]);
        for text in [
            "",
            "aa:bb:cc:dd:ee:ff",
            "AA-BB-CC-DD-EE-FF",
            "AA:BB:CC:DD:EE",
            "AA:BB:CC:DD:EE:FF:00",
            "AA:BB:CC:DD:EE:FG",
            "AABBCCDDEEFF",
            "AA:BB:CC:DD:EE:F ",
            "ÄA:BB:CC:DD:EE:F",
        ] {
            assert_eq!(text.parse::<HardwareId>(), Err(InvalidHardwareId), "{text}");
        }
    }

    #[test]
    fn capabilities_are_bounded() {
        let name = |n: usize| FeatureName::parse(&format!("f{n}")).unwrap();
        let sensors = |count| (0..count).map(name).collect::<Vec<_>>();
        let features = |count| (0..count).map(|n| (name(n), true)).collect::<BTreeMap<_, _>>();
        assert!(Capabilities::new(sensors(64), features(64)).is_ok());
        assert_eq!(Capabilities::new(sensors(65), features(0)), Err(InvalidCapabilities));
        assert_eq!(Capabilities::new(sensors(0), features(65)), Err(InvalidCapabilities));
    }
}
