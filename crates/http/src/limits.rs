//! The bounds of one request.

use std::time::Duration;

/// What one request may take. Header sizes are bounded by the server below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest body that is read.
    pub body_bytes: usize,
    /// How long a client may take to send its body.
    pub body_time: Duration,
    /// How long an answer may take to begin. A stream that has begun may go on.
    pub request_time: Duration,
}

impl Default for Limits {
    /// 1 MiB holds the largest documented request (100 readings) several times over.
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            body_time: Duration::from_secs(20),
            request_time: Duration::from_secs(30),
        }
    }
}
