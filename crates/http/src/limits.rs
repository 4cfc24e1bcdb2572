//! The bounds of one request.

use std::time::Duration;

/// Limits of one request. Header sizes are limited by the server below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest body that is read.
    pub body_bytes: usize,
    /// Time limit for receiving the body.
    pub body_time: Duration,
    /// Time limit until an answer begins. A stream that has begun may continue.
    pub request_time: Duration,
}

impl Default for Limits {
    /// 1 MiB fits the largest documented request (100 readings) several times.
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            body_time: Duration::from_secs(20),
            request_time: Duration::from_secs(30),
        }
    }
}
