//! Counts the jobs' results.

use jiff::Timestamp;
use larder_domain::Channel;

use super::Job;

/// The outcome of a delivery attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryOutcome {
    /// It arrived.
    Sent,
    /// It did not, and is tried again.
    Failed,
    /// Failed permanently, and kept as a dead letter.
    Dead,
    /// Outdated, or without recipients.
    Dropped,
    /// Every recipient has reached today's limit of mails.
    Capped,
}

impl DeliveryOutcome {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Dropped => "dropped",
            Self::Capped => "capped",
        }
    }
}

/// Counts the jobs' results.
pub trait UpkeepObserver: Send + Sync + 'static {
    /// An attempt was made.
    fn attempted(&self, channel: Channel, outcome: DeliveryOutcome);

    /// A job went through without a failure.
    fn succeeded(&self, job: Job, at: Timestamp);

    /// Whether sweeping is paused because the clock has jumped.
    fn sweeping_paused(&self, is_paused: bool);
}

/// Counts nothing.
impl UpkeepObserver for () {
    fn attempted(&self, _: Channel, _: DeliveryOutcome) {}

    fn succeeded(&self, _: Job, _: Timestamp) {}

    fn sweeping_paused(&self, _: bool) {}
}
