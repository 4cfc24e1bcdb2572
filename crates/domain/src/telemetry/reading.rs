//! Readings and the ids by which a repeated one is recognised.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::{BootId, HardwareId, SensorStatuses, Sensors};
use crate::text::{FirmwareVersion, FriendlyName};

/// How long a batch id is remembered after its receipt.
pub const BATCH_ID_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// When something was measured: milliseconds since 1970, from 2000 to 2100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReadingTime(i64);

/// A time that no reading of ours can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be milliseconds since 1970, from 946684800000 (2000-01-01) to 4102444800000 (2100-01-01)"
)]
pub struct InvalidReadingTime;

impl ReadingTime {
    /// 2000-01-01T00:00:00Z.
    pub const MIN: Self = Self(946_684_800_000);
    /// 2100-01-01T00:00:00Z.
    pub const MAX: Self = Self(4_102_444_800_000);

    /// A time from milliseconds since 1970.
    pub const fn from_millis(ms: i64) -> Result<Self, InvalidReadingTime> {
        if ms < Self::MIN.0 || ms > Self::MAX.0 { Err(InvalidReadingTime) } else { Ok(Self(ms)) }
    }

    /// The milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The second (Unix time) at which a reading of this time expires.
    pub const fn expiration(self, retention: SignedDuration) -> i64 {
        self.0 / 1000 + retention.as_secs()
    }
}

/// Identifies one reading of a device, for detecting duplicates: 1–256 characters, opaque.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BatchId(Box<str>);

/// The text is no batch id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must have 1 to 256 characters of A-Z a-z 0-9 _ - : .")]
pub struct InvalidBatchId;

impl BatchId {
    /// The most characters.
    pub const MAX_CHARS: usize = 256;

    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidBatchId> {
        let is_safe = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.');
        let fits = (1..=Self::MAX_CHARS).contains(&text.len()) && text.bytes().all(is_safe);
        if fits { Ok(Self(text.into())) } else { Err(InvalidBatchId) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A device's measurements at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The device.
    pub hardware_id: HardwareId,
    /// When it measured.
    pub time: ReadingTime,
    /// Identifies this reading.
    pub batch_id: BatchId,
    /// In which run of its firmware.
    pub boot_id: BootId,
    /// Its firmware at the time.
    pub firmware_version: FirmwareVersion,
    /// The device's name when the reading arrived.
    pub friendly_name: Option<FriendlyName>,
    /// The values.
    pub sensors: Sensors,
    /// How the sensors were.
    pub sensor_status: SensorStatuses,
    /// The second (Unix time) at which it expires.
    pub expires_at_s: i64,
}

impl Reading {
    /// Whether it has expired by then.
    pub fn has_expired(&self, at: Timestamp) -> bool {
        self.expires_at_s <= at.as_second()
    }

    /// Its place among the readings of its device.
    pub fn position(&self) -> ReadingPosition {
        ReadingPosition { time: self.time, batch_id: self.batch_id.clone() }
    }
}

/// The place of a reading among those of its device: by time, and within a millisecond by batch id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadingPosition {
    /// Its time.
    pub time: ReadingTime,
    /// Its batch id.
    pub batch_id: BatchId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_this_century() {
        for (ms, fits) in [
            (946_684_799_999, false),
            (946_684_800_000, true),
            (1_704_067_800_000, true),
            (4_102_444_800_000, true),
            (4_102_444_800_001, false),
            (-1, false),
            (i64::MAX, false),
        ] {
            assert_eq!(ReadingTime::from_millis(ms).is_ok(), fits, "{ms}");
        }
    }

    #[test]
    fn a_reading_expires_by_its_own_time() {
        let time = ReadingTime::from_millis(1_704_067_800_999).unwrap();
        let days_90 = SignedDuration::from_hours(90 * 24);
        assert_eq!(time.expiration(days_90), 1_704_067_800 + 90 * 86_400);
    }

    #[test]
    fn a_batch_id_is_safe_ascii() {
        let example =
            "AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000";
        assert_eq!(BatchId::parse(example).unwrap().as_str(), example);
        assert!(BatchId::parse(&"x".repeat(256)).is_ok());
        for text in ["", "a b", "a#b", "é", "a/b", "a\n", &"x".repeat(257)] {
            assert_eq!(BatchId::parse(text), Err(InvalidBatchId), "{text}");
        }
    }

    #[test]
    fn places_go_by_time_and_then_by_batch_id() {
        let place = |ms, id| ReadingPosition {
            time: ReadingTime::from_millis(ms).unwrap(),
            batch_id: BatchId::parse(id).unwrap(),
        };
        let mut places = [
            place(1_000_000_000_001, "a"),
            place(1_000_000_000_000, "b"),
            place(1_000_000_000_000, "B"),
        ];
        places.sort();
        let ids: Vec<_> = places.iter().map(|place| place.batch_id.as_str()).collect();
        assert_eq!(ids, ["B", "b", "a"]);
    }
}
