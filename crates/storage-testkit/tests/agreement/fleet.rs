//! Devices, keys and readings of two households and the operator on every store at once, and the rules beside them.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    ApiKey, ApiKeyHash, ApiKeyId, BatchId, BootId, Capabilities, ConfirmationId, FirmwareVersion,
    FriendlyName, HardwareId, KeyDescription, Reading, ReadingTime, SensorName, SensorStatus,
    SensorStatuses, SensorValue, Sensors, SeriesSpan,
};
use larder_storage::{
    Clock as _, FleetScope, NewApiKey, NewReading, NewReadings, ReadingRange, Registration, Result,
    Store,
};
use larder_storage_testkit::{Chart, Random, TelemetryModel};

use super::fleet_commands::{FleetCommand, Sent};
use super::household::{ALL, Household, PAGE, Verdict, agree, index};
use super::stores::Stores;

const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// A small world that exists on every store with the same ids.
pub(super) struct Fleet<'a> {
    stores: &'a Stores,
    random: Random,
    scopes: [FleetScope; 3],
    devices: [HardwareId; 5],
    /// Unique to this world, for free-form ids.
    mark: String,
    keys: Vec<ApiKey>,
    model: TelemetryModel,
}

impl<'a> Fleet<'a> {
    pub(super) async fn found(stores: &'a Stores, seed: u64) -> Self {
        let mut households = Vec::new();
        for n in 0..2 {
            let home = Household::found(stores, seed.wrapping_mul(2) + n).await;
            households.push(FleetScope::assume_authorized(home.scope.household()));
        }
        let mut random = Random::new(Random::new(!seed).bits());
        let mut fleet = Self {
            stores,
            scopes: [households[0], households[1], FleetScope::assume_operator()],
            devices: std::array::from_fn(|_| HardwareId::from_bytes(random.bytes())),
            mark: BootId::from_random(random.bytes()).to_string(),
            random,
            keys: Vec::new(),
            model: TelemetryModel::default(),
        };
        // One device of each household exists, so that there is something to send.
        for (who, device) in [(0, 0), (1, 2)] {
            fleet.register(who, device, None, "1.0.16").await.unwrap();
        }
        fleet
    }

