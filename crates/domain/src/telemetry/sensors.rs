//! Values and states of sensors.

use std::fmt;

use thiserror::Error;

use crate::text::SensorName;

/// A measured value: a finite number within the range of every engine.
#[derive(Clone, Copy, PartialEq)]
pub struct SensorValue(f64);

/// Why a number is no value of a sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidSensorValue {
    /// Not a decimal number.
    #[error("must be a number")]
    NotANumber,
    /// Infinite, or out of range.
    #[error("must be 0 or have a magnitude from 1e-130 to 1e125")]
    OutOfRange,
}

impl SensorValue {
    /// A value from a number. Minus zero is zero.
    pub fn new(value: f64) -> Result<Self, InvalidSensorValue> {
        if value == 0.0 {
            return Ok(Self(0.0));
        }
        // DynamoDB's range of numbers; NaN is in no range.
        let fits = (1e-130..=1e125).contains(&value.abs());
        if fits { Ok(Self(value)) } else { Err(InvalidSensorValue::OutOfRange) }
    }

    /// Reads a decimal literal, as JSON writes numbers, to the nearest value.
    pub fn parse(literal: &str) -> Result<Self, InvalidSensorValue> {
        // `f64` also reads words such as "inf".
        if !literal.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return Err(InvalidSensorValue::NotANumber);
        }
        literal.parse().map_err(|_| InvalidSensorValue::NotANumber).and_then(Self::new)
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// No value is NaN.
impl Eq for SensorValue {}

impl fmt::Debug for SensorValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// How a sensor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SensorStatus {
    /// It works.
    Ok,
    /// It does not.
    Error,
}

/// A status that is neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be ok or error")]
pub struct InvalidSensorStatus;

impl SensorStatus {
    /// Reads exactly `ok` or `error`.
    pub fn parse(text: &str) -> Result<Self, InvalidSensorStatus> {
        match text {
            "ok" => Ok(Self::Ok),
            "error" => Ok(Self::Error),
            _ => Err(InvalidSensorStatus),
        }
    }

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
        }
    }
}

/// Why values cannot form one reading.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvalidSensors {
    /// Too many for one reading.
    #[error("must have at most 64 entries")]
    TooMany,
    /// The same name again.
    #[error("must not name {0} twice")]
    Twice(SensorName),
}

/// Something for each of some sensors, in the order of their names, each name once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerSensor<T>(Vec<(SensorName, T)>);

/// The values of one reading.
pub type Sensors = PerSensor<SensorValue>;
/// The states of the sensors at one reading.
pub type SensorStatuses = PerSensor<SensorStatus>;

impl<T> Default for PerSensor<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> PerSensor<T> {
    /// The most entries.
    pub const MAX: usize = 64;

    /// Brings entries into order.
    pub fn new(mut entries: Vec<(SensorName, T)>) -> Result<Self, InvalidSensors> {
        if entries.len() > Self::MAX {
            return Err(InvalidSensors::TooMany);
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(InvalidSensors::Twice(pair[0].0.clone())),
            None => Ok(Self(entries)),
        }
    }

    /// The entries in the order of the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&SensorName, &T)> {
        self.0.iter().map(|(name, entry)| (name, entry))
    }

    /// The entry of one sensor.
    pub fn get(&self, sensor: &str) -> Option<&T> {
        let at = self.0.binary_search_by(|(name, _)| name.as_str().cmp(sensor)).ok()?;
        Some(&self.0[at].1)
    }

    /// The number of values.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> SensorName {
        SensorName::parse(text).unwrap()
    }

    #[test]
    fn values_are_finite_and_can_be_kept() {
        assert_eq!(SensorValue::parse("22.5").unwrap().get().to_bits(), 22.5_f64.to_bits());
        assert_eq!(SensorValue::parse("-0.0").unwrap().get().to_bits(), 0);
        assert_eq!(SensorValue::parse("1e-130").unwrap().get().to_bits(), 1e-130_f64.to_bits());
        for literal in ["1e999", "-1e999", "1e126", "1e-200"] {
            assert_eq!(SensorValue::parse(literal), Err(InvalidSensorValue::OutOfRange));
        }
        for literal in ["NaN", "inf", "infinity", "", "\"1\"", "null", "+1", "1x"] {
            assert_eq!(SensorValue::parse(literal), Err(InvalidSensorValue::NotANumber));
        }
        assert_eq!(SensorValue::new(f64::NAN), Err(InvalidSensorValue::OutOfRange));
    }

    #[test]
    fn a_status_is_ok_or_error() {
        assert_eq!(SensorStatus::parse("ok"), Ok(SensorStatus::Ok));
        assert_eq!(SensorStatus::parse("error"), Ok(SensorStatus::Error));
        for text in ["warn", "OK", "", "ok "] {
            assert_eq!(SensorStatus::parse(text), Err(InvalidSensorStatus), "{text}");
        }
    }

    #[test]
    fn each_sensor_stands_once_in_the_order_of_names() {
        let value = |v| SensorValue::new(v).unwrap();
        let sensors = Sensors::new(vec![(name("b"), value(2.0)), (name("a"), value(1.0))]).unwrap();
        let names: Vec<_> = sensors.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(sensors.get("b"), Some(&value(2.0)));
        assert_eq!(sensors.get("c"), None);
        let twice = Sensors::new(vec![(name("a"), value(1.0)), (name("a"), value(1.0))]);
        assert_eq!(twice, Err(InvalidSensors::Twice(name("a"))));
        let many = (0..65).map(|n| (name(&format!("s{n}")), value(0.0))).collect();
        assert_eq!(Sensors::new(many), Err(InvalidSensors::TooMany));
    }

    proptest! {
        #[test]
        fn a_value_survives_its_shortest_text(bits: u64) {
            if let Ok(value) = SensorValue::new(f64::from_bits(bits)) {
                let again = SensorValue::parse(&format!("{:?}", value.get())).unwrap();
                prop_assert_eq!(again.get().to_bits(), value.get().to_bits());
            }
        }
    }
}
