//! A block: consecutive readings of one device as one row, column by column.
//!
//! Times come first, then the expiry of each reading, then the values, sensor by sensor with the
//! length of each, so that a chart reads no more than it needs; then the contexts (boot, firmware,
//! name, states of the sensors), each once, and the batch ids. Everything round-trips bit for bit.

mod contexts;
mod ids;
mod sensors;
#[cfg(test)]
mod tests;
mod times;
mod values;

use std::borrow::Borrow;

use larder_domain::{HardwareId, Reading, ReadingTime, SensorValue, Sensors};
use larder_storage_item::Key;

use crate::codec::{DecodeError, Input, varint};

/// The maximal number of readings in a block: limits the cost of decoding, whatever its bytes are.
pub(crate) const MAX_READINGS: usize = 256;

const VERSION: u8 = 1;

/// The key of a block: its device and its first reading.
pub(crate) fn key(first: &Reading) -> Key {
    Key::new(first.hardware_id.to_string(), sort_key(first))
}

/// The text that readings of a device are ordered by.
pub(crate) fn sort_key(reading: &Reading) -> String {
    format!("{:013}#{}", reading.time.as_millis(), reading.batch_id)
}

/// The bytes of up to [`MAX_READINGS`] readings of one device, at least one, in the order of their places.
pub(crate) fn encode<R: Borrow<Reading>>(readings: &[R]) -> Vec<u8> {
    let readings: Vec<&Reading> = readings.iter().map(Borrow::borrow).collect();
    debug_assert!((1..=MAX_READINGS).contains(&readings.len()), "a block of {}", readings.len());
    debug_assert!(readings.is_sorted_by(|a, b| place(a) < place(b)), "a block out of order");
    let mut out = Vec::with_capacity(256 + 12 * readings.len());
    out.push(VERSION);
    varint(&mut out, readings.len() as u64);
    times::encode(&mut out, &readings);
    sensors::encode(&mut out, &readings);
    let windows = ids::windows(&readings);
    let boots = contexts::encode(&mut out, &readings, &windows);
    ids::encode(&mut out, &readings, &windows, &boots);
    out
}

/// The readings of a block.
pub(crate) fn decode(device: HardwareId, body: &[u8]) -> Result<Vec<Reading>, DecodeError> {
    let mut input = Input::new(body);
    let (times, expiries) = opening(&mut input)?;
    let values = sensors::decode(&mut input, times.len())?;
    let contexts = contexts::decode(&mut input, times.len())?;
    let ids = ids::decode(&mut input, device, &times, &contexts)?;
    input.end()?;
    let mut readings: Vec<Reading> = Vec::with_capacity(times.len());
    let columns = times.iter().zip(expiries).zip(values).zip(ids).zip(&contexts.of_readings);
    for ((((&time, expires_at_s), values), batch_id), &context) in columns {
        let context = &contexts.all[context];
        let reading = Reading {
            hardware_id: device,
            time,
            batch_id,
            boot_id: context.boot_id,
            firmware_version: context.firmware_version.clone(),
            friendly_name: context.friendly_name.clone(),
            sensors: Sensors::new(values).map_err(|_| DecodeError("a sensor stands twice"))?,
            sensor_status: context.sensor_status.clone(),
            expires_at_s,
        };
        if readings.last().is_some_and(|last| place(last) >= place(&reading)) {
            return Err(DecodeError("readings are out of order"));
        }
        readings.push(reading);
    }
    Ok(readings)
}

/// One value, as a chart needs it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) time: ReadingTime,
    pub(crate) expires_at_s: i64,
    pub(crate) value: SensorValue,
}

/// One sensor's measurements in a block, in order of time. The rest of the block is skipped.
pub(crate) fn points(body: &[u8], sensor: &str) -> Result<Vec<Point>, DecodeError> {
    let mut input = Input::new(body);
    let (times, expiries) = opening(&mut input)?;
    let values = sensors::decode_one(&mut input, times.len(), sensor)?;
    let point = |(at, value): (usize, SensorValue)| Point {
        time: times[at],
        expires_at_s: expiries[at],
        value,
    };
    Ok(values.into_iter().map(point).collect())
}

/// The part of a block that every reader needs: the times, and the expiry of each reading.
fn opening(input: &mut Input<'_>) -> Result<(Vec<ReadingTime>, Vec<i64>), DecodeError> {
    if input.byte()? != VERSION {
        return Err(DecodeError("a block of an unknown version"));
    }
    match usize::try_from(input.varint()?) {
        Ok(count @ 1..=MAX_READINGS) => times::decode(input, count),
        _ => Err(DecodeError("a block of no or too many readings")),
    }
}

/// The sort order of a device's readings.
pub(crate) fn place(reading: &Reading) -> (ReadingTime, &str) {
    (reading.time, reading.batch_id.as_str())
}
