//! Who counts what the jobs do.

use jiff::Timestamp;
use larder_domain::Channel;

use super::Job;

/// What became of an attempt to deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryOutcome {
    /// It arrived.
    Sent,
    /// It did not, and is tried again.
    Failed,
    /// It did not, and is kept among the dead letters.
    Dead,
    /// There was nothing to tell any more, or nobody who may be told.
    Dropped,
    /// Everybody who may be told has had as many mails today as anybody gets.
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

/// Who counts what the jobs do.
pub trait UpkeepObserver: Send + Sync + 'static {
    /// An attempt was made.
    fn attempted(&self, channel: Channel, outcome: DeliveryOutcome);

    /// A job went through without a failure.
    fn succeeded(&self, job: Job, at: Timestamp);

    /// Whether expired data is kept because the clock has jumped.
    fn sweeping_paused(&self, is_paused: bool);
}

/// Nobody counts.
impl UpkeepObserver for () {
    fn attempted(&self, _: Channel, _: DeliveryOutcome) {}

    fn succeeded(&self, _: Job, _: Timestamp) {}

    fn sweeping_paused(&self, _: bool) {}
}
