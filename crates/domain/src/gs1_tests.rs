//! Element strings as scanners send them, as people read them, and as nobody should write them.

use proptest::prelude::*;

use super::*;

const YEAR: i16 = 2026;

fn parse(text: &str) -> Result<ElementString, InvalidElementString> {
    ElementString::parse(text, YEAR)
}

fn gtin(text: &str) -> Gtin {
    Gtin::parse(text).unwrap()
}

fn date(text: &str) -> ExpirationDate {
    ExpirationDate::parse(text).unwrap()
}

#[test]
fn number_lot_and_dates_are_read() {
    let expected = ElementString {
        gtin: Some(gtin("09501101530003")),
        lot: Some("AB-123".to_owned()),
        best_before: Some(date("2027-01-15")),
        expiration: Some(date("2027-01-31")),
    };
    for text in [
        "0109501101530003172701311527011510AB-123",
        "010950110153000310AB-123\u{1d}1527011517270131",
        "\u{1d}15270115\u{1d}17270131010950110153000310AB-123",
        "]C1010950110153000310AB-123\u{1d}1527011517270131",
        "]d2010950110153000315270115\u{1d}1727013110AB-123\u{1d}",
        "]Q3172701310109501101530003\u{1d}1527011510AB-123",
        "(01)09501101530003(10)AB-123(15)270115(17)270131",
        "(17)270131 (15) 270115 (10) AB-123 (01) 09501101530003 ",
    ] {
        assert_eq!(parse(text), Ok(expected.clone()), "{text:?}");
    }
    assert_eq!(expected.good_until(), Some(date("2027-01-31")));
}

#[test]
fn other_elements_are_skipped_by_their_length() {
    for text in [
        // Production date, net weight in kilograms, shipping container, and a location.
        "11260101310300150001095011015300031727013100123456789012345675",
        "4141234567890128010950110153000317270131",
        // Variable length: serial number, count, and one with an identifier of four digits.
        "21SERIAL17\u{1d}3012\u{1d}7003270131\u{1d}010950110153000317270131",
        "(11)260101(3103)001500(01)09501101530003(21)SERIAL17(17)270131",
    ] {
        let found = parse(text).unwrap();
        assert_eq!(
            (found.gtin, found.good_until()),
            (Some(gtin("09501101530003")), Some(date("2027-01-31")))
        );
        assert_eq!(found.lot, None, "{text}");
    }
    assert_eq!(parse("3103001500"), Ok(ElementString::default()));
}

#[test]
fn the_day_zero_is_the_last_of_its_month() {
    for (digits, day) in [
        ("270200", "2027-02-28"),
        ("280200", "2028-02-29"),
        ("270400", "2027-04-30"),
        ("261200", "2026-12-31"),
    ] {
        assert_eq!(parse(&format!("15{digits}")).unwrap().best_before, Some(date(day)), "{digits}");
    }
}

#[test]
fn the_century_depends_on_the_current_year() {
    for (two_digits, current, year) in [
        (26, 2026, 2026),
        (76, 2026, 2076),
        (77, 2026, 1977),
        (99, 2026, 1999),
        (0, 2026, 2000),
        (0, 2051, 2100),
        (1, 2051, 2101),
        (2, 2051, 2002),
        (49, 1999, 2049),
        (50, 1999, 1950),
        (99, 2000, 1999),
    ] {
        assert_eq!(full_year(two_digits, current), year, "{two_digits} in {current}");
    }
}

