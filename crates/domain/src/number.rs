//! Exact decimal numbers, as wide as DynamoDB's: 38 significant digits.

use std::{cmp::Ordering, fmt, str::FromStr};

use thiserror::Error;

/// DynamoDB stores 38 significant digits of a number.
const MAX_DIGITS: u32 = 38;
/// DynamoDB's largest magnitude is below 10^126 and its smallest above 10^-130.
const EXPONENTS: std::ops::RangeInclusive<i32> = -130..=125;

/// An exact decimal: `mantissa × 10^exponent`, normalised without trailing zeros, so that equal
/// numbers have equal fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    mantissa: i128,
    exponent: i16,
}

/// Why a text or a sum is not a [`Number`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NumberError {
    /// Not a decimal literal.
    #[error("not a decimal number")]
    Syntax,
    /// More than 38 significant digits, or an exponent outside the engine's range.
    #[error("number out of range")]
    Range,
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, exponent: 0 };

    /// `mantissa × 10^exponent`.
    pub fn new(mantissa: i128, exponent: i32) -> Result<Self, NumberError> {
        if mantissa == 0 {
            return Ok(Self::ZERO);
        }
        let (mut mantissa, mut exponent) = (mantissa, exponent);
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent += 1;
        }
        let digits = mantissa.unsigned_abs().ilog10() + 1;
        let magnitude = exponent.saturating_add_unsigned(digits - 1);
        if digits > MAX_DIGITS || !EXPONENTS.contains(&magnitude) {
            return Err(NumberError::Range);
        }
        let exponent = i16::try_from(exponent).map_err(|_| NumberError::Range)?;
        Ok(Self { mantissa, exponent })
    }

    /// The digits without trailing zeros.
    pub const fn mantissa(self) -> i128 {
        self.mantissa
    }

    /// The power of ten that the digits are multiplied with.
    pub const fn exponent(self) -> i16 {
        self.exponent
    }

    /// The number as hundredths, if it has at most two decimals and fits.
    pub fn to_hundredths(self) -> Option<i64> {
        let shift = u32::try_from(i32::from(self.exponent) + 2).ok()?;
        let scaled = self.mantissa.checked_mul(10_i128.checked_pow(shift)?)?;
        i64::try_from(scaled).ok()
    }

    /// The number as a whole, if it is one and fits.
    pub fn to_i64(self) -> Option<i64> {
        let shift = u32::try_from(self.exponent).ok()?;
        let scaled = self.mantissa.checked_mul(10_i128.checked_pow(shift)?)?;
        i64::try_from(scaled).ok()
    }

    /// The exact sum.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        let exponent = self.exponent.min(other.exponent);
        let left = self.mantissa_at(exponent).ok_or(NumberError::Range)?;
        let right = other.mantissa_at(exponent).ok_or(NumberError::Range)?;
        let sum = left.checked_add(right).ok_or(NumberError::Range)?;
        Self::new(sum, exponent.into())
    }

    fn mantissa_at(self, exponent: i16) -> Option<i128> {
        let shift = u32::try_from(i32::from(self.exponent) - i32::from(exponent)).ok()?;
        self.mantissa.checked_mul(10_i128.checked_pow(shift)?)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::new(value.into(), 0).expect("19 digits are within 38")
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let exponent = self.exponent.min(other.exponent);
        match (self.mantissa_at(exponent), other.mantissa_at(exponent)) {
            (Some(left), Some(right)) => left.cmp(&right),
            // Only one side can overflow: the one with the larger exponent, which is then the larger
            // magnitude, because the other fits in 38 digits at its own exponent.
            (None, _) => self.mantissa.cmp(&0),
            (_, None) => 0.cmp(&other.mantissa),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, power)) => {
                (digits, power.parse::<i32>().map_err(|_| NumberError::Syntax)?)
            }
            None => (text, 0),
        };
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, digits),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return Err(NumberError::Syntax);
        }
        let mut mantissa: i128 = 0;
        let mut dropped_zeros = 0;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if !byte.is_ascii_digit() {
                return Err(NumberError::Syntax);
            }
            // Zeros are counted and multiplied in only when a digit follows, so that a long tail of
            // zeros is no overflow.
            if byte == b'0' {
                dropped_zeros += 1;
                continue;
            }
            let power = 10_i128.checked_pow(dropped_zeros + 1).ok_or(NumberError::Range);
            mantissa = if mantissa == 0 {
                0
            } else {
                mantissa.checked_mul(power?).ok_or(NumberError::Range)?
            };
            mantissa = mantissa.checked_add(i128::from(byte - b'0')).ok_or(NumberError::Range)?;
            dropped_zeros = 0;
        }
        let scale = i32::try_from(fraction.len()).map_err(|_| NumberError::Range)?;
        let zeros = i32::try_from(dropped_zeros).map_err(|_| NumberError::Range)?;
        let exponent = exponent
            .checked_sub(scale)
            .and_then(|e| e.checked_add(zeros))
            .ok_or(NumberError::Range)?;
        Self::new(if negative { -mantissa } else { mantissa }, exponent)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        let sign = if self.mantissa < 0 { "-" } else { "" };
        if let Ok(zeros) = usize::try_from(self.exponent) {
            return write!(f, "{sign}{digits}{}", "0".repeat(zeros));
        }
        let places = usize::from(self.exponent.unsigned_abs());
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[test]
    fn equal_numbers_are_equal_however_they_are_written() {
        for text in ["1.5", "1.50", "15e-1", "0.15E1", "001.5"] {
            assert_eq!(number(text), number("1.5"), "{text}");
            assert_eq!(number(text).to_string(), "1.5");
        }
        assert_eq!(number("-0"), Number::ZERO);
    }

    #[test]
    fn thirty_eight_digits_fit_and_thirty_nine_do_not() {
        assert!("9".repeat(38).parse::<Number>().is_ok());
        assert_eq!("9".repeat(39).parse::<Number>(), Err(NumberError::Range));
        assert_eq!(format!("1{}", "0".repeat(60)).parse::<Number>().unwrap().mantissa(), 1);
        assert_eq!("1e400".parse::<Number>(), Err(NumberError::Range));
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for text in ["", "-", ".", "NaN", "1.2.3", "1e", "0x1", "+1", " 1", "1 "] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::Syntax), "{text:?}");
        }
    }

    #[test]
    fn numbers_far_apart_compare() {
        assert!(number("1e100") > number("1e-100"));
        assert!(number("-1e100") < number("-1e-100"));
        assert!(number("1e-100") > number("-1e100"));
    }

    proptest! {
        #[test]
        fn text_round_trips(mantissa in -(10_i128.pow(37))..10_i128.pow(37), exponent in -60..60_i32) {
            let value = Number::new(mantissa, exponent).unwrap();
            prop_assert_eq!(value.to_string().parse::<Number>().unwrap(), value);
        }

        #[test]
        fn sums_and_order_agree_with_integers(a in any::<i32>(), b in any::<i32>(), scale in 0..6_i32) {
            let left = Number::new(a.into(), -scale).unwrap();
            let right = Number::new(b.into(), -scale).unwrap();
            let sum = Number::new(i128::from(a) + i128::from(b), -scale).unwrap();
            prop_assert_eq!(left.checked_add(right).unwrap(), sum);
            prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        }
    }
}
