//! The ports' use of an engine for readings, and readings as records, on the reference engine.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a failure is a failed test, and a test makes its own scopes"
)]

#[path = "readings_as_records/batch_ids.rs"]
mod batch_ids;
#[path = "readings_as_records/counting.rs"]
mod counting;
#[path = "readings_as_records/hot_path.rs"]
mod hot_path;
#[path = "readings_as_records/side_by_side.rs"]
mod side_by_side;

use jiff::Timestamp;
use larder_domain::{
    BatchId, BootId, FirmwareVersion, HardwareId, HouseholdId, Reading, ReadingTime, SensorName,
    SensorStatuses, SensorValue, Sensors,
};

const DAY_S: i64 = 86_400;
const FREEZER: HardwareId = HardwareId::from_bytes([1; 6]);
const OURS: Option<HouseholdId> = Some(HouseholdId::fixed(1));
const THEIRS: Option<HouseholdId> = Some(HouseholdId::fixed(2));

/// A reading that is kept for a year.
fn reading(device: HardwareId, batch_id: &str, at: Timestamp) -> Reading {
    let temperature = SensorName::parse("temp_c").unwrap();
    Reading {
        hardware_id: device,
        time: ReadingTime::from_millis(at.as_millisecond()).unwrap(),
        batch_id: BatchId::parse(batch_id).unwrap(),
        boot_id: BootId::from_random([3; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: Sensors::new(vec![(temperature, SensorValue::new(-18.5).unwrap())]).unwrap(),
        sensor_status: SensorStatuses::default(),
        expires_at_s: at.as_second() + 365 * DAY_S,
    }
}
