//! Counts capacity units, for the table of costs.

mod write;

use std::sync::Mutex;

use aws_sdk_dynamodb::types::ConsumedCapacity;

pub(crate) use write::WriteUnits;

/// Units consumed since the engine was opened.
///
/// Reads count as reported, but at least the service's charge for an absent record. Writes count by
/// the sizes of the records, with all indexes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Consumed {
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
    /// Requests that were answered.
    pub requests: u64,
}

/// The counter of one engine.
#[derive(Debug)]
pub(crate) struct Units {
    counting: bool,
    consumed: Mutex<Consumed>,
}

impl Units {
    pub(crate) fn new(counting: bool) -> Self {
        Self { counting, consumed: Mutex::default() }
    }

    pub(crate) const fn is_counting(&self) -> bool {
        self.counting
    }

    pub(crate) fn consumed(&self) -> Consumed {
        *self.consumed.lock().expect("no holder of this lock panics")
    }

    /// Counts one answered read, of this many records by their keys or of one part of a partition.
    pub(crate) fn read<'c>(
        &self,
        consumed: impl IntoIterator<Item = &'c ConsumedCapacity>,
        asked: usize,
        consistent: bool,
    ) {
        let told = consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum::<f64>();
        let read_units = told.max(least_read(asked, consistent));
        self.add(Consumed { read_units, write_units: 0.0, requests: 1 });
    }

    /// Counts one answered write.
    pub(crate) fn wrote(&self, units: WriteUnits) {
        let write_units = float(units.table + units.indexes);
        self.add(Consumed { read_units: 0.0, write_units, requests: 1 });
    }

    fn add(&self, more: Consumed) {
        if !self.counting {
            return;
        }
        let mut sum = self.consumed.lock().expect("no holder of this lock panics");
        sum.read_units += more.read_units;
        sum.write_units += more.write_units;
        sum.requests += more.requests;
    }
}

/// The service's charge even for absent records, for which DynamoDB Local reports nothing.
fn least_read(asked: usize, consistent: bool) -> f64 {
    float(asked) * if consistent { 1.0 } else { 0.5 }
}

#[expect(clippy::cast_precision_loss, reason = "a request has some thousand units at most")]
const fn float(units: usize) -> f64 {
    units as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(units: f64) -> ConsumedCapacity {
        ConsumedCapacity::builder().capacity_units(units).build()
    }

    fn consumed(units: &Units) -> (f64, f64, u64) {
        let Consumed { read_units, write_units, requests } = units.consumed();
        (read_units, write_units, requests)
    }

    #[test]
    fn finding_nothing_costs_as_much_as_finding_a_small_record() {
        for (asked, consistent, least) in [(1, true, 1.0), (1, false, 0.5), (3, false, 1.5)] {
            let units = Units::new(true);
            units.read(&[told(0.0)], asked, consistent);
            assert_eq!(consumed(&units), (least, 0.0, 1), "{asked} {consistent}");
        }
    }

    #[test]
    fn what_was_found_costs_what_the_answer_says() {
        let units = Units::new(true);
        units.read(&[told(2.5), told(1.0)], 2, false);
        assert_eq!(consumed(&units), (3.5, 0.0, 1));
    }

    #[test]
    fn writes_count_with_their_indexes() {
        let units = Units::new(true);
        units.wrote(WriteUnits { table: 4, indexes: 3 });
        units.wrote(WriteUnits { table: 1, indexes: 0 });
        assert_eq!(consumed(&units), (0.0, 8.0, 2));
    }

    #[test]
    fn nothing_is_counted_unless_it_is_wanted() {
        let units = Units::new(false);
        units.wrote(WriteUnits { table: 4, indexes: 3 });
        units.read(None, 1, true);
        assert_eq!(units.consumed(), Consumed::default());
    }
}
