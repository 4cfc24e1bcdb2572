//! Texts with limits. Lengths count Unicode scalar values; the text itself is stored byte for byte.

use std::fmt;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::invisible::find_invisible;

/// Why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextError {
    /// Only white space.
    #[error("must not be blank")]
    Blank,
    /// Over the limit.
    #[error("must have at most {max} characters (it has {actual})")]
    TooLong {
        /// The limit.
        max: usize,
        /// The actual length.
        actual: usize,
    },
    /// A control character, which no engine and no page can show.
    #[error("must not contain control characters")]
    Control,
    /// A character that nobody sees, with which two names look the same.
    #[error("must not contain the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
    /// Not an address that a browser can open.
    #[error("must be an http or https URL")]
    NotAUrl,
}

fn check(text: &str, max: usize, is_allowed_control: fn(char) -> bool) -> Result<(), TextError> {
    let actual = text.chars().count();
    if actual > max {
        return Err(TextError::TooLong { max, actual });
    }
    if text.chars().any(|c| c.is_control() && !is_allowed_control(c)) {
        return Err(TextError::Control);
    }
    Ok(())
}

macro_rules! text {
    ($(#[$doc:meta])* $name:ident: $max:literal, $stored:ident, $pattern:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// The most characters it may have.
            pub const MAX_CHARS: usize = $max;

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            fn check(text: &str) -> Result<Self, TextError> {
                check(text, $max, |_| false)?;
                if text.trim().is_empty() {
                    return Err(TextError::Blank);
                }
                Ok(Self(text.to_owned()))
            }
        }

        crate::entity::field! { $name: text(|text| text.as_str(), Self::$stored) }
        crate::rule::described! {
            $name: Text { least: 1, most: $max, pattern: $pattern },
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    };
}

/// Texts that programs and devices name things by.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $max:literal),+ $(,)?) => {$(
        text! { $(#[$doc])* $name: $max, parse, crate::rule::LINE }

        impl $name {
            /// Validates the text, which is stored verbatim.
            pub fn parse(text: &str) -> Result<Self, TextError> {
                Self::check(text)
            }
        }
    )+};
}

/// Names that people read. They have no invisible characters, unless they were stored before that
/// was a rule.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $max:literal),+ $(,)?) => {$(
        text! { $(#[$doc])* $name: $max, parse_stored, crate::rule::NAME }

        impl $name {
            /// Validates the text, which is stored verbatim.
            pub fn parse(text: &str) -> Result<Self, TextError> {
                let name = Self::check(text)?;
                find_invisible(text).map_or(Ok(name), |c| Err(TextError::Invisible(c)))
            }

            /// Reads what was stored: it may be from a time when more was allowed.
            pub fn parse_stored(text: &str) -> Result<Self, TextError> {
                Self::check(text)
            }
        }
    )+};
}

names! {
    /// The name of an item (seed 003: 1–200 characters).
    ItemName: 200,
    /// The name of a household (seed 003: 1–100 characters).
    HouseholdName: 100,
    /// The name of a person.
    PersonName: 100,
    /// The name of a shop.
    StoreName: 100,
    /// The address of a shop.
    StoreAddress: 500,
    /// The name of a storage location (seed 003: up to 50 characters).
    LocationName: 50,
    /// A household's label for an NFC tag.
    TagLabel: 50,
    /// A household's name for a device.
    FriendlyName: 100,
    /// A household's word for a kind of things.
    KindName: 60,
    /// The purpose of an API key.
    KeyDescription: 200,
    /// What a person calls a token for a program.
    TokenName: 100,
}

texts! {
    /// The hardware id of the sensor that watches a storage location.
    DeviceReference: 64,
    /// The version of a device's firmware.
    FirmwareVersion: 64,
    /// The name of a measured value, such as `humidity_pct`, or of a sensor with a state.
    SensorName: 64,
    /// The name of a device's sensor or feature, as it registers them.
    FeatureName: 64,
}

/// Notes on an item (seed 003: 0–1000 characters). The only text with line breaks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notes(String);

impl Notes {
    /// The most characters they may have.
    pub const MAX_CHARS: usize = 1000;

    /// Whether they are empty, which counts as absent.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Validates the text, which is stored verbatim.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        check(text, Self::MAX_CHARS, |c| matches!(c, '\n' | '\r' | '\t'))?;
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How a person recognises one of their sessions, such as by its browser. May be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SessionLabel(String);

impl SessionLabel {
    /// The most characters it may have.
    pub const MAX_CHARS: usize = 120;

