//! The values of all sensors, one column each.

use larder_domain::{Reading, SensorName, SensorValue, Sensors};

use super::values;
use crate::codec::{DecodeError, Input, text, varint};
use crate::readings::numbers;

/// One sensor's values, and the readings that have one.
struct Column<'r> {
    name: &'r SensorName,
    readings: Vec<usize>,
    values: Vec<f64>,
}

/// In the order of the names: name, length of the column, column.
pub(super) fn encode(out: &mut Vec<u8>, readings: &[&Reading]) {
    let columns = columns(readings);
    varint(out, columns.len() as u64);
    let mut column = Vec::new();
    for Column { name, readings: present, values } in columns {
        text(out, name.as_str());
        column.clear();
        varint(&mut column, present.len() as u64);
        if present.len() < readings.len() {
            let mut next = 0;
            let gap = |at: &usize| (at - std::mem::replace(&mut next, at + 1)) as u64;
            numbers::encode(&mut column, &present.iter().map(gap).collect::<Vec<_>>());
        }
        values::encode(&mut column, &values);
        varint(out, column.len() as u64);
        out.extend_from_slice(&column);
    }
}

/// The values of each of this many readings.
pub(super) fn decode(
    input: &mut Input<'_>,
    readings: usize,
) -> Result<Vec<Vec<(SensorName, SensorValue)>>, DecodeError> {
    let mut all = vec![Vec::new(); readings];
    for _ in 0..input.count(2)? {
        let name = SensorName::parse(input.text()?)
            .map_err(|_| DecodeError("a sensor has an impossible name"))?;
        for (at, value) in column(input, readings)? {
            let values: &mut Vec<_> = &mut all[at];
            if values.len() == Sensors::MAX {
                return Err(DecodeError("a reading of too many sensors"));
            }
            values.push((name.clone(), value));
        }
    }
    Ok(all)
}

/// The values of one sensor, each with the number of its reading.
pub(super) fn decode_one(
    input: &mut Input<'_>,
    readings: usize,
    sensor: &str,
) -> Result<Vec<(usize, SensorValue)>, DecodeError> {
    for _ in 0..input.count(2)? {
        if input.text()? == sensor {
            return column(input, readings);
        }
        let length = input.count(1)?;
        input.bytes(length)?;
    }
    Ok(Vec::new())
}

fn column(
    input: &mut Input<'_>,
    readings: usize,
) -> Result<Vec<(usize, SensorValue)>, DecodeError> {
    let length = input.count(1)?;
    let mut input = Input::new(input.bytes(length)?);
    let present = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
    if !(1..=readings).contains(&present) {
        return Err(DecodeError("a sensor with no or too many values"));
    }
    let gaps = if present < readings { numbers::decode(&mut input, present)? } else { Vec::new() };
    let values = values::decode(&mut input, present)?;
    input.end()?;
    let mut next: usize = 0;
    let gaps = gaps.into_iter().chain(std::iter::repeat(0));
    gaps.zip(values)
        .map(|(gap, value)| {
            let gap = usize::try_from(gap).unwrap_or(usize::MAX);
            let at = next.saturating_add(gap);
            next = at.saturating_add(1);
            if at < readings { Ok((at, value)) } else { Err(DecodeError("a value of no reading")) }
        })
        .collect()
}

/// The columns in order of the names. Readings usually have the same sensors, so each value usually
/// belongs to the column after the previous value's.
fn columns<'r>(readings: &[&'r Reading]) -> Vec<Column<'r>> {
    let mut columns: Vec<Column<'r>> = Vec::new();
    for (at, reading) in readings.iter().enumerate() {
        let mut next = 0;
        for (name, value) in reading.sensors.iter() {
            if columns.get(next).is_none_or(|column| column.name != name) {
                let found = columns.binary_search_by(|column| column.name.cmp(name));
                next = found.unwrap_or_else(|place| {
                    let (readings, values) = (Vec::new(), Vec::new());
                    columns.insert(place, Column { name, readings, values });
                    place
                });
            }
            columns[next].readings.push(at);
            columns[next].values.push(value.get());
            next += 1;
        }
    }
    columns
}
