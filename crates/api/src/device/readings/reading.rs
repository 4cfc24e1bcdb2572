//! One reading.

use std::borrow::Cow;

use larder_domain::{
    BatchId, BootId, FirmwareVersion, HardwareId, PerSensor, ReadingTime, SensorStatus, SensorValue,
};
use larder_http::read::{self, Refusal};
use larder_storage::NewReading;
use serde::{
    Deserialize,
    de::{IgnoredAny, MapAccess},
};
use serde_json::value::RawValue;

use super::{
    lenient::{Compound, Lenient},
    mistakes::Mistakes,
    per_sensor::PerSensorFields,
};

/// Reads the fields of a reading. `None` if one is invalid.
pub(super) struct ReadingFields<'c> {
    pub(super) mistakes: &'c mut Mistakes,
    pub(super) unknown_fields: &'c mut u64,
}

/// A reading, and its batch id as written in the request.
type SentReading<'de> = (NewReading, Cow<'de, str>);

#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    HardwareId,
    TimestampMs,
    BatchId,
    BootId,
    FirmwareVersion,
    Sensors,
    SensorStatus,
    #[serde(other)]
    Unknown,
}

impl Field {
    const ALL: [Self; 7] = [
        Self::HardwareId,
        Self::TimestampMs,
        Self::BatchId,
        Self::BootId,
        Self::FirmwareVersion,
        Self::Sensors,
        Self::SensorStatus,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::HardwareId => "hardware_id",
            Self::TimestampMs => "timestamp_ms",
            Self::BatchId => "batch_id",
            Self::BootId => "boot_id",
            Self::FirmwareVersion => "firmware_version",
            Self::Sensors => "sensors",
            Self::SensorStatus => "sensor_status",
            Self::Unknown => "",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl<'de> Compound<'de> for ReadingFields<'_> {
    type Value = Option<SentReading<'de>>;

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Self::Value>, A::Error> {
        let Self { mistakes, unknown_fields } = self;
        let mut given = 0;
        let (mut hardware_id, mut time, mut batch_id) = (None, None, None);
        let (mut boot_id, mut firmware_version) = (None, None);
        let (mut sensors, mut sensor_status) = (None, None);
        while let Some(field) = map.next_key::<Field>()? {
            if let Field::Unknown = field {
                map.next_value::<IgnoredAny>()?;
                *unknown_fields += 1;
                continue;
            }
            if given & field.bit() != 0 {
                mistakes.of_field(field.name(), "is given more than once");
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            given |= field.bit();
            mistakes.enter_field(field.name());
            match field {
                Field::HardwareId => {
                    hardware_id = value(&mut map, mistakes, read::text(str::parse::<HardwareId>))?;
                }
                Field::TimestampMs => time = value(&mut map, mistakes, reading_time)?,
                Field::BatchId => batch_id = value(&mut map, mistakes, batch_id_text)?,
                Field::BootId => {
                    boot_id = value(&mut map, mistakes, read::text(str::parse::<BootId>))?;
                }
                Field::FirmwareVersion => {
                    let reader = read::text(FirmwareVersion::parse);
                    firmware_version = value(&mut map, mistakes, reader)?;
                }
                Field::Sensors => {
                    sensors = per_sensor(&mut map, mistakes, |value| {
                        read::number(SensorValue::parse)(value)
                    })?;
                }
                Field::SensorStatus => {
                    sensor_status = per_sensor(&mut map, mistakes, |value| {
                        read::text(SensorStatus::parse)(value)
                    })?;
                }
                Field::Unknown => {}
            }
            mistakes.leave_fields();
        }
        for field in Field::ALL.into_iter().filter(|field| given & field.bit() == 0) {
            mistakes.of_field(field.name(), "is required");
        }
        let build = || {
            let (batch_id, batch_id_text) = batch_id?;
            let reading = NewReading {
                hardware_id: hardware_id?,
                time: time?,
                batch_id,
                boot_id: boot_id?,
                firmware_version: firmware_version?,
                sensors: sensors?,
                sensor_status: sensor_status?,
            };
            Some((reading, batch_id_text))
        };
        Ok(Some(build()))
    }
}

/// The next value, if it is valid.
fn value<'de, A: MapAccess<'de>, T>(
    map: &mut A,
    mistakes: &mut Mistakes,
    reader: impl FnOnce(&'de RawValue) -> Result<T, Refusal>,
) -> Result<Option<T>, A::Error> {
    let value = map.next_value::<&RawValue>()?;
    Ok(reader(value).map_err(|refusal| mistakes.of_reading(refusal)).ok())
}

/// The next value as one for each sensor, if all are valid.
fn per_sensor<'de, A: MapAccess<'de>, T>(
    map: &mut A,
    mistakes: &mut Mistakes,
    reader: impl Fn(&'de RawValue) -> Result<T, Refusal>,
) -> Result<Option<PerSensor<T>>, A::Error> {
    let fields = PerSensorFields { mistakes: &mut *mistakes, reader };
    let read = map.next_value_seed(Lenient(fields))?;
    if read.is_none() {
        mistakes.of_reading("must be an object");
    }
    Ok(read.flatten())
}

fn reading_time(value: &RawValue) -> Result<ReadingTime, Refusal> {
    let ms = read::integer(value)?;
    ReadingTime::from_millis(ms).map_err(|error| error.to_string().into())
}

fn batch_id_text(value: &RawValue) -> Result<(BatchId, Cow<'_, str>), Refusal> {
    let text = read::borrowed_text(value)?;
    let batch_id = BatchId::parse(&text).map_err(|error| error.to_string())?;
    Ok((batch_id, text))
}
