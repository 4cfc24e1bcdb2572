//! A value for each of several sensors: `{"bme280_temp_c": 22.5, "humidity_pct": 45.2}`.

use larder_domain::{PerSensor, SensorName};
use larder_http::{Text, read::Refusal};
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::{lenient::Compound, mistakes::Mistakes};

/// As many as a small device has, so that its entries need only one allocation.
const USUAL_SENSORS: usize = 8;

/// Reads the entries, each value with the same reader. `None` if one is invalid.
pub(super) struct PerSensorFields<'c, R> {
    pub(super) mistakes: &'c mut Mistakes,
    pub(super) reader: R,
}

impl<'de, T, R> Compound<'de> for PerSensorFields<'_, R>
where
    R: Fn(&'de RawValue) -> Result<T, Refusal>,
{
    type Value = Option<PerSensor<T>>;

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Self::Value>, A::Error> {
        let Self { mistakes, reader } = self;
        let mut entries = Vec::with_capacity(USUAL_SENSORS);
        let mut is_good = true;
        while let Some(Text(name)) = map.next_key()? {
            if entries.len() > PerSensor::<T>::MAX {
                // Over the limit: the remaining values do not matter.
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = map.next_value::<&RawValue>()?;
            match (SensorName::parse(&name), reader(value)) {
                (Ok(name), Ok(value)) => {
                    entries.push((name, value));
                    continue;
                }
                (Ok(_), Err(refusal)) => mistakes.of_field(&name, refusal),
                (Err(error), _) => mistakes.of_reading(format!("has a name that {error}")),
            }
            is_good = false;
        }
        match PerSensor::new(entries) {
            Ok(entries) => Ok(Some(is_good.then_some(entries))),
            Err(error) => {
                mistakes.of_reading(error.to_string());
                Ok(Some(None))
            }
        }
    }
}
