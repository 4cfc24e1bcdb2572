//! Exact decimal quantities with at most two places. Never a float.

use std::fmt;

use thiserror::Error;

/// The largest quantity, 99,999,999.99: the range of seed 003's `DECIMAL(10,2)`.
const MAX_HUNDREDTHS: i64 = 9_999_999_999;
/// No delta can exceed the largest quantity.
const MIN_DELTA_HUNDREDTHS: i64 = -MAX_HUNDREDTHS;

/// A change of a quantity: any two-decimal number but 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta(i64);

/// Why a number is not a valid quantity or delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// Not a decimal number.
    #[error("must be a number")]
    NotANumber,
    /// Below zero.
    #[error("must not be negative")]
    Negative,
    /// A delta of 0.
    #[error("must not be 0")]
    Zero,
    /// More than two decimals.
    #[error("must have at most two decimal places")]
    TooPrecise,
    /// Over the limit.
    #[error("must be at most 99999999.99")]
    TooLarge,
}

/// The sum would exceed the largest quantity; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the quantity would exceed 99999999.99")]
pub struct Overflow;

/// Declares amounts: exact numbers from 0 to 99,999,999.99 in steps of 0.01.
macro_rules! amounts {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(i64);

        impl $name {
            /// The amount of so many hundredths.
            pub const fn from_hundredths(hundredths: i64) -> Result<Self, QuantityError> {
                match hundredths {
                    ..0 => Err(QuantityError::Negative),
                    0..=MAX_HUNDREDTHS => Ok(Self(hundredths)),
                    _ => Err(QuantityError::TooLarge),
                }
            }

            /// Reads a decimal literal exactly, as JSON writes numbers.
            pub fn parse(literal: &str) -> Result<Self, QuantityError> {
                Self::from_hundredths(parse_hundredths(literal)?)
            }

            /// The amount in hundredths.
            pub const fn hundredths(self) -> i64 {
                self.0
            }
        }

        crate::rule::described! { $name: Hundredths { least: 0, most: MAX_HUNDREDTHS }, }

        crate::entity::field! {
            $name: hundredths(
                |amount| amount.hundredths(),
                |hundredths: &i64| Self::from_hundredths(*hundredths)
            )
        }
    )+};
}

amounts! {
    /// A quantity of an item.
    Quantity,
    /// A price, in the currency of the household.
    Price,
}

impl Quantity {
    /// 0.
    pub const ZERO: Self = Self(0);
    /// One of anything.
    pub const ONE: Self = Self::whole(1);
    /// The largest quantity.
    pub const MAX: Self = Self(MAX_HUNDREDTHS);

    /// A whole number.
    pub const fn whole(count: u16) -> Self {
        Self(count as i64 * 100)
    }

    /// Reads a decimal literal exactly, and refuses 0.
    pub fn parse_more_than_zero(literal: &str) -> Result<Self, QuantityError> {
        let quantity = Self::parse(literal)?;
        if quantity.is_zero() { Err(QuantityError::Zero) } else { Ok(quantity) }
    }

    /// Whether it is 0.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The exact sum.
    pub const fn checked_add(self, other: Self) -> Result<Self, Overflow> {
        match Self::from_hundredths(self.0 + other.0) {
            Ok(sum) => Ok(sum),
            Err(_) => Err(Overflow),
        }
    }

    /// The quantity after a delta that stops at 0, and the applied delta.
    pub const fn adjust(self, delta: Delta) -> Result<(Self, i64), Overflow> {
        let wanted = self.0 + delta.0;
        let reached = if wanted < 0 { 0 } else { wanted };
        match Self::from_hundredths(reached) {
            Ok(quantity) => Ok((quantity, reached - self.0)),
            Err(_) => Err(Overflow),
        }
    }
}

impl Delta {
    /// The least, in hundredths.
    pub(crate) const LEAST: i64 = MIN_DELTA_HUNDREDTHS;
    /// The most, in hundredths.
    pub(crate) const MOST: i64 = MAX_HUNDREDTHS;

    /// A delta from hundredths.
    pub const fn from_hundredths(hundredths: i64) -> Result<Self, QuantityError> {
        match hundredths {
            0 => Err(QuantityError::Zero),
            MIN_DELTA_HUNDREDTHS..=MAX_HUNDREDTHS => Ok(Self(hundredths)),
            _ => Err(QuantityError::TooLarge),
        }
    }

    /// Reads a decimal literal exactly, as JSON writes numbers.
    pub fn parse(literal: &str) -> Result<Self, QuantityError> {
        Self::from_hundredths(parse_hundredths(literal)?)
    }

    /// The delta in hundredths.
    pub const fn hundredths(self) -> i64 {
        self.0
    }
}

/// Reads `-?digits[.digits][e[+-]digits]` as hundredths without rounding anything away.
fn parse_hundredths(literal: &str) -> Result<i64, QuantityError> {
    let (digits, power) = match literal.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, Some(power)),
        None => (literal, None),
    };
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return Err(QuantityError::NotANumber);
    }
    let significant = format!("{whole}{fraction}");
    let significant = significant.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    let power = power.map_or(Ok(0), parse_power)?;
    if trimmed.is_empty() {
        return Ok(0);
    }
    // The literal is trimmed × 10^exponent, and hundredths need exponent + 2 ≥ 0.
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let dropped_zeros = length(significant) - length(trimmed);
    let exponent = power.saturating_sub(length(fraction)).saturating_add(dropped_zeros);
    let shift = exponent.saturating_add(2);
    if shift < 0 {
        return Err(QuantityError::TooPrecise);
    }
    if length(trimmed).saturating_add(shift) > 17 {
        return Err(QuantityError::TooLarge);
    }
    let shift = u32::try_from(shift).map_err(|_| QuantityError::TooLarge)?;
    let mantissa: i64 = trimmed.parse().map_err(|_| QuantityError::TooLarge)?;
    let hundredths = mantissa * 10_i64.pow(shift);
    Ok(if negative { -hundredths } else { hundredths })
}

