//! Which language somebody reads.

use axum::http::{HeaderMap, header};

/// The languages that every page speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    English,
    Japanese,
}

impl Language {
    pub(crate) const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// The tag of the language, as in `<html lang>`.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// The language by its own name.
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

    /// The one that a browser asks for most (RFC 9110, 12.5.4); English if it asks for neither.
    pub(crate) fn wanted_by(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_LANGUAGE).iter();
        let ranges = values.flat_map(|value| value.to_str().unwrap_or_default().split(','));
        let mut best: Option<(u16, Self)> = None;
        for range in ranges {
            let mut parts = range.split(';').map(str::trim);
            let language = parts.next().and_then(Self::from_tag);
            let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1000), weight);
            if let (Some(language), Some(weight @ 1..)) = (language, weight)
                && best.is_none_or(|(most, _)| weight > most)
            {
                best = Some((weight, language));
            }
        }
        best.map_or(Self::English, |(_, language)| language)
    }
}

/// `0.7` in thousandths; `None` for what is no weight.
fn weight(text: &str) -> Option<u16> {
    let weight: f32 = text.parse().ok()?;
    // Between 0 and 1000, so nothing is cut off but a fraction that the grammar does not allow.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be within 0 and 1000"
    )]
    (0.0..=1.0).contains(&weight).then(|| (weight * 1000.0).round() as u16)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn wanted(header: &'static str) -> Language {
        let header = (header::ACCEPT_LANGUAGE, HeaderValue::from_static(header));
        Language::wanted_by(&HeaderMap::from_iter([header]))
    }

    #[test]
    fn the_language_with_the_greatest_weight_wins_and_the_first_among_equals() {
        assert_eq!(wanted("ja"), Language::Japanese);
        assert_eq!(wanted("ja-JP,en;q=0.8"), Language::Japanese);
        assert_eq!(wanted("en;q=0.3, ja;q=0.4"), Language::Japanese);
        assert_eq!(wanted("en, ja"), Language::English);
        assert_eq!(wanted("fr, de;q=0.9, JA;q=0.1"), Language::Japanese);
    }

    #[test]
    fn whoever_reads_neither_gets_english() {
        assert_eq!(wanted("fr"), Language::English);
        assert_eq!(wanted("ja;q=0"), Language::English);
        assert_eq!(wanted("ja;q=x"), Language::English);
        assert_eq!(Language::wanted_by(&HeaderMap::new()), Language::English);
    }
}
