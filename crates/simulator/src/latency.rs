//! How long answers took, in bounded memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Steps between a time and its double: a percentile is right to within 3%.
const STEPS: u32 = 32;
/// From 1 µs to over an hour.
const DOUBLINGS: u32 = 32;

/// Counts of times, by how long they were.
#[derive(Debug)]
pub(crate) struct Latencies(Vec<AtomicU64>);

impl Default for Latencies {
    fn default() -> Self {
        Self((0..STEPS * DOUBLINGS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Latencies {
    pub(crate) fn add(&self, time: Duration) {
        let place = place(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
        self.0[place.min(self.0.len() - 1)].fetch_add(1, Ordering::Relaxed);
    }

    /// This percentile of the latencies; zero before the first answer.
    pub(crate) fn percentile(&self, percent: u64) -> Duration {
        let counts: Vec<u64> = self.0.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let sought = (counts.iter().sum::<u64>() * percent).div_ceil(100);
        let mut passed = 0;
        for (place, count) in counts.into_iter().enumerate() {
            passed += count;
            if passed >= sought && count > 0 {
                return Duration::from_micros(upper_end(place));
            }
        }
        Duration::ZERO
    }
}

/// The doubling that a time is in, and the step within it.
fn place(us: u64) -> usize {
    let us = us.max(1);
    let doubling = us.ilog2();
    let step = if doubling < STEPS.ilog2() {
        (us - (1 << doubling)) << (STEPS.ilog2() - doubling)
    } else {
        (us - (1 << doubling)) >> (doubling - STEPS.ilog2())
    };
    usize::try_from(u64::from(doubling * STEPS) + step).unwrap_or(usize::MAX)
}

/// The longest time of a place.
fn upper_end(place: usize) -> u64 {
    let (doubling, step) =
        (place / STEPS as usize, u64::try_from(place).unwrap_or(0) % u64::from(STEPS));
    let first = 1_u64 << doubling;
    first + (first * (step + 1)) / u64::from(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_right_to_within_a_few_percent() {
        let latencies = Latencies::default();
        assert_eq!(latencies.percentile(50), Duration::ZERO);
        (1..=10_000).for_each(|us| latencies.add(Duration::from_micros(us)));
        for (percent, expected) in [(50, 5000.0), (99, 9900.0), (100, 10_000.0)] {
            let found = latencies.percentile(percent).as_secs_f64() * 1e6;
            assert!((found / expected - 1.0).abs() < 0.04, "{percent}: {found}");
        }
    }

    #[test]
    fn an_endless_wait_is_counted_too() {
        let latencies = Latencies::default();
        latencies.add(Duration::from_secs(1_000_000));
        assert!(latencies.percentile(50) > Duration::from_hours(1));
    }
}
