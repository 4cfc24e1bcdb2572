//! The cost of ingestion on an engine, and failures that do not stop it.

use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{
    BatchId, BootId, Capabilities, ConfirmationId, FirmwareVersion, FriendlyName, HardwareId,
    HouseholdId, ReadingTime, SensorStatuses, Sensors,
};
use larder_storage::{
    Clock as _, Devices as _, FleetScope, Ingest, ManualClock, NewReading, NewReadings,
    ReadingState::Acknowledged, Readings as _, Registration,
};
use larder_storage_item::ItemStore;

use crate::{
    FREEZER,
    counting::{Calls, Counting, CountingEngine},
};

const CELLAR: HardwareId = HardwareId::from_bytes([2; 6]);

struct Fixture {
    engine: Arc<CountingEngine>,
    clock: Arc<ManualClock>,
    store: ItemStore<CountingEngine>,
    scope: FleetScope,
}

impl Fixture {
    /// A store with two devices; the counters start at zero.
    async fn new() -> Self {
        let (engine, clock) = Counting::fresh();
        let store = ItemStore::new(Arc::clone(&engine), Arc::clone(&clock) as _);
        let scope = FleetScope::assume_authorized(HouseholdId::fixed(1));
        for device in [FREEZER, CELLAR] {
            let registration = Registration {
                hardware_id: device,
                boot_id: BootId::from_random([3; 16]),
                firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
                friendly_name: FriendlyName::parse("Freezer").ok(),
                capabilities: Capabilities::default(),
                confirmation_id: ConfirmationId::from_random([4; 16]),
                at: clock.now(),
            };
            store.register_device(scope, &registration).await.unwrap();
        }
        engine.calls();
        Self { engine, clock, store, scope }
    }

    /// Sends a reading of each device, and returns the calls to the engine.
    async fn send(&self, batch_id: &str) -> Calls {
        let at = self.clock.now();
        let reading = |device: HardwareId| NewReading {
            hardware_id: device,
            time: ReadingTime::from_millis(at.as_millisecond()).unwrap(),
            batch_id: BatchId::parse(&format!("{device}_{batch_id}")).unwrap(),
            boot_id: BootId::from_random([3; 16]),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            sensors: Sensors::default(),
            sensor_status: SensorStatuses::default(),
        };
        let readings = vec![reading(FREEZER), reading(CELLAR)];
        let retention = SignedDuration::from_hours(24);
        let new = NewReadings { readings, retention, at };
        let done = self.store.ingest(self.scope, new).await.unwrap();
        assert_eq!(done, Ingest::Done(vec![Acknowledged; 2]), "{batch_id}");
        self.engine.calls()
    }

    async fn last_seen_s(&self, device: HardwareId) -> i64 {
        let device = self.store.find_device(self.scope, device).await.unwrap().unwrap();
        self.engine.calls();
        device.last_seen_at.as_second() - larder_storage_testkit::START.as_second()
    }

    fn wait(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    async fn name_on_latest(&self) -> Option<FriendlyName> {
        let latest = self.store.latest_reading(self.scope, FREEZER, self.clock.now()).await;
        self.engine.calls();
        latest.unwrap().unwrap().friendly_name
    }
}

const NOTHING_BUT_APPENDED: Calls = Calls { reads: 0, writes: 0, appends: 1 };

#[tokio::test]
async fn devices_that_are_known_are_not_read_and_readings_go_to_the_engine_at_once() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.send("1").await, Calls { reads: 2, writes: 0, appends: 1 });
    for batch_id in ["2", "3", "4"] {
        fixture.wait(3);
        assert_eq!(fixture.send(batch_id).await, NOTHING_BUT_APPENDED);
    }
    // Another server may have renamed them.
    fixture.wait(1);
    assert_eq!(fixture.send("5").await, Calls { reads: 2, writes: 0, appends: 1 });
    assert_eq!(fixture.send("6").await, NOTHING_BUT_APPENDED);
}

#[tokio::test]
async fn activity_is_noted_once_a_minute_and_device() {
    let fixture = Fixture::new().await;
    fixture.wait(59);
    assert_eq!(fixture.send("1").await.writes, 0);
    assert_eq!(fixture.last_seen_s(FREEZER).await, 0);
    fixture.wait(1);
    assert_eq!(fixture.send("2").await, Calls { reads: 0, writes: 2, appends: 1 });
    assert_eq!(fixture.last_seen_s(FREEZER).await, 60);
    assert_eq!(fixture.send("3").await, NOTHING_BUT_APPENDED);
    fixture.wait(60);
    assert_eq!(fixture.send("4").await.writes, 2);
    assert_eq!(fixture.last_seen_s(CELLAR).await, 120);
}

#[tokio::test]
async fn of_two_servers_one_notes_activity() {
    let one = Fixture::new().await;
    let other = ItemStore::new(Arc::clone(&one.engine), Arc::clone(&one.clock) as _);
    let other = Fixture {
        engine: Arc::clone(&one.engine),
        clock: Arc::clone(&one.clock),
        store: other,
        scope: one.scope,
    };
    one.wait(55);
    one.send("1").await;
    one.wait(5);
    other.send("2").await;
    one.wait(2);
    // The cached time is a minute old; the stored one is not.
    assert_eq!(one.send("3").await, Calls { reads: 0, writes: 2, appends: 1 });
    assert_eq!(one.last_seen_s(FREEZER).await, 60);
    assert_eq!(one.send("4").await, NOTHING_BUT_APPENDED);
}

#[tokio::test]
async fn readings_are_acknowledged_though_activity_cannot_be_noted() {
    let fixture = Fixture::new().await;
    fixture.wait(60);
    fixture.engine.fail_writes(true);
    assert_eq!(fixture.send("1").await.writes, 2);
    fixture.engine.fail_writes(false);
    assert_eq!(fixture.last_seen_s(FREEZER).await, 0);
    assert_eq!(fixture.send("2").await.writes, 2);
    assert_eq!(fixture.last_seen_s(FREEZER).await, 60);
}

#[tokio::test]
async fn a_new_name_is_on_the_next_reading() {
    let fixture = Fixture::new().await;
    fixture.send("1").await;
    assert_eq!(fixture.name_on_latest().await, FriendlyName::parse("Freezer").ok());
    let chest = FriendlyName::parse("Chest").unwrap();
    fixture.store.rename_device(fixture.scope, FREEZER, Some(&chest)).await.unwrap();
    fixture.wait(1);
    fixture.send("2").await;
    assert_eq!(fixture.name_on_latest().await, Some(chest));
    fixture.store.rename_device(fixture.scope, FREEZER, None).await.unwrap();
    fixture.wait(1);
    fixture.send("3").await;
    assert_eq!(fixture.name_on_latest().await, None);
}
