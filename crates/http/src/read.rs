//! Readers of one JSON value, for [`Fields`](crate::Fields).
//!
//! Each is one argument: `read::text(ItemName::parse)`, `read::number(Quantity::parse)`,
//! `read::integer::<u64>`, `read::boolean`, `read::list(10, || read::text(Tag::parse))`.

use std::{borrow::Cow, collections::BTreeMap, fmt::Display, str::FromStr};

use serde_json::value::RawValue;

use crate::json::{Object, Text};

/// Why a value was refused, in words that follow the name of the field.
pub type Refusal = Cow<'static, str>;

/// A JSON string, handed on decoded.
pub fn text<T, E: Display>(
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> impl FnOnce(&RawValue) -> Result<T, Refusal> {
    move |value| parse(&borrowed_text(value)?).map_err(refusal)
}

/// A JSON string, decoded, and borrowed unless it contains an escape.
pub fn borrowed_text(value: &RawValue) -> Result<Cow<'_, str>, Refusal> {
    let Some(rest) = value.get().strip_prefix('"') else {
        return Err(Cow::Borrowed("must be a text"));
    };
    match rest.strip_suffix('"') {
        // The text was parsed as JSON: without an escape it is literal.
        Some(plain) if !plain.contains('\\') => Ok(Cow::Borrowed(plain)),
        // The one thing that can be wrong with a JSON string here is half of a surrogate pair.
        _ => match serde_json::from_str(value.get()) {
            Ok(Text(text)) => Ok(text),
            Err(_) => Err(Cow::Borrowed("must be valid Unicode text")),
        },
    }
}

/// A JSON number, handed on exactly as the client wrote it: never through a float.
pub fn number<T, E: Display>(
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> impl FnOnce(&RawValue) -> Result<T, Refusal> {
    move |value| match value.get().as_bytes() {
        [b'-' | b'0'..=b'9', ..] => parse(value.get()).map_err(refusal),
        _ => Err(Cow::Borrowed("must be a number")),
    }
}

/// A JSON number that is whole, handed on without fraction or exponent. Any other is handed on as it
/// was written, to be refused in the words of its rule.
pub fn whole<T, E: Display>(
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> impl FnOnce(&RawValue) -> Result<T, Refusal> {
    number(|literal: &str| match whole_digits(literal) {
        Ok(digits) => parse(&digits),
        Err(_) => parse(literal),
    })
}

/// A JSON number that is whole, however it is written (`2`, `2.0`, `2e0`), and fits the type.
pub fn integer<T: FromStr>(value: &RawValue) -> Result<T, Refusal> {
    number(|literal: &str| {
        let digits = whole_digits(literal)?;
        digits.parse().map_err(|_| OUT_OF_RANGE)
    })(value)
}

const NOT_WHOLE: &str = "must be a whole number";
const OUT_OF_RANGE: &str = "is out of range";
/// More than any type holds.
const MOST_DIGITS: usize = 40;

/// The digits of a whole number without fraction or exponent.
fn whole_digits(literal: &str) -> Result<Cow<'_, str>, &'static str> {
    if !literal.contains(['.', 'e', 'E']) {
        return Ok(literal.into());
    }
    let (number, power) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let significant = format!("{whole}{fraction}");
    if significant.bytes().all(|digit| digit == b'0') {
        return Ok("0".into());
    }
    let kept = significant.trim_end_matches('0');
    let power: i64 = power.parse().map_err(|_| OUT_OF_RANGE)?;
    // Where the decimal point is.
    let point = i64::try_from(whole.len()).map_err(|_| OUT_OF_RANGE)?.saturating_add(power);
    match usize::try_from(point) {
        Ok(point) if point < kept.len() => Err(NOT_WHOLE),
        Ok(point @ ..=MOST_DIGITS) => Ok(format!("{sign}{kept:0<point$}").into()),
        Ok(_) => Err(OUT_OF_RANGE),
        Err(_) => Err(NOT_WHOLE),
    }
}

/// A JSON object, handed on as it was written.
pub fn any_object(value: &RawValue) -> Result<&RawValue, Refusal> {
    if value.get().starts_with('{') { Ok(value) } else { Err(Cow::Borrowed("must be an object")) }
}

/// A JSON array, handed on as it was written.
pub fn any_list(value: &RawValue) -> Result<&RawValue, Refusal> {
    if value.get().starts_with('[') { Ok(value) } else { Err(Cow::Borrowed("must be a list")) }
}

/// `true` or `false`.
pub fn boolean(value: &RawValue) -> Result<bool, Refusal> {
    match value.get() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Cow::Borrowed("must be true or false")),
    }
}

/// A JSON array of at most so many elements, each read by the same reader.
pub fn list<T, R: FnOnce(&RawValue) -> Result<T, Refusal>>(
    max: usize,
    reader: impl Fn() -> R,
) -> impl FnOnce(&RawValue) -> Result<Vec<T>, Refusal> {
    move |value| {
        let elements: Vec<&RawValue> =
            serde_json::from_str(value.get()).map_err(|_| Cow::Borrowed("must be a list"))?;
        if elements.len() > max {
            return Err(format!("must have at most {max} elements").into());
        }
        let read = |(index, element)| {
            reader()(element).map_err(|refusal| format!("element {index} {refusal}").into())
        };
        elements.into_iter().enumerate().map(read).collect()
    }
}

