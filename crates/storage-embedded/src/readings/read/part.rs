//! The requested part of a device's readings.

use larder_domain::{HardwareId, Reading, ReadingPosition, ReadingTime, SeriesSpan};
use larder_storage::ReadingRange;

use crate::readings::block;

/// Sort keys begin with a digit: this sorts after all of them.
const BEHIND_ALL: &str = ":";

/// A part of a device's readings by their sort keys, and the direction in which it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) device: HardwareId,
    /// The first sort key that may be in it.
    pub(crate) lower: String,
    /// The first sort key after it.
    pub(crate) upper: String,
    pub(crate) forward: bool,
}

impl Part {
    /// All readings of a device from a sort key on.
    pub(crate) fn from(device: HardwareId, lower: String) -> Self {
        Self { device, lower, upper: BEHIND_ALL.to_owned(), forward: true }
    }

    /// A range of times after a position. `None` if it is empty.
    pub(super) fn of_range(
        device: HardwareId,
        range: ReadingRange,
        after: Option<&ReadingPosition>,
    ) -> Option<Self> {
        let (mut lower, mut upper) = (at_first(range.from), behind(range.to));
        if let Some(ReadingPosition { time, batch_id }) = after {
            let place = format!("{:013}#{batch_id}", time.as_millis());
            if range.oldest_first {
                lower = lower.max(place);
            } else {
                upper = upper.min(place);
            }
        }
        (lower < upper).then_some(Self { device, lower, upper, forward: range.oldest_first })
    }

    /// A span of times, oldest first.
    pub(super) fn of_span(device: HardwareId, span: SeriesSpan) -> Self {
        Self { device, lower: at_first(span.from()), upper: behind(span.to()), forward: true }
    }

    /// Whether a reading is in it.
    pub(crate) fn contains(&self, reading: &Reading) -> bool {
        let sort_key = block::sort_key(reading);
        self.lower <= sort_key && sort_key < self.upper
    }
}

/// Before every sort key of a time.
fn at_first(time: ReadingTime) -> String {
    format!("{:013}#", time.as_millis())
}

/// Behind every sort key of a time.
fn behind(time: ReadingTime) -> String {
    format!("{:013}$", time.as_millis())
}

#[cfg(test)]
mod tests {
    use larder_domain::BatchId;

    use super::*;

    #[test]
    fn a_part_holds_both_ends_of_its_range_and_begins_behind_a_place() {
        let device = HardwareId::from_bytes([1; 6]);
        let time = |ms| ReadingTime::from_millis(ms).unwrap();
        let range = ReadingRange {
            from: time(946_684_800_000),
            to: time(1_704_067_800_000),
            oldest_first: true,
        };
        let part = Part::of_range(device, range, None).unwrap();
        assert_eq!((&*part.lower, &*part.upper), ("0946684800000#", "1704067800000$"));
        assert!(part.forward);

        let place = |ms| ReadingPosition { time: time(ms), batch_id: BatchId::parse("b").unwrap() };
        let behind = Part::of_range(device, range, Some(&place(1_000_000_000_000))).unwrap();
        assert_eq!((&*behind.lower, &*behind.upper), ("1000000000000#b", "1704067800000$"));
        let newest_first = ReadingRange { oldest_first: false, ..range };
        let before = Part::of_range(device, newest_first, Some(&place(1_000_000_000_000))).unwrap();
        assert_eq!((&*before.lower, &*before.upper), ("0946684800000#", "1000000000000#b"));

        assert_eq!(Part::of_range(device, range, Some(&place(1_800_000_000_000))), None);
        let reversed = ReadingRange { from: range.to, to: range.from, ..range };
        assert_eq!(Part::of_range(device, reversed, None), None);
    }
}
