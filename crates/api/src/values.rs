//! The JSON forms of values.

use std::fmt::Display;

use jiff::Timestamp;
use larder_app::FleetCaller;
use larder_domain::HouseholdId;
use serde::{Serialize, Serializer};

/// A value as its `Display` text.
pub(crate) fn as_text<S: Serializer>(
    value: &impl Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// The same for an optional value; `None` is `null`.
#[expect(clippy::ref_option, reason = "the shape that serde calls")]
pub(crate) fn as_optional_text<T: Display, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

/// A time in UTC with milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time(pub(crate) Timestamp);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.3}", self.0))
    }
}

/// The owner of a device or a key. The operator sees it, with `null` for the operator's own; for
/// all others the field is omitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    Hidden,
    Shown(Option<HouseholdId>),
}

impl Whose {
    pub(crate) fn told_to(caller: &FleetCaller, household: Option<HouseholdId>) -> Self {
        if caller.is_operator() { Self::Shown(household) } else { Self::Hidden }
    }

    /// Whether the field is omitted.
    pub(crate) const fn is_untold(&self) -> bool {
        matches!(self, Self::Hidden)
    }
}

impl Serialize for Whose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Shown(Some(household)) => serializer.collect_str(household),
            Self::Shown(None) | Self::Hidden => serializer.serialize_none(),
        }
    }
}
