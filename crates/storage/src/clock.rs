//! Time is a parameter.

use std::{sync::Mutex, time::Duration};

use jiff::Timestamp;

/// The time of day.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Elapsed time. Unlike a [`Clock`] it cannot be set: for rate limits and pauses.
pub trait MonotonicClock: Send + Sync + 'static {
    /// The time since a fixed moment. Never decreases.
    fn elapsed(&self) -> Duration;
}

/// A monotonic clock for tests, which only advances on request.
#[derive(Debug, Default)]
pub struct ManualMonotonic(Mutex<Duration>);

impl ManualMonotonic {
    /// Moves the clock.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().expect("no holder of this lock panics") += by;
    }
}

impl MonotonicClock for ManualMonotonic {
    fn elapsed(&self) -> Duration {
        *self.0.lock().expect("no holder of this lock panics")
    }
}

/// A clock for tests, which only changes on request.
#[derive(Debug)]
pub struct ManualClock(Mutex<Timestamp>);

impl ManualClock {
    /// A clock that shows this time.
    pub const fn new(now: Timestamp) -> Self {
        Self(Mutex::new(now))
    }

    /// Moves the clock.
    pub fn advance(&self, by: jiff::SignedDuration) {
        let mut now = self.0.lock().expect("no holder of this lock panics");
        *now += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().expect("no holder of this lock panics")
    }
}
