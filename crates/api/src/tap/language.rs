//! In which language a page speaks.

use axum::http::{HeaderMap, header};

/// A language that pages speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Language {
    /// For everybody who reads neither.
    #[default]
    English,
    Japanese,
}

impl Language {
    /// The one that the reader likes best (RFC 9110, 12.5.4). Between equals the first named wins.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
        let ranges = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
        let (mut best, mut best_weight) = (Self::default(), 0);
        for (language, weight) in ranges.filter_map(read_range) {
            if weight > best_weight {
                (best, best_weight) = (language, weight);
            }
        }
        best
    }
}

/// The language of one range, if it is one of ours, and its weight in thousandths.
fn read_range(range: &str) -> Option<(Language, u16)> {
    let mut parts = range.split(';').map(str::trim);
    let tag = parts.next()?;
    let primary = tag.split('-').next()?;
    let language = if primary.eq_ignore_ascii_case("ja") {
        Language::Japanese
    } else if primary.eq_ignore_ascii_case("en") || tag == "*" {
        Language::English
    } else {
        return None;
    };
    let weight = match parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q="))) {
        Some(text) => read_weight(text)?,
        None => 1000,
    };
    Some((language, weight))
}

/// `0.8` as 800. What is no weight makes its range count for nothing.
fn read_weight(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let weight = match whole {
        "0" => format!("{fraction:0<3}").parse().ok()?,
        "1" => 1000,
        _ => return None,
    };
    Some(weight)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of(value: &str) -> Language {
        let value = HeaderValue::from_str(value).unwrap();
        Language::of(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, value)]))
    }

    #[test]
    fn the_best_liked_language_of_ours_is_spoken() {
        for value in [
            "ja",
            "JA-jp",
            "ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7",
            "fr, ja;q=0.2",
            "en;q=0.8, ja;q=0.9",
            "*;q=0.1, ja;q=0.2",
            "en;q=0, ja;q=0.001",
            "ja;q=0.5, en;q=0.5",
        ] {
            assert_eq!(of(value), Language::Japanese, "{value}");
        }
        for value in [
            "",
            "fr-FR",
            "en",
            "en-GB,ja;q=0.9",
            "ja;q=0",
            "ja;q=0.5, *",
            "ja;q=2",
            "ja;q=0.1234, en;q=0.1",
            "jam",
        ] {
            assert_eq!(of(value), Language::English, "{value}");
        }
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
    }
}
