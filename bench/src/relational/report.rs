//! The costs of resources, as a table.

use std::time::Duration;

use super::{
    Sample,
    things::{AT_ONCE, CASCADE, CHILDREN, DEPTH},
};
use crate::{
    measure::median,
    report::{Row, render},
};

/// Everything that was measured, once per round.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) point_read: Vec<Sample>,
    pub(super) get: Vec<Sample>,
    pub(super) children: Vec<Sample>,
    pub(super) ancestors: Vec<Sample>,
    pub(super) authorize: Vec<Sample>,
    pub(super) create: Vec<Sample>,
    /// How many a second.
    pub(super) create_at_once: Vec<f64>,
    pub(super) cascade: Vec<Duration>,
}

impl Measured {
    pub(super) fn table(&self) -> String {
        let yardstick = p50(&self.point_read);
        let times =
            |time: Duration| format!("{:.1}×", time.as_secs_f64() / yardstick.as_secs_f64());
        let mut rows =
            vec![Row::plain("plain read of one record".to_owned(), sample(&self.point_read))];
        for (what, samples) in [
            ("get a thing".to_owned(), &self.get),
            (format!("list {CHILDREN} children"), &self.children),
            (format!("ancestors at depth {DEPTH}"), &self.ancestors),
            (format!("authorize at depth {DEPTH}, by a grant at the top"), &self.authorize),
            ("create below a parent, durable, one after the other".to_owned(), &self.create),
        ] {
            rows.push(Row { ratio: times(p50(samples)), ..Row::plain(what, sample(samples)) });
        }
        let rate = median(self.create_at_once.clone());
        let each = Duration::from_secs_f64(1.0 / rate);
        rows.push(Row {
            ratio: times(each),
            ..Row::plain(
                format!("create below a parent, durable, {AT_ONCE} at once"),
                format!("{rate:.0}/s ({} each)", microseconds(each)),
            )
        });
        let cascade = median(self.cascade.clone());
        let each = cascade / CASCADE;
        rows.push(Row {
            ratio: format!("{} (each {})", times(cascade), times(each)),
            ..Row::plain(
                format!("delete a tree of {CASCADE} with 2000 unique values, 5000 memberships"),
                format!("{:.2} s ({} each)", cascade.as_secs_f64(), microseconds(each)),
            )
        });
        render(&rows)
    }
}

fn p50(samples: &[Sample]) -> Duration {
    median(samples.iter().map(|sample| sample.p50).collect())
}

fn sample(samples: &[Sample]) -> String {
    let p99 = median(samples.iter().map(|sample| sample.p99).collect());
    format!("p50 {}, p99 {}", microseconds(p50(samples)), microseconds(p99))
}

fn microseconds(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}
