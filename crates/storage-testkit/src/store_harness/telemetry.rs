//! Devices, their keys, and readings.

use jiff::SignedDuration;
use larder_domain::{
    ApiKey, ApiKeyHash, ApiKeyId, ApiKeyPosition, BatchId, BootId, Capabilities, ConfirmationId,
    Device, DevicePosition, FirmwareVersion, HardwareId, Reading, ReadingPosition, ReadingTime,
    SensorName, SensorStatus, SensorStatuses, SensorValue, Sensors,
};
use larder_storage::{
    FleetScope, Ingest, MAX_READINGS_PER_REQUEST, NewApiKey, NewReading, NewReadings, ReadingRange,
    ReadingState, RegisterDevice, Registration,
};

use super::{Home, StoreHarness};

/// The retention of readings in tests.
const RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);
/// The operator's right.
pub(crate) const OPERATOR: FleetScope = FleetScope::assume_operator();

impl Home {
    /// The right to the household's devices.
    pub(crate) const fn fleet(&self) -> FleetScope {
        FleetScope::assume_authorized(self.household.id)
    }
}

impl StoreHarness {
    /// Sets the number of readings in the large tests, depending on the store's speed.
    #[must_use]
    pub fn with_readings(mut self, count: usize) -> Self {
        self.readings = count;
        self
    }

    /// How many readings a large test writes.
    pub(crate) const fn many(&self) -> usize {
        self.readings
    }

    pub(crate) fn hardware_id(&self) -> HardwareId {
        HardwareId::from_bytes(self.bytes())
    }

    pub(crate) fn boot_id(&self) -> BootId {
        BootId::from_random(self.bytes())
    }

    /// A registration without optional fields, now.
    pub(crate) fn registration(&self, hardware_id: HardwareId) -> Registration {
        Registration {
            hardware_id,
            boot_id: self.boot_id(),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            friendly_name: None,
            capabilities: Capabilities::default(),
            confirmation_id: ConfirmationId::from_random(self.bytes()),
            at: self.now(),
        }
    }

    pub(crate) async fn register(&self, scope: FleetScope, said: &Registration) -> Device {
        match self.store.register_device(scope, said).await.unwrap() {
            RegisterDevice::Registered(device) => device,
            RegisterDevice::NotAllowed => panic!("{} is this household's", said.hardware_id),
        }
    }

    /// A device that registered just now.
    pub(crate) async fn device(&self, scope: FleetScope) -> HardwareId {
        let id = self.hardware_id();
        self.register(scope, &self.registration(id)).await;
        id
    }

    pub(crate) async fn find_device(&self, scope: FleetScope, id: HardwareId) -> Option<Device> {
        self.store.find_device(scope, id).await.unwrap()
    }

    /// A whole list of devices, read page by page; checks the rules of paging.
    pub(crate) async fn devices(&self, scope: FleetScope, limit: usize) -> Vec<Device> {
        let (mut devices, mut after) = (Vec::new(), None::<DevicePosition>);
        loop {
            let page = self.store.list_devices(scope, after.as_ref(), limit).await.unwrap();
            after = next_page(&mut devices, page.items, page.next, limit);
            if after.is_none() {
                return devices;
            }
        }
    }

    /// A key to be, without a description.
    pub(crate) fn new_key(&self) -> NewApiKey {
        NewApiKey {
            id: ApiKeyId::from_random(self.bytes()),
            hash: ApiKeyHash::from_bytes(self.bytes()),
            description: None,
            at: self.now(),
        }
    }

    /// A key that is found by its hash.
    pub(crate) async fn key(&self, scope: FleetScope) -> ApiKey {
        let new = self.new_key();
        let key = self.store.add_api_key(scope, &new).await.unwrap();
        self.eventually(&Some(key.clone()), async || self.find_key(&new.hash).await).await;
        key
    }

    pub(crate) async fn find_key(&self, hash: &ApiKeyHash) -> Option<ApiKey> {
        self.store.find_api_key(hash).await.unwrap()
    }

