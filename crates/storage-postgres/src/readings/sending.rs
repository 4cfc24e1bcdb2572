//! The readings of a request that must be stored, as parameters of the database function.

use std::collections::{BTreeSet, HashSet};

use jiff::Timestamp;
use larder_domain::{BATCH_ID_LIFETIME, HardwareId};
use larder_storage::{Ingest, NewReading, NewReadings, ReadingState};
use uuid::Uuid;

use super::json::{sensors_text, statuses_text};

/// The arguments of `ingest_readings`, column by column.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) hardware_ids: Vec<String>,
    pub(super) timestamps: Vec<i64>,
    pub(super) batch_ids: Vec<String>,
    pub(super) boot_ids: Vec<Uuid>,
    pub(super) firmware_versions: Vec<String>,
    pub(super) sensors: Vec<String>,
    pub(super) sensor_statuses: Vec<String>,
    pub(super) expirations: Vec<i64>,
}

/// A request on its way to the database.
pub(super) struct Sending {
    readings: Vec<HardwareId>,
    /// Known without the database: repeated ids are duplicates, expired ones acknowledged.
    states: Vec<ReadingState>,
    /// The rows' positions in the request.
    places: Vec<usize>,
    pub(super) columns: Columns,
    pub(super) at: Timestamp,
    pub(super) remember_until_s: i64,
}

impl Sending {
    pub(super) fn new(request: &NewReadings) -> Self {
        let at_s = request.at.as_second();
        let expiration = |reading: &NewReading| reading.time.expiration(request.retention);
        let mut states = Vec::with_capacity(request.readings.len());
        let (mut places, mut ids) = (Vec::new(), HashSet::new());
        for (place, reading) in request.readings.iter().enumerate() {
            let is_first = ids.insert(&reading.batch_id);
            states.push(if is_first {
                ReadingState::Acknowledged
            } else {
                ReadingState::Duplicate
            });
            if is_first && expiration(reading) > at_s {
                places.push(place);
            }
        }
        // A common lock order prevents deadlocks.
        places.sort_by(|a, b| request.readings[*a].batch_id.cmp(&request.readings[*b].batch_id));
        let mut columns = Columns::default();
        for place in &places {
            let reading = &request.readings[*place];
            columns.push(reading, expiration(reading));
        }
        Self {
            readings: request.readings.iter().map(|reading| reading.hardware_id).collect(),
            states,
            places,
            columns,
            at: request.at,
            remember_until_s: at_s + BATCH_ID_LIFETIME.as_secs(),
        }
    }

    /// Every device of the request once, also of those readings that are not sent.
    pub(super) fn devices(&self) -> Vec<String> {
        let devices: BTreeSet<_> = self.readings.iter().collect();
        devices.into_iter().map(ToString::to_string).collect()
    }

    /// The result, from the rows (counted from 1) whose ids were claimed before.
    pub(super) fn done(&self, duplicates: &[i64]) -> Ingest {
        let mut states = self.states.clone();
        for row in duplicates {
            let row = usize::try_from(row - 1).ok();
            if let Some(place) = row.and_then(|row| self.places.get(row)) {
                states[*place] = ReadingState::Duplicate;
            }
        }
        Ingest::Done(states)
    }

    /// The result, from the devices that may not send.
    pub(super) fn not_allowed(&self, devices: &[String]) -> Ingest {
        let devices: HashSet<_> = devices.iter().map(String::as_str).collect();
        let readings = self.readings.iter().enumerate();
        let refused = readings.filter(|(_, device)| devices.contains(device.to_string().as_str()));
        Ingest::NotAllowed(refused.map(|(place, _)| place).collect())
    }
}

impl Columns {
    fn push(&mut self, reading: &NewReading, expiration: i64) {
        self.hardware_ids.push(reading.hardware_id.to_string());
        self.timestamps.push(reading.time.as_millis());
        self.batch_ids.push(reading.batch_id.to_string());
        self.boot_ids.push(Uuid::from_bytes(*reading.boot_id.as_bytes()));
        self.firmware_versions.push(reading.firmware_version.to_string());
        self.sensors.push(sensors_text(&reading.sensors));
        self.sensor_statuses.push(statuses_text(&reading.sensor_status));
        self.expirations.push(expiration);
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use larder_domain::{BatchId, BootId, FirmwareVersion, ReadingTime, SensorStatuses, Sensors};

    use super::*;

    const NOW_S: i64 = 1_800_000_000;

    fn reading(device: u8, id: &str, seconds_ago: i64) -> NewReading {
        NewReading {
            hardware_id: HardwareId::from_bytes([device; 6]),
            time: ReadingTime::from_millis((NOW_S - seconds_ago) * 1000).unwrap(),
            batch_id: BatchId::parse(id).unwrap(),
            boot_id: BootId::from_random([1; 16]),
            firmware_version: FirmwareVersion::parse("1.0").unwrap(),
            sensors: Sensors::default(),
            sensor_status: SensorStatuses::default(),
        }
    }

    fn sending(readings: Vec<NewReading>) -> Sending {
        let at = Timestamp::from_second(NOW_S).unwrap();
        Sending::new(&NewReadings { readings, retention: SignedDuration::from_secs(100), at })
    }

    #[test]
    fn readings_go_in_the_order_of_their_ids_and_states_come_back_in_that_of_the_request() {
        use ReadingState::{Acknowledged, Duplicate};
        let sending = sending(vec![
            reading(1, "c", 0),
            reading(1, "a", 0),
            reading(1, "c", 1),
            reading(2, "B", 0),
        ]);
        assert_eq!(sending.columns.batch_ids, ["B", "a", "c"]);
        assert_eq!(sending.columns.expirations, [NOW_S + 100; 3]);
        assert_eq!(sending.remember_until_s, NOW_S + 30 * 86_400);
        let states = vec![Acknowledged, Acknowledged, Duplicate, Acknowledged];
        assert_eq!(sending.done(&[]), Ingest::Done(states));
        let states = vec![Duplicate, Acknowledged, Duplicate, Duplicate];
        assert_eq!(sending.done(&[1, 3]), Ingest::Done(states));
    }

    #[test]
    fn what_has_expired_is_acknowledged_and_not_sent() {
        use ReadingState::{Acknowledged, Duplicate};
        let sending = sending(vec![
            reading(1, "x", 100),
            reading(2, "y", 99),
            reading(1, "z", 1000),
            reading(1, "x", 0),
        ]);
        assert_eq!(sending.columns.timestamps, [(NOW_S - 99) * 1000]);
        let states = vec![Acknowledged, Acknowledged, Acknowledged, Duplicate];
        assert_eq!(sending.done(&[]), Ingest::Done(states));
        assert_eq!(sending.devices(), ["01:01:01:01:01:01", "02:02:02:02:02:02"]);
        let refused = sending.not_allowed(&["01:01:01:01:01:01".to_owned()]);
        assert_eq!(refused, Ingest::NotAllowed(vec![0, 2, 3]));
    }
}
