//! The result of a run.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::latency::Latencies;

/// Receives progress reports.
pub trait Progress: Send {
    /// The share of the time that has passed, and the result so far.
    fn tell(&mut self, passed: Duration, whole: Duration, so_far: &Summary);
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Readings that the server took.
    pub acknowledged: u64,
    /// Readings that it knew already.
    pub duplicate: u64,
    /// Readings whose request was refused, or finally got no answer.
    pub failed: u64,
    /// Registrations that it confirmed.
    pub registered: u64,
    /// Requests that were repeated, because they got no answer or the server was not able to serve.
    pub retried: u64,
    /// Why requests failed: the last reason.
    pub last_failure: Option<String>,
    /// Readings acknowledged per second.
    pub readings_per_second: f64,
    /// The median latency of requests with readings.
    pub p50: Duration,
    /// The 99th percentile of their latency.
    pub p99: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(
            f,
            "acknowledged  {} readings ({:.0}/s)",
            self.acknowledged, self.readings_per_second
        )?;
        writeln!(f, "duplicate     {} readings", self.duplicate)?;
        writeln!(f, "failed        {} readings", self.failed)?;
        writeln!(f, "registered    {} times", self.registered)?;
        writeln!(f, "retried       {} requests", self.retried)?;
        writeln!(f, "p50           {:.1} ms", ms(self.p50))?;
        write!(f, "p99           {:.1} ms", ms(self.p99))?;
        if let Some(reason) = &self.last_failure {
            write!(f, "\nlast failure  {reason}")?;
        }
        Ok(())
    }
}

/// Counters shared by the workers.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) acknowledged: AtomicU64,
    pub(crate) duplicate: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) registered: AtomicU64,
    pub(crate) retried: AtomicU64,
    pub(crate) latencies: Latencies,
    last_failure: std::sync::Mutex<Option<String>>,
}

impl Tally {
    pub(crate) fn add(counter: &AtomicU64, count: usize) {
        counter.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn note_failure(&self, reason: &str) {
        let mut last = self.last_failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = Some(reason.to_owned());
    }

    pub(crate) fn summary(&self, passed: Duration) -> Summary {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let acknowledged = count(&self.acknowledged);
        let last = self.last_failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        #[expect(clippy::cast_precision_loss, reason = "a rate need not be exact")]
        let readings_per_second = acknowledged as f64 / passed.as_secs_f64().max(1e-9);
        Summary {
            acknowledged,
            duplicate: count(&self.duplicate),
            failed: count(&self.failed),
            registered: count(&self.registered),
            retried: count(&self.retried),
            last_failure: last.clone(),
            readings_per_second,
            p50: self.latencies.percentile(50),
            p99: self.latencies.percentile(99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_everything_with_its_unit() {
        let tally = Tally::default();
        Tally::add(&tally.acknowledged, 500);
        Tally::add(&tally.duplicate, 7);
        tally.latencies.add(Duration::from_millis(2));
        let text = tally.summary(Duration::from_secs(5)).to_string();
        for line in [
            "acknowledged  500 readings (100/s)",
            "duplicate     7 readings",
            "failed        0 readings",
        ] {
            assert!(text.lines().any(|given| given == line), "{text}");
        }
        assert!(text.contains("p50           2.0 ms"), "{text}");
        assert!(!text.contains("last failure"));
        tally.note_failure("503");
        assert!(tally.summary(Duration::from_secs(1)).to_string().ends_with("last failure  503"));
    }
}