    /// A whole list of keys, read page by page; checks the rules of paging.
    pub(crate) async fn keys(&self, scope: FleetScope, limit: usize) -> Vec<ApiKey> {
        let (mut keys, mut after) = (Vec::new(), None::<ApiKeyPosition>);
        loop {
            let page = self.store.list_api_keys(scope, after.as_ref(), limit).await.unwrap();
            after = next_page(&mut keys, page.items, page.next, limit);
            if after.is_none() {
                return keys;
            }
        }
    }

    /// A reading this many milliseconds from now.
    pub(crate) fn reading(&self, device: HardwareId, after_ms: i64, batch: &str) -> NewReading {
        let time = self.now().as_millisecond() + after_ms;
        NewReading {
            hardware_id: device,
            time: ReadingTime::from_millis(time).unwrap(),
            batch_id: BatchId::parse(batch).unwrap(),
            boot_id: BootId::from_random([7; 16]),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            sensors: sensors(&[("bme280_temp_c", 22.5), ("humidity_pct", 45.2)]),
            sensor_status: statuses(&[("bme280", SensorStatus::Ok)]),
        }
    }

    /// A request received now.
    pub(crate) fn request(&self, readings: Vec<NewReading>) -> NewReadings {
        NewReadings { readings, retention: RETENTION, at: self.now() }
    }

    pub(crate) async fn ingest(&self, scope: FleetScope, readings: Vec<NewReading>) -> Ingest {
        self.store.ingest(scope, self.request(readings)).await.unwrap()
    }

    /// Sends readings, in as many requests as they need, that are allowed to be sent.
    pub(crate) async fn send(
        &self,
        scope: FleetScope,
        readings: &[NewReading],
    ) -> Vec<ReadingState> {
        let mut states = Vec::new();
        for request in readings.chunks(MAX_READINGS_PER_REQUEST) {
            match self.ingest(scope, request.to_vec()).await {
                Ingest::Done(done) => {
                    assert_eq!(done.len(), request.len(), "each reading has a state");
                    states.extend(done);
                }
                refused @ Ingest::NotAllowed(_) => panic!("{refused:?}"),
            }
        }
        states
    }

    pub(crate) async fn latest(&self, scope: FleetScope, device: HardwareId) -> Option<Reading> {
        self.store.latest_reading(scope, device, self.now()).await.unwrap()
    }

    /// All readings of a range, read page by page; checks the rules of paging.
    pub(crate) async fn readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        limit: usize,
    ) -> Vec<Reading> {
        let (mut readings, mut after) = (Vec::new(), None::<ReadingPosition>);
        loop {
            let page =
                self.store.list_readings(scope, device, range, after.as_ref(), limit, self.now());
            let page = page.await.unwrap();
            after = next_page(&mut readings, page.items, page.next, limit);
            if after.is_none() {
                return readings;
            }
        }
    }

    /// The batch ids of all readings of a device, oldest first.
    pub(crate) async fn batch_ids(&self, scope: FleetScope, device: HardwareId) -> Vec<String> {
        let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
        let readings = self.readings(scope, device, range, 1000).await;
        readings.into_iter().map(|reading| reading.batch_id.to_string()).collect()
    }
}

/// Appends a page; checks the rules of paging.
fn next_page<T, P>(all: &mut Vec<T>, items: Vec<T>, next: Option<P>, limit: usize) -> Option<P> {
    assert!(items.len() <= limit, "a page holds at most what was asked for");
    assert!(next.is_none() || !items.is_empty(), "no page is empty while more follow");
    all.extend(items);
    next
}

pub(crate) fn sensors(values: &[(&str, f64)]) -> Sensors {
    let entry = |(name, value): &(&str, f64)| {
        (SensorName::parse(name).unwrap(), SensorValue::new(*value).unwrap())
    };
    Sensors::new(values.iter().map(entry).collect()).unwrap()
}

pub(crate) fn statuses(states: &[(&str, SensorStatus)]) -> SensorStatuses {
    let entry = |(name, status): &(&str, SensorStatus)| (SensorName::parse(name).unwrap(), *status);
    SensorStatuses::new(states.iter().map(entry).collect()).unwrap()
}
