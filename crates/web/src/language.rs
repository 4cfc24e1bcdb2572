//! The language of a request.

use std::cmp::Reverse;

use axum::http::{HeaderMap, header};
use larder_http::SessionCookies;

/// The cookie of the chosen language.
pub(crate) const LANGUAGE_COOKIE: &str = "larder_language";

/// The languages of all pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    English,
    Japanese,
}

impl Language {
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The language tag, as in `<html lang>`.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The language's name in itself.
    pub(crate) const fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "日本語",
        }
    }

    /// The language of a tag such as `ja` or `ja-JP`.
    pub(crate) fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The language of a response: the chosen one, otherwise the one that the browser prefers.
    pub(crate) fn of_request(cookies: SessionCookies, headers: &HeaderMap) -> Self {
        let chosen = cookies.plain(headers, LANGUAGE_COOKIE).and_then(Self::from_tag);
        chosen.unwrap_or_else(|| Self::preferred(headers))
    }

    /// The language that `Accept-Language` prefers (RFC 9110, 12.5.4); English if it accepts neither.
    ///
    /// `*` stands for every language that is not named. Of two with the same weight, the first
    /// wins.
    fn preferred(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
        let ranges = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
        let ranges: Vec<_> = ranges.filter_map(LanguageRange::read).collect();
        let accepted = Self::ALL.into_iter().filter_map(|language| {
            let (position, weight) = weight_of(language, &ranges)?;
            Some(((Reverse(weight), position), language))
        });
        accepted.min_by_key(|(rank, _)| *rank).map_or(Self::English, |(_, language)| language)
    }
}

/// One element of `Accept-Language` that concerns us.
struct LanguageRange {
    /// `None` for `*`.
    language: Option<Language>,
    /// In thousandths.
    weight: u16,
}

impl LanguageRange {
    fn read(range: &str) -> Option<Self> {
        let mut parts = range.split(';').map(str::trim);
        let language = match parts.next()? {
            "*" => None,
            tag => Some(Language::from_tag(tag)?),
        };
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        Some(Self { language, weight: weight.map_or(Some(1000), read_weight)? })
    }
}

/// The weight of a language, and the position of the range that determines it. `None` if it is not
/// accepted.
fn weight_of(language: Language, ranges: &[LanguageRange]) -> Option<(usize, u16)> {
    let greatest = |wanted: Option<Language>| {
        let ranges = ranges.iter().enumerate().filter(|(_, range)| range.language == wanted);
        let weights = ranges.map(|(position, range)| (position, range.weight));
        weights.min_by_key(|(_, weight)| Reverse(*weight))
    };
    let found = greatest(Some(language)).or_else(|| greatest(None));
    found.filter(|(_, weight)| *weight > 0)
}

/// `0.8` as 800; `None` if it is invalid, in which case its range is ignored.
fn read_weight(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match whole {
        "0" => format!("{fraction:0<3}").parse().ok(),
        "1" => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use larder_http::PublicUrl;

    use super::*;

    fn preferred(value: &str) -> Language {
        let value = HeaderValue::from_str(value).unwrap();
        Language::preferred(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, value)]))
    }

    #[test]
    fn the_language_with_the_greatest_weight_wins_and_the_first_among_equals() {
        for value in [
            "ja",
            "JA-jp",
            "ja-JP,en;q=0.8",
            "ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7",
            "fr, ja;q=0.2",
            "fr, de;q=0.9, JA;q=0.1",
            "en;q=0.3, ja;q=0.4",
            "en;q=0, ja;q=0.001",
            "ja;q=0.5, en;q=0.5",
        ] {
            assert_eq!(preferred(value), Language::Japanese, "{value}");
        }
        for value in ["en", "en, ja", "en-GB,ja;q=0.9", "ja;q=0.1234, en;q=0.1"] {
            assert_eq!(preferred(value), Language::English, "{value}");
        }
    }

    #[test]
    fn a_wildcard_stands_for_every_language_that_is_not_named() {
        for value in ["*", "ja;q=0.5, *", "*, ja;q=0.5", "fr, *;q=0.1", "ja;q=0, *", "*;q=0"] {
            assert_eq!(preferred(value), Language::English, "{value}");
        }
        for value in ["*;q=0.1, ja;q=0.2", "en;q=0, *", "en;q=0.4, *;q=0.5", "ja, *"] {
            assert_eq!(preferred(value), Language::Japanese, "{value}");
        }
    }

    #[test]
    fn whoever_reads_neither_gets_english() {
        for value in ["", "fr-FR", "jam", "ja;q=0", "ja;q=x", "ja;q=2"] {
            assert_eq!(preferred(value), Language::English, "{value}");
        }
        assert_eq!(Language::preferred(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn a_choice_comes_before_what_the_browser_prefers() {
        let cookies = SessionCookies::for_public_url(&PublicUrl::parse("http://larder").unwrap());
        let of = |cookie: &'static str| {
            let headers = [(header::ACCEPT_LANGUAGE, "ja"), (header::COOKIE, cookie)]
                .map(|(name, value)| (name, HeaderValue::from_static(value)));
            Language::of_request(cookies, &HeaderMap::from_iter(headers))
        };
        assert_eq!(of("larder_theme=dark; larder_language=en"), Language::English);
        assert_eq!(of("larder_language=fr"), Language::Japanese);
    }
}
