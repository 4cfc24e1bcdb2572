//! Readings for people and the operator.
//!
//! A device that the caller may not see has no readings, so the usual case needs no second look-up:
//! only an empty result is checked for an unknown device.

use larder_domain::{Bucket, HardwareId, Reading, ReadingPosition, SensorName, SeriesSpan};
use larder_storage::{FleetScope, Page, ReadingRange};

use super::FleetCaller;
use crate::{App, AppError, Result, authorize};

impl App {
    /// The newest reading of a device.
    pub async fn latest_reading(
        &self,
        caller: &FleetCaller,
        device: HardwareId,
    ) -> Result<Reading> {
        let scope = scope_of_history(caller)?;
        if let Some(reading) = self.storage.latest_reading(scope, device, self.now()).await? {
            return Ok(reading);
        }
        self.require_device(scope, device).await?;
        Err(AppError::NoReadings)
    }

    /// A page of a device's readings.
    pub async fn readings(
        &self,
        caller: &FleetCaller,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
    ) -> Result<Page<Reading, ReadingPosition>> {
        let scope = scope_of_history(caller)?;
        let now = self.now();
        let page = self.storage.list_readings(scope, device, range, after, limit, now).await?;
        if page.items.is_empty() {
            self.require_device(scope, device).await?;
        }
        Ok(page)
    }

    /// One sensor's series of a device: the buckets that contain a value.
    pub async fn reading_series(
        &self,
        caller: &FleetCaller,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
    ) -> Result<Vec<Bucket>> {
        let scope = scope_of_history(caller)?;
        let buckets = self.storage.reading_series(scope, device, sensor, span, self.now()).await?;
        if buckets.is_empty() {
            self.require_device(scope, device).await?;
        }
        Ok(buckets)
    }

    async fn require_device(&self, scope: FleetScope, device: HardwareId) -> Result<()> {
        let found = self.storage.find_device(scope, device).await?;
        found.map(|_| ()).ok_or(AppError::DeviceNotFound)
    }
}

fn scope_of_history(caller: &FleetCaller) -> Result<FleetScope> {
    authorize::fleet(caller).ok_or(AppError::DeviceNotFound)
}
