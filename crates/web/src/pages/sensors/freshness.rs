//! How long a device has been silent, and whether it needs attention.

use jiff::Timestamp;
use larder_domain::DeviceHealth;

use crate::{Frame, format::ago};

/// When a device was last seen, as a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) struct Freshness {
    /// The CSS class of the badge, in addition to `badge`.
    pub(in crate::pages) class: &'static str,
    pub(in crate::pages) text: String,
}

impl Freshness {
    pub(in crate::pages) fn of(frame: &Frame, last_seen_at: Timestamp, now: Timestamp) -> Self {
        let ago = ago(frame.words, last_seen_at, now);
        let class = match DeviceHealth::of(last_seen_at, now) {
            DeviceHealth::Well => return Self { class: "", text: ago },
            DeviceHealth::Late => "warn",
            DeviceHealth::Lost => "bad",
        };
        Self { class, text: frame.t1("sensors-silent", "ago", ago) }
    }
}
