//! Rows of `device_readings` as readings.

use std::fmt::Display;

use larder_domain::{BatchId, BootId, FirmwareVersion, FriendlyName, Reading, ReadingTime};
use larder_storage::Result;
use uuid::Uuid;

use super::json::{sensors_of, statuses_of};
use crate::items::misfit;

/// A row, with values and states as text.
#[derive(Debug, Clone)]
pub(crate) struct ReadingRow {
    pub(crate) hardware_id: String,
    pub(crate) timestamp_ms: i64,
    pub(crate) batch_id: String,
    pub(crate) boot_id: Uuid,
    pub(crate) firmware_version: String,
    pub(crate) friendly_name: Option<String>,
    pub(crate) sensors: String,
    pub(crate) sensor_status: String,
    pub(crate) expiration_time: i64,
}

/// `query_as!` with the columns of a [`ReadingRow`] before a piece of SQL; the table is `r`.
macro_rules! query_readings {
    ($after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::readings::row::ReadingRow,
            r#"SELECT r.hardware_id AS "hardware_id!", r.timestamp_ms AS "timestamp_ms!",
                r.batch_id AS "batch_id!", r.boot_id AS "boot_id!",
                r.firmware_version AS "firmware_version!", r.friendly_name AS "friendly_name?",
                r.sensors::text AS "sensors!", r.sensor_status::text AS "sensor_status!",
                r.expiration_time AS "expiration_time!" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_readings;

impl ReadingRow {
    pub(crate) fn into_reading(self) -> Result<Reading> {
        let record =
            format!("device_readings {} {} {}", self.hardware_id, self.timestamp_ms, self.batch_id);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let name = self.friendly_name.as_deref().map(FriendlyName::parse_stored).transpose();
        Ok(Reading {
            hardware_id: self.hardware_id.parse().map_err(|e| misfit("hardware_id", &e))?,
            time: ReadingTime::from_millis(self.timestamp_ms)
                .map_err(|e| misfit("timestamp_ms", &e))?,
            batch_id: BatchId::parse(&self.batch_id).map_err(|e| misfit("batch_id", &e))?,
            boot_id: BootId::from_bytes(self.boot_id.into_bytes())
                .map_err(|e| misfit("boot_id", &e))?,
            firmware_version: FirmwareVersion::parse(&self.firmware_version)
                .map_err(|e| misfit("firmware_version", &e))?,
            friendly_name: name.map_err(|e| misfit("friendly_name", &e))?,
            sensors: sensors_of(&self.sensors).map_err(|e| misfit("sensors", &e))?,
            sensor_status: statuses_of(&self.sensor_status)
                .map_err(|e| misfit("sensor_status", &e))?,
            expires_at_s: self.expiration_time,
        })
    }
}
