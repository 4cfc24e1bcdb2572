//! GS1 element strings: what larger codes on packages say besides the number of the product.
//!
//! An element string is a sequence of elements without spaces, each an application identifier of
//! two to four digits and a value. Some identifiers have values of a fixed length; a group separator
//! (or the end) ends the value of any other. GS1 General Specifications, sections 3 and 7.8.

use jiff::civil::Date;
use thiserror::Error;

use crate::{ExpirationDate, Gtin, InvalidGtin};

/// What a household needs of an element string. Other elements are checked for their length and
/// skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElementString {
    /// The number of the trade item (01).
    pub gtin: Option<Gtin>,
    /// The lot as the producer numbers it (10).
    pub lot: Option<String>,
    /// Best before this day (15).
    pub best_before: Option<ExpirationDate>,
    /// Not to be used after this day (17).
    pub expiration: Option<ExpirationDate>,
}

/// The text is not an element string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidElementString {
    /// There is no element, or one begins with something else.
    #[error("must consist of elements that begin with an application identifier")]
    Identifier,
    /// A value is too short, or not of digits where it must be.
    #[error("has a value of a wrong length")]
    Value,
    /// The number of the trade item is misread.
    #[error("has a product number that {0}")]
    Gtin(InvalidGtin),
    /// A date does not exist.
    #[error("has a date that does not exist")]
    Date,
    /// A lot has at most 20 characters, and not all characters are allowed.
    #[error("has an invalid lot number")]
    Lot,
    /// The same element occurs twice with different values.
    #[error("contradicts itself")]
    Contradiction,
}

/// Ends a value of variable length: what a scanner sends for FNC1.
const SEPARATOR: char = '\u{1d}';

/// Symbology identifiers that scanners put in front of element strings: GS1-128, GS1 `DataBar`, GS1
/// `DataMatrix` and GS1 QR.
const PREFIXES: [&str; 4] = ["]C1", "]e0", "]d2", "]Q3"];

/// The longest lot number.
const MAX_LOT_LENGTH: usize = 20;

/// How many characters follow the first two digits of an identifier, for identifiers whose elements
/// have a fixed length (General Specifications, figure 7.8.5-1). All of these values are digits.
const fn fixed_length(start: [u8; 2]) -> Option<usize> {
    match &start {
        b"00" => Some(18),
        b"01" | b"02" | b"03" | b"41" => Some(14),
        b"04" => Some(16),
        b"11" | b"12" | b"13" | b"14" | b"15" | b"16" | b"17" | b"18" | b"19" => Some(6),
        b"20" => Some(2),
        b"31" | b"32" | b"33" | b"34" | b"35" | b"36" => Some(8),
        _ => None,
    }
}

impl ElementString {
    /// Reads what a scanner sends, or the form in brackets that is printed for people:
    /// `(01)09501101530003(17)270131`. Years have two digits, so the century depends on the
    /// current year.
    pub fn parse(text: &str, current_year: i16) -> Result<Self, InvalidElementString> {
        let prefix = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix));
        let text = prefix.unwrap_or(text);
        if text.starts_with('(') {
            return Self::from_elements(&without_brackets(text)?, current_year);
        }
        Self::from_elements(text, current_year)
    }

    /// The day that counts: the expiration date, or else the best-before date.
    pub fn good_until(&self) -> Option<ExpirationDate> {
        self.expiration.or(self.best_before)
    }

    fn from_elements(text: &str, current_year: i16) -> Result<Self, InvalidElementString> {
        let mut found = Self::default();
        let mut rest = text.trim_start_matches(SEPARATOR);
        if rest.is_empty() {
            return Err(InvalidElementString::Identifier);
        }
        while !rest.is_empty() {
            let (identifier, value, after) = split_element(rest)?;
            match &identifier {
                b"01" => {
                    let gtin = Gtin::parse(value).map_err(InvalidElementString::Gtin)?;
                    set_once(&mut found.gtin, gtin)?;
                }
                b"10" => set_once(&mut found.lot, parse_lot(value)?)?,
                b"15" => set_once(&mut found.best_before, parse_date(value, current_year)?)?,
                b"17" => set_once(&mut found.expiration, parse_date(value, current_year)?)?,
                _ => {}
            }
            rest = after.trim_start_matches(SEPARATOR);
        }
        Ok(found)
    }
}

