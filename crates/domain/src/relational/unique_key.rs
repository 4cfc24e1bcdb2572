//! Values that only one resource of a type may have.

use std::fmt;

use thiserror::Error;

use crate::text;

/// The most unique values of one resource: all of them change in one transaction.
pub const MAX_UNIQUE_KEYS: usize = 10;
/// Maximum length of a unique value in bytes, as given and as folded: with type and property it
/// fits into an index's key.
pub const MAX_UNIQUE_VALUE_BYTES: usize = 600;
const MAX_PROPERTY: usize = 64;

/// The name of the property that is unique, such as `emailAddress`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyName(String);

/// The text names no property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a letter followed by up to 63 letters, digits or _")]
pub struct InvalidPropertyName;

impl PropertyName {
    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidPropertyName> {
        let fits = text.len() <= MAX_PROPERTY
            && text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidPropertyName) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PropertyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a text cannot be a unique value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidUniqueValue {
    /// Only white space.
    #[error("must not be blank")]
    Blank,
    /// Over the limit.
    #[error("must have at most 600 bytes")]
    TooLong,
    /// A control character.
    #[error("must not contain control characters")]
    Control,
}

/// A text that can be a unique value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UniqueValue(String);

impl UniqueValue {
    /// Validates the text, which is stored verbatim.
    pub fn parse(text: &str) -> Result<Self, InvalidUniqueValue> {
        if text.trim().is_empty() {
            return Err(InvalidUniqueValue::Blank);
        }
        // Folding can make a text longer.
        if text.len().max(text::fold(text).len()) > MAX_UNIQUE_VALUE_BYTES {
            return Err(InvalidUniqueValue::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(InvalidUniqueValue::Control);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folded text, for case-insensitive comparison.
    pub fn folded(&self) -> String {
        text::fold(&self.0)
    }
}

/// A property of a resource and its value, unique among all resources of the same type, in any
/// account.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UniqueKey {
    /// The property.
    pub property: PropertyName,
    /// The value as given.
    pub value: UniqueValue,
    /// Whether values that differ only in case or width are equal.
    pub case_insensitive: bool,
}

impl UniqueKey {
    /// The value for comparison, under which it is stored.
    pub fn compared(&self) -> String {
        if self.case_insensitive { self.value.folded() } else { self.value.0.clone() }
    }

    fn identity(&self) -> (PropertyName, String) {
        (self.property.clone(), self.compared())
    }
}

/// The unique values of one resource, in the order of properties and compared values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct UniqueKeys(Vec<UniqueKey>);

/// Why values cannot be the unique values of one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidUniqueKeys {
    /// Over the limit.
    #[error("must be at most 10")]
    TooMany,
    /// The same twice.
    #[error("must not name the same property and value twice")]
    Twice,
}

impl UniqueKeys {
    /// Validates the keys.
    pub fn new(mut keys: Vec<UniqueKey>) -> Result<Self, InvalidUniqueKeys> {
        if keys.len() > MAX_UNIQUE_KEYS {
            return Err(InvalidUniqueKeys::TooMany);
        }
        keys.sort_by_cached_key(UniqueKey::identity);
        if keys.windows(2).any(|pair| pair[0].identity() == pair[1].identity()) {
            return Err(InvalidUniqueKeys::Twice);
        }
        Ok(Self(keys))
    }

    /// The keys, in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, UniqueKey> {
        self.0.iter()
    }

    /// The number of keys.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them is stored under the same property and value.
    pub fn holds(&self, key: &UniqueKey) -> bool {
        self.0.iter().any(|own| own.identity() == key.identity())
    }
}

impl<'a> IntoIterator for &'a UniqueKeys {
    type Item = &'a UniqueKey;
    type IntoIter = std::slice::Iter<'a, UniqueKey>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(property: &str, value: &str, case_insensitive: bool) -> UniqueKey {
        UniqueKey {
            property: PropertyName::parse(property).unwrap(),
            value: UniqueValue::parse(value).unwrap(),
            case_insensitive,
        }
    }

    #[test]
    fn values_compare_as_given_unless_case_is_said_not_to_matter() {
        assert_eq!(
            key("emailAddress", "Some.One@Example.com", false).compared(),
            "Some.One@Example.com"
        );
        assert_eq!(
            key("emailAddress", "Some.One@Example.com", true).compared(),
            "some.one@example.com"
        );
        assert_eq!(key("name", "Ｔｅｎｔ", true).compared(), "tent");
    }

    #[test]
    fn what_cannot_be_kept_is_refused_with_its_reason() {
        assert_eq!(UniqueValue::parse(" \u{3000}"), Err(InvalidUniqueValue::Blank));
        assert_eq!(UniqueValue::parse("a\u{0}"), Err(InvalidUniqueValue::Control));
        assert!(UniqueValue::parse(&"x".repeat(600)).is_ok());
        assert_eq!(UniqueValue::parse(&"x".repeat(601)), Err(InvalidUniqueValue::TooLong));
        // One character of three bytes that folds to 33.
        assert_eq!(UniqueValue::parse(&"\u{fdfa}".repeat(19)), Err(InvalidUniqueValue::TooLong));
        for name in ["", "1a", "_a", "a-b", "a#b", "ä", &"a".repeat(65)] {
            assert_eq!(PropertyName::parse(name), Err(InvalidPropertyName), "{name:?}");
        }
    }

    #[test]
    fn a_resource_holds_a_value_once_and_ten_at_most() {
        let twice = vec![key("serial", "ab", true), key("serial", "AB", true)];
        assert_eq!(UniqueKeys::new(twice), Err(InvalidUniqueKeys::Twice));
        let many =
            |count: usize| (0..count).map(|n| key("serial", &n.to_string(), false)).collect();
        assert_eq!(UniqueKeys::new(many(11)), Err(InvalidUniqueKeys::TooMany));
        let ten = UniqueKeys::new(many(10)).unwrap();
        assert!(ten.holds(&key("serial", "9", true)) && !ten.holds(&key("serial", "10", false)));
    }

    #[test]
    fn their_order_does_not_depend_on_how_they_were_given() {
        let (a, b) = (key("b", "1", false), key("a", "2", false));
        let one = UniqueKeys::new(vec![a.clone(), b.clone()]).unwrap();
        assert_eq!(one, UniqueKeys::new(vec![b, a]).unwrap());
    }
}
