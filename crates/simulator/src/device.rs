//! One device: it measures, buffers, sends, and is sometimes offline.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::chance::Chance;
use crate::room::Room;

const FIRMWARE: [&str; 3] = ["1.0.16", "1.1.0", "1.2.3-rc1"];
/// The most readings of one request.
const MOST_PER_REQUEST: usize = 100;
/// The capacity of an offline device's buffer, which drops the oldest readings.
const MOST_BUFFERED: usize = 500;

/// Probabilities of faults, per reading.
const REBOOTS: f64 = 0.002;
const DROP_OUTS: f64 = 0.005;
const BROKEN_SENSORS: f64 = 0.003;
/// How often the answer to a request is lost on the way, so that the device sends everything again.
const LOST_ANSWERS: f64 = 0.03;

/// Behaviour common to all devices of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    pub(crate) interval_ms: i64,
    pub(crate) starts_at_ms: i64,
    pub(crate) batch: usize,
}

/// The registration that a device sends when it starts.
#[derive(Debug, Serialize)]
pub(crate) struct Registration<'a> {
    hardware_id: &'a str,
    boot_id: &'a str,
    firmware_version: &'static str,
    friendly_name: &'a str,
    capabilities: Capabilities,
}

#[derive(Debug, Serialize)]
struct Capabilities {
    sensors: &'static [&'static str],
    features: BTreeMap<&'static str, bool>,
}

/// One reading, as it is sent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Reading {
    hardware_id: String,
    timestamp_ms: i64,
    batch_id: String,
    boot_id: String,
    firmware_version: &'static str,
    sensors: BTreeMap<&'static str, f64>,
    sensor_status: BTreeMap<&'static str, &'static str>,
}

/// The readings of one request.
#[derive(Debug, Serialize)]
pub(crate) struct Readings<'a> {
    pub(crate) readings: &'a [Reading],
}

/// A device that does not exist.
#[derive(Debug, Clone)]
pub(crate) struct Device {
    habits: Habits,
    chance: Chance,
    room: Room,
    hardware_id: String,
    friendly_name: String,
    boot_id: String,
    firmware: &'static str,
    /// Since when the next reading has been gathering.
    window_start_ms: i64,
    /// Readings that have not been sent, or not been acknowledged.
    buffer: Vec<Reading>,
    /// The number of further readings without a connection.
    offline_for: u64,
    pub(crate) is_registered: bool,
}

impl Habits {
    /// The device with this number.
    pub(crate) fn device(self, seed: u64, number: usize) -> Device {
        let mut chance = Chance::new(seed, u64::try_from(number).unwrap_or(u64::MAX));
        let room = Room::new(&mut chance);
        let boot_id = chance.uuid();
        // Locally administered, so that no real device has it; seeds have their own.
        let (family, [.., high, middle, low]) = (seed.to_be_bytes(), number.to_be_bytes());
        let hardware_id =
            format!("02:{:02X}:{:02X}:{high:02X}:{middle:02X}:{low:02X}", family[6], family[7]);
        // Devices do not all measure in the same moment.
        let offset = i64::try_from(chance.between(0, 999_999)).unwrap_or_default();
        let window_start_ms = self.starts_at_ms - self.interval_ms * offset / 1_000_000;
        let firmware = if number.is_multiple_of(7) { FIRMWARE[1] } else { FIRMWARE[0] };
        Device {
            habits: self,
            chance,
            room,
            hardware_id,
            friendly_name: format!("simulated-{number:04}"),
            boot_id,
            firmware,
            window_start_ms,
            buffer: Vec::new(),
            offline_for: 0,
            is_registered: false,
        }
    }
}

