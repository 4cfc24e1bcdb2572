//! Readings as devices send them.
#![allow(clippy::cast_precision_loss, reason = "small numbers make a curve")]

use jiff::Timestamp;
use larder_domain::{
    BatchId, BootId, FirmwareVersion, FriendlyName, HardwareId, HouseholdId, PerSensor, Reading,
    ReadingTime, SensorName, SensorStatus, SensorValue,
};
use larder_storage::{ReadingRange, ReadingState};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{AppendReadings, ReadingEngine, ReadingQuery};

use super::START_S;

pub(crate) const HOUSEHOLD: Option<HouseholdId> = Some(HouseholdId::fixed(7));
/// Five minutes.
pub(crate) const WINDOW_MS: i64 = 300_000;
/// Ninety days.
pub(crate) const RETENTION_S: i64 = 90 * 24 * 60 * 60;

pub(crate) fn device(n: usize) -> HardwareId {
    let [.., a, b, c] = n.to_be_bytes();
    HardwareId::from_bytes([0xaa, 0xbb, 0xcc, a, b, c])
}

pub(crate) fn boot(device: HardwareId) -> BootId {
    let [_, _, _, a, b, c] = *device.as_bytes();
    BootId::from_random([a, b, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
}

/// The firmware's batch id of its n-th window.
pub(crate) fn window_id(device: HardwareId, n: i64) -> String {
    let end = START_S * 1000 + n * WINDOW_MS;
    format!("{device}_{}_{}_{end}", boot(device), end - WINDOW_MS)
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// A reading of one sensor.
pub(crate) fn reading(device: HardwareId, ms: i64, id: &str, value: f64) -> Reading {
    Reading {
        hardware_id: device,
        time: ReadingTime::from_millis(ms).unwrap(),
        batch_id: BatchId::parse(id).unwrap(),
        boot_id: boot(device),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        sensors: sensors(&[("humidity_pct", value)]),
        sensor_status: PerSensor::default(),
        expires_at_s: ms / 1000 + RETENTION_S,
    }
}

/// The reading of the n-th window, as the greenhouse's sensor sends it.
pub(crate) fn realistic(device: HardwareId, n: i64) -> Reading {
    let noise = |salt: i64| ((n * 7919 + salt * 104_729) % 37 - 18) as f64 / 10.0;
    let day = n as f64 / 288.0 * std::f64::consts::TAU;
    let value = |base: f64, swing: f64, decimals: i32, salt: i64| {
        let step = 10_f64.powi(decimals);
        ((base + swing * day.sin()) * step + noise(salt)).round() / step
    };
    let status = |name| (SensorName::parse(name).unwrap(), SensorStatus::Ok);
    Reading {
        friendly_name: Some(FriendlyName::parse("greenhouse-sensor-01").unwrap()),
        sensors: sensors(&[
            ("bme280_temp_c", value(22.5, 6.0, 2, 1)),
            ("ds18b20_temp_c", value(21.8, 5.0, 1, 2)),
            ("humidity_pct", value(45.2, 12.0, 1, 3)),
            ("pressure_hpa", value(1013.25, 3.0, 2, 4)),
            ("soil_moisture_pct", value(62.3, 2.0, 1, 5)),
        ]),
        sensor_status: PerSensor::new(["bme280", "ds18b20", "soil_moisture"].map(status).to_vec())
            .unwrap(),
        ..reading(device, START_S * 1000 + n * WINDOW_MS, &window_id(device, n), 0.0)
    }
}

fn sensors(values: &[(&str, f64)]) -> PerSensor<SensorValue> {
    let value = |(name, value): &(&str, f64)| {
        (SensorName::parse(name).unwrap(), SensorValue::new(*value).unwrap())
    };
    PerSensor::new(values.iter().map(value).collect()).unwrap()
}

/// Sends readings at a second; answers which of them were new.
pub(crate) async fn send(engine: &EmbeddedEngine, readings: &[Reading], second: i64) -> Vec<bool> {
    let append =
        AppendReadings { household: HOUSEHOLD, readings: readings.to_vec(), at: at(second) };
    let states = engine.append_readings(append).await.unwrap();
    states.into_iter().map(|state| state == ReadingState::Acknowledged).collect()
}

/// Everything that a device has at a second, oldest first.
pub(crate) async fn all_of(
    engine: &EmbeddedEngine,
    device: HardwareId,
    second: i64,
) -> Vec<Reading> {
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let query =
            ReadingQuery { device, range, after: after.as_ref(), limit: 100, at: at(second) };
        let page = engine.find_readings(query).await.unwrap();
        all.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}
