//! Which language somebody reads.

use std::cmp::Reverse;

use axum::http::{HeaderMap, header};
use larder_domain::Language;
use larder_http::SessionCookies;

/// The cookie of a language that somebody has chosen.
pub(crate) const LANGUAGE_COOKIE: &str = "larder_language";

/// The language of a tag such as `ja` or `ja-JP`.
pub(crate) fn from_tag(tag: &str) -> Option<Language> {
    tag.split('-').next()?.to_ascii_lowercase().parse().ok()
}

/// The language that was chosen in this browser.
pub(crate) fn chosen(cookies: SessionCookies, headers: &HeaderMap) -> Option<Language> {
    cookies.plain(headers, LANGUAGE_COOKIE).and_then(from_tag)
}

/// The language of an answer: the one that was chosen, otherwise the one that the browser prefers.
pub(crate) fn of_request(cookies: SessionCookies, headers: &HeaderMap) -> Language {
    chosen(cookies, headers).unwrap_or_else(|| preferred(headers))
}

/// The language that `Accept-Language` prefers (RFC 9110, 12.5.4); English if it accepts neither.
///
/// `*` stands for every language that is not named. Of two with the same weight, the first one named wins.
fn preferred(headers: &HeaderMap) -> Language {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
    let ranges = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
    let ranges: Vec<_> = ranges.filter_map(LanguageRange::read).collect();
    let accepted = Language::ALL.into_iter().filter_map(|language| {
        let (position, weight) = weight_of(language, &ranges)?;
        Some(((Reverse(weight), position), language))
    });
    accepted.min_by_key(|(rank, _)| *rank).map_or(Language::English, |(_, language)| language)
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
            tag => Some(from_tag(tag)?),
        };
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        Some(Self { language, weight: weight.map_or(Some(1000), read_weight)? })
    }
}

/// How much a language is preferred, and the position of the range that says so. `None` if it is not accepted.
fn weight_of(language: Language, ranges: &[LanguageRange]) -> Option<(usize, u16)> {
    let greatest = |wanted: Option<Language>| {
        let ranges = ranges.iter().enumerate().filter(|(_, range)| range.language == wanted);
        let weights = ranges.map(|(position, range)| (position, range.weight));
        weights.min_by_key(|(_, weight)| Reverse(*weight))
    };
    let found = greatest(Some(language)).or_else(|| greatest(None));
    found.filter(|(_, weight)| *weight > 0)
}

/// `0.8` as 800; `None` if it is not a weight, in which case its range is ignored.
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

    fn preferred_by(value: &str) -> Language {
        let value = HeaderValue::from_str(value).unwrap();
        preferred(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, value)]))
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
            assert_eq!(preferred_by(value), Language::Japanese, "{value}");
        }
        for value in ["en", "en, ja", "en-GB,ja;q=0.9", "ja;q=0.1234, en;q=0.1"] {
            assert_eq!(preferred_by(value), Language::English, "{value}");
        }
    }

    #[test]
    fn a_wildcard_stands_for_every_language_that_is_not_named() {
        for value in ["*", "ja;q=0.5, *", "*, ja;q=0.5", "fr, *;q=0.1", "ja;q=0, *", "*;q=0"] {
            assert_eq!(preferred_by(value), Language::English, "{value}");
        }
        for value in ["*;q=0.1, ja;q=0.2", "en;q=0, *", "en;q=0.4, *;q=0.5", "ja, *"] {
            assert_eq!(preferred_by(value), Language::Japanese, "{value}");
        }
    }

    #[test]
    fn whoever_reads_neither_gets_english() {
        for value in ["", "fr-FR", "jam", "ja;q=0", "ja;q=x", "ja;q=2"] {
            assert_eq!(preferred_by(value), Language::English, "{value}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn a_choice_comes_before_what_the_browser_prefers() {
        let cookies = SessionCookies::for_public_url(&PublicUrl::parse("http://larder").unwrap());
        let of = |cookie: &'static str| {
            let headers = [(header::ACCEPT_LANGUAGE, "ja"), (header::COOKIE, cookie)]
                .map(|(name, value)| (name, HeaderValue::from_static(value)));
            of_request(cookies, &HeaderMap::from_iter(headers))
        };
        assert_eq!(of("larder_theme=dark; larder_language=en"), Language::English);
        assert_eq!(of("larder_language=fr"), Language::Japanese);
    }
}
