//! Records of `device_readings`: seed 002, to the letter.

use larder_domain::{
    BatchId, FirmwareVersion, FriendlyName, HardwareId, PerSensor, Reading, ReadingPosition,
    ReadingTime, SensorName, SensorStatus, SensorStatuses, SensorValue, Sensors,
};
use larder_storage::{Result, StorageError};

use crate::{Key, Name, Number, Record, Value, layout::fields::Fields};

/// The expiry of a reading whose record has none.
const NEVER: i64 = i64::MAX;

/// The record of a reading.
pub fn to_record(reading: &Reading) -> Result<Record> {
    let key = key(reading.hardware_id, reading.time, &reading.batch_id);
    let expiration = Some(reading.expires_at_s).filter(|second| *second != NEVER);
    Ok(Record::new()
        .with("hardware_id", key.pk)
        .with("ts_batch", key.sk)
        .with("timestamp_ms", Number::from(reading.time.as_millis()))
        .with("batch_id", reading.batch_id.as_str())
        .with("boot_id", reading.boot_id.to_string())
        .with("firmware_version", reading.firmware_version.as_str())
        .with_some("friendly_name", reading.friendly_name.as_ref().map(FriendlyName::as_str))
        .with("sensors", per_sensor(&reading.sensors, |value| number_of(*value).map(Value::N))?)
        .with(
            "sensor_status",
            per_sensor(&reading.sensor_status, |status| Ok(status.as_str().into()))?,
        )
        .with_some("expiration_time", expiration.map(Number::from)))
}

/// The reading of a record.
pub fn from_record(record: &Record) -> Result<Reading> {
    let fields = Fields(record);
    let time = ReadingTime::from_millis(fields.whole("timestamp_ms")?)
        .map_err(|error| record.misfit(format!("timestamp_ms {error}")))?;
    Ok(Reading {
        hardware_id: fields.id("hardware_id")?,
        time,
        batch_id: fields.parse("batch_id", BatchId::parse)?,
        boot_id: fields.id("boot_id")?,
        firmware_version: fields.parse("firmware_version", FirmwareVersion::parse)?,
        friendly_name: fields.parse_optional("friendly_name", FriendlyName::parse_stored)?,
        sensors: sensors(record)?,
        sensor_status: sensor_status(record)?,
        expires_at_s: fields.optional_whole("expiration_time")?.unwrap_or(NEVER),
    })
}

/// The key of a reading.
pub(crate) fn key(device: HardwareId, time: ReadingTime, batch_id: &BatchId) -> Key {
    Key::new(device.to_string(), format!("{}{batch_id}", first_at(time)))
}

/// The key of the reading in a place.
pub(crate) fn key_at(device: HardwareId, place: &ReadingPosition) -> Key {
    key(device, place.time, &place.batch_id)
}

/// Sorts before every reading of this millisecond.
pub(crate) fn first_at(time: ReadingTime) -> String {
    format!("{:013}#", time.as_millis())
}

/// Sorts after every reading of this millisecond.
pub(crate) fn last_at(time: ReadingTime) -> String {
    format!("{}\u{ffff}", first_at(time))
}

/// A value as the shortest decimal number that is read back as the same value.
fn number_of(value: SensorValue) -> Result<Number> {
    // The exponent form, because a record's number has few digits however large it is.
    format!("{:e}", value.get())
        .parse()
        .map_err(|error| StorageError::Defect(format!("a sensor's value: {error}")))
}

/// The value nearest to a decimal number.
fn value_of(number: Number) -> Option<SensorValue> {
    SensorValue::parse(&format!("{}e{}", number.mantissa(), number.exponent())).ok()
}

fn per_sensor<T>(entries: &PerSensor<T>, value: impl Fn(&T) -> Result<Value>) -> Result<Value> {
    let attributes: Result<Vec<(Name, Value)>> = entries
        .iter()
        .map(|(name, entry)| Ok((name.as_str().to_owned().into(), value(entry)?)))
        .collect();
    let map = Record::from_sorted(attributes?);
    map.map(Value::M).ok_or_else(|| StorageError::Defect("sensors out of order".to_owned()))
}

fn sensors(record: &Record) -> Result<Sensors> {
    from_map(record, "sensors", |value| match value {
        Value::N(number) => value_of(*number),
        _ => None,
    })
}

fn sensor_status(record: &Record) -> Result<SensorStatuses> {
    from_map(record, "sensor_status", |value| match value {
        Value::S(text) => SensorStatus::parse(text).ok(),
        _ => None,
    })
}