fn parse_power(power: &str) -> Result<i64, QuantityError> {
    let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(QuantityError::NotANumber);
    }
    // A power that does not fit is as good as infinite.
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Ok(if power.starts_with('-') { -magnitude } else { magnitude })
}

fn write_hundredths(f: &mut fmt::Formatter<'_>, hundredths: i64) -> fmt::Result {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match (rest, rest % 10) {
        (0, _) => write!(f, "{sign}{whole}"),
        (_, 0) => write!(f, "{sign}{whole}.{}", rest / 10),
        _ => write!(f, "{sign}{whole}.{rest:02}"),
    }
}

macro_rules! display {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hundredths(f, self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_hundredths(f, self.0)
            }
        }
    )+};
}

display!(Quantity, Delta);

/// As people write prices: both decimals or none.
impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 100 {
            0 => write!(f, "{}", self.0 / 100),
            cents => write!(f, "{}.{cents:02}", self.0 / 100),
        }
    }
}

impl fmt::Debug for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn literals_are_read_exactly() {
        for (literal, hundredths) in [
            ("0", 0),
            ("0.00", 0),
            ("-0", 0),
            ("0e999999999999999999999", 0),
            ("1", 100),
            ("1.5", 150),
            ("1.50", 150),
            ("1.500000000000000000000000", 150),
            ("0.01", 1),
            ("1e2", 10_000),
            ("1.25E1", 1250),
            ("150e-2", 150),
            ("99999999.99", MAX_HUNDREDTHS),
        ] {
            assert_eq!(
                Quantity::parse(literal),
                Quantity::from_hundredths(hundredths),
                "{literal}"
            );
        }
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_its_reason() {
        use QuantityError::{Negative, NotANumber, TooLarge, TooPrecise};
        for (literal, error) in [
            ("-1", Negative),
            ("1.005", TooPrecise),
            ("99999999.990000001", TooPrecise),
            ("1e-400", TooPrecise),
            ("1e400", TooLarge),
            ("1e99999999999999999999", TooLarge),
            ("100000000", TooLarge),
            ("99999999999999999999999999", TooLarge),
            ("NaN", NotANumber),
            ("", NotANumber),
            ("\"1\"", NotANumber),
            ("+1", NotANumber),
            ("1e", NotANumber),
            ("1e1.5", NotANumber),
        ] {
            assert_eq!(Quantity::parse(literal), Err(error), "{literal}");
        }
    }

    #[test]
    fn a_price_has_both_decimals_or_none() {
        for (literal, text) in
            [("0", "0"), ("0.05", "0.05"), ("3.5", "3.50"), ("3.49", "3.49"), ("300.00", "300")]
        {
            assert_eq!(Price::parse(literal).unwrap().to_string(), text);
        }
        assert_eq!(Price::parse("1.005"), Err(QuantityError::TooPrecise));
        assert_eq!(Price::parse("-1"), Err(QuantityError::Negative));
        assert_eq!(Price::parse("100000000"), Err(QuantityError::TooLarge));
    }

    #[test]
    fn taking_more_than_there_is_stops_at_zero_and_says_what_was_taken() {
        let half = Quantity::parse("0.5").unwrap();
        assert_eq!(half.adjust(Delta::parse("-1").unwrap()), Ok((Quantity::ZERO, -50)));
        assert_eq!(Quantity::ZERO.adjust(Delta::parse("-1").unwrap()), Ok((Quantity::ZERO, 0)));
    }

    #[test]
    fn a_sum_over_the_limit_is_an_overflow() {
        let cent = Quantity::parse("0.01").unwrap();
        assert_eq!(Quantity::MAX.checked_add(cent), Err(Overflow));
        assert_eq!(Quantity::MAX.adjust(Delta::parse("0.01").unwrap()), Err(Overflow));
    }

    #[test]
    fn a_delta_is_never_zero() {
        assert_eq!(Delta::parse("0.00"), Err(QuantityError::Zero));
        assert_eq!(Delta::parse("-0.01").unwrap().hundredths(), -1);
    }

    proptest! {
        #[test]
        fn text_round_trips(hundredths in 0..=MAX_HUNDREDTHS) {
            let quantity = Quantity::from_hundredths(hundredths).unwrap();
            prop_assert_eq!(Quantity::parse(&quantity.to_string()), Ok(quantity));
            let price = Price::from_hundredths(hundredths).unwrap();
            prop_assert_eq!(Price::parse(&price.to_string()), Ok(price));
        }

        #[test]
        fn parsing_never_panics(literal in "[-+0-9.eE]{0,40}") {
            let _ = Quantity::parse(&literal);
        }

        #[test]
        fn a_change_is_what_it_says(start in 0..=MAX_HUNDREDTHS, by in -MAX_HUNDREDTHS..=MAX_HUNDREDTHS) {
            prop_assume!(by != 0);
            let start = Quantity::from_hundredths(start).unwrap();
            if let Ok((after, applied)) = start.adjust(Delta::from_hundredths(by).unwrap()) {
                prop_assert_eq!(after.hundredths(), start.hundredths() + applied);
                prop_assert!(applied == by || (after.is_zero() && by < applied));
            }
        }
    }
}
