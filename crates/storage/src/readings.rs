//! Readings of devices.

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
    /// Identifies this reading.
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

/// The readings of one request.
#[derive(Debug, Clone)]
pub struct NewReadings {
    /// At most [`MAX_READINGS_PER_REQUEST`], in order of arrival.
    pub readings: Vec<NewReading>,
    /// The retention of readings after their own time.
    pub retention: SignedDuration,
    /// When they arrived.
    pub at: Timestamp,
}

/// The state of one reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReadingState {
    /// Stored, or already expired and not worth storing.
    Acknowledged,
    /// A reading of the same household (or the operator's devices) has this batch id: this one was
    /// not stored.
    Duplicate,
}

/// The result of ingestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ingest {
    /// For each reading, in order. All of it is durable.
    Done(Vec<ReadingState>),
    /// The readings at these positions are of devices that are not registered for the scope's
    /// household (or the operator). Nothing was changed.
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
/// A device that the scope does not see has no readings. Reads take the current time; expired
/// readings are invisible.
#[async_trait]
pub trait Readings: Send + Sync {
    /// Stores readings, each with its batch id atomically, and returns when all of it is durable. A
    /// batch id is remembered for [`larder_domain::BATCH_ID_LIFETIME`] per household; a repeated
    /// one, also within the request or from a concurrent client, is a duplicate. After an error
    /// some readings may have been stored, which a retry detects. Each carries its device's name of
    /// the time; a device's activity is recorded at most once a minute, and its boot and firmware when a
    /// reading shows that it has started again ([`larder_domain::DeviceRun::has_ended`]).
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

    /// One sensor's series: the buckets that contain a value. Memory is bounded by the number of
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
