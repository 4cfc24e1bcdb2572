//! Tables for spreadsheets: RFC 4180.

use std::fmt::Write as _;

use jiff::Timestamp;
use larder_domain::{Entity, Reading};
use serde_json::Value;

use super::rows;

/// The names of an entity's fields.
pub(super) fn header(entity: &impl Entity) -> String {
    let names: Vec<_> = rows::fields(entity).into_iter().map(|(name, _)| name).collect();
    format!("{}\r\n", names.join(","))
}

/// The values of an entity's fields.
pub(super) fn row(entity: &impl Entity) -> String {
    let values = rows::fields(entity).into_iter().map(|(_, value)| match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(&text),
        other => other.to_string(),
    });
    format!("{}\r\n", values.collect::<Vec<_>>().join(","))
}

/// The names of what [`reading`] writes.
pub(super) const READING_HEADER: &str = "time,sensor,value,status,batch_id\r\n";

/// One line for each sensor of a reading.
pub(super) fn reading(csv: &mut String, reading: &Reading) {
    for (sensor, value) in reading.sensors.iter() {
        let status =
            reading.sensor_status.get(sensor.as_str()).map_or("", |status| status.as_str());
        let time = Timestamp::from_millisecond(reading.time.as_millis()).unwrap_or_default();
        let (value, batch) = (value.get(), quoted(&reading.batch_id.to_string()));
        writeln!(
            csv,
            "{time:.3},{},{value:?},{},{batch}\r",
            quoted(sensor.as_str()),
            quoted(status)
        )
        .expect("text takes any text");
    }
}

/// A field of RFC 4180. What a spreadsheet would take for a formula is kept from being one.
fn quoted(text: &str) -> String {
    let text =
        if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_could_misread_is_quoted() {
        assert_eq!(quoted("Milk"), "Milk");
        assert_eq!(quoted("Milk, 2 \"L\""), "\"Milk, 2 \"\"L\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("a\nb"), "\"a\nb\"");
    }
}
