//! Batch ids, which identify repeated readings. Those that a device's firmware makes name a window
//! of time: the windows of one boot are stored together, many in one row.

pub(crate) mod exact;
pub(crate) mod ids;
#[cfg(test)]
mod tests;

use larder_domain::HardwareId;

use crate::codec::{DecodeError, Input, varint, zagzig, zigzag};
use crate::readings::numbers;

/// The maximal number of windows in a block: limits the cost of decoding, whatever its bytes are.
pub(crate) const MAX_WINDOWS: usize = 1024;

const VERSION: u8 = 1;

/// A batch id of a known device and boot, with its sender and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// When it first arrived, in seconds.
    pub(crate) received_at_s: i64,
    /// The device that sent it: mostly the one that the id names.
    pub(crate) sender: HardwareId,
}

impl Window {
    /// The sort order of windows.
    pub(crate) const fn place(&self) -> (u64, u64) {
        (self.start, self.end)
    }
}

/// The bytes of up to [`MAX_WINDOWS`] windows in the order of their places, at least one. `of` is the device that the
/// ids name.
pub(crate) fn encode(of: HardwareId, windows: &[Window]) -> Vec<u8> {
    debug_assert!((1..=MAX_WINDOWS).contains(&windows.len()), "a block of {}", windows.len());
    debug_assert!(windows.is_sorted_by(|a, b| a.place() < b.place()), "windows out of order");
    let mut out = Vec::with_capacity(32 + 2 * windows.len());
    out.push(VERSION);
    varint(&mut out, windows.len() as u64);
    varint(&mut out, windows.first().map_or(0, |window| window.start));
    // A window usually begins at the end of the one before.
    let starts = windows.iter().zip(windows.iter().skip(1));
    let starts = starts.map(|(one, next)| difference(next.start, one.end));
    numbers::encode(&mut out, &starts.collect::<Vec<_>>());
    let lengths = windows.iter().map(|window| difference(window.end, window.start));
    numbers::encode(&mut out, &lengths.collect::<Vec<_>>());
    // How long each was under way: as long as the one before, about.
    let delays = windows.iter().map(|window| window.received_at_s.wrapping_sub(second(window.end)));
    numbers::encode_steps(&mut out, delays);
    senders(&mut out, of, windows);
    out
}

/// The devices that sent windows of another one, and the sender of each window (0: the device
/// itself).
fn senders(out: &mut Vec<u8>, of: HardwareId, windows: &[Window]) {
    let mut others = Vec::new();
    let number = |window: &Window| {
        if window.sender == of {
            return 0;
        }
        let known = others.iter().position(|other| *other == window.sender);
        let at = known.unwrap_or_else(|| {
            others.push(window.sender);
            others.len() - 1
        });
        at as u64 + 1
    };
    let numbers: Vec<_> = windows.iter().map(number).collect();
    varint(out, others.len() as u64);
    for other in &others {
        out.extend_from_slice(other.as_bytes());
    }
    numbers::encode(out, &numbers);
}

/// The windows of a block.
pub(crate) fn decode(of: HardwareId, body: &[u8]) -> Result<Vec<Window>, DecodeError> {
    let mut input = Input::new(body);
    if input.byte()? != VERSION {
        return Err(DecodeError("windows of an unknown version"));
    }
    let Ok(count @ 1..=MAX_WINDOWS) = usize::try_from(input.varint()?) else {
        return Err(DecodeError("no or too many windows"));
    };
    let first = input.varint()?;
    let starts = numbers::decode(&mut input, count - 1)?;
    let lengths = numbers::decode(&mut input, count)?;
    let delays = numbers::decode_steps(&mut input, count)?;
    let others = (0..input.count(6)?)
        .map(|_| input.array().map(HardwareId::from_bytes))
        .collect::<Result<Vec<_>, _>>()?;
    let senders = numbers::decode(&mut input, count)?;
    input.end()?;
    let mut windows: Vec<Window> = Vec::with_capacity(count);
    let starts = std::iter::once(None).chain(starts.into_iter().map(Some));
    for (((start, length), delay), sender) in starts.zip(lengths).zip(delays).zip(senders) {
        let last = windows.last();
        let start = match (start, last) {
            (Some(start), Some(last)) => last.end.wrapping_add(zagzig(start).cast_unsigned()),
            _ => first,
        };
        let end = start.wrapping_add(zagzig(length).cast_unsigned());
        let sender = match usize::try_from(sender).unwrap_or(usize::MAX).checked_sub(1) {
            None => of,
            Some(at) => *others.get(at).ok_or(DecodeError("a window of an unknown sender"))?,
        };
        if last.is_some_and(|last| last.place() >= (start, end)) {
            return Err(DecodeError("windows are out of order"));
        }
        let received_at_s = second(end).wrapping_add(delay);
        windows.push(Window { start, end, received_at_s, sender });
    }
    Ok(windows)
}

/// The zigzag-encoded difference: small ones of either sign are short.
const fn difference(one: u64, other: u64) -> u64 {
    zigzag(one.wrapping_sub(other).cast_signed())
}

const fn second(millis: u64) -> i64 {
    (millis / 1000).cast_signed()
}
