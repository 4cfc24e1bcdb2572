//! Measurements and sensor states as JSON. A value is written as the shortest decimal that parses
//! to the same float, and the database keeps every digit, so it round-trips exactly.

use std::{borrow::Cow, collections::BTreeMap, fmt::Write as _};

use larder_domain::{PerSensor, SensorName, SensorStatus, SensorStatuses, SensorValue, Sensors};
use serde_json::value::RawValue;

pub(super) fn sensors_text(sensors: &Sensors) -> String {
    object(sensors, |text, value| {
        write!(text, "{:?}", value.get()).expect("a String takes any text");
    })
}

pub(super) fn statuses_text(statuses: &SensorStatuses) -> String {
    object(statuses, |text, status| {
        write!(text, "\"{}\"", status.as_str()).expect("a String takes any text");
    })
}

fn object<T>(entries: &PerSensor<T>, write_entry: impl Fn(&mut String, &T)) -> String {
    let mut text = String::with_capacity(2 + 32 * entries.len());
    text.push('{');
    for (n, (name, entry)) in entries.iter().enumerate() {
        if n > 0 {
            text.push(',');
        }
        text.push_str(&serde_json::to_string(name.as_str()).expect("any text is JSON"));
        text.push(':');
        write_entry(&mut text, entry);
    }
    text.push('}');
    text
}

pub(super) fn sensors_of(text: &str) -> Result<Sensors, String> {
    let json: BTreeMap<Cow<'_, str>, &RawValue> =
        serde_json::from_str(text).map_err(|e| e.to_string())?;
    entries(json, |literal| SensorValue::parse(literal.get()).map_err(|e| e.to_string()))
}

pub(super) fn statuses_of(text: &str) -> Result<SensorStatuses, String> {
    let json: BTreeMap<Cow<'_, str>, Cow<'_, str>> =
        serde_json::from_str(text).map_err(|e| e.to_string())?;
    entries(json, |status| SensorStatus::parse(&status).map_err(|e| e.to_string()))
}

fn entries<J, T>(
    json: BTreeMap<Cow<'_, str>, J>,
    read: impl Fn(J) -> Result<T, String>,
) -> Result<PerSensor<T>, String> {
    let named = json.into_iter().map(|(name, entry)| {
        Ok((SensorName::parse(&name).map_err(|e| e.to_string())?, read(entry)?))
    });
    PerSensor::new(named.collect::<Result<_, String>>()?).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> SensorName {
        SensorName::parse(text).unwrap()
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let values = [0.1, -0.1 - 0.2, 1e125, -1e-130, 5e15, 1_013.25, 0.0];
        let named = values
            .iter()
            .enumerate()
            .map(|(n, value)| (name(&format!("\"{n}\\ü")), SensorValue::new(*value).unwrap()));
        let sensors = Sensors::new(named.collect()).unwrap();
        assert_eq!(sensors_of(&sensors_text(&sensors)), Ok(sensors));
        assert_eq!(sensors_text(&Sensors::default()), "{}");
    }

    #[test]
    fn statuses_are_read_as_they_were_written() {
        let statuses = SensorStatuses::new(vec![
            (name("bme280"), SensorStatus::Ok),
            (name("soil"), SensorStatus::Error),
        ])
        .unwrap();
        assert_eq!(statuses_text(&statuses), r#"{"bme280":"ok","soil":"error"}"#);
        assert_eq!(statuses_of(&statuses_text(&statuses)), Ok(statuses));
        assert!(statuses_of(r#"{"soil": "warn"}"#).is_err());
        assert!(sensors_of(r#"{"soil": "1"}"#).is_err());
    }
}
