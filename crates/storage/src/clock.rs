//! Time comes in as a parameter.

use std::sync::Mutex;

use jiff::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
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
