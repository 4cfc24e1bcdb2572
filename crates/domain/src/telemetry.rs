//! Sensors in freezer, pantry and greenhouse: devices, their keys, and readings (seed 002).

mod api_key;
mod device;
mod reading;
mod sensors;
mod series;

pub use api_key::{
    API_KEY_USE_INTERVAL, ApiKey, ApiKeyHash, ApiKeyPosition, ApiKeySecret, InvalidApiKey,
};
pub use device::{
    Capabilities, Device, DeviceHealth, DevicePosition, DeviceRun, HardwareId, InvalidCapabilities,
    InvalidHardwareId, LAST_SEEN_INTERVAL, is_activity_worth_noting,
};
pub use reading::{
    BATCH_ID_LIFETIME, BatchId, InvalidBatchId, InvalidReadingTime, Reading, ReadingPosition,
    ReadingTime,
};
pub use sensors::{
    InvalidSensorStatus, InvalidSensorValue, InvalidSensors, PerSensor, SensorStatus,
    SensorStatuses, SensorValue, Sensors,
};
pub use series::{Bucket, BucketFold, InvalidSeries, SeriesSpan};

use std::str::FromStr;

use jiff::Timestamp;
use thiserror::Error;
use uuid::{Uuid, Variant};

use crate::ids::{self, uuid_types};

/// A time without its fraction of a second, as the locked schemas write times.
pub fn whole_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// The text is no UUID of version 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a UUID of version 4 such as 550e8400-e29b-41d4-a716-446655440000")]
pub struct InvalidUuidV4;

macro_rules! v4_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        uuid_types! { $($(#[$doc])* $name),+ }
        $(
            impl $name {
                /// The id with these bytes, if they are one of version 4.
                pub fn from_bytes(bytes: [u8; 16]) -> Result<Self, InvalidUuidV4> {
                    is_v4(Uuid::from_bytes(bytes)).map(Self)
                }
            }

            impl FromStr for $name {
                type Err = InvalidUuidV4;

                /// Reads 8-4-4-4-12 hex digits of either case.
                fn from_str(text: &str) -> Result<Self, InvalidUuidV4> {
                    ids::parse(text).map_err(|_| InvalidUuidV4).and_then(is_v4).map(Self)
                }
            }
        )+
    };
}

v4_ids! {
    /// A device's confirmation of its registration, the same each time.
    ConfirmationId,
    /// One run of a device's firmware, from power-on to power-off.
    BootId,
    /// An API key, by the name that may be shown.
    ApiKeyId,
}

fn is_v4(id: Uuid) -> Result<Uuid, InvalidUuidV4> {
    let fits = id.get_version_num() == 4 && id.get_variant() == Variant::RFC4122;
    if fits { Ok(id) } else { Err(InvalidUuidV4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_version_4_of_the_usual_variant_is_read() {
        let id: BootId = "550E8400-E29B-41D4-A716-446655440000".parse().unwrap();
        assert_eq!(id.to_string(), "550e8400-e29b-41d4-a716-446655440000");
        assert_eq!(BootId::from_bytes(*id.as_bytes()), Ok(id));
        for text in [
            "",
            "550e8400-e29b-11d4-a716-446655440000",
            "550e8400-e29b-71d4-a716-446655440000",
            "550e8400-e29b-41d4-0716-446655440000",
            "550e8400-e29b-41d4-c716-446655440000",
            "550e8400e29b41d4a716446655440000",
            "{550e8400-e29b-41d4-a716-446655440000}",
            "550e8400-e29b-41d4-a716-44665544000g",
            "00000000-0000-0000-0000-000000000000",
        ] {
            assert_eq!(text.parse::<BootId>(), Err(InvalidUuidV4), "{text}");
        }
        assert_eq!(BootId::from_bytes([0; 16]), Err(InvalidUuidV4));
    }

    #[test]
    fn times_of_metadata_have_whole_seconds() {
        let at: Timestamp = "2024-01-15T10:30:00.999Z".parse().unwrap();
        assert_eq!(whole_seconds(at).to_string(), "2024-01-15T10:30:00Z");
    }
}
