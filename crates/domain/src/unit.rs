//! Units of measurement, and exact conversion between those that measure the same.

use std::fmt;

use crate::{Quantity, TextError, text};

/// A unit as the user wrote it: 個, kg, L … (seed 003: 1–20 characters).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Unit(String);

/// The dimension of a convertible unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dimension {
    Mass,
    Volume,
}

/// The convertible units: dimension, grams or millilitres per unit, and spellings after
/// [`text::fold`] (which also unifies ㎏, ㎖, ℓ and full-width letters).
const CONVERTIBLE: &[(Dimension, i64, &[&str])] = &[
    (Dimension::Mass, 1, &["g", "gram", "grams", "グラム"]),
    (Dimension::Mass, 1000, &["kg", "kilogram", "kilograms", "キログラム", "キロ"]),
    (
        Dimension::Volume,
        1,
        &["ml", "millilitre", "millilitres", "milliliter", "milliliters", "ミリリットル", "cc"],
    ),
    (
        Dimension::Volume,
        100,
        &["dl", "decilitre", "decilitres", "deciliter", "deciliters", "デシリットル"],
    ),
    (Dimension::Volume, 1000, &["l", "litre", "litres", "liter", "liters", "リットル"]),
];

/// A step in grams or millilitres.
const FINE_STEP: Quantity = Quantity::whole(50);

impl Unit {
    /// The most characters it may have.
    pub const MAX_CHARS: usize = 20;

    /// Validates the text, which is stored verbatim.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let actual = text.chars().count();
        if actual > Self::MAX_CHARS {
            return Err(TextError::TooLong { max: Self::MAX_CHARS, actual });
        }
        if text.chars().any(char::is_control) {
            return Err(TextError::Control);
        }
        if text.trim().is_empty() {
            return Err(TextError::Blank);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same amount in another unit; `None` if the dimensions differ, or the result is not exact
    /// with two decimals.
    pub fn convert(&self, quantity: Quantity, to: &Self) -> Option<Quantity> {
        let Sizes { this, other } = self.sizes(to)?;
        // 10^10 hundredths × 1000 is far within i64.
        let scaled = quantity.hundredths() * this;
        if scaled % other != 0 {
            return None;
        }
        Quantity::from_hundredths(scaled / other).ok()
    }

    /// The sizes of this unit and another in a common one; `None` if the dimensions differ.
    pub(crate) fn sizes(&self, other: &Self) -> Option<Sizes> {
        if self.0 == other.0 {
            return Some(Sizes { this: 1, other: 1 });
        }
        let (this, other) = (text::fold(&self.0), text::fold(&other.0));
        if this == other {
            return Some(Sizes { this: 1, other: 1 });
        }
        let ((this_dimension, this), (other_dimension, other)) = (known(&this)?, known(&other)?);
        (this_dimension == other_dimension).then_some(Sizes { this, other })
    }
}

/// How large two units are, in a unit of which both are multiples.
pub(crate) struct Sizes {
    pub(crate) this: i64,
    pub(crate) other: i64,
}

impl Unit {
    /// The usual amount to take or add. No one takes a single gram or millilitre.
    pub fn usual_step(&self) -> Quantity {
        let is_fine = known(&text::fold(&self.0)).is_some_and(|(_, size)| size == 1);
        if is_fine { FINE_STEP } else { Quantity::ONE }
    }
}

impl Unit {
    /// Whether it is a unit of mass or volume.
    pub(crate) fn is_measure(&self) -> bool {
        known(&text::fold(&self.0)).is_some()
    }

    /// How many of this unit make one of the largest that it converts into: 1000 for grams.
    pub(crate) fn largest_multiple(&self) -> i64 {
        let Some((dimension, size)) = known(&text::fold(&self.0)) else { return 1 };
        let alike = CONVERTIBLE.iter().filter(|(other, ..)| *other == dimension);
        alike.map(|(_, other, _)| other / size).max().unwrap_or(1)
    }
}

fn known(folded: &str) -> Option<(Dimension, i64)> {
    CONVERTIBLE
        .iter()
        .find(|(_, _, spellings)| spellings.contains(&folded))
        .map(|&(dimension, size, _)| (dimension, size))
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn convert(quantity: &str, from: &str, to: &str) -> Option<String> {
        let (from, to) = (Unit::parse(from).unwrap(), Unit::parse(to).unwrap());
        from.convert(Quantity::parse(quantity).unwrap(), &to).map(|q| q.to_string())
    }

    #[test]
    fn spellings_of_one_unit_are_equal() {
        assert_eq!(convert("1.5", "㎏", "キログラム"), Some("1.5".into()));
        assert_eq!(convert("3", "個", " 個 "), Some("3".into()));
        assert_eq!(convert("3", "Pack", "PACK"), Some("3".into()));
    }

    #[test]
    fn conversion_is_exact_or_refused() {
        assert_eq!(convert("500", "g", "kg"), Some("0.5".into()));
        assert_eq!(convert("1.25", "L", "mL"), Some("1250".into()));
        assert_eq!(convert("2", "デシリットル", "ℓ"), Some("0.2".into()));
        assert_eq!(convert("5", "g", "kg"), None, "0.005 kg has three decimals");
        assert_eq!(convert("99999999", "kg", "g"), None, "too large in grams");
    }

    #[test]
    fn a_step_is_one_unless_one_is_too_little_to_take() {
        let step = |unit: &str| Unit::parse(unit).unwrap().usual_step().to_string();
        assert_eq!(["個", "kg", "L", "dl", "pack"].map(step), ["1"; 5]);
        assert_eq!(["g", "Grams", "ｍｌ", "cc"].map(step), ["50"; 4]);
    }

    #[test]
    fn what_measures_differently_does_not_convert() {
        assert_eq!(convert("1", "kg", "L"), None);
        assert_eq!(convert("1", "個", "kg"), None);
        assert_eq!(convert("1", "個", "本"), None);
    }

    #[test]
    fn a_unit_has_1_to_20_characters() {
        assert_eq!(Unit::parse(""), Err(TextError::Blank));
        assert!(Unit::parse(&"袋".repeat(20)).is_ok());
        assert_eq!(Unit::parse(&"袋".repeat(21)), Err(TextError::TooLong { max: 20, actual: 21 }));
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same(hundredths in 0..9_999_999_999_i64, from in 0..5_usize, to in 0..5_usize) {
            let unit = |i: usize| Unit::parse(CONVERTIBLE[i].2[0]).unwrap();
            let quantity = Quantity::from_hundredths(hundredths).unwrap();
            if let Some(converted) = unit(from).convert(quantity, &unit(to)) {
                prop_assert_eq!(unit(to).convert(converted, &unit(from)), Some(quantity));
            }
        }
    }
}
