//! The batch ids. Those that a device's firmware makes (`{MAC}_{boot}_{start}_{end}`) are a boot
//! and two numbers, the end usually being the reading's own time and the start the previous end;
//! any other is its text, from where it differs from the previous text.

use std::fmt::Write as _;

use larder_domain::{BatchId, BootId, HardwareId, Reading, ReadingTime};

use super::contexts::Contexts;
use crate::codec::{DecodeError, Input, text, varint, zagzig, zigzag};
use crate::readings::numbers;
use crate::readings::windows::ids::{Canonical, parse};

/// A text.
const TEXT: u64 = 0;
/// A window of the boot that the reading has.
const OWN_BOOT: u64 = 1;
/// From here on: a window of the boot with this number.
const BOOT: u64 = 2;

/// The windows of batch ids that belong to the device itself.
pub(super) fn windows(readings: &[&Reading]) -> Vec<Option<Canonical>> {
    let window = |reading: &&Reading| {
        parse(reading.batch_id.as_str()).filter(|window| window.of == reading.hardware_id)
    };
    readings.iter().map(window).collect()
}

/// Writes the kind of each, then the windows, then the texts.
pub(super) fn encode(
    out: &mut Vec<u8>,
    readings: &[&Reading],
    windows: &[Option<Canonical>],
    boots: &[BootId],
) {
    let (mut kinds, mut texts) = (Vec::with_capacity(readings.len()), Vec::new());
    let (mut ends, mut starts) = (Vec::new(), Vec::new());
    let mut last_end = None;
    for (reading, window) in readings.iter().zip(windows) {
        let Some(Canonical { boot, start, end, .. }) = *window else {
            kinds.push(TEXT);
            texts.push(reading.batch_id.as_str());
            continue;
        };
        let number = boots.iter().position(|held| *held == boot).unwrap_or_default() as u64;
        kinds.push(if boot == reading.boot_id { OWN_BOOT } else { BOOT + number });
        ends.push(difference(end, millis(reading.time)));
        starts.push(difference(start, last_end.replace(end).unwrap_or(end)));
    }
    numbers::encode(out, &kinds);
    numbers::encode(out, &ends);
    numbers::encode(out, &starts);
    let mut last = "";
    for id in texts {
        let shared = last.bytes().zip(id.bytes()).take_while(|(a, b)| a == b).count();
        varint(out, shared as u64);
        text(out, &id[shared..]);
        last = id;
    }
}

/// Reads the batch ids of readings with these times.
pub(super) fn decode(
    input: &mut Input<'_>,
    device: HardwareId,
    times: &[ReadingTime],
    contexts: &Contexts,
) -> Result<Vec<BatchId>, DecodeError> {
    let kinds = numbers::decode(input, times.len())?;
    let windows = kinds.iter().filter(|kind| **kind != TEXT).count();
    let ends = numbers::decode(input, windows)?;
    let mut windows = ends.into_iter().zip(numbers::decode(input, windows)?);
    let mut last_end = None;
    let (mut id, mut last_text) = (String::new(), String::new());
    let mut ids = Vec::with_capacity(times.len());
    for ((kind, time), context) in kinds.into_iter().zip(times).zip(&contexts.of_readings) {
        let text = if kind == TEXT {
            let shared = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
            if !last_text.is_char_boundary(shared) {
                return Err(DecodeError("a batch id shares too much with the one before"));
            }
            last_text.truncate(shared);
            last_text.push_str(input.text()?);
            &last_text
        } else {
            let boot = match kind.checked_sub(BOOT) {
                None => Some(&contexts.all[*context].boot_id),
                Some(number) => usize::try_from(number).ok().and_then(|at| contexts.boots.get(at)),
            };
            let boot = boot.ok_or(DecodeError("a batch id of an unknown boot"))?;
            // As many as there are ids of this kind.
            let (end, start) = windows.next().unwrap_or_default();
            let end = millis(*time).wrapping_add(zagzig(end).cast_unsigned());
            let start =
                last_end.replace(end).unwrap_or(end).wrapping_add(zagzig(start).cast_unsigned());
            id.clear();
            // Writing into a text cannot fail.
            let _ = write!(id, "{device}_{boot}_{start}_{end}");
            &id
        };
        ids.push(BatchId::parse(text).map_err(|_| DecodeError("an impossible batch id"))?);
    }
    Ok(ids)
}

/// The zigzag-encoded difference: small ones of either sign are short.
const fn difference(one: u64, other: u64) -> u64 {
    zigzag(one.wrapping_sub(other).cast_signed())
}

const fn millis(time: ReadingTime) -> u64 {
    time.as_millis().cast_unsigned()
}
