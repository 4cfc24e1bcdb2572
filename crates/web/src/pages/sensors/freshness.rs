//! How long a device has been silent, and whether it needs attention.

use jiff::{SignedDuration, Timestamp};

use crate::{Frame, format::ago};

/// A device that measures every five minutes has missed two readings by then.
const LATE_AFTER: SignedDuration = SignedDuration::from_mins(15);

/// A weak signal does not last this long: the device needs attention.
const LOST_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// When a device was last seen, as a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Freshness {
    /// The CSS class of the badge, in addition to `badge`.
    pub(super) class: &'static str,
    pub(super) text: String,
}

impl Freshness {
    pub(super) fn of(frame: &Frame, last_seen_at: Timestamp, now: Timestamp) -> Self {
        let ago = ago(frame.words, last_seen_at, now);
        match class(now.duration_since(last_seen_at)) {
            "" => Self { class: "", text: ago },
            class => Self { class, text: frame.t1("sensors-silent", "ago", ago) },
        }
    }
}

fn class(silence: SignedDuration) -> &'static str {
    match silence {
        silence if silence > LOST_AFTER => "bad",
        silence if silence > LATE_AFTER => "warn",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_a_warning_after_a_quarter_of_an_hour_and_a_failure_after_a_day() {
        let minutes = |minutes| class(SignedDuration::from_mins(minutes));
        assert_eq!([minutes(-5), minutes(0), minutes(15)], ["", "", ""]);
        assert_eq!([minutes(16), minutes(24 * 60)], ["warn", "warn"]);
        assert_eq!(minutes(24 * 60 + 1), "bad");
    }
}
