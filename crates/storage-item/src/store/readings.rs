//! Readings: validation, deduplication and visibility. The engine decides how they are stored.

use std::collections::HashMap;

use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use larder_domain::{
    Bucket, DeviceRun, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan,
    is_activity_worth_noting,
};
use larder_storage::{
    FleetScope, Ingest, Lookup, NewReadings, Page, ReadAt, ReadingRange, Readings, Result,
};

use super::{
    ItemStore, MAX_ATTEMPTS, contention,
    device_cache::{CachedDevice, DeviceTicket},
    devices::Update,
};
use crate::{
    AppendReadings, ReadingEngine, ReadingQuery, RecordEngine, layout::device,
    store::intake::Intake,
};

/// How many devices of one request are read, or their activity noted, at the same time.
const AT_ONCE: usize = 16;

#[async_trait]
impl<E: RecordEngine + ReadingEngine> Readings for ItemStore<E> {
    async fn ingest(&self, scope: FleetScope, new: NewReadings) -> Result<Ingest> {
        let at = new.at;
        let mut devices = self.devices_of(&new).await?;
        devices.retain(|_, device| device.household == scope.household());
        let places = (0..).zip(&new.readings);
        let refused: Vec<usize> = places
            .filter(|(_, reading)| !devices.contains_key(&reading.hardware_id))
            .map(|(place, _)| place)
            .collect();
        if !refused.is_empty() {
            return Ok(Ingest::NotAllowed(refused));
        }
        let (mut intake, readings) = Intake::sort(new, &devices);
        let runs = readings_of_new_runs(&readings, &devices);
        if !readings.is_empty() {
            let append = AppendReadings { household: scope.household(), readings, at };
            intake.settle(self.engine.append_readings(append).await?)?;
        }
        self.note_activities(&devices, &runs, at).await;
        Ok(Ingest::Done(intake.into_states()))
    }

    async fn latest_reading(
        &self,
        scope: FleetScope,
        device: HardwareId,
        at: Timestamp,
    ) -> Result<Option<Reading>> {
        if !self.is_seen(scope, device).await? {
            return Ok(None);
        }
        self.engine.latest_reading(device, at).await
    }

    async fn list_readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Reading, ReadingPosition>> {
        if !self.is_seen(scope, device).await? {
            return Ok(Page::EMPTY);
        }
        self.engine.find_readings(ReadingQuery { device, range, after, limit, at }).await
    }

