//! What a value must be, as data: with it, documents tell clients before they send one.
//!
//! Every type that a request can contain describes what its parser accepts. Only what no document
//! can say is left to the parser: check digits, names of time zones, and which invisible characters
//! belong to an emoji.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::{
    AccessAction, Barcodes, BootId, Currency, Delta, Email, GrantedActions, Gtin, HardwareId,
    ImageUrl, Language, Notes, Password, PropertyName, Role, ShelfLife, ShoppingName,
    ShoppingNotes, ShoppingQuantity, ShoppingStatus, SortOrder, TagStep, TapDirection, TapNonce,
    TokenScope, TokenScopes, UniqueValue, Unit, Whose, Zone,
};

/// What a value must be. Patterns are regular expressions of ECMAScript, and match whole texts.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Anything of its type.
    Any,
    /// A UUID.
    Uuid,
    /// A day of the calendar, from 1900 to 2100.
    Date,
    /// A text of so many characters.
    Text {
        /// The fewest characters.
        least: usize,
        /// The most characters.
        most: usize,
        /// What it looks like; empty: like anything.
        pattern: &'static str,
    },
    /// A number in steps of 0.01, with its limits in hundredths.
    Hundredths {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// A whole number.
    Whole {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// One of these numbers.
    Numbers(&'static [i64]),
    /// One of these words.
    Words(fn() -> Vec<&'static str>),
    /// A list.
    List {
        /// What its elements are.
        of: &'static Rule,
        /// The fewest elements.
        least: usize,
        /// The most elements.
        most: usize,
        /// Whether it must not contain an element twice.
        distinct: bool,
    },
}

/// A value that has a [`Rule`].
pub trait Described {
    /// What it must be.
    const RULE: Rule;
}

/// The characters of a regular expression's class that are controls.
macro_rules! controls {
    () => {
        r"\u0000-\u001F\u007F-\u009F"
    };
}

/// The same for those that nobody sees, except for what some scripts and emoji are made with.
macro_rules! never_seen {
    () => {
        concat!(
            r"\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E",
            r"\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB",
        )
    };
}

/// A text without the characters of a class, and not blank.
macro_rules! without {
    ($($class:expr),+) => {
        concat!(
            "^[^", $($class,)+ "]*[^\\s", $($class,)+ "][^", $($class,)+ "]*$",
        )
    };
}

/// One line that is not blank.
pub(crate) const LINE: &str = without!(controls!());
/// The same without invisible characters: what people name things.
pub(crate) const NAME: &str = without!(controls!(), never_seen!());
/// Any number of lines.
const LINES: &str = r"^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*$";
const URL: &str = concat!(r"^https?://[^\s", controls!(), "]+$");
const EMAIL: &str = concat!(
    r"^[^@\s",
    controls!(),
    never_seen!(),
    r"]+@[^@.\s",
    controls!(),
    never_seen!(),
    r"]([^@\s",
    controls!(),
    never_seen!(),
    r"]*[^@.\s",
    controls!(),
    never_seen!(),
    r"])?$"
);
const UUID_V4: &str =
    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";

/// A value of a type that is declared elsewhere.
macro_rules! described {
    ($($type:ty: $rule:expr,)+) => {$(
        impl $crate::rule::Described for $type {
            const RULE: $crate::rule::Rule = {
                #[allow(unused_imports, reason = "only some rules are named")]
                use $crate::rule::Rule::*;
                $rule
            };
        }
    )+};
}

pub(crate) use described;

described! {
    bool: Any,
    i8: Any,
    u8: Any,
    u16: Any,
    u32: Any,
    u64: Whole { least: 0, most: i64::MAX },
    String: Any,
    Email: Text { least: 3, most: Email::MAX_CHARS, pattern: EMAIL },
    Password: Text { least: 8, most: 256, pattern: "" },
    Unit: Text { least: 1, most: Unit::MAX_CHARS, pattern: LINE },
    Notes: Text { least: 0, most: Notes::MAX_CHARS, pattern: LINES },
    ImageUrl: Text { least: 8, most: ImageUrl::MAX_CHARS, pattern: URL },
    ShoppingName: Text { least: 1, most: ShoppingName::MAX_CHARS, pattern: NAME },
    ShoppingNotes: Text { least: 0, most: ShoppingNotes::MAX_CHARS, pattern: LINES },
    ShoppingQuantity: Whole { least: 1, most: ShoppingQuantity::MAX as i64 },
    ShoppingStatus: Words(|| ShoppingStatus::ALL.map(ShoppingStatus::as_str).to_vec()),
    Delta: Hundredths { least: Delta::LEAST, most: Delta::MOST },
    TagStep: Hundredths { least: 1, most: 100_000 },
    TapDirection: Numbers(&[-1, 1]),
    TapNonce: Text { least: 8, most: 64, pattern: "^[A-Za-z0-9_-]+$" },
    ShelfLife: Whole { least: 1, most: ShelfLife::MAX_DAYS as i64 },
    SortOrder: Whole { least: 1, most: SortOrder::MAX as i64 },
    Gtin: Text { least: 8, most: Gtin::MAX_DIGITS, pattern: "^([0-9]{8}|[0-9]{12,14})$" },
    Barcodes: List { of: &Gtin::RULE, least: 0, most: Barcodes::MAX, distinct: true },
    Zone: Text { least: 1, most: 64, pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$" },
    Currency: Words(|| Currency::all().map(Currency::as_str).collect()),
    Language: Words(|| Language::ALL.map(Language::tag).to_vec()),
    Whose: Words(|| Whose::ALL.map(Whose::as_str).to_vec()),
    Role: Words(|| vec![Role::Admin.as_str(), Role::Member.as_str()]),
    HardwareId: Text { least: 17, most: 17, pattern: "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$" },
    BootId: Text { least: 36, most: 36, pattern: UUID_V4 },
    AccessAction: Text { least: 1, most: 64, pattern: r"^(\*|[a-z][a-z0-9:._-]*)$" },
    GrantedActions: List { of: &AccessAction::RULE, least: 1, most: 16, distinct: false },
    TokenScope: Words(|| TokenScope::ALL.map(TokenScope::as_str).to_vec()),
    TokenScopes: List { of: &TokenScope::RULE, least: 1, most: 64, distinct: false },
    Timestamp: Any,
    PropertyName: Text { least: 1, most: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" },
    UniqueValue: Text { least: 1, most: crate::MAX_UNIQUE_VALUE_BYTES, pattern: LINE },
}

impl Described for Cow<'_, str> {
    const RULE: Rule = Rule::Any;
}

/// A part of a request that is read later.
impl<T: ?Sized> Described for &T {
    const RULE: Rule = Rule::Any;
}

impl<T: Described> Described for Option<T> {
    const RULE: Rule = T::RULE;
}

/// Lists of objects, whose fields have rules of their own.
impl<T> Described for Vec<T> {
    const RULE: Rule = Rule::Any;
}

impl<A, B> Described for (A, B) {
    const RULE: Rule = Rule::Any;
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use proptest::{prelude::*, string::string_regex, test_runner::TestRunner};

    use super::*;
    use crate::{ExpirationDate, FirmwareVersion, Quantity, TextError};

    /// Whatever the rule of a type allows, its parser accepts.
    fn accepts<T: Described, E: Display>(parse: fn(&str) -> Result<T, E>) {
        let Rule::Text { least, most, pattern } = T::RULE else { panic!("{:?}", T::RULE) };
        let body = pattern.trim_start_matches('^').trim_end_matches('$');
        let texts = string_regex(body).expect("the pattern is a regular expression");
        let texts = texts.prop_filter("too long or short", move |text| {
            (least..=most).contains(&text.chars().count())
        });
        let result = TestRunner::deterministic().run(&texts, |text| {
            let refused = parse(&text).err().map(|error| format!("{text:?} {error}"));
            prop_assert_eq!(refused, None);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{pattern}: {error}"));
    }

    #[test]
    fn what_a_rule_allows_is_accepted() {
        accepts(Unit::parse);
        accepts(FirmwareVersion::parse);
        accepts(Notes::parse);
        accepts(ImageUrl::parse);
        accepts(TapNonce::parse);
        accepts(AccessAction::parse);
        accepts(PropertyName::parse);
        accepts(str::parse::<HardwareId>);
        accepts(str::parse::<BootId>);
    }

    #[test]
    fn limits_are_where_the_parsers_have_them() {
        let Rule::Hundredths { least: 0, most } = Quantity::RULE else { panic!("no amount") };
        assert!(Quantity::from_hundredths(most).is_ok());
        assert!(Quantity::from_hundredths(most + 1).is_err());
        let Rule::Whole { least, most } = ShelfLife::RULE else { panic!("no whole number") };
        for (days, fits) in [(least, true), (most, true), (least - 1, false), (most + 1, false)] {
            assert_eq!(ShelfLife::parse(&days.to_string()).is_ok(), fits, "{days}");
        }
        let Rule::Words(words) = Currency::RULE else { panic!("no words") };
        assert!(words().into_iter().all(|word| Currency::parse(word).is_ok()));
        assert!(matches!(ExpirationDate::RULE, Rule::Date));
        let Rule::Text { most, .. } = <crate::ItemName as Described>::RULE else {
            panic!("no text")
        };
        assert!(crate::ItemName::parse(&"x".repeat(most)).is_ok());
        let too_long = crate::ItemName::parse(&"x".repeat(most + 1));
        assert!(matches!(too_long, Err(TextError::TooLong { .. })));
    }
}
