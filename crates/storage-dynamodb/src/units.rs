//! Counting capacity units, for the table of costs and for whoever wants to see them.

use std::sync::Mutex;

use aws_sdk_dynamodb::types::ConsumedCapacity;

/// What an engine has consumed since it was opened.
///
/// Reads count as the service says. Writes of transactions count by DynamoDB's own rule, two units for every
/// started kilobyte of each item, without indexes: DynamoDB Local says something else than the service does.
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

    /// Counts one answered read.
    pub(crate) fn read<'c>(&self, consumed: impl IntoIterator<Item = &'c ConsumedCapacity>) {
        let units = consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum::<f64>();
        self.add(Consumed { read_units: units, write_units: 0.0, requests: 1 });
    }

    /// Counts one answered write outside of transactions.
    pub(crate) fn written<'c>(&self, consumed: impl IntoIterator<Item = &'c ConsumedCapacity>) {
        let units = consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum::<f64>();
        self.add(Consumed { read_units: 0.0, write_units: units, requests: 1 });
    }

    /// Counts one answered transaction, by the sizes of its items.
    pub(crate) fn transacted(&self, item_bytes: impl Iterator<Item = usize>) {
        let units = item_bytes.map(|bytes| 2 * bytes.div_ceil(1024).max(1)).sum::<usize>();
        #[expect(
            clippy::cast_precision_loss,
            reason = "a transaction has some thousand units at most"
        )]
        let write_units = units as f64;
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