#[test]
fn what_is_no_element_string_is_refused() {
    use InvalidElementString::{Contradiction, Date, Identifier, Lot, Value};
    for (text, reason) in [
        ("", Identifier),
        ("]C1", Identifier),
        ("\u{1d}\u{1d}", Identifier),
        ("1", Identifier),
        ("x1", Identifier),
        ("日本", Identifier),
        ("https://example.org/", Identifier),
        ("(01", Identifier),
        ("(1)2", Identifier),
        ("()", Identifier),
        ("0109501101", Value),
        ("01095011015300\u{1d}3", Value),
        ("17２７０１３１", Value),
        ("(01)0950110153000(17)270131", Value),
        ("10", Value),
        ("10\u{1d}17270131", Value),
        ("17271301", Date),
        ("17270230", Date),
        ("17270000", Date),
        ("10123456789012345678901", Lot),
        ("10a b", Lot),
        ("1727013117270201", Contradiction),
    ] {
        assert_eq!(parse(text), Err(reason), "{text:?}");
    }
    let misread = Err(InvalidElementString::Gtin(InvalidGtin::CheckDigit));
    assert_eq!(parse("0109501101530004"), misread);
    // The same value again is no contradiction.
    assert_eq!(parse("1727013117270131").unwrap().expiration, Some(date("2027-01-31")));
    // A year that Larder does not have.
    assert_eq!(ElementString::parse("17010101", 2051), Err(Date));
}

/// A product number with the check digit that follows from the others.
fn any_gtin() -> impl Strategy<Value = Gtin> {
    (0..10_u64.pow(13)).prop_filter_map("one of ten digits is right", |number| {
        (0..10).find_map(|check| Gtin::parse(&format!("{number:013}{check}")).ok())
    })
}

fn any_date() -> impl Strategy<Value = ExpirationDate> {
    // From 49 years before to 50 years after, where the century is unambiguous.
    (0..36_000_i32).prop_map(|days| {
        let day = jiff::civil::date(1978, 1, 1).saturating_add(jiff::Span::new().days(days));
        ExpirationDate::parse(&day.to_string()).unwrap()
    })
}

fn any_elements() -> impl Strategy<Value = ElementString> {
    (
        any_gtin(),
        proptest::option::of("[A-Za-z0-9!%&*+,./_:;<=>?-]{1,20}"),
        proptest::option::of(any_date()),
        proptest::option::of(any_date()),
    )
        .prop_map(|(gtin, lot, best_before, expiration)| ElementString {
            gtin: Some(gtin),
            lot,
            best_before,
            expiration,
        })
}

/// Identifiers and values, in the given rotation of their order.
fn written(elements: &ElementString, rotation: usize) -> Vec<(&'static str, String)> {
    let six = |date: ExpirationDate| date.to_string()[2..].replace('-', "");
    let mut parts = vec![("3103", "001500".to_owned())];
    parts.extend(elements.gtin.map(|gtin| ("01", gtin.padded())));
    parts.extend(elements.lot.clone().map(|lot| ("10", lot)));
    parts.extend(elements.best_before.map(|date| ("15", six(date))));
    parts.extend(elements.expiration.map(|date| ("17", six(date))));
    parts.push(("21", "S3R1AL".to_owned()));
    let by = rotation % parts.len();
    parts.rotate_left(by);
    parts
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(elements in any_elements(), rotation in 0..6_usize) {
        let parts = written(&elements, rotation);
        let is_variable = |identifier: &str| matches!(identifier, "10" | "21");
        let sent = parts.iter().fold("]C1".to_owned(), |text, (identifier, value)| {
            let end = if is_variable(identifier) { "\u{1d}" } else { "" };
            text + identifier + value + end
        });
        let printed: String =
            parts.iter().flat_map(|(identifier, value)| ["(", identifier, ")", value]).collect();
        prop_assert_eq!(parse(&sent), Ok(elements.clone()));
        prop_assert_eq!(parse(&printed), Ok(elements));
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,60}", year in i16::MIN + 200..i16::MAX - 200) {
        let _ = ElementString::parse(&text, year);
    }

    #[test]
    fn nothing_like_an_element_string_makes_it_panic(
        text in "(\\]C1|\\]d2)?[0-9()\u{1d} a１]{0,40}",
        year in 1900..2100_i16,
    ) {
        let _ = ElementString::parse(&text, year);
    }
}