/// A JSON object of at most this many members, each with a valid name and value.
pub fn map<K: Ord, V, E: Display>(
    max: usize,
    parse_name: impl Fn(&str) -> Result<K, E>,
    reader: impl Fn(&RawValue) -> Result<V, Refusal>,
) -> impl FnOnce(&RawValue) -> Result<BTreeMap<K, V>, Refusal> {
    move |value| {
        let Object(members) =
            serde_json::from_str(value.get()).map_err(|_| Cow::Borrowed("must be an object"))?;
        if members.len() > max {
            return Err(format!("must have at most {max} members").into());
        }
        let read = |(index, (name, value)): (usize, (Cow<'_, str>, &RawValue))| {
            let key = parse_name(&name).map_err(|error| format!("name {index} {error}"))?;
            Ok((key, reader(value).map_err(|refusal| format!("{name} {refusal}"))?))
        };
        members.into_iter().enumerate().map(read).collect()
    }
}

pub(crate) fn refusal(error: impl Display) -> Refusal {
    Cow::Owned(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).unwrap()
    }

    fn as_given(text: &str) -> Result<String, Infallible> {
        text.parse()
    }

    #[test]
    fn text_is_decoded() {
        assert_eq!(text(as_given)(raw(r#""a\n\u3042\ud83c\udf4e""#)).unwrap(), "a\nあ🍎");
        assert!(matches!(borrowed_text(raw("\"a あ\"")), Ok(Cow::Borrowed("a あ"))));
        assert_eq!(text(as_given)(raw(r#""\"""#)).unwrap(), "\"");
        assert_eq!(text(as_given)(raw("1")).unwrap_err(), "must be a text");
        assert_eq!(text(as_given)(raw(r#""\ud800""#)).unwrap_err(), "must be valid Unicode text");
    }

    #[test]
    fn a_number_arrives_exactly_as_written() {
        for literal in ["1.50", "-0", "1e400", "99999999.99", "0.1"] {
            assert_eq!(number(as_given)(raw(literal)).unwrap(), literal);
        }
    }

    #[test]
    fn a_string_is_no_number() {
        for value in ["\"1\"", "true", "null", "[1]", "{}"] {
            assert_eq!(number(as_given)(raw(value)).unwrap_err(), "must be a number");
        }
    }

    #[test]
    fn an_integer_is_whole_and_in_range() {
        assert_eq!(integer::<u64>(raw("18446744073709551615")).unwrap(), u64::MAX);
        assert_eq!(integer::<u64>(raw("-1")).unwrap_err(), "is out of range");
        for (literal, expected) in [
            ("2.0", 2),
            ("1e2", 100),
            ("-1.50E+1", -15),
            ("1200.0e-2", 12),
            ("0.012e3", 12),
            ("-0.0", 0),
            ("0e-99999999999999999999", 0),
            ("9223372036854775.807e3", i64::MAX),
        ] {
            assert_eq!(integer::<i64>(raw(literal)).unwrap(), expected, "{literal}");
        }
        for literal in ["1.5", "1e-1", "12.3e0", "120e-2", "0.1e-400"] {
            let refused = integer::<i64>(raw(literal)).unwrap_err();
            assert_eq!(refused, NOT_WHOLE, "{literal}");
        }
        for literal in ["1e19", "1e400", "1e99999999999999999999", "-1e40", "1e9223372036854775807"]
        {
            assert_eq!(integer::<i64>(raw(literal)).unwrap_err(), OUT_OF_RANGE, "{literal}");
        }
        assert_eq!(integer::<i64>(raw("\"1\"")).unwrap_err(), "must be a number");
    }

    #[test]
    fn a_whole_number_arrives_without_fraction_and_any_other_as_written() {
        for (literal, arrives) in [("2.0", "2"), ("1e2", "100"), ("7", "7"), ("1.5", "1.5")] {
            assert_eq!(whole(as_given)(raw(literal)).unwrap(), arrives);
        }
        assert_eq!(whole(as_given)(raw("\"1\"")).unwrap_err(), "must be a number");
    }

    #[test]
    fn a_boolean_is_not_a_number() {
        assert!(boolean(raw("true")).unwrap());
        assert!(!boolean(raw("false")).unwrap());
        assert_eq!(boolean(raw("0")).unwrap_err(), "must be true or false");
    }

    #[test]
    fn a_list_names_the_element_that_is_wrong() {
        assert_eq!(list(3, || integer::<u8>)(raw("[1,2]")).unwrap(), [1, 2]);
        let refused = list(3, || integer::<u8>)(raw("[1,300]")).unwrap_err();
        assert_eq!(refused, "element 1 is out of range");
        let refused = list(1, || integer::<u8>)(raw("[1,2]")).unwrap_err();
        assert_eq!(refused, "must have at most 1 elements");
        assert_eq!(list(1, || integer::<u8>)(raw("{}")).unwrap_err(), "must be a list");
    }

    #[test]
    fn a_map_names_the_member_that_is_wrong() {
        let map = |json| map(2, str::parse::<u8>, boolean)(raw(json));
        assert_eq!(map(r#"{"2": true, "1": false}"#).unwrap(), [(1, false), (2, true)].into());
        assert_eq!(map(r#"{"1": 0}"#).unwrap_err(), "1 must be true or false");
        assert_eq!(
            map(r#"{"1": true, "x": true}"#).unwrap_err(),
            "name 1 invalid digit found in string"
        );
        assert_eq!(map(r#"{"1": 1, "2": 2, "3": 3}"#).unwrap_err(), "must have at most 2 members");
        assert_eq!(map("[]").unwrap_err(), "must be an object");
    }
}