impl Device {
    /// The registration that it sends when it starts.
    pub(crate) fn registration(&self) -> Registration<'_> {
        let features = BTreeMap::from([("offline_buffering", true), ("tft_display", false)]);
        Registration {
            hardware_id: &self.hardware_id,
            boot_id: &self.boot_id,
            firmware_version: self.firmware,
            friendly_name: &self.friendly_name,
            capabilities: Capabilities { sensors: self.room.sensors(), features },
        }
    }

    /// Measures once; now and then it reboots, or loses its connection.
    pub(crate) fn measure(&mut self) {
        if self.chance.happens(REBOOTS) {
            self.boot_id = self.chance.uuid();
            self.is_registered = false;
            if self.chance.happens(0.1) {
                self.firmware = FIRMWARE[2];
            }
        }
        let (start, end) = (self.window_start_ms, self.window_start_ms + self.habits.interval_ms);
        self.window_start_ms = end;
        let mut sensors = self.room.measure(end, &mut self.chance);
        let mut sensor_status: BTreeMap<_, _> =
            self.room.sensors().iter().map(|sensor| (*sensor, "ok")).collect();
        if self.chance.happens(BROKEN_SENSORS) {
            sensor_status.insert("ds18b20", "error");
            sensors.remove("ds18b20_temp_c");
        }
        let batch_id = format!("{}_{}_{start}_{end}", self.hardware_id, self.boot_id);
        self.buffer.push(Reading {
            hardware_id: self.hardware_id.clone(),
            timestamp_ms: end,
            batch_id,
            boot_id: self.boot_id.clone(),
            firmware_version: self.firmware,
            sensors,
            sensor_status,
        });
        if self.buffer.len() > MOST_BUFFERED {
            self.buffer.remove(0);
        }
        if self.offline_for > 0 {
            self.offline_for -= 1;
        } else if self.chance.happens(DROP_OUTS) {
            self.offline_for = self.chance.between(5, 60);
        }
    }

    /// The readings to send now: none while offline, or before enough are buffered.
    pub(crate) fn ready(&self) -> &[Reading] {
        if self.offline_for > 0 || self.buffer.len() < self.habits.batch {
            return &[];
        }
        &self.buffer[..self.buffer.len().min(MOST_PER_REQUEST)]
    }

    /// The readings left at the end of the run, even if offline.
    pub(crate) fn rest(&self) -> &[Reading] {
        &self.buffer[..self.buffer.len().min(MOST_PER_REQUEST)]
    }

    /// The server has acknowledged `count` readings. Occasionally the device misses that, and sends
    /// them again.
    pub(crate) fn acknowledged(&mut self, count: usize) {
        if !self.chance.happens(LOST_ANSWERS) {
            self.forget(count);
        }
    }

    /// Drops the oldest readings.
    pub(crate) fn forget(&mut self, count: usize) {
        self.buffer.drain(..count.min(self.buffer.len()));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const HABITS: Habits =
        Habits { interval_ms: 300_000, starts_at_ms: 1_700_000_000_000, batch: 10 };

    #[test]
    fn a_device_follows_from_the_seed_and_its_number() {
        let run = |seed, number| {
            let mut device = HABITS.device(seed, number);
            (0..50).for_each(|_| device.measure());
            device.buffer
        };
        assert_eq!(run(1, 2), run(1, 2));
        assert_ne!(run(1, 2), run(1, 3));
        assert_ne!(run(1, 2), run(2, 2));
    }

    #[test]
    fn every_reading_has_a_batch_id_of_its_own_and_times_go_on() {
        let mut device = HABITS.device(1, 300);
        (0..400).for_each(|_| device.measure());
        let ids: HashSet<_> = device.buffer.iter().map(|reading| &reading.batch_id).collect();
        assert_eq!(ids.len(), 400);
        assert!(device.buffer.is_sorted_by(|a, b| a.timestamp_ms < b.timestamp_ms));
        assert!(device.hardware_id.ends_with(":00:01:2C"), "{}", device.hardware_id);
    }

    #[test]
    fn a_device_is_offline_now_and_then_and_catches_up() {
        let mut device = HABITS.device(5, 1);
        let (mut largest, mut waited) = (0, 0);
        for _ in 0..5000 {
            device.measure();
            let ready = device.ready().len();
            largest = largest.max(ready);
            waited += usize::from(ready == 0 && device.buffer.len() > 20);
            device.forget(ready);
        }
        assert!(largest > 20 && waited > 0, "{largest} {waited}");
        assert!(largest <= MOST_PER_REQUEST);
    }

    #[test]
    fn what_was_acknowledged_is_sent_again_now_and_then() {
        let mut device = HABITS.device(3, 1);
        let mut again = 0;
        for _ in 0..2000 {
            device.buffer.clear();
            device.measure();
            device.acknowledged(1);
            again += device.buffer.len();
        }
        assert!((20..150).contains(&again), "{again}");
    }
}
