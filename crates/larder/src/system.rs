//! The real clock and randomness: the only use of the operating system's.

use std::io;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use larder_app::Entropy;
use larder_storage::{Clock, MonotonicClock};

/// The time of the operating system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one source of time that all others are given"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The time since the server started, which cannot be set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemMonotonic(Instant);

impl SystemMonotonic {
    /// A clock that begins now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl MonotonicClock for SystemMonotonic {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The randomness of the operating system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        // The operating system provided randomness at the start; if it fails now, no safe operation
        // is left.
        random_bytes(bytes).expect("the operating system gives randomness once it is up");
    }
}

/// Random bytes from the operating system.
#[expect(clippy::disallowed_methods, reason = "the one source that all other randomness is given")]
pub(crate) fn random_bytes(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(|reason| io::Error::other(reason.to_string()))
}
