//! Conversions between attributes and domain values. A misfit is reported as a corrupt record.

use std::{fmt::Display, str::FromStr};

use jiff::Timestamp;
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
        self.parse(name, str::parse)
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
