//! Readings of blocks and readings that wait, in one order.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::Timestamp;
use larder_domain::Reading;
use larder_storage::Result;
use rusqlite::Connection;

use super::{Part, blocks};
use crate::readings::block::place;

/// The first requested, unexpired readings of a part, up to a limit, within a transaction that
/// began after the pending readings were taken.
pub(crate) fn collect(
    connection: &Connection,
    part: &Part,
    pending: Vec<Arc<Reading>>,
    is_wanted: impl Fn(&Reading) -> bool,
    limit: usize,
    at: Timestamp,
) -> Result<Vec<Reading>> {
    let mut pending: VecDeque<_> =
        pending.into_iter().filter(|reading| is_wanted(reading)).collect();
    if !part.forward {
        pending.make_contiguous().reverse();
    }
    let mut page = Page { readings: Vec::new(), limit, at };
    blocks::visit(connection, part, |block| {
        let mut readings = block.readings()?;
        if !part.forward {
            readings.reverse();
        }
        for reading in readings.into_iter().filter(&is_wanted) {
            let comes_first = |waiting: &Arc<Reading>| {
                let order = place(waiting).cmp(&place(&reading));
                if part.forward { order.is_lt() } else { order.is_gt() }
            };
            while let Some(waiting) = pending.pop_front_if(|waiting| comes_first(waiting)) {
                page.take(Arc::unwrap_or_clone(waiting));
            }
            // A pending reading for the same place replaces this one.
            if pending.front().is_none_or(|waiting| place(waiting) != place(&reading)) {
                page.take(reading);
            }
        }
        Ok(if page.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    for waiting in pending {
        page.take(Arc::unwrap_or_clone(waiting));
    }
    Ok(page.readings)
}

/// The collected readings.
struct Page {
    readings: Vec<Reading>,
    limit: usize,
    at: Timestamp,
}

impl Page {
    fn take(&mut self, reading: Reading) {
        if !self.is_full() && !reading.has_expired(self.at) {
            self.readings.push(reading);
        }
    }

    fn is_full(&self) -> bool {
        self.readings.len() == self.limit
    }
}
