//! What devices measured.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    BatchId, BootId, Bucket, FirmwareVersion, HardwareId, Reading, ReadingPosition, ReadingTime,
    SensorName, SensorStatuses, Sensors, SeriesSpan,
};

use crate::{FleetScope, Page, Result};

/// The most readings of one request.
pub const MAX_READINGS_PER_REQUEST: usize = 100;

/// A reading as a device sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct NewReading {
    /// The device.
    pub hardware_id: HardwareId,
    /// When it measured.
    pub time: ReadingTime,
    /// What it calls this reading.
    pub batch_id: BatchId,
    /// In which run of its firmware.
    pub boot_id: BootId,
    /// Its firmware.
    pub firmware_version: FirmwareVersion,
    /// The values.
    pub sensors: Sensors,
    /// How the sensors are.
    pub sensor_status: SensorStatuses,
}

/// Readings that came in together.
#[derive(Debug, Clone)]
pub struct NewReadings {
    /// At most [`MAX_READINGS_PER_REQUEST`], in the order in which they came.
    pub readings: Vec<NewReading>,
    /// For how long after its own time a reading is kept.
    pub retention: SignedDuration,
    /// When they came.
    pub at: Timestamp,
}

/// What became of one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReadingState {
    /// It is kept, or its time has passed already and it needs no keeping.
    Acknowledged,
    /// One with its batch id came before, from the same household (or the operator's devices): this one was not
    /// kept.
    Duplicate,
}

/// What came of readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ingest {
    /// For each reading, in order. All of it is durable.
    Done(Vec<ReadingState>),
    /// The readings at these places are of devices that are not registered for the scope's household (or the
    /// operator). Nothing was changed.
    NotAllowed(Vec<usize>),
}

/// A part of a device's readings, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadingRange {
    /// The first millisecond.
    pub from: ReadingTime,
    /// The last millisecond.
    pub to: ReadingTime,
    /// Oldest first instead of newest first.
    pub oldest_first: bool,
}

impl ReadingRange {
    /// All of them, newest first.
    pub const fn newest_first() -> Self {
        Self { from: ReadingTime::MIN, to: ReadingTime::MAX, oldest_first: false }
    }
}

/// Readings of a household's devices, or of all of them for the operator.
///
/// A device that the scope does not see has no readings. Reads take the time it is, and what has expired by then
/// does not exist.
#[async_trait]
pub trait Readings: Send + Sync {
    /// Keeps readings, each with its batch id in one atomic step, and answers when all of it is durable. A batch id
    /// is remembered for [`larder_domain::BATCH_ID_LIFETIME`] per household; the same one again, also within
    /// the request and by another client at the same moment, is a duplicate. An error claims nothing: some readings
    /// may have been kept, and the next attempt tells them apart. Each carries its device's name of the time; a
    /// device's activity is noted at most once a minute.
    async fn ingest(&self, scope: FleetScope, readings: NewReadings) -> Result<Ingest>;

    /// The newest reading of a device.
    async fn latest_reading(
        &self,
        scope: FleetScope,
        device: HardwareId,
        at: Timestamp,
    ) -> Result<Option<Reading>>;

    /// A page of a device's readings in a range, by time and within a millisecond by batch id.
    async fn list_readings(
        &self,
        scope: FleetScope,
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
        limit: usize,
        at: Timestamp,
    ) -> Result<Page<Reading, ReadingPosition>>;

    /// What one sensor of a device measured, per bucket that holds a value. Memory is bounded by the number of
    /// buckets, whatever the span.
    async fn reading_series(
        &self,
        scope: FleetScope,
        device: HardwareId,
        sensor: &SensorName,
        span: SeriesSpan,
        at: Timestamp,
    ) -> Result<Vec<Bucket>>;
}
