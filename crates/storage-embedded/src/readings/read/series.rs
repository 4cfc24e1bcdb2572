//! One sensor's measurements, aggregated into the buckets of a chart.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use jiff::Timestamp;
use larder_domain::{BucketFold, Reading, SensorName};
use larder_storage::Result;

use super::blocks::{self, Block};
use super::{Part, Sources};
use crate::readings::block::{self, Point, place};

/// How many blocks are read at once: some tens of thousands of readings, in a few milliseconds.
const MAX_BLOCKS: usize = 256;

impl Sources<'_> {
    /// Aggregates a sensor's measurements in a part, in order of time. Returns where to continue if
    /// the limit of one read was reached.
    pub(super) fn fold(
        &self,
        part: &Part,
        sensor: &SensorName,
        at: Timestamp,
        fold: &mut BucketFold,
    ) -> Result<Option<String>> {
        let pending = self.pending_of(part.device)?;
        let mut gathering = Gathering {
            part,
            sensor: sensor.as_str(),
            now_s: at.as_second(),
            fold,
            waiting: pending.iter().map(AsRef::as_ref).filter(|one| part.contains(one)).collect(),
        };
        let (mut visited, mut next) = (0, None);
        self.readers.read_snapshot(|connection| {
            blocks::visit(connection, part, |block| {
                if visited == MAX_BLOCKS {
                    next = Some(block.sk.to_owned());
                    return Ok(ControlFlow::Break(()));
                }
                visited += 1;
                gathering.block(block).map(ControlFlow::Continue)
            })
        })?;
        let is_due = |one: &Reading| next.as_ref().is_none_or(|next| block::sort_key(one) < *next);
        gathering.waiting_while(is_due);
        Ok(next)
    }
}

/// Values on their way into the buckets.
struct Gathering<'r> {
    part: &'r Part,
    sensor: &'r str,
    now_s: i64,
    fold: &'r mut BucketFold,
    /// Pending readings of the part that were not aggregated yet, in order.
    waiting: VecDeque<&'r Reading>,
}

impl Gathering<'_> {
    /// A block, with the pending readings before and among its own. Usually there are none, and the
    /// whole block is requested: then only its points are decoded.
    fn block(&mut self, block: &Block<'_>) -> Result<()> {
        if self.part.lower.as_str() <= block.sk {
            let points = block.points(self.sensor)?;
            if !points.iter().any(|point| self.waits_at(point)) {
                for point in points {
                    self.waiting_while(|one| one.time < point.time);
                    self.point(point);
                }
                return Ok(());
            }
        }
        for reading in block.readings()?.iter().filter(|reading| self.part.contains(reading)) {
            self.waiting_while(|one| place(one) < place(reading));
            // A pending reading for the same place replaces this one.
            if self.waiting.front().is_none_or(|one| place(one) != place(reading)) {
                self.reading(reading);
            }
        }
        Ok(())
    }

    fn waits_at(&self, point: &Point) -> bool {
        self.waiting.binary_search_by_key(&point.time, |one| one.time).is_ok()
    }

    fn waiting_while(&mut self, is_due: impl Fn(&Reading) -> bool) {
        while let Some(one) = self.waiting.pop_front_if(|one| is_due(one)) {
            self.reading(one);
        }
    }

    fn reading(&mut self, reading: &Reading) {
        if let Some(value) = reading.sensors.get(self.sensor) {
            let (time, expires_at_s) = (reading.time, reading.expires_at_s);
            self.point(Point { time, expires_at_s, value: *value });
        }
    }

    fn point(&mut self, point: Point) {
        if self.now_s < point.expires_at_s {
            self.fold.add(point.time, point.value);
        }
    }
}
