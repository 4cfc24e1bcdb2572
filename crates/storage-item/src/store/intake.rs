//! The states of the readings of a request.

use std::collections::{HashMap, HashSet};

use larder_domain::{HardwareId, Reading};
use larder_storage::{NewReading, NewReadings, ReadingState, Result, StorageError};

use super::device_cache::CachedDevice;

/// The states of the readings of a request; some are known only after the engine has stored them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Intake {
    states: Vec<ReadingState>,
    /// The places of those that the engine judges.
    judged: Vec<usize>,
}

impl Intake {
    /// Selects the readings to store. The others' states are known: a repeated batch id is a
    /// duplicate, and an expired reading need not be stored.
    pub(super) fn sort(
        new: NewReadings,
        devices: &HashMap<HardwareId, CachedDevice>,
    ) -> (Self, Vec<Reading>) {
        let NewReadings { readings, retention, at } = new;
        let states = states_within_request(&readings);
        let mut judged = Vec::with_capacity(readings.len());
        let mut kept = Vec::with_capacity(readings.len());
        for (place, reading) in readings.into_iter().enumerate() {
            let expires_at_s = reading.time.expiration(retention);
            let is_first = states[place] == ReadingState::Acknowledged;
            if is_first && expires_at_s > at.as_second() {
                judged.push(place);
                let device = devices.get(&reading.hardware_id);
                kept.push(with_what_we_know(reading, device, expires_at_s));
            }
        }
        (Self { states, judged }, kept)
    }

    /// Adds the states of the stored readings.
    pub(super) fn settle(&mut self, states: Vec<ReadingState>) -> Result<()> {
        if states.len() != self.judged.len() {
            let (found, wanted) = (states.len(), self.judged.len());
            return Err(StorageError::Defect(format!("{found} answers for {wanted} readings")));
        }
        for (place, state) in self.judged.drain(..).zip(states) {
            self.states[place] = state;
        }
        Ok(())
    }

    pub(super) fn into_states(self) -> Vec<ReadingState> {
        self.states
    }
}

/// The first reading with each batch id is acknowledged within the request, and the others are
/// duplicates.
fn states_within_request(readings: &[NewReading]) -> Vec<ReadingState> {
    let mut seen = HashSet::with_capacity(readings.len());
    let is_first = readings.iter().map(|reading| seen.insert(&reading.batch_id));
    is_first
        .map(|first| if first { ReadingState::Acknowledged } else { ReadingState::Duplicate })
        .collect()
}

fn with_what_we_know(
    reading: NewReading,
    device: Option<&CachedDevice>,
    expires_at_s: i64,
) -> Reading {
    Reading {
        hardware_id: reading.hardware_id,
        time: reading.time,
        batch_id: reading.batch_id,
        boot_id: reading.boot_id,
        firmware_version: reading.firmware_version,
        friendly_name: device.and_then(|device| device.friendly_name.clone()),
        sensors: reading.sensors,
        sensor_status: reading.sensor_status,
        expires_at_s,
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use larder_domain::{
        BatchId, BootId, DeviceRun, FirmwareVersion, FriendlyName, ReadingTime, SensorStatuses,
        Sensors,
    };
    use larder_storage::ReadingState::{Acknowledged, Duplicate};

    use super::*;

    const DEVICE: HardwareId = HardwareId::from_bytes([1; 6]);
    const NOW_S: i64 = 1_704_067_800;

    fn new_readings(readings: &[(&str, i64)]) -> NewReadings {
        let reading = |(batch_id, at_s): &(&str, i64)| NewReading {
            hardware_id: DEVICE,
            time: ReadingTime::from_millis(at_s * 1000 + 999).unwrap(),
            batch_id: BatchId::parse(batch_id).unwrap(),
            boot_id: BootId::from_random([2; 16]),
            firmware_version: FirmwareVersion::parse("1").unwrap(),
            sensors: Sensors::default(),
            sensor_status: SensorStatuses::default(),
        };
        NewReadings {
            readings: readings.iter().map(reading).collect(),
            retention: SignedDuration::from_secs(100),
            at: Timestamp::from_second(NOW_S).unwrap(),
        }
    }

    fn sort(readings: &[(&str, i64)]) -> (Intake, Vec<(String, i64)>) {
        let name = FriendlyName::parse("Freezer").ok();
        let device = CachedDevice {
            household: None,
            friendly_name: name.clone(),
            last_seen_at: Timestamp::UNIX_EPOCH,
            run: DeviceRun {
                boot_id: BootId::from_random([2; 16]),
                firmware_version: FirmwareVersion::parse("1").unwrap(),
            },
        };
        let (intake, kept) = Intake::sort(new_readings(readings), &[(DEVICE, device)].into());
        assert!(kept.iter().all(|reading| reading.friendly_name == name));
        let kept = kept.iter().map(|reading| (reading.batch_id.to_string(), reading.expires_at_s));
        (intake, kept.collect())
    }

    #[test]
    fn each_state_goes_to_the_place_that_its_reading_came_from() {
        let (mut intake, kept) =
            sort(&[("old", NOW_S - 200), ("a", NOW_S), ("b", NOW_S - 1), ("a", NOW_S)]);
        assert_eq!(kept, [("a".to_owned(), NOW_S + 100), ("b".to_owned(), NOW_S + 99)]);
        intake.settle(vec![Duplicate, Acknowledged]).unwrap();
        assert_eq!(intake.into_states(), [Acknowledged, Duplicate, Acknowledged, Duplicate]);
    }

    #[test]
    fn a_reading_whose_last_second_has_begun_is_not_kept() {
        let (_, kept) = sort(&[("gone", NOW_S - 100), ("kept", NOW_S - 99)]);
        assert_eq!(kept, [("kept".to_owned(), NOW_S + 1)]);
    }

    #[test]
    fn the_second_with_a_batch_id_is_a_duplicate_even_if_the_first_was_not_kept() {
        let (intake, kept) = sort(&[("a", NOW_S - 200), ("a", NOW_S)]);
        assert_eq!(kept, []);
        assert_eq!(intake.into_states(), [Acknowledged, Duplicate]);
    }

    #[test]
    fn an_engine_that_does_not_answer_for_all_is_defective() {
        let (mut intake, _) = sort(&[("a", NOW_S), ("b", NOW_S)]);
        assert!(matches!(intake.settle(vec![Acknowledged]), Err(StorageError::Defect(_))));
    }
}
