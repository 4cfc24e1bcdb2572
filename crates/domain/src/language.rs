//! The languages that Larder speaks.

use std::str::FromStr;

use thiserror::Error;

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, the default.
    English,
    /// Japanese.
    Japanese,
}

/// The tag is not that of a language that Larder speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be \"en\" or \"ja\"")]
pub struct UnknownLanguage;

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// Its tag, as in `<html lang>`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// Its own name for itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "日本語",
        }
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(tag: &str) -> Result<Self, UnknownLanguage> {
        Self::ALL.into_iter().find(|language| language.tag() == tag).ok_or(UnknownLanguage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_known_by_its_tag() {
        assert_eq!("en".parse(), Ok(Language::English));
        assert_eq!("ja".parse(), Ok(Language::Japanese));
        for tag in ["", "EN", "ja-JP", "fr"] {
            assert_eq!(tag.parse::<Language>(), Err(UnknownLanguage), "{tag}");
        }
    }
}
