//! Devices, keys and readings: after the examples of seed 002, and with as few fields as possible.
//! The clock is stopped.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    ApiKeyHash, ApiKeyId, BatchId, BootId, Capabilities, ConfirmationId, FeatureName,
    FirmwareVersion, FriendlyName, HardwareId, KeyDescription, ReadingTime, SensorStatus,
    SensorStatuses, Sensors,
};
use larder_storage::{
    ApiKeys, Clock as _, Devices, FleetScope, Ingest, NewApiKey, NewReading, NewReadings,
    ReadingState, Readings, RegisterDevice, Registration,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{HOME, Scenario};
use crate::store_harness::{OPERATOR, sensors, statuses};

const GREENHOUSE: HardwareId = HardwareId::from_bytes([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]);
const OF_NOBODY: HardwareId = HardwareId::from_bytes([0, 0, 0, 0, 0, 1]);
const OURS: FleetScope = FleetScope::assume_authorized(HOME);

fn boot(n: u8) -> BootId {
    BootId::from_random([n; 16])
}

fn key_id(n: u8) -> ApiKeyId {
    ApiKeyId::from_random([n; 16])
}

fn key_hash(n: u8) -> ApiKeyHash {
    ApiKeyHash::from_bytes([n; 32])
}

fn friendly(text: &str) -> FriendlyName {
    FriendlyName::parse(text).unwrap()
}

/// A device without optional fields.
fn plain(hardware_id: HardwareId, at: Timestamp) -> Registration {
    Registration {
        hardware_id,
        boot_id: boot(0x10),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: None,
        capabilities: Capabilities::default(),
        confirmation_id: ConfirmationId::from_random(*boot(hardware_id.as_bytes()[5]).as_bytes()),
        at,
    }
}

fn capabilities() -> Capabilities {
    let feature = |text: &str| FeatureName::parse(text).unwrap();
    let sensors = ["bme280", "ds18b20", "soil_moisture"].map(feature).to_vec();
    let features: BTreeMap<_, _> =
        ["tft_display", "offline_buffering"].map(|name| (feature(name), true)).into();
    Capabilities::new(sensors, features).unwrap()
}

/// A reading of the last ten minutes, without values.
fn empty(hardware_id: HardwareId, at: Timestamp) -> NewReading {
    let (boot_id, end) = (boot(0x10), at.as_millisecond());
    let batch_id = format!("{hardware_id}_{boot_id}_{}_{end}", end - 600_000);
    NewReading {
        hardware_id,
        time: ReadingTime::from_millis(end).unwrap(),
        batch_id: BatchId::parse(&batch_id).unwrap(),
        boot_id,
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        sensors: Sensors::default(),
        sensor_status: SensorStatuses::default(),
    }
}

/// The same with the values of the seed's example.
fn full(hardware_id: HardwareId, at: Timestamp) -> NewReading {
    NewReading {
        sensors: sensors(&[
            ("bme280_temp_c", 22.5),
            ("ds18b20_temp_c", 21.8),
            ("humidity_pct", 45.2),
            ("pressure_hpa", 1013.25),
            ("soil_moisture_pct", 62.3),
        ]),
        sensor_status: statuses(&[
            ("bme280", SensorStatus::Ok),
            ("ds18b20", SensorStatus::Error),
            ("soil_moisture", SensorStatus::Ok),
        ]),
        ..empty(hardware_id, at)
    }
}

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// A device of the household with every field, one of the operator's with none; a key each.
    pub(super) async fn make_devices(&self) {
        let at = self.clock.now();
        let said = Registration {
            friendly_name: Some(friendly("greenhouse-sensor-01")),
            capabilities: capabilities(),
            ..plain(GREENHOUSE, at)
        };
        self.meet(OURS, &said).await;
        self.meet(OPERATOR, &plain(OF_NOBODY, at)).await;

        let text = "Production devices - greenhouse cluster";
        let description = Some(KeyDescription::parse(text).unwrap());
        let key = NewApiKey { id: key_id(1), hash: key_hash(1), description, at };
        let key = self.store.add_api_key(OURS, &key).await.unwrap();
        self.store.note_api_key_use(&key, at + SignedDuration::from_mins(9)).await.unwrap();
        let key = NewApiKey { id: key_id(2), hash: key_hash(2), description: None, at };
        self.store.add_api_key(OPERATOR, &key).await.unwrap();

        // An earlier and a current one, which do not overlap.
        let earlier = at - SignedDuration::from_mins(10);
        let later = at + SignedDuration::from_mins(4);
        let readings = vec![full(GREENHOUSE, at), empty(GREENHOUSE, earlier)];
        self.measure(OURS, readings, later).await;
        self.measure(OPERATOR, vec![empty(OF_NOBODY, at)], at).await;
    }

    /// One device restarts with other firmware and is renamed before a late reading arrives; the
    /// other sends a reading after a minute, with an id of its own format. A key is revoked.
    pub(super) async fn change_devices(&self) {
        let at = self.clock.now();
        let again = Registration {
            boot_id: boot(0x20),
            firmware_version: FirmwareVersion::parse("1.1.0-β").unwrap(),
            ..plain(GREENHOUSE, at + SignedDuration::from_hours(1))
        };
        self.meet(OURS, &again).await;
        let name = friendly("温室");
        let renamed = self.store.rename_device(OURS, GREENHOUSE, Some(&name)).await.unwrap();
        assert_eq!(renamed.and_then(|device| device.friendly_name), Some(name));
        let long_ago = at - SignedDuration::from_hours(24);
        self.measure(OURS, vec![full(GREENHOUSE, long_ago)], at).await;

        let batch_id = BatchId::parse("by-hand.1").unwrap();
        let sensors = sensors(&[("exact", 0.1), ("large", 1e22), ("small", -1.5e-7)]);
        let later = at + SignedDuration::from_mins(5);
        let by_hand = NewReading { batch_id, sensors, ..empty(OF_NOBODY, later) };
        self.measure(OPERATOR, vec![by_hand], later).await;
        let revoked = self.store.revoke_api_key(OPERATOR, key_id(1)).await.unwrap();
        assert_eq!(revoked.map(|key| key.is_active), Some(false));
    }

    async fn meet(&self, scope: FleetScope, said: &Registration) {
        let outcome = self.store.register_device(scope, said).await.unwrap();
        assert!(matches!(outcome, RegisterDevice::Registered(_)), "{outcome:?}");
    }

    async fn measure(&self, scope: FleetScope, readings: Vec<NewReading>, at: Timestamp) {
        let states = vec![ReadingState::Acknowledged; readings.len()];
        let retention = SignedDuration::from_hours(90 * 24);
        let done = self.store.ingest(scope, NewReadings { readings, retention, at }).await.unwrap();
        assert_eq!(done, Ingest::Done(states));
    }
}
