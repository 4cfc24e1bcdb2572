//! Readings.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use larder_domain::{
    BATCH_ID_LIFETIME, Bucket, DeviceRun, HardwareId, Reading, SensorName, SeriesSpan,
    is_activity_worth_noting, whole_seconds,
};
use larder_storage::{FleetScope, Ingest, NewReading, NewReadings, ReadingRange, ReadingState};

use super::TelemetryModel;

fn run_of(reading: &Reading) -> DeviceRun {
    let (boot_id, firmware_version) = (reading.boot_id, reading.firmware_version.clone());
    DeviceRun { boot_id, firmware_version }
}

impl TelemetryModel {
    /// Stores readings, each once.
    pub fn ingest(&mut self, scope: FleetScope, new: &NewReadings) -> Ingest {
        let is_own = |reading: &NewReading| {
            let device = self.devices.get(&reading.hardware_id);
            device.is_some_and(|device| device.household == scope.household())
        };
        let refused: Vec<_> =
            (0..).zip(&new.readings).filter(|(_, r)| !is_own(r)).map(|(place, _)| place).collect();
        if !refused.is_empty() {
            return Ingest::NotAllowed(refused);
        }
        let mut met = HashSet::new();
        let states = new.readings.iter().map(|reading| {
            let is_first = met.insert(&reading.batch_id);
            if is_first { self.keep(scope, reading, new) } else { ReadingState::Duplicate }
        });
        let states = states.collect();
        let mut last_seen = HashMap::new();
        for reading in &new.readings {
            let device = self.devices.get_mut(&reading.hardware_id);
            let device = device.expect("each device was found before");
            let before = *last_seen.entry(device.hardware_id).or_insert(device.last_seen_at);
            if is_activity_worth_noting(before, new.at) {
                device.last_seen_at = whole_seconds(new.at);
            }
        }
        for reading in self.newest_of_each_device(new) {
            let device = self.devices.get_mut(&reading.hardware_id);
            let device = device.expect("each device was found before");
            let known = DeviceRun {
                boot_id: device.last_boot_id,
                firmware_version: device.firmware_version.clone(),
            };
            let run = run_of(&reading);
            if known.has_ended(last_seen[&reading.hardware_id], &run, reading.time) {
                device.last_boot_id = run.boot_id;
                device.firmware_version = run.firmware_version;
            }
        }
        Ingest::Done(states)
    }

    /// Those that are neither expired nor repeated.
    fn newest_of_each_device(&self, new: &NewReadings) -> Vec<Reading> {
        let (mut met, mut newest) = (HashSet::new(), BTreeMap::new());
        for reading in new.readings.iter().filter(|reading| met.insert(&reading.batch_id)) {
            let reading = self.kept(reading, new);
            if !reading.has_expired(new.at) {
                newest.insert((reading.hardware_id, reading.position()), reading);
            }
        }
        let last_of_device = newest.into_iter().map(|((id, _), reading)| (id, reading));
        last_of_device.collect::<BTreeMap<_, _>>().into_values().collect()
    }

    fn keep(&mut self, scope: FleetScope, reading: &NewReading, new: &NewReadings) -> ReadingState {
        let reading = self.kept(reading, new);
        if reading.has_expired(new.at) {
            return ReadingState::Acknowledged;
        }
        let now = new.at.as_second();
        let forgotten_from =
            self.batches.entry((scope.household(), reading.batch_id.clone())).or_insert(now);
        if *forgotten_from > now {
            return ReadingState::Duplicate;
        }
        *forgotten_from = now + BATCH_ID_LIFETIME.as_secs();
        self.readings.insert((reading.hardware_id, reading.position()), reading);
        ReadingState::Acknowledged
    }

    /// The stored form of an incoming reading.
    pub fn kept(&self, reading: &NewReading, new: &NewReadings) -> Reading {
        let NewReading { hardware_id, time, batch_id, boot_id, .. } = reading.clone();
        Reading {
            hardware_id,
            time,
            batch_id,
            boot_id,
            firmware_version: reading.firmware_version.clone(),
            friendly_name: self.devices[&hardware_id].friendly_name.clone(),
            sensors: reading.sensors.clone(),
            sensor_status: reading.sensor_status.clone(),
            expires_at_s: time.expiration(new.retention),
        }
    }

    /// A device's readings in a range.
    pub fn readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        at: Timestamp,
    ) -> Vec<Reading> {
        let Some(device) = self.device(scope, device) else { return Vec::new() };
        let is_wanted = |reading: &&Reading| {
            reading.hardware_id == device.hardware_id
                && (range.from..=range.to).contains(&reading.time)
                && !reading.has_expired(at)
        };
        let mut readings: Vec<_> = self.readings.values().filter(is_wanted).cloned().collect();
        if !range.oldest_first {
            readings.reverse();
        }
        readings
    }

    /// One sensor's series of a device, each bucket computed independently.
    pub fn series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Chart {
        let range = ReadingRange { from: span.from(), to: span.to(), oldest_first: true };
        let mut buckets: Vec<(u32, Vec<f64>)> = Vec::new();
        for reading in self.readings(scope, device, range, at) {
            let Some(value) = reading.sensors.get(sensor.as_str()) else { continue };
            let number = span.bucket_of(reading.time).expect("the reading is in the span");
            match buckets.last_mut() {
                Some((last, values)) if *last == number => values.push(value.get()),
                _ => buckets.push((number, vec![value.get()])),
            }
        }
        Chart(buckets.into_iter().map(|(number, values)| summary(number, &values)).collect())
    }
}

fn summary(number: u32, values: &[f64]) -> Bucket {
    #[expect(clippy::cast_precision_loss, reason = "no test sends 2^53 readings")]
    let count = values.len() as f64;
    Bucket {
        number,
        count: values.len() as u64,
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        mean: values.iter().map(|value| value / count).sum(),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Buckets that compare equal despite rounding of the means.
#[derive(Debug, Clone)]
pub struct Chart(pub Vec<Bucket>);

impl PartialEq for Chart {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|(one, other)| is_about(one, other))
    }
}

/// Compares exactly, but the mean with a relative tolerance of a billionth.
fn is_about(one: &Bucket, other: &Bucket) -> bool {
    let exact =
        |bucket: &Bucket| (bucket.number, bucket.count, bucket.min.to_bits(), bucket.max.to_bits());
    let scale = one.min.abs().max(one.max.abs());
    exact(one) == exact(other) && (one.mean - other.mean).abs() <= 1e-9 * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(mean: f64) -> Bucket {
        Bucket { number: 1, count: 3, min: 1.0, mean, max: 3.0 }
    }

    #[test]
    fn charts_are_equal_but_for_the_rounding_of_means() {
        let chart = Chart(vec![bucket(2.0)]);
        assert_eq!(chart, Chart(vec![bucket(2.0 + 1e-12)]));
        assert_ne!(chart, Chart(vec![bucket(2.0 + 1e-6)]));
        assert_ne!(chart, Chart(vec![Bucket { count: 2, ..bucket(2.0) }]));
        assert_ne!(chart, Chart(vec![Bucket { min: 1.5, ..bucket(2.0) }]));
        assert_ne!(chart, Chart(vec![]));
    }
}
