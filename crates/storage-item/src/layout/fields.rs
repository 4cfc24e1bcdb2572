//! Conversions between attributes and domain values. A misfit is reported as a corrupt record.

use std::{fmt::Display, str::FromStr};

use jiff::{
    Timestamp,
    civil::{Date, Time},
    tz::Offset,
};
use larder_domain::{Quantity, whole_seconds};
use larder_storage::Result;

use crate::{Number, Record, Value};

/// A time in records: UTC with exactly three decimals, so that texts sort like times.
pub(crate) fn timestamp_text(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// A time in the records of devices: UTC in whole seconds, so that texts sort like times.
pub(crate) fn second_text(at: Timestamp) -> String {
    whole_seconds(at).to_string()
}

/// The time that a text in a record stands for.
pub(crate) fn parse_timestamp(text: &str) -> Result<Timestamp, jiff::Error> {
    // A list of items spends some 6% of its time on times if the general parser reads them.
    match as_written(text.as_bytes()) {
        Some(at) => Ok(at),
        None => text.parse(),
    }
}

/// The time in the two forms that records are written in: `2026-03-01T09:30:00Z`, with or without
/// milliseconds.
fn as_written(text: &[u8]) -> Option<Timestamp> {
    let (second, millis) = match text {
        [second @ .., b'.', a, b, c, b'Z'] => (second, digits(&[*a, *b, *c])?),
        [second @ .., b'Z'] => (second, 0),
        _ => return None,
    };
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', ref time @ ..] = second else {
        return None;
    };
    let &[h1, h2, b':', n1, n2, b':', s1, s2] = time else { return None };
    let date = Date::new(digits(&[y1, y2, y3, y4])?, small([m1, m2])?, small([d1, d2])?).ok()?;
    let time = Time::new(
        small([h1, h2])?,
        small([n1, n2])?,
        small([s1, s2])?,
        i32::from(millis) * 1_000_000,
    );
    Offset::UTC.to_timestamp(date.to_datetime(time.ok()?)).ok()
}

fn small(text: [u8; 2]) -> Option<i8> {
    i8::try_from(digits(&text)?).ok()
}

fn digits(text: &[u8]) -> Option<i16> {
    text.iter().try_fold(0, |number: i16, digit| {
        digit.is_ascii_digit().then(|| number * 10 + i16::from(digit - b'0'))
    })
}

/// A quantity in records.
pub(crate) fn quantity_number(quantity: Quantity) -> Number {
    hundredths_number(quantity.hundredths())
}

/// Hundredths as the decimal number that they are.
pub(crate) fn hundredths_number(hundredths: i64) -> Number {
    Number::new(hundredths.into(), -2).expect("19 digits are within 38")
}

/// A count in records.
pub(crate) fn count_number(count: u64) -> Number {
    Number::from(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The whole second of a time, for TTL attributes.
pub(crate) fn seconds_number(at: Timestamp) -> Number {
    Number::from(at.as_second())
}

/// Reads one record.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(pub(crate) &'a Record);

impl<'a> Fields<'a> {
    pub(crate) fn text(self, name: &str) -> Result<&'a str> {
        self.0.text(name).ok_or_else(|| self.0.misfit(format!("{name} is missing or no text")))
    }

    pub(crate) fn optional_text(self, name: &str) -> Result<Option<&'a str>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::S(text)) => Ok(Some(text)),
            Some(_) => Err(self.0.misfit(format!("{name} is no text"))),
        }
    }

    /// Text that a domain type understands.
    pub(crate) fn parse<T, E: Display>(
        self,
        name: &str,
        parse: impl FnOnce(&'a str) -> Result<T, E>,
    ) -> Result<T> {
        parse(self.text(name)?).map_err(|error| self.0.misfit(format!("{name} {error}")))
    }

    /// Text parsed into a domain type, if present.
    pub(crate) fn parse_optional<T, E: Display>(
        self,
        name: &str,
        parse: impl FnOnce(&'a str) -> Result<T, E>,
    ) -> Result<Option<T>> {
        let Some(text) = self.optional_text(name)? else { return Ok(None) };
        parse(text).map(Some).map_err(|error| self.0.misfit(format!("{name} {error}")))
    }

    pub(crate) fn id<T: FromStr<Err: Display>>(self, name: &str) -> Result<T> {
        self.parse(name, str::parse)
    }

    pub(crate) fn optional_id<T: FromStr<Err: Display>>(self, name: &str) -> Result<Option<T>> {
        self.parse_optional(name, str::parse)
    }

    pub(crate) fn time(self, name: &str) -> Result<Timestamp> {
        self.parse(name, parse_timestamp)
    }

    pub(crate) fn number(self, name: &str) -> Result<Number> {
        self.0.number(name).ok_or_else(|| self.0.misfit(format!("{name} is missing or no number")))
    }

    pub(crate) fn whole(self, name: &str) -> Result<i64> {
        let whole = self.number(name)?.to_i64();
        whole.ok_or_else(|| self.0.misfit(format!("{name} is no whole number")))
    }

    pub(crate) fn optional_whole(self, name: &str) -> Result<Option<i64>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.whole(name).map(Some),
        }
    }

    /// A record within the record.
    pub(crate) fn map(self, name: &str) -> Result<&'a Record> {
        match self.0.get(name) {
            Some(Value::M(map)) => Ok(map),
            _ => Err(self.0.misfit(format!("{name} is missing or no map"))),
        }
    }

    pub(crate) fn count(self, name: &str) -> Result<u64> {
        let whole = self.number(name)?.to_i64().and_then(|count| u64::try_from(count).ok());
        whole.ok_or_else(|| self.0.misfit(format!("{name} is no count")))
    }

    /// A count, if present.
    pub(crate) fn optional_count(self, name: &str) -> Result<Option<u64>> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.count(name).map(Some),
        }
    }

    pub(crate) fn hundredths(self, name: &str) -> Result<i64> {
        let hundredths = self.number(name)?.to_hundredths();
        hundredths.ok_or_else(|| self.0.misfit(format!("{name} has more than two decimals")))
    }

    pub(crate) fn flag(self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is not written here is for the general parser to accept or refuse.
    #[test]
    fn times_in_other_forms_are_read_like_any_time() {
        let read = |text| parse_timestamp(text).map_err(drop);
        let half_past = read("2026-03-01T09:30:00.000Z");
        assert!(half_past.is_ok());
        for text in [
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00.0Z",
            "2026-03-01T10:30:00+01:00",
            "2026-03-01 09:30Z",
        ] {
            assert_eq!(read(text), half_past, "{text}");
        }
        for text in ["", "Z", "2026-03-01", "2026-13-01T09:30:00Z", "2026-02-29T09:30:00.000Z"] {
            assert_eq!(read(text), Err(()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_time_is_read_as_the_general_parser_reads_it(
            millis in Timestamp::MIN.as_millisecond()..Timestamp::MAX.as_millisecond(),
            at in 0..24_usize,
            with in proptest::char::range(' ', '~'),
        ) {
            let time = Timestamp::from_millisecond(millis).unwrap();
            let mut text = timestamp_text(time);
            prop_assert_eq!(parse_timestamp(&text).unwrap(), time);
            prop_assert_eq!(parse_timestamp(&second_text(time)).unwrap(), whole_seconds(time));
            // And with a mistake in it.
            text.replace_range(at..=at, with.encode_utf8(&mut [0; 4]));
            prop_assert_eq!(parse_timestamp(&text).ok(), text.parse().ok());
        }
    }
}
