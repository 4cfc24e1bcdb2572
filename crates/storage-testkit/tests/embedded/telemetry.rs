//! Readings on the embedded engine: closed and opened again in the middle, everything is as the rules say.

use std::path::Path;
use std::sync::Arc;

use jiff::SignedDuration;
use larder_domain::{
    BatchId, BootId, Capabilities, ConfirmationId, FirmwareVersion, FriendlyName, HardwareId,
    HouseholdId, Reading, ReadingTime, SensorName, SensorStatuses, SensorValue, Sensors,
    SeriesSpan,
};
use larder_storage::{
    Clock as _, Devices as _, FleetScope, Ingest, ManualClock, NewReading, NewReadings,
    ReadingRange, Readings as _, RegisterDevice, Registration,
};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::ItemStore;
use larder_storage_testkit::{Chart, Random, START, TelemetryModel, seed};
use tempfile::TempDir;

use super::launch;

const ROUNDS: usize = 12;
const REQUESTS: usize = 25;
/// Short, so that some expire within the test.
const RETENTION: SignedDuration = SignedDuration::from_hours(40 * 24);

/// Three devices of two owners, on a store and by the rules.
struct World {
    clock: Arc<ManualClock>,
    model: TelemetryModel,
    random: Random,
    devices: [(FleetScope, HardwareId); 3],
    /// All that was ever sent, to be sent again.
    sent: Vec<(FleetScope, NewReading)>,
}

type Store = ItemStore<EmbeddedEngine>;

impl World {
    #[expect(clippy::disallowed_methods, reason = "the test plays the part of authorization")]
    fn new(clock: Arc<ManualClock>, seed: u64) -> Self {
        let ours = FleetScope::assume_authorized(HouseholdId::fixed(7));
        let devices = [ours, ours, FleetScope::assume_operator()];
        let mut number = 0;
        let devices = devices.map(|scope| {
            number += 1;
            (scope, HardwareId::from_bytes([0, 0, 0, 0, 0, number]))
        });
        let (model, random) = (TelemetryModel::default(), Random::new(seed));
        Self { clock, model, random, devices, sent: Vec::new() }
    }

    /// Opens the store as the last round left it.
    fn open(&self, directory: &Path) -> Store {
        let engine = launch::open(directory, &self.clock);
        ItemStore::new(Arc::new(engine), Arc::clone(&self.clock) as _)
    }

    async fn register(&mut self, store: &Store) {
        for (scope, hardware_id) in self.devices {
            let name = format!("device {}", self.random.below(100));
            let said = Registration {
                hardware_id,
                boot_id: BootId::from_random(self.random.bytes()),
                firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
                friendly_name: Some(FriendlyName::parse(&name).unwrap()),
                capabilities: Capabilities::default(),
                confirmation_id: ConfirmationId::from_random(self.random.bytes()),
                at: self.clock.now(),
            };
            let expected = self.model.register(scope, &said);
            assert!(matches!(expected, RegisterDevice::Registered(_)));
            assert_eq!(store.register_device(scope, &said).await.unwrap(), expected);
        }
    }

    /// A reading of some minutes ago, rarely of some weeks, with an id in the firmware's format or
    /// another.
    fn fresh(&mut self, n: usize) -> (FleetScope, NewReading) {
        let (scope, hardware_id) = *self.random.pick(&self.devices);
        let late = if self.random.chance(5) { 45 * 24 * 60 } else { 120 };
        let ago = i64::try_from(self.random.below(late)).unwrap() * 60_000;
        let time = self.clock.now().as_millisecond() - ago;
        let boot_id = BootId::from_random([u8::try_from(n % 5).unwrap(); 16]);
        let batch_id = if self.random.chance(80) {
            format!("{hardware_id}_{boot_id}_{}_{time}", time - 300_000)
        } else {
            format!("odd-{}", self.random.below(200))
        };
        let value = |number: usize| {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let value = number as f64 / 100.0;
            SensorValue::new(value).unwrap()
        };
        let mut sensors = vec![(sensor(), value(self.random.below(5000)))];
        if self.random.chance(20) {
            sensors.push((SensorName::parse("seldom").unwrap(), value(self.random.below(9))));
        }
        let reading = NewReading {
            hardware_id,
            time: ReadingTime::from_millis(time).unwrap(),
            batch_id: BatchId::parse(&batch_id).unwrap(),
            boot_id,
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            sensors: Sensors::new(sensors).unwrap(),
            sensor_status: SensorStatuses::default(),
        };
        (scope, reading)
    }

