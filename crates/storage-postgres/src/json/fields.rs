//! Single columns of a kept row, and what is wrong with them.

use std::{fmt::Display, str::FromStr};

use jiff::Timestamp;
use larder_domain::Quantity;
use larder_storage::{Result, StorageError};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Reads one of these from its text.
pub(crate) fn decode<J: DeserializeOwned, T>(
    text: &str,
    into: impl FnOnce(J) -> Result<T>,
) -> Result<T> {
    into(serde_json::from_str(text).map_err(|error| corrupt("a kept row", error))?)
}

pub(super) fn corrupt(column: &str, reason: impl Display) -> StorageError {
    let (record, reason) = (column.to_owned(), reason.to_string());
    StorageError::Corrupt { record, reason }
}

pub(super) fn check<T>(column: &str, checked: Result<T, impl Display>) -> Result<T> {
    checked.map_err(|error| corrupt(column, error))
}

pub(super) fn parse<T, E: Display>(
    column: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T> {
    check(column, parse(text))
}

pub(super) fn parse_optional<T, E: Display>(
    column: &str,
    text: Option<&str>,
    parser: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>> {
    text.map(|text| parse(column, text, parser)).transpose()
}

pub(super) fn read<T: FromStr<Err: Display>>(column: &str, text: &str) -> Result<T> {
    parse(column, text, str::parse)
}

pub(super) fn read_optional<T: FromStr<Err: Display>>(
    column: &str,
    text: Option<&str>,
) -> Result<Option<T>> {
    parse_optional(column, text, str::parse)
}

pub(super) fn number(quantity: Quantity) -> Box<RawValue> {
    RawValue::from_string(quantity.to_string()).expect("a quantity prints as a number")
}

/// With milliseconds, as the tables keep them.
pub(super) fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}
