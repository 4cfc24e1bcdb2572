//! Devices, API keys and readings, criteria P34 to P47.

pub mod activity;
pub mod batch_ids;
pub mod charts;
pub mod devices;
pub mod expiring;
pub mod isolation;
pub mod keys;
pub mod once;
pub mod ranges;
pub mod refusing;
pub mod registration;
pub mod resending;
pub mod values;

use larder_domain::{FriendlyName, Reading};
use larder_storage::{NewReading, NewReadings, ReadingState};

const ACKNOWLEDGED: ReadingState = ReadingState::Acknowledged;
const DUPLICATE: ReadingState = ReadingState::Duplicate;

fn name(text: &str) -> FriendlyName {
    FriendlyName::parse(text).unwrap()
}

/// The stored form of a request's reading, if its device has no name.
fn kept(reading: &NewReading, request: &NewReadings) -> Reading {
    let NewReading { hardware_id, time, batch_id, boot_id, .. } = reading.clone();
    Reading {
        hardware_id,
        time,
        batch_id,
        boot_id,
        firmware_version: reading.firmware_version.clone(),
        friendly_name: None,
        sensors: reading.sensors.clone(),
        sensor_status: reading.sensor_status.clone(),
        expires_at_s: time.expiration(request.retention),
    }
}