    /// Sends new readings and, occasionally, old ones again.
    async fn send(&mut self, store: &Store) {
        for n in 0..REQUESTS {
            let size = 1 + self.random.below(60);
            let mut mixed: Vec<_> = (0..size)
                .map(|_| {
                    if self.random.chance(25) && !self.sent.is_empty() {
                        self.random.pick(&self.sent).clone()
                    } else {
                        self.fresh(n)
                    }
                })
                .collect();
            self.sent.extend(mixed.iter().cloned());
            // A request is of one owner.
            let scope = mixed[0].0;
            mixed.retain(|(of, _)| *of == scope);
            let readings = mixed.into_iter().map(|(_, reading)| reading).collect();
            let (retention, at) = (RETENTION, self.clock.now());
            let request = NewReadings { readings, retention, at };
            let expected = self.model.ingest(scope, &request);
            assert!(matches!(expected, Ingest::Done(_)));
            assert_eq!(store.ingest(scope, request).await.unwrap(), expected);
        }
    }

    /// Reads everything in every way.
    async fn compare(&self, store: &Store) {
        let at = self.clock.now();
        for (scope, device) in self.devices {
            let newest_first = ReadingRange::newest_first();
            let expected = self.model.readings(scope, device, newest_first, at);
            let latest = store.latest_reading(scope, device, at).await.unwrap();
            assert_eq!(latest.as_ref(), expected.first());
            let read = all_pages(store, scope, device, newest_first, 97, at).await;
            assert!(read == expected, "{} readings, not {}", read.len(), expected.len());
            let start = at.as_millisecond() - 3 * 60 * 60_000;
            let from = ReadingTime::from_millis(start).unwrap();
            let to = ReadingTime::from_millis(at.as_millisecond()).unwrap();
            let span = SeriesSpan::new(from, to, 50).unwrap();
            let series = store.reading_series(scope, device, &sensor(), span, at).await.unwrap();
            assert_eq!(Chart(series), self.model.series(scope, device, &sensor(), span, at));
        }
    }
}

fn sensor() -> SensorName {
    SensorName::parse("bme280_temp_c").unwrap()
}

async fn all_pages(
    store: &Store,
    scope: FleetScope,
    device: HardwareId,
    range: ReadingRange,
    limit: usize,
    at: jiff::Timestamp,
) -> Vec<Reading> {
    let (mut readings, mut after) = (Vec::new(), None);
    loop {
        let page = store.list_readings(scope, device, range, after.as_ref(), limit, at);
        let page = page.await.unwrap();
        readings.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return readings,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e04_readings_are_exact_whenever_the_engine_is_closed_and_opened() {
    let seed = seed();
    println!("seed {seed} (LARDER_TEST_SEED)");
    let (directory, clock) = (TempDir::new().unwrap(), launch::clock());
    assert_eq!(clock.now(), START);
    let mut world = World::new(Arc::clone(&clock), seed);
    for round in 0..ROUNDS {
        let store = world.open(directory.path());
        world.compare(&store).await;
        world.register(&store).await;
        world.send(&store).await;
        world.compare(&store).await;
        drop(store);
        // Batch ids are forgotten after 30 days, readings after 40.
        let days = if round % 4 == 3 { 8 } else { 1 };
        clock.advance(SignedDuration::from_hours(24 * days));
    }
}
