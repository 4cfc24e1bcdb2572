//! Devices to try things with.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{
    BatchId, BootId, Capabilities, ConfirmationId, FirmwareVersion, FriendlyName, HardwareId,
    ReadingTime, SensorName, SensorStatus, SensorStatuses, SensorValue, Sensors,
};
use larder_storage::{
    Clock, Devices, FleetScope, Ingest, ManualClock, NewReading, NewReadings, ReadingRange,
    ReadingState, Readings, RegisterDevice, Registration,
};
use larder_storage_postgres::PostgresStore;

use crate::home::found;

pub(crate) const DEVICE: HardwareId = HardwareId::from_bytes([0xAA, 1, 2, 3, 4, 5]);
pub(crate) const DAY: SignedDuration = SignedDuration::from_hours(24);
pub(crate) const RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);

/// A household with one device.
pub(crate) async fn fleet(store: &PostgresStore, clock: &ManualClock) -> FleetScope {
    let scope = FleetScope::assume_authorized(found(store, clock).await.household());
    let registration = Registration {
        hardware_id: DEVICE,
        boot_id: BootId::from_random([1; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: Some(FriendlyName::parse("freezer").unwrap()),
        capabilities: Capabilities::default(),
        confirmation_id: ConfirmationId::from_random([2; 16]),
        at: clock.now(),
    };
    let registered = store.register_device(scope, &registration).await.unwrap();
    assert!(matches!(registered, RegisterDevice::Registered(_)), "{registered:?}");
    scope
}

/// A reading of the device, this many milliseconds after the clock's time.
pub(crate) fn reading(clock: &ManualClock, after_ms: i64, batch_id: &str) -> NewReading {
    let sensor = |name| SensorName::parse(name).unwrap();
    let value = SensorValue::new(-18.5).unwrap();
    NewReading {
        hardware_id: DEVICE,
        time: ReadingTime::from_millis(clock.now().as_millisecond() + after_ms).unwrap(),
        batch_id: BatchId::parse(batch_id).unwrap(),
        boot_id: BootId::from_random([1; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        sensors: Sensors::new(vec![(sensor("ds18b20_temp_c"), value)]).unwrap(),
        sensor_status: SensorStatuses::new(vec![(sensor("ds18b20"), SensorStatus::Ok)]).unwrap(),
    }
}

pub(crate) fn together(clock: &ManualClock, readings: Vec<NewReading>) -> NewReadings {
    NewReadings { readings, retention: RETENTION, at: clock.now() }
}

/// Sends readings, which are allowed, and returns the state of each.
pub(crate) async fn send(
    store: &PostgresStore,
    scope: FleetScope,
    clock: &ManualClock,
    readings: Vec<NewReading>,
) -> Vec<ReadingState> {
    match store.ingest(scope, together(clock, readings)).await.unwrap() {
        Ingest::Done(states) => states,
        refused @ Ingest::NotAllowed(_) => panic!("{refused:?}"),
    }
}

/// The batch ids of all readings, oldest first.
pub(crate) async fn kept(
    store: &PostgresStore,
    scope: FleetScope,
    clock: &Arc<ManualClock>,
) -> Vec<String> {
    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let page = store.list_readings(scope, DEVICE, range, None, 100_000, clock.now()).await.unwrap();
    assert_eq!(page.next, None);
    page.items.iter().map(|reading| reading.batch_id.to_string()).collect()
}