    /// Runs a command on every store. An error names the store that answered differently.
    pub(super) async fn obey(&mut self, command: &FleetCommand) -> Verdict {
        match command {
            FleetCommand::Register { who, device, name, firmware } => {
                self.register(*who, *device, *name, firmware).await
            }
            FleetCommand::Rename { who, device, name } => {
                let (scope, device) = self.both(*who, *device);
                let name = &name.map(|name| FriendlyName::parse(name).unwrap());
                let ask = |store: &'a Arc<dyn Store>| async move {
                    store.rename_device(scope, device, name.as_ref()).await
                };
                let answer = self.stores.everywhere(ask).await?;
                agree("the rules", &answer, &self.model.rename(scope, device, name.as_ref()))
            }
            FleetCommand::Send { who, device, readings, retention_hours } => {
                let retention = SignedDuration::from_hours(*retention_hours);
                let readings = readings.iter().map(|sent| self.reading(*device, sent)).collect();
                self.send(*who, readings, retention).await
            }
            FleetCommand::AddKey { who, description } => self.add_key(*who, *description).await,
            FleetCommand::Revoke { who, key } => self.revoke(*who, *key).await,
            FleetCommand::Use { key } => self.use_key(*key).await,
            FleetCommand::Read { who, device, from, to, oldest_first } => {
                let (from, to) = (self.minutes_from_now(*from), self.minutes_from_now(*to));
                let range = ReadingRange { from, to, oldest_first: *oldest_first };
                self.read(*who, *device, range).await
            }
            FleetCommand::Chart { who, device, from, to, buckets } => {
                let (from, to) = (self.minutes_from_now(*from), self.minutes_from_now(*to));
                self.chart(*who, *device, SeriesSpan::new(from, to, *buckets).unwrap()).await
            }
            FleetCommand::Latest { who, device } => self.latest(*who, *device).await,
            FleetCommand::List { who } => self.list(*who).await,
            FleetCommand::Wait { seconds } => {
                self.stores.clock.advance(SignedDuration::from_secs(*seconds));
                Ok(())
            }
        }
    }

    /// Compares every query, for every owner.
    pub(super) async fn compare_everything(&self) -> Verdict {
        for who in 0..3 {
            self.list(who).await?;
            for device in 0..5 {
                self.latest(who, device).await?;
                for oldest_first in [true, false] {
                    let range = ReadingRange { oldest_first, ..ReadingRange::newest_first() };
                    self.read(who, device, range).await?;
                }
                let all = ReadingRange::newest_first();
                self.chart(who, device, SeriesSpan::new(all.from, all.to, 2000).unwrap()).await?;
            }
        }
        for key in &self.keys {
            let answer = self.stores.everywhere(|store| store.find_api_key(&key.hash)).await?;
            agree("the rules", &answer.as_ref(), &self.model.key_with(&key.hash))?;
        }
        Ok(())
    }

    async fn register(
        &mut self,
        who: u8,
        device: u8,
        name: Option<&str>,
        firmware: &str,
    ) -> Verdict {
        let (scope, hardware_id) = self.both(who, device);
        let said = &Registration {
            hardware_id,
            boot_id: BootId::from_random(self.random.bytes()),
            firmware_version: FirmwareVersion::parse(firmware).unwrap(),
            friendly_name: name.map(|name| FriendlyName::parse(name).unwrap()),
            capabilities: Capabilities::default(),
            confirmation_id: ConfirmationId::from_random(self.random.bytes()),
            at: self.now(),
        };
        let answer = self.stores.everywhere(|store| store.register_device(scope, said)).await?;
        agree("the rules", &answer, &self.model.register(scope, said))
    }

    async fn send(
        &mut self,
        who: u8,
        readings: Vec<NewReading>,
        retention: SignedDuration,
    ) -> Verdict {
        let scope = self.scopes[usize::from(who)];
        let request = NewReadings { readings, retention, at: self.now() };
        let ask = |store: &'a Arc<dyn Store>| store.ingest(scope, request.clone());
        let answer = self.stores.everywhere(ask).await?;
        agree("the rules", &answer, &self.model.ingest(scope, &request))
    }

    fn reading(&self, device: u8, sent: &Sent) -> NewReading {
        let hardware_id = self.devices[usize::from(sent.other.unwrap_or(device))];
        let start = 1_704_067_200_000 + 60_000 * u64::from(sent.id);
        let batch_id = if sent.is_window {
            format!("{hardware_id}_{BOOT}_{start}_{}", start + 60_000)
        } else {
            format!("{}_{}", self.mark, sent.id)
        };
        let sensor = |name: &str| SensorName::parse(name).unwrap();
        let value = SensorValue::new(sent.value).unwrap();
        let mut sensors = vec![(sensor("bme280_temp_c"), value)];
        sensors.extend(sent.has_humidity.then(|| (sensor("humidity_pct"), value)));
        let status = if sent.has_humidity { SensorStatus::Ok } else { SensorStatus::Error };
        NewReading {
            hardware_id,
            time: self.minutes_from_now(sent.minutes),
            batch_id: BatchId::parse(&batch_id).unwrap(),
            boot_id: BootId::from_random([sent.id; 16]),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            sensors: Sensors::new(sensors).unwrap(),
            sensor_status: SensorStatuses::new(vec![(sensor("bme280"), status)]).unwrap(),
        }
    }

    async fn add_key(&mut self, who: u8, description: Option<&str>) -> Verdict {
        let scope = self.scopes[usize::from(who)];
        let new = &NewApiKey {
            id: ApiKeyId::from_random(self.random.bytes()),
            hash: ApiKeyHash::from_bytes(self.random.bytes()),
            description: description.map(|text| KeyDescription::parse(text).unwrap()),
            at: self.now(),
        };
        let answer = self.stores.everywhere(|store| store.add_api_key(scope, new)).await?;
        self.keys.push(answer.clone());
        agree("the rules", &answer, &self.model.add_key(scope, new))
    }

    async fn revoke(&mut self, who: u8, key: u8) -> Verdict {
        let scope = self.scopes[usize::from(who)];
        let Some(at) = index(key, self.keys.len()) else { return Ok(()) };
        let id = self.keys[at].id;
        let answer = self.stores.everywhere(|store| store.revoke_api_key(scope, id)).await?;
        agree("the rules", &answer, &self.model.revoke(scope, id))
    }

    async fn use_key(&mut self, key: u8) -> Verdict {
        let Some(at) = index(key, self.keys.len()) else { return Ok(()) };
        let (key, now) = (&self.keys[at], self.now());
        self.stores.everywhere(|store| store.note_api_key_use(key, now)).await?;
        self.model.note_use(key.id, now);
        let answer = self.stores.everywhere(|store| store.find_api_key(&key.hash)).await?;
        agree("the rules", &answer.as_ref(), &self.model.key_with(&key.hash))
    }

    async fn read(&self, who: u8, device: u8, range: ReadingRange) -> Verdict {
        let ((scope, device), at) = (self.both(who, device), self.now());
        let ask = |store: &'a Arc<dyn Store>| pages(store, scope, device, range, at);
        let answer = self.stores.everywhere(ask).await?;
        agree("the rules", &answer, &self.model.readings(scope, device, range, at))
    }

    async fn chart(&self, who: u8, device: u8, span: SeriesSpan) -> Verdict {
        let ((scope, device), at) = (self.both(who, device), self.now());
        for sensor in ["bme280_temp_c", "humidity_pct"] {
            let sensor = &SensorName::parse(sensor).unwrap();
            let ask = |store: &'a Arc<dyn Store>| async move {
                store.reading_series(scope, device, sensor, span, at).await.map(Chart)
            };
            let answer = self.stores.everywhere(ask).await?;
            agree("the rules", &answer, &self.model.series(scope, device, sensor, span, at))?;
        }
        Ok(())
    }

    async fn latest(&self, who: u8, device: u8) -> Verdict {
        let ((scope, device), at) = (self.both(who, device), self.now());
        let ask = |store: &'a Arc<dyn Store>| store.latest_reading(scope, device, at);
        let answer = self.stores.everywhere(ask).await?;
        let expected = self.model.readings(scope, device, ReadingRange::newest_first(), at);
        agree("the rules", &answer.as_ref(), &expected.first())?;
        let found = self.stores.everywhere(|store| store.find_device(scope, device)).await?;
        agree("the rules", &found.as_ref(), &self.model.device(scope, device))
    }

    /// Lists equal the model's; the operator also sees the devices of other worlds.
    async fn list(&self, who: u8) -> Verdict {
        let scope = self.scopes[usize::from(who)];
        let devices = self.stores.everywhere(|store| store.list_devices(scope, None, ALL)).await?;
        let mut devices = devices.items;
        devices.retain(|device| self.devices.contains(&device.hardware_id));
        agree("the rules", &devices, &self.model.devices(scope))?;
        let keys = self.stores.everywhere(|store| store.list_api_keys(scope, None, ALL)).await?;
        let mut keys = keys.items;
        keys.retain(|key| self.keys.iter().any(|own| own.id == key.id));
        agree("the rules", &keys, &self.model.keys(scope))
    }

    const fn both(&self, who: u8, device: u8) -> (FleetScope, HardwareId) {
        (self.scopes[who as usize], self.devices[device as usize])
    }

    fn minutes_from_now(&self, minutes: i64) -> ReadingTime {
        ReadingTime::from_millis(self.now().as_millisecond() + minutes * 60_000).unwrap()
    }

    fn now(&self) -> Timestamp {
        self.stores.clock.now()
    }
}

async fn pages(
    store: &Arc<dyn Store>,
    scope: FleetScope,
    device: HardwareId,
    range: ReadingRange,
    at: Timestamp,
) -> Result<Vec<Reading>> {
    let (mut readings, mut after) = (Vec::new(), None);
    loop {
        let page = store.list_readings(scope, device, range, after.as_ref(), PAGE, at).await?;
        readings.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(readings),
        }
    }
}
