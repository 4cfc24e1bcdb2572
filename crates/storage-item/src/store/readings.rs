//! Readings: whose they may be, which of them are kept, and who sees them. How they are kept is the engine's affair.

use std::collections::HashMap;

use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use larder_domain::{
    Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan, is_activity_worth_noting,
    whole_seconds,
};
use larder_storage::{FleetScope, Ingest, NewReadings, Page, ReadingRange, Readings, Result};

use super::{ItemStore, MAX_ATTEMPTS, contention, devices::Update, known_devices::KnownDevice};
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
            return Ok(Page { items: Vec::new(), next: None });
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
    /// The devices of readings, as far as they are registered. Those that are known are not read.
    async fn devices_of(&self, new: &NewReadings) -> Result<HashMap<HardwareId, KnownDevice>> {
        let now = self.clock.now();
        let mut ids: Vec<_> = new.readings.iter().map(|reading| reading.hardware_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut devices = self.known_devices.find(ids.iter().copied(), now);
        ids.retain(|id| !devices.contains_key(id));
        if !ids.is_empty() {
            let read = |id| async move { Ok((id, self.look_up(id, now).await?)) };
            let read: Vec<_> =
                stream::iter(ids).map(read).buffer_unordered(AT_ONCE).try_collect().await?;
            devices.extend(read.into_iter().filter_map(|(id, device)| Some((id, device?))));
        }
        Ok(devices)
    }

    /// Reads a device and remembers it.
    async fn look_up(&self, id: HardwareId, now: Timestamp) -> Result<Option<KnownDevice>> {
        let moment = self.known_devices.moment();
        let Some(device) = self.read_device(id).await? else { return Ok(None) };
        let known = KnownDevice::of(&device);
        self.known_devices.remember(id, known.clone(), now, moment);
        Ok(Some(known))
    }

    async fn is_seen(&self, scope: FleetScope, device: HardwareId) -> Result<bool> {
        if let Some(is_seen) = self.known_devices.is_seen(scope, device) {
            return Ok(is_seen);
        }
        let found = self.look_up(device, self.clock.now()).await?;
        Ok(found.is_some_and(|device| scope.sees(device.household)))
    }

    /// Notes that devices sent something, where enough time has passed. What they sent is kept already: a failure is
    /// nothing that they could mend.
    async fn note_activities(&self, devices: &HashMap<HardwareId, KnownDevice>, at: Timestamp) {
        let due: Vec<_> = devices
            .iter()
            .filter(|(_, device)| is_activity_worth_noting(device.last_seen_at, at))
            .map(|(id, device)| self.note_activity_or_warn(*id, device.last_seen_at, at))
            .collect();
        stream::iter(due).buffer_unordered(AT_ONCE).collect::<()>().await;
    }

    async fn note_activity_or_warn(&self, id: HardwareId, last_seen_at: Timestamp, at: Timestamp) {
        if let Err(error) = self.note_activity(id, last_seen_at, at).await {
            tracing::warn!(device = %id, %error, "a device's activity was not noted");
        }
    }

    /// Notes activity unless somebody else does: of all servers, one writes.
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
            self.known_devices.seen(id, last_seen_at);
        }
        Err(contention("noting a device's activity"))
    }
}
