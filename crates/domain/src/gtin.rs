//! Barcodes of trade items: GTINs as they are printed under the bars.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use thiserror::Error;

use crate::entity::field;

/// A GTIN: EAN-8, UPC-A, EAN-13 or GTIN-14, with a check digit that is right.
///
/// It keeps its digits as written. Two are the same if their numbers are: a UPC-A and the EAN-13
/// with a zero in front of it are printed on the same thing.
#[derive(Clone, Copy, Eq)]
pub struct Gtin {
    /// Padded with zeros on the left.
    digits: [u8; Gtin::MAX_DIGITS],
    /// How many of the digits were written.
    length: u8,
}

/// The text is no GTIN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidGtin {
    /// Another number of digits, or not only digits.
    #[error("must be 8, 12, 13 or 14 digits")]
    Digits,
    /// The last digit does not follow from the others: a misread or mistyped code.
    #[error("has a wrong check digit; please check the number")]
    CheckDigit,
}

impl Gtin {
    /// The digits of the longest, to which shorter ones are padded.
    pub const MAX_DIGITS: usize = 14;

    /// Reads 8, 12, 13 or 14 ASCII digits.
    pub fn parse(text: &str) -> Result<Self, InvalidGtin> {
        let written = text.as_bytes();
        if !matches!(written.len(), 8 | 12 | 13 | 14) || !written.iter().all(u8::is_ascii_digit) {
            return Err(InvalidGtin::Digits);
        }
        let mut digits = [b'0'; Self::MAX_DIGITS];
        let padding = Self::MAX_DIGITS - written.len();
        digits[padding..].copy_from_slice(written);
        if !weighted_sum(&digits).is_multiple_of(10) {
            return Err(InvalidGtin::CheckDigit);
        }
        let length = u8::try_from(written.len()).map_err(|_| InvalidGtin::Digits)?;
        Ok(Self { digits, length })
    }

    /// The digits as written.
    pub fn as_str(&self) -> &str {
        let padding = Self::MAX_DIGITS - usize::from(self.length);
        // They are ASCII digits.
        str::from_utf8(&self.digits[padding..]).unwrap_or_default()
    }

    /// The number with 14 digits, which is the same for all ways to write it.
    pub fn padded(&self) -> String {
        self.digits.iter().copied().map(char::from).collect()
    }
}

/// The sum of all digits, the last one included, with the weights 3 and 1 in turn; a multiple of
/// ten for a valid code. Counted from the right, padding does not change the weights.
fn weighted_sum(digits: &[u8; Gtin::MAX_DIGITS]) -> u32 {
    let weights = [3, 1].into_iter().cycle();
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum()
}

impl FromStr for Gtin {
    type Err = InvalidGtin;

    fn from_str(text: &str) -> Result<Self, InvalidGtin> {
        Self::parse(text)
    }
}

impl PartialEq for Gtin {
    fn eq(&self, other: &Self) -> bool {
        self.digits == other.digits
    }
}

impl Hash for Gtin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digits.hash(state);
    }
}

impl fmt::Display for Gtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Gtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

crate::ids::serialize_as_text! { Gtin }

field! { Gtin: text(|gtin| gtin.as_str(), Self::parse) }

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn codes_of_every_length_are_read_and_kept_as_written() {
        for (text, padded) in [
            ("96385074", "00000096385074"),
            ("036000291452", "00036000291452"),
            ("4006381333931", "04006381333931"),
            ("4902102072618", "04902102072618"),
            ("10614141000415", "10614141000415"),
        ] {
            let gtin = Gtin::parse(text).unwrap();
            assert_eq!((gtin.as_str(), gtin.padded().as_str()), (text, padded));
            assert_eq!((gtin.to_string().as_str(), text.parse()), (text, Ok(gtin)));
        }
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in
            ["", "1", "1234567", "123456789", "40063813339315", "４００６３８１３３３９３１"]
        {
            assert!(Gtin::parse(text).is_err(), "{text}");
        }
        for text in ["400638133393 ", "+006381333931", "4006381-33931", "40063813339310000"] {
            assert_eq!(Gtin::parse(text), Err(InvalidGtin::Digits), "{text}");
        }
        for text in ["96385075", "036000291453", "4006381333932", "10614141000416"] {
            assert_eq!(Gtin::parse(text), Err(InvalidGtin::CheckDigit), "{text}");
        }
    }

    #[test]
    fn one_number_is_one_code_however_it_is_written() {
        let written = ["036000291452", "0036000291452", "00036000291452"];
        let codes: HashSet<Gtin> = written.iter().map(|text| Gtin::parse(text).unwrap()).collect();
        assert_eq!(codes.len(), 1);
        let short = Gtin::parse("96385074").unwrap();
        assert_eq!(Gtin::parse("00000096385074"), Ok(short));
        assert_ne!(Gtin::parse("4006381333931"), Ok(short));
    }

    /// The digits of a length, with the check digit that follows from the others.
    fn valid() -> impl Strategy<Value = String> {
        prop_oneof![Just(8), Just(12), Just(13), Just(14)].prop_flat_map(|length| {
            proptest::collection::vec(0..10_u8, length - 1).prop_map(|digits| {
                let text =
                    |digits: &[u8]| digits.iter().map(|digit| char::from(b'0' + digit)).collect();
                let weights = [3, 1].into_iter().cycle();
                let sum: u32 = digits
                    .iter()
                    .rev()
                    .zip(weights)
                    .map(|(d, weight)| u32::from(*d) * weight)
                    .sum();
                let check = (10 - sum % 10) % 10;
                let body: String = text(&digits);
                format!("{body}{check}")
            })
        })
    }

    proptest! {
        #[test]
        fn a_code_with_its_check_digit_is_read_back(text in valid()) {
            let gtin = Gtin::parse(&text).unwrap();
            prop_assert_eq!(gtin.as_str(), &text);
            prop_assert_eq!(gtin.padded(), format!("{text:0>14}"));
            prop_assert_eq!(Gtin::parse(&gtin.padded()), Ok(gtin));
        }

        #[test]
        fn every_single_wrong_digit_is_refused(text in valid()) {
            for at in 0..text.len() {
                for digit in b'0'..=b'9' {
                    let mut wrong = text.clone().into_bytes();
                    wrong[at] = digit;
                    let wrong = String::from_utf8(wrong).unwrap();
                    let expected = wrong == text;
                    prop_assert_eq!(Gtin::parse(&wrong).is_ok(), expected, "{}", wrong);
                }
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,20}") {
            let _ = Gtin::parse(&text);
        }
    }
}
