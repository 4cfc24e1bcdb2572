//! Time comes in as a parameter.

use std::{sync::Mutex, time::Duration};

use jiff::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Tells how much time passes. Unlike a [`Clock`] nobody can set it: limits and pauses are measured by it.
pub trait MonotonicClock: Send + Sync + 'static {
    /// The time since a moment that stays the same. Never less than it was before.
    fn elapsed(&self) -> Duration;
}

/// A monotonic clock that stands still until it is moved, for tests.
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

/// A clock that stands still until it is moved, for tests.
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