    /// Validates the text, which is stored verbatim.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        check(text, Self::MAX_CHARS, |_| false)?;
        Ok(Self(text.to_owned()))
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The address of an item's picture (seed 003: up to 500 characters).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImageUrl(String);

impl ImageUrl {
    /// The most characters it may have.
    pub const MAX_CHARS: usize = 500;

    /// Validates the text, which is stored verbatim. Only `http` and `https`: a page will show it
    /// as a picture, and no other scheme belongs there.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        check(text, Self::MAX_CHARS, |_| false)?;
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match host {
            Some(host) if !host.is_empty() && !text.contains(char::is_whitespace) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(TextError::NotAUrl),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The form in which two names are equal if a person would call them the same: trimmed, width and
/// compatibility variants unified (NFKC), lower case.
pub fn fold(text: &str) -> String {
    let text = text.trim();
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Lower-casing can produce sequences that normalization would compose, so NFKC runs before and
    // after.
    text.nfkc().collect::<String>().to_lowercase().nfkc().collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_count_scalar_values() {
        assert!(ItemName::parse(&"🍎".repeat(200)).is_ok());
        assert_eq!(
            ItemName::parse(&"🍎".repeat(201)),
            Err(TextError::TooLong { max: 200, actual: 201 })
        );
    }

    #[test]
    fn blank_and_control_are_refused() {
        assert_eq!(ItemName::parse(""), Err(TextError::Blank));
        assert_eq!(ItemName::parse("\u{3000} "), Err(TextError::Blank));
        assert_eq!(ItemName::parse("a\0b"), Err(TextError::Control));
        assert_eq!(ItemName::parse("a\nb"), Err(TextError::Control));
        assert!(Notes::parse("").is_ok());
        assert!(Notes::parse("one\ntwo").is_ok());
    }

    #[test]
    fn a_name_with_an_invisible_character_is_refused_and_read_if_it_was_stored_before() {
        let error = PersonName::parse("Mi\u{200b}a").unwrap_err();
        assert_eq!(error, TextError::Invisible('\u{200b}'));
        assert_eq!(error.to_string(), "must not contain the invisible character U+200B");
        assert_eq!(PersonName::parse_stored("Mi\u{200b}a").unwrap().as_str(), "Mi\u{200b}a");
        assert_eq!(PersonName::parse_stored(" "), Err(TextError::Blank));
        assert_eq!(HouseholdName::parse("👩‍🍳 ☕️ 葛城").unwrap().as_str(), "👩‍🍳 ☕️ 葛城");
        // What devices say is as it is.
        assert!(SensorName::parse("humidity\u{200b}").is_ok());
    }

    #[test]
    fn a_label_of_a_session_may_be_empty_and_has_at_most_120_characters() {
        assert_eq!(SessionLabel::parse(""), Ok(SessionLabel::default()));
        assert_eq!(SessionLabel::parse(&"é".repeat(120)).unwrap().as_str(), "é".repeat(120));
        let too_long = TextError::TooLong { max: 120, actual: 121 };
        assert_eq!(SessionLabel::parse(&"é".repeat(121)), Err(too_long));
        assert_eq!(SessionLabel::parse("two\nlines"), Err(TextError::Control));
    }

    #[test]
    fn a_picture_is_a_web_address() {
        assert!(ImageUrl::parse("https://example.com/a.png").is_ok());
        for text in ["", "javascript:alert(1)", "https://", "https://a b", "ftp://example.com"] {
            assert_eq!(ImageUrl::parse(text), Err(TextError::NotAUrl), "{text}");
        }
    }

    #[test]
    fn case_and_width_variants_fold_together() {
        assert_eq!(fold(" ＭＩＬＫ "), "milk");
        assert_eq!(fold("ﾄﾏﾄ"), fold("トマト"));
        assert_ne!(fold("トマト"), fold("とまと"));
    }

    proptest! {
        #[test]
        fn a_name_comes_back_byte_for_byte(text in "\\PC{1,200}") {
            if let Ok(name) = ItemName::parse(&text) {
                prop_assert_eq!(name.as_str(), text);
            }
        }

        #[test]
        fn folding_twice_changes_nothing(text in any::<String>()) {
            prop_assert_eq!(fold(&fold(&text)), fold(&text));
        }
    }
}
