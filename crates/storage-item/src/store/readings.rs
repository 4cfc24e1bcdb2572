//! Readings: validation, deduplication and visibility. The engine decides how they are stored.

use std::collections::HashMap;

use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use larder_domain::{
    Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan, is_activity_worth_noting,
    whole_seconds,
};
use larder_storage::{
    FleetScope, Ingest, NewReadings, Page, ReadAt, ReadingRange, Readings, Result,
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
        if !readings.is_empty() {
            let append = AppendReadings { household: scope.household(), readings, at };
            intake.settle(self.engine.append_readings(append).await?)?;
        }
        self.note_activities(&devices, at).await;
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
        // The household of a device never changes, so it does not matter how old the entry is.
        if let Some(is_seen) = self.devices.peek(&device, |cached| scope.sees(cached.household)) {
            return Ok(is_seen);
        }
        let ticket = self.devices.ticket(ReadAt(self.clock.now()));
        let found = self.look_up(device, ticket).await?;
        Ok(found.is_some_and(|device| scope.sees(device.household)))
    }

    /// Records that devices were active, if enough time has passed. The readings are stored
    /// already, so a failure is only logged.
    async fn note_activities(&self, devices: &HashMap<HardwareId, CachedDevice>, at: Timestamp) {
        let due: Vec<_> = devices
            .iter()
            .filter(|(_, device)| is_activity_worth_noting(device.last_seen_at, at))
            .map(|(id, device)| self.note_activity_or_warn(*id, device.last_seen_at, at))
            .collect();
        stream::iter(due).buffer_unordered(AT_ONCE).collect::<()>().await;
    }

    async fn note_activity_or_warn(&self, id: HardwareId, last_seen_at: Timestamp, at: Timestamp) {
        if let Err(error) = self.note_activity(id, last_seen_at, at).await {
            tracing::warn!(device = %id, %error, "device activity not noted");
        }
    }

    /// Notes activity unless another server does.
    async fn note_activity(
        &self,
        id: HardwareId,
        mut last_seen_at: Timestamp,
        at: Timestamp,
    ) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            if !is_activity_worth_noting(last_seen_at, at) {
                return Ok(());
            }
            let (when, changes) = (device::was_last_seen(last_seen_at), device::seen(at).into());
            last_seen_at = match self.update_device(id, when, changes, at).await? {
                Update::Done(_) => whole_seconds(at),
                Update::Refused(Some(current)) => current.last_seen_at,
                // A device is never deleted: this one was not acknowledged, or its record is lost.
                Update::Refused(None) => return Ok(()),
            };
            self.devices.update(&id, |cached| cached.last_seen_at = last_seen_at);
        }
        Err(contention("noting a device's activity"))
    }
}
