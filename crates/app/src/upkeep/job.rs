//! The jobs, by the names that leases and metrics know them by.

use jiff::SignedDuration;

/// Something that one server at a time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Job {
    /// Notifications are sent.
    Deliveries,
    /// Dates are judged where a day has begun.
    Days,
    /// Work that was interrupted is finished.
    Work,
    /// Everything is compared with what it should be.
    Reconciliation,
    /// What has expired is deleted.
    Sweeping,
    /// Resources are brought into their newest shape, when somebody asks for it.
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
