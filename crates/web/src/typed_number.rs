//! Numbers as people type them.
//!
//! Phones show only the decimal sign of their region, so a comma is accepted, and so are the
//! full-width characters of Japanese input. "1,500" is one and a half in Berlin and fifteen hundred
//! in London: it is refused with a hint, because a guess would be wrong for some. The JSON API
//! reads JSON numbers.

use std::borrow::Cow;

use crate::Rule;

/// The number of digits of a thousands group.
const GROUP: usize = 3;

/// A decimal number; `parse` gets it with a decimal point.
pub(crate) fn decimal<T, E: Into<Rule>>(
    typed: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Rule> {
    parse(&literal(typed)?).map_err(Into::into)
}

/// An amount: a decimal number with at most two places. Three digits after the point are most
/// likely thousands too, as "1.500" is in Berlin.
pub(crate) fn amount<T, E: Into<Rule>>(
    typed: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Rule> {
    let literal = literal(typed)?;
    if looks_grouped(&literal, '.') {
        return Err(Rule::Separators);
    }
    parse(&literal).map_err(Into::into)
}

/// An integer from `least` to `most`.
pub(crate) fn whole(typed: &str, least: u32, most: u32) -> Result<u32, Rule> {
    let digits = narrow(typed.trim());
    let number = digits.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or(Rule::Whole(least, most))
}

/// The typed number with a decimal point.
fn literal(typed: &str) -> Result<String, Rule> {
    let typed = narrow(typed.trim());
    let signs = typed.bytes().filter(|byte| matches!(byte, b',' | b'.')).count();
    if signs > 1 || looks_grouped(&typed, ',') {
        return Err(Rule::Separators);
    }
    let literal = typed.replace(',', ".");
    // A half is often typed as ".5".
    Ok(match literal.strip_prefix('.') {
        Some(decimals) => format!("0.{decimals}"),
        None => literal,
    })
}

/// Whether the only separator may be a thousands separator: one to three digits before it, not
/// beginning with 0, and exactly three after it.
fn looks_grouped(typed: &str, separator: char) -> bool {
    let Some((before, after)) = typed.split_once(separator) else { return false };
    let before = before.strip_prefix('-').unwrap_or(before);
    (1..=GROUP).contains(&before.len()) && !before.starts_with('0') && after.len() == GROUP
}

/// Half-width instead of full-width characters of Japanese input, and a plain minus sign.
pub(crate) fn narrow(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let plain = |character| match character {
        // U+FF01 to U+FF5E are the printable ASCII characters, in order.
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xff01 + 0x21).unwrap_or(character)
        }
        '\u{2212}' => '-',
        '、' => ',',
        '。' => '.',
        other => other,
    };
    text.chars().map(plain).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use larder_domain::{Delta, Number, Quantity};

    use super::*;

    fn quantity(typed: &str) -> Result<String, Rule> {
        amount(typed, Quantity::parse).map(|quantity| quantity.to_string())
    }

    #[test]
    fn a_comma_is_a_decimal_sign_as_a_point_is() {
        for (typed, read) in [
            ("1,5", "1.5"),
            ("1.5", "1.5"),
            (" 1,50 ", "1.5"),
            ("0,25", "0.25"),
            ("1500", "1500"),
            ("1500,5", "1500.5"),
            ("2,", "2"),
            (",5", "0.5"),
            (".5", "0.5"),
            ("3", "3"),
        ] {
            assert_eq!(quantity(typed).as_deref(), Ok(read), "{typed}");
        }
        assert_eq!(amount("-1,5", Delta::parse), Ok(Delta::from_hundredths(-150).unwrap()));
    }

    #[test]
    fn wide_characters_of_japanese_input_are_read() {
        for (typed, read) in [
            ("１．５", "1.5"),
            ("１，５", "1.5"),
            ("１２", "12"),
            ("　３　", "3"),
            ("１。５", "1.5"),
        ] {
            assert_eq!(quantity(typed).as_deref(), Ok(read), "{typed}");
        }
        assert_eq!(amount("−２", Delta::parse), Ok(Delta::from_hundredths(-200).unwrap()));
        assert_eq!(whole("１２", 1, 99), Ok(12));
    }

    #[test]
    fn what_could_be_thousands_is_refused_rather_than_guessed() {
        for typed in
            ["1,500", "1.500", "12,500", "１，５００", "1,500.00", "1.500,00", "1,000,000", "1.5.2"]
        {
            assert_eq!(quantity(typed), Err(Rule::Separators), "{typed}");
        }
        // A thousands group never begins with 0 or has another length.
        for typed in ["0,125", "1,2345", "0.001"] {
            assert_eq!(quantity(typed), Err(Rule::TooPrecise), "{typed}");
        }
    }

    #[test]
    fn a_number_without_a_limit_of_decimals_keeps_the_point_that_pages_show() {
        let number = |typed| decimal(typed, str::parse::<Number>).map(|number| number.to_string());
        assert_eq!(number("1.125").as_deref(), Ok("1.125"));
        assert_eq!(number("21,5").as_deref(), Ok("21.5"));
        assert_eq!(number("0,125").as_deref(), Ok("0.125"));
        assert_eq!(number("1,125"), Err(Rule::Separators));
        assert_eq!(number("warm"), Err(Rule::Number));
    }

    #[test]
    fn what_is_no_number_says_why() {
        for (typed, rule) in [
            ("many", Rule::Number),
            ("", Rule::Number),
            ("-1", Rule::Negative),
            ("1,234567", Rule::TooPrecise),
            ("100000000", Rule::TooLarge),
        ] {
            assert_eq!(quantity(typed), Err(rule), "{typed}");
        }
        for typed in ["0", "1,5", "1.5", "100", "-1", "x", ""] {
            assert_eq!(whole(typed, 1, 99), Err(Rule::Whole(1, 99)), "{typed}");
        }
    }
}
