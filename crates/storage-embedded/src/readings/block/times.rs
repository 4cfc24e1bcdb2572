//! When readings were measured, and when they expire.

use larder_domain::{Reading, ReadingTime};

use crate::codec::{DecodeError, Input, varint, zagzig, zigzag};
use crate::readings::numbers;

/// The first time, the steps between times, and the retention of each reading in seconds. Steps are
/// usually equal, so they are delta-encoded themselves.
pub(super) fn encode(out: &mut Vec<u8>, readings: &[&Reading]) {
    let times = readings.iter().map(|reading| reading.time.as_millis());
    varint(out, times.clone().next().map_or(0, zigzag));
    numbers::encode_steps(out, times.clone().zip(times.skip(1)).map(|(one, next)| next - one));
    let kept: Vec<_> = readings
        .iter()
        .map(|reading| zigzag(reading.expires_at_s.wrapping_sub(second(reading.time))))
        .collect();
    numbers::encode(out, &kept);
}

/// The times, and the second at which each reading expires.
pub(super) fn decode(
    input: &mut Input<'_>,
    count: usize,
) -> Result<(Vec<ReadingTime>, Vec<i64>), DecodeError> {
    let mut millis = zagzig(input.varint()?);
    let steps = numbers::decode_steps(input, count - 1)?;
    let mut times = Vec::with_capacity(count);
    times.push(time(millis)?);
    for step in steps {
        millis = millis.wrapping_add(step);
        times.push(time(millis)?);
    }
    let kept = numbers::decode(input, count)?;
    let expiries = times.iter().zip(kept);
    let expiries = expiries.map(|(time, kept)| second(*time).wrapping_add(zagzig(kept))).collect();
    Ok((times, expiries))
}

fn time(millis: i64) -> Result<ReadingTime, DecodeError> {
    ReadingTime::from_millis(millis).map_err(|_| DecodeError("a time is out of range"))
}

const fn second(time: ReadingTime) -> i64 {
    time.as_millis() / 1000
}
