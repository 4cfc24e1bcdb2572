//! The jobs, by their names in leases and metrics.

use jiff::SignedDuration;

/// Something that one server at a time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Job {
    /// Notifications are sent.
    Deliveries,
    /// Checks expiration dates when a household's day begins.
    Days,
    /// Work that was interrupted is finished.
    Work,
    /// Finds and repairs inconsistencies.
    Reconciliation,
    /// Deletes expired data.
    Sweeping,
    /// Upcasts resources to their newest schema version, on demand.
    Upcasting,
}

impl Job {
    /// Every job that servers do by themselves.
    pub const ALL: [Self; 5] =
        [Self::Deliveries, Self::Days, Self::Work, Self::Reconciliation, Self::Sweeping];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deliveries => "deliveries",
            Self::Days => "days",
            Self::Work => "work",
            Self::Reconciliation => "reconciliation",
            Self::Sweeping => "sweeping",
            Self::Upcasting => "upcasting",
        }
    }

    /// How long others wait for a server that has died while it did this. A living one prolongs its lease
    /// three times in that time, so the clocks of two servers may differ by half of it.
    pub(super) const fn term(self) -> SignedDuration {
        match self {
            // People wait for these.
            Self::Deliveries | Self::Work | Self::Upcasting => SignedDuration::from_secs(10),
            Self::Days | Self::Reconciliation | Self::Sweeping => SignedDuration::from_secs(120),
        }
    }
}
