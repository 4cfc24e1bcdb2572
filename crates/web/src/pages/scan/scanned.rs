//! What was scanned or typed.

use jiff::civil::Date;
use larder_domain::{ElementString, ExpirationDate, Gtin};

use crate::{Failure, Rule};

/// The number of a product, and how long this package is good if the code says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) code: Gtin,
    pub(super) expiration: Option<ExpirationDate>,
}

impl Scanned {
    /// Reads the digits under the bars, or a GS1 element string with a product number. People type
    /// spaces and hyphens between digits.
    pub(super) fn parse(text: &str, today: Date) -> Result<Self, Failure> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if let Ok(code) = Gtin::parse(&digits) {
            return Ok(Self { code, expiration: None });
        }
        let elements = ElementString::parse(text.trim(), today.year()).unwrap_or_default();
        let expiration = elements.good_until();
        let code = elements.gtin.ok_or(Failure::Wrong("scan-code", Rule::ScannedCode))?;
        Ok(Self { code, expiration })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn parse(text: &str) -> Option<(String, Option<String>)> {
        let scanned = Scanned::parse(text, date(2026, 11, 18)).ok()?;
        Some((scanned.code.to_string(), scanned.expiration.map(|day| day.to_string())))
    }

    #[test]
    fn digits_are_read_as_people_type_them() {
        for text in ["4006381333931", " 4 006381 333931 ", "4-006381-333931"] {
            assert_eq!(parse(text), Some(("4006381333931".to_owned(), None)), "{text}");
        }
        for text in ["", "4006381333932", "milk", "https://example.org/", "17270131"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_element_string_has_a_date() {
        for text in ["(01)09501101530003(17)270131", "]C1010950110153000317270131"] {
            let expected = ("09501101530003".to_owned(), Some("2027-01-31".to_owned()));
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }
}
