//! Calendar dates and the household's time zone: "today" is the household's local date.

use std::fmt;

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use thiserror::Error;

/// Why a text is not a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DateError {
    /// Not a day of the calendar.
    #[error("must be a calendar date such as 2026-02-28")]
    NotADate,
    /// Outside the supported years.
    #[error("must be from 1900-01-01 to 2100-12-31")]
    OutOfRange,
}

/// Parses `YYYY-MM-DD`, and no other format of the calendar library.
fn parse_date(text: &str) -> Result<Date, DateError> {
    let well_formed = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !well_formed {
        return Err(DateError::NotADate);
    }
    let date: Date = text.parse().map_err(|_| DateError::NotADate)?;
    if !(1900..=2100).contains(&date.year()) {
        return Err(DateError::OutOfRange);
    }
    Ok(date)
}

/// Declares days of the calendar from 1900-01-01 to 2100-12-31 (seed 003).
macro_rules! dates {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Date);

        impl $name {
            /// Reads `YYYY-MM-DD`.
            pub fn parse(text: &str) -> Result<Self, DateError> {
                parse_date(text).map(Self)
            }

            /// The day.
            pub const fn date(self) -> Date {
                self.0
            }
        }

        crate::entity::field! { $name: text(|date| &date.to_string(), Self::parse) }
        crate::ids::serialize_as_text! { $name }
        crate::rule::described! { $name: Date, }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )+};
}

dates! {
    /// The day after which something should not be used.
    ExpirationDate,
    /// The day on which something was opened.
    OpeningDate,
}

/// How near the expiration date is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpirationStatus {
    /// There is no date.
    None,
    /// More than three days away.
    Fresh,
    /// Today or within three days.
    ExpiringSoon,
    /// Before today.
    Expired,
}

impl ExpirationStatus {
    /// How many days ahead "soon" reaches (seed 003).
    pub const SOON_DAYS: i64 = 3;

    /// The status of a date, seen from this day.
    pub fn of(date: Option<ExpirationDate>, today: Date) -> Self {
        match date {
            None => Self::None,
            Some(ExpirationDate(date)) if date < today => Self::Expired,
            Some(ExpirationDate(date)) if date <= last_day_of_soon(today) => Self::ExpiringSoon,
            Some(_) => Self::Fresh,
        }
    }

    /// The word for it in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Fresh => "fresh",
            Self::ExpiringSoon => "expiring_soon",
            Self::Expired => "expired",
        }
    }
}

/// The last day that counts as "soon".
pub fn last_day_of_soon(today: Date) -> Date {
    today.saturating_add(jiff::Span::new().days(ExpirationStatus::SOON_DAYS))
}

/// A time zone with an IANA name.
#[derive(Clone, PartialEq)]
pub struct Zone(TimeZone);

/// The time zone database does not have the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be an IANA time zone such as Asia/Tokyo")]
pub struct UnknownZone;

impl Zone {
    /// The default: UTC.
    pub const UTC: Self = Self(TimeZone::UTC);

    /// Finds a zone by its name.
    pub fn parse(name: &str) -> Result<Self, UnknownZone> {
        let zone = TimeZone::get(name).map_err(|_| UnknownZone)?;
        // A zone without a name could not be stored.
        if zone.iana_name().is_some() { Ok(Self(zone)) } else { Err(UnknownZone) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The calendar day there at this time.
    pub fn day_of(&self, at: Timestamp) -> Date {
        self.0.to_datetime(at).date()
    }

    /// When the next calendar day begins there.
    pub fn next_day(&self, after: Timestamp) -> Timestamp {
        let tomorrow = self.day_of(after).tomorrow().and_then(|day| day.to_zoned(self.0.clone()));
        tomorrow.map_or(Timestamp::MAX, |begin| begin.timestamp())
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::UTC
    }
}

impl Eq for Zone {}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn date(text: &str) -> ExpirationDate {
        ExpirationDate::parse(text).unwrap()
    }

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        for text in [
            "2026-02-30",
            "2026-13-01",
            "2026-2-3",
            "20260228",
            "2026-02-28T00:00",
            "",
            "2026−02−28",
        ] {
            assert_eq!(ExpirationDate::parse(text), Err(DateError::NotADate), "{text}");
        }
        assert!(ExpirationDate::parse("2028-02-29").is_ok());
    }

    #[test]
    fn years_are_bounded() {
        for text in ["1899-12-31", "2101-01-01", "0000-01-01", "9999-12-31"] {
            assert_eq!(ExpirationDate::parse(text), Err(DateError::OutOfRange), "{text}");
        }
        assert!(ExpirationDate::parse("1900-01-01").is_ok());
        assert!(ExpirationDate::parse("2100-12-31").is_ok());
    }

    #[test]
    fn soon_is_today_and_the_three_days_after() {
        let today = jiff::civil::date(2026, 2, 27);
        for (expiration, status) in [
            (None, ExpirationStatus::None),
            (Some(date("2026-02-26")), ExpirationStatus::Expired),
            (Some(date("2026-02-27")), ExpirationStatus::ExpiringSoon),
            (Some(date("2026-03-02")), ExpirationStatus::ExpiringSoon),
            (Some(date("2026-03-03")), ExpirationStatus::Fresh),
        ] {
            assert_eq!(ExpirationStatus::of(expiration, today), status, "{expiration:?}");
        }
    }

    #[test]
    fn today_is_where_the_household_is() {
        let at: Timestamp = "2026-03-01T16:30:00Z".parse().unwrap();
        let day = |zone: &str| Zone::parse(zone).unwrap().day_of(at).to_string();
        assert_eq!(day("Asia/Tokyo"), "2026-03-02");
        assert_eq!(day("America/New_York"), "2026-03-01");
        assert_eq!(day("UTC"), "2026-03-01");
    }

    #[test]
    fn the_next_day_begins_at_the_households_midnight() {
        for (zone, now, begins) in [
            ("UTC", "2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"),
            ("UTC", "2026-03-01T23:59:59.9Z", "2026-03-02T00:00:00Z"),
            ("Asia/Tokyo", "2026-03-01T14:59:59Z", "2026-03-01T15:00:00Z"),
            ("Asia/Tokyo", "2026-03-01T15:00:00Z", "2026-03-02T15:00:00Z"),
            // A day of 23 hours, and one whose first hour does not exist.
            ("Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T22:00:00Z"),
            ("America/Santiago", "2026-09-06T03:00:00Z", "2026-09-06T04:00:00Z"),
        ] {
            let next = Zone::parse(zone).unwrap().next_day(now.parse().unwrap());
            assert_eq!(next, begins.parse().unwrap(), "{zone} {now}");
        }
    }

    #[test]
    fn a_zone_is_a_name_of_the_database() {
        for name in ["", "Tokyo", "Asia/Nowhere", "+09:00", "../../etc/passwd"] {
            assert_eq!(Zone::parse(name), Err(UnknownZone), "{name}");
        }
        assert_eq!(Zone::parse("asia/tokyo").unwrap().name(), "Asia/Tokyo");
    }

    proptest! {
        #[test]
        fn dates_round_trip(days in 0..73_413_i32) {
            let date = jiff::civil::date(1900, 1, 1).saturating_add(jiff::Span::new().days(days));
            let parsed = ExpirationDate::parse(&date.to_string()).unwrap();
            prop_assert_eq!(parsed.date(), date);
        }
    }
}