/// Splits off the first element: the first two digits of its identifier, the rest of it, and what
/// comes after. The identifiers that are read here have exactly two digits.
fn split_element(text: &str) -> Result<([u8; 2], &str, &str), InvalidElementString> {
    let Some((start, rest)) = text.split_at_checked(2) else {
        return Err(InvalidElementString::Identifier);
    };
    let [first, second] = *start.as_bytes() else {
        return Err(InvalidElementString::Identifier);
    };
    let identifier = [first, second];
    if !identifier.iter().all(u8::is_ascii_digit) {
        return Err(InvalidElementString::Identifier);
    }
    let split = if let Some(length) = fixed_length(identifier) {
        rest.split_at_checked(length).filter(|(value, _)| is_digits(value))
    } else {
        let end = rest.find(SEPARATOR).unwrap_or(rest.len());
        Some(rest.split_at(end)).filter(|(value, _)| !value.is_empty())
    };
    let (value, after) = split.ok_or(InvalidElementString::Value)?;
    Ok((identifier, value, after))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The same elements as a scanner sends them, with a separator after each.
fn without_brackets(text: &str) -> Result<String, InvalidElementString> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (identifier, after) =
            bracketed_identifier(rest).ok_or(InvalidElementString::Identifier)?;
        // A lot number may contain brackets; what they enclose is rarely two to four digits.
        let mut brackets = after.match_indices('(').map(|(at, _)| at);
        let end = brackets.find(|at| bracketed_identifier(&after[*at..]).is_some());
        let (value, next) = after.split_at(end.unwrap_or(after.len()));
        plain.push_str(identifier);
        plain.push_str(value.trim());
        plain.push(SEPARATOR);
        rest = next;
    }
    Ok(plain)
}

/// The identifier at the beginning, without its brackets, and what comes after.
fn bracketed_identifier(text: &str) -> Option<(&str, &str)> {
    let (identifier, after) = text.strip_prefix('(')?.split_once(')')?;
    ((2..=4).contains(&identifier.len()) && is_digits(identifier)).then_some((identifier, after))
}

fn set_once<T: PartialEq>(place: &mut Option<T>, value: T) -> Result<(), InvalidElementString> {
    if place.as_ref().is_some_and(|earlier| *earlier != value) {
        return Err(InvalidElementString::Contradiction);
    }
    *place = Some(value);
    Ok(())
}

/// Up to 20 characters of those that GS1 allows in text.
fn parse_lot(text: &str) -> Result<String, InvalidElementString> {
    let is_allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!\"%&'()*+,-./_:;<=>?".contains(&byte);
    if text.len() > MAX_LOT_LENGTH || !text.bytes().all(is_allowed) {
        return Err(InvalidElementString::Lot);
    }
    Ok(text.to_owned())
}

/// Reads `YYMMDD`. The day 00 is the last one of its month.
fn parse_date(digits: &str, current_year: i16) -> Result<ExpirationDate, InvalidElementString> {
    let number = |range| digits.get(range).and_then(|part: &str| part.parse::<i8>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..2), number(2..4), number(4..6)) else {
        return Err(InvalidElementString::Value);
    };
    let year = full_year(i16::from(year), current_year);
    let date = match day {
        0 => Date::new(year, month, 1).map(Date::last_of_month),
        _ => Date::new(year, month, day),
    };
    let date = date.map_err(|_| InvalidElementString::Date)?;
    ExpirationDate::parse(&date.to_string()).map_err(|_| InvalidElementString::Date)
}

/// The year that two digits mean: one from 49 years ago to 50 years ahead (General Specifications,
/// section 7.12).
fn full_year(two_digits: i16, current_year: i16) -> i16 {
    let century = current_year - current_year.rem_euclid(100);
    match two_digits - current_year.rem_euclid(100) {
        51..=99 => century - 100 + two_digits,
        -99..=-50 => century + 100 + two_digits,
        _ => century + two_digits,
    }
}

#[cfg(test)]
#[path = "gs1_tests.rs"]
mod tests;