fn from_map<T>(
    record: &Record,
    attribute: &str,
    entry: impl Fn(&Value) -> Option<T>,
) -> Result<PerSensor<T>> {
    let map = Fields(record).map(attribute)?;
    let entries: Option<Vec<_>> = map
        .iter()
        .map(|(name, value)| Some((SensorName::parse(name).ok()?, entry(value)?)))
        .collect();
    let entries = entries.ok_or_else(|| record.misfit(format!("{attribute} has a wrong entry")))?;
    PerSensor::new(entries).map_err(|error| record.misfit(format!("{attribute} {error}")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DEVICE: &str = "AA:BB:CC:DD:EE:FF";
    const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    const BATCH: &str =
        "AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000";

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    fn greenhouse() -> Reading {
        let name = |text| SensorName::parse(text).unwrap();
        let values = [
            ("bme280_temp_c", 22.5),
            ("ds18b20_temp_c", 21.8),
            ("humidity_pct", 45.2),
            ("pressure_hpa", 1013.25),
            ("soil_moisture_pct", 62.3),
        ];
        let value = |(sensor, value)| (name(sensor), SensorValue::new(value).unwrap());
        let ok = |sensor| (name(sensor), SensorStatus::Ok);
        Reading {
            hardware_id: DEVICE.parse().unwrap(),
            time: ReadingTime::from_millis(1_704_067_800_000).unwrap(),
            batch_id: BatchId::parse(BATCH).unwrap(),
            boot_id: BOOT.parse().unwrap(),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            friendly_name: Some(FriendlyName::parse("greenhouse-sensor-01").unwrap()),
            sensors: Sensors::new(values.map(value).into()).unwrap(),
            sensor_status: SensorStatuses::new(
                ["bme280", "ds18b20", "soil_moisture"].map(ok).into(),
            )
            .unwrap(),
            expires_at_s: 1_707_235_320,
        }
    }

    /// Seed 002's example record.
    fn example() -> Record {
        let sensors = Record::new()
            .with("bme280_temp_c", number("22.5"))
            .with("ds18b20_temp_c", number("21.8"))
            .with("humidity_pct", number("45.2"))
            .with("pressure_hpa", number("1013.25"))
            .with("soil_moisture_pct", number("62.3"));
        let status =
            Record::new().with("bme280", "ok").with("ds18b20", "ok").with("soil_moisture", "ok");
        Record::new()
            .with("hardware_id", DEVICE)
            .with("ts_batch", format!("1704067800000#{BATCH}"))
            .with("timestamp_ms", number("1704067800000"))
            .with("batch_id", BATCH)
            .with("boot_id", BOOT)
            .with("firmware_version", "1.0.16")
            .with("friendly_name", "greenhouse-sensor-01")
            .with("sensors", Value::M(sensors))
            .with("sensor_status", Value::M(status))
            .with("expiration_time", number("1707235320"))
    }

    #[test]
    fn a_reading_is_seed_002s_example_field_for_field() {
        assert_eq!(to_record(&greenhouse()).unwrap(), example());
        assert_eq!(from_record(&example()).unwrap(), greenhouse());
    }

    #[test]
    fn a_reading_without_name_and_sensors_has_empty_maps_and_no_name() {
        let bare = Reading {
            friendly_name: None,
            sensors: Sensors::default(),
            sensor_status: SensorStatuses::default(),
            ..greenhouse()
        };
        let mut expected = example()
            .with("sensors", Value::M(Record::new()))
            .with("sensor_status", Value::M(Record::new()));
        expected.remove("friendly_name");
        assert_eq!(to_record(&bare).unwrap(), expected);
        assert_eq!(from_record(&expected).unwrap(), bare);
    }

    #[test]
    fn a_reading_that_never_expires_does_not_say_when() {
        let kept = Reading { expires_at_s: i64::MAX, ..greenhouse() };
        let mut expected = example();
        expected.remove("expiration_time");
        assert_eq!(to_record(&kept).unwrap(), expected);
        assert_eq!(from_record(&expected).unwrap(), kept);
    }

    #[test]
    fn the_bounds_of_a_millisecond_hold_all_its_batch_ids_and_no_other_times() {
        let time = |ms| ReadingTime::from_millis(ms).unwrap();
        let (from, to) = (first_at(time(1_704_067_800_000)), last_at(time(1_704_067_800_000)));
        assert_eq!(from, "1704067800000#");
        assert_eq!(to, "1704067800000#\u{ffff}");
        let at =
            |ms, id: &str| key(DEVICE.parse().unwrap(), time(ms), &BatchId::parse(id).unwrap()).sk;
        for id in ["-", "z", &"z".repeat(256)] {
            assert!((&from..=&to).contains(&&at(1_704_067_800_000, id)), "{id}");
            assert!(at(1_704_067_799_999, id) < from, "{id}");
            assert!(at(1_704_067_800_001, id) > to, "{id}");
        }
        assert_eq!(first_at(ReadingTime::MIN), "0946684800000#");
    }

    #[test]
    fn a_damaged_record_says_what_is_wrong_with_which() {
        for (name, value, reason) in [
            ("timestamp_ms", Value::N(number("1.5")), "timestamp_ms is no whole number"),
            ("timestamp_ms", Value::N(number("5")), "timestamp_ms must be milliseconds"),
            ("sensors", Value::Null, "sensors is missing or no map"),
            ("sensors", Value::M(Record::new().with("a", "1")), "sensors has a wrong entry"),
            ("sensor_status", Value::M(Record::new().with("a", "warn")), "sensor_status has a"),
        ] {
            let error = from_record(&example().with(name, value)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert!(error.contains(&format!("{DEVICE} 1704067800000#{BATCH}")), "{error}");
        }
    }

    #[test]
    fn the_largest_and_the_smallest_values_fit() {
        for value in [1e125, -1e125, 1e-130, -1e-130, 0.0, f64::EPSILON, 0.1 + 0.2] {
            let value = SensorValue::new(value).unwrap();
            assert_eq!(value_of(number_of(value).unwrap()), Some(value));
        }
        assert_eq!(number_of(SensorValue::new(0.1).unwrap()).unwrap(), number("0.1"));
    }

    proptest! {
        #[test]
        fn values_come_back_bit_for_bit(bits: u64) {
            if let Ok(value) = SensorValue::new(f64::from_bits(bits)) {
                let back = value_of(number_of(value).unwrap()).unwrap();
                prop_assert_eq!(back.get().to_bits(), value.get().to_bits());
            }
        }
    }
}