    async fn reading_series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>> {
        if !self.is_seen(scope, device).await? {
            return Ok(Vec::new());
        }
        self.engine.reading_series(device, sensor, span, at).await
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// The registered devices of readings, from the cache where possible.
    async fn devices_of(&self, new: &NewReadings) -> Result<HashMap<HardwareId, CachedDevice>> {
        let now = self.clock.now();
        let mut ids: Vec<_> = new.readings.iter().map(|reading| reading.hardware_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let (mut devices, ticket) = self.devices.look_up_all(ids.iter().copied(), ReadAt(now));
        ids.retain(|id| !devices.contains_key(id));
        if !ids.is_empty() {
            let read = |id| async move { Ok((id, self.look_up(id, ticket).await?)) };
            let read: Vec<_> =
                stream::iter(ids).map(read).buffer_unordered(AT_ONCE).try_collect().await?;
            devices.extend(read.into_iter().filter_map(|(id, device)| Some((id, device?))));
        }
        Ok(devices)
    }

    /// Reads a device into the cache.
    async fn look_up(&self, id: HardwareId, ticket: DeviceTicket) -> Result<Option<CachedDevice>> {
        let Some(device) = self.read_device(id).await? else { return Ok(None) };
        let device = CachedDevice::of(&device);
        self.devices.insert(ticket, id, device.clone());
        Ok(Some(device))
    }

    async fn is_seen(&self, scope: FleetScope, device: HardwareId) -> Result<bool> {
        let found = match self.devices.look_up(&device, ReadAt(self.clock.now())) {
            Lookup::Hit(device) => Some(device),
            Lookup::Miss(ticket) => self.look_up(device, ticket).await?,
        };
        Ok(found.is_some_and(|device| scope.sees(device.household)))
    }

    /// Records that devices were active, if enough time has passed or they have started again. The
    /// readings are stored already, so a failure is only logged.
    async fn note_activities(
        &self,
        devices: &HashMap<HardwareId, CachedDevice>,
        runs: &HashMap<HardwareId, NewestReading>,
        at: Timestamp,
    ) {
        let due: Vec<_> = devices
            .iter()
            .map(|(id, device)| (*id, device, runs.get(id)))
            .filter(|(_, device, run)| {
                run.is_some() || is_activity_worth_noting(device.last_seen_at, at)
            })
            .map(|(id, device, run)| self.note_activity_or_warn(id, device, run, at))
            .collect();
        stream::iter(due).buffer_unordered(AT_ONCE).collect::<()>().await;
    }

    async fn note_activity_or_warn(
        &self,
        id: HardwareId,
        device: &CachedDevice,
        run: Option<&NewestReading>,
        at: Timestamp,
    ) {
        if let Err(error) = self.note_activity(id, device.clone(), run, at).await {
            tracing::warn!(device = %id, %error, "device activity not noted");
        }
    }

    /// Notes activity unless another server does.
    async fn note_activity(
        &self,
        id: HardwareId,
        mut known: CachedDevice,
        newest: Option<&NewestReading>,
        at: Timestamp,
    ) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let mut changes = Vec::new();
            if is_activity_worth_noting(known.last_seen_at, at) {
                changes.extend(device::seen(at));
            }
            if let Some(newest) = newest.filter(|newest| newest.ends_the_run_of(&known)) {
                let DeviceRun { boot_id, firmware_version } = &newest.run;
                changes.extend(device::running(*boot_id, firmware_version));
            }
            if changes.is_empty() {
                return Ok(());
            }
            let when = vec![device::was_last_seen(known.last_seen_at)];
            known = match self.update_device(id, when, changes, at).await? {
                Update::Done(device) | Update::Refused(Some(device)) => CachedDevice::of(&device),
                // It is being erased, or has been.
                Update::Refused(None) | Update::Closed => return Ok(()),
            };
            self.devices.update(&id, |cached| {
                cached.last_seen_at = known.last_seen_at;
                cached.run.clone_from(&known.run);
            });
        }
        Err(contention("noting a device's activity"))
    }
}

/// The newest reading of a device in a request, as far as its run is concerned.
struct NewestReading {
    at: ReadingPosition,
    run: DeviceRun,
}

impl NewestReading {
    fn ends_the_run_of(&self, device: &CachedDevice) -> bool {
        device.run.has_ended(device.last_seen_at, &self.run, self.at.time)
    }
}

/// The newest readings of the devices that are known in another run: hardly ever one.
fn readings_of_new_runs(
    readings: &[Reading],
    devices: &HashMap<HardwareId, CachedDevice>,
) -> HashMap<HardwareId, NewestReading> {
    let is_known_run = |reading: &Reading| {
        let run = devices.get(&reading.hardware_id).map(|device| &device.run);
        run.is_none_or(|run| run.is_of(reading.boot_id, &reading.firmware_version))
    };
    let mut newest: HashMap<HardwareId, NewestReading> = HashMap::new();
    if readings.iter().all(is_known_run) {
        return newest;
    }
    for reading in readings {
        let at = reading.position();
        if newest.get(&reading.hardware_id).is_none_or(|newest| newest.at < at) {
            let (boot_id, firmware_version) = (reading.boot_id, reading.firmware_version.clone());
            let run = DeviceRun { boot_id, firmware_version };
            newest.insert(reading.hardware_id, NewestReading { at, run });
        }
    }
    newest.retain(|id, newest| devices.get(id).is_some_and(|it| newest.ends_the_run_of(it)));
    newest
}
