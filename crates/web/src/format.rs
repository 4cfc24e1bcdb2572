//! Dates, times and relative times in the reader's language.

use jiff::{SignedDuration, Timestamp, civil::Date};
use larder_domain::{Language, Quantity, Unit, Zone};

use crate::Words;

/// A quantity with its unit: `2 kg`, `0.5 L`, `3個`. Latin units are separated from the number.
pub(crate) fn amount(quantity: Quantity, unit: &Unit) -> String {
    let unit = unit.as_str();
    let space = if unit.starts_with(|first: char| first.is_ascii()) { " " } else { "" };
    format!("{quantity}{space}{unit}")
}

/// A date: `15 Nov 2026`, `2026年11月15日`.
pub(crate) fn day(words: &Words, date: Date) -> String {
    match words.language {
        Language::English => date.strftime("%-d %b %Y").to_string(),
        Language::Japanese => date.strftime("%Y年%-m月%-d日").to_string(),
    }
}

/// A date within a year, where there is little room: `15 Nov`, `11月15日`.
pub(crate) fn near_day(words: &Words, date: Date) -> String {
    match words.language {
        Language::English => date.strftime("%-d %b").to_string(),
        Language::Japanese => date.strftime("%-m月%-d日").to_string(),
    }
}

/// A time in the household's zone: `15 Nov 2026, 21:05 JST`.
pub(crate) fn moment(words: &Words, at: Timestamp, zone: &Zone) -> String {
    let there = at.in_tz(zone.name()).unwrap_or_else(|_| at.to_zoned(jiff::tz::TimeZone::UTC));
    let format = match words.language {
        Language::English => "%-d %b %Y, %H:%M %Z",
        Language::Japanese => "%Y年%-m月%-d日 %H:%M %Z",
    };
    there.strftime(format).to_string()
}

/// From one time to another, in the household's zone: `15 Nov 2026, 21:05–21:30`. `None` if they are
/// in the same minute.
pub(crate) fn span(
    words: &Words,
    (from, to): (Timestamp, Timestamp),
    zone: &Zone,
) -> Option<String> {
    let (first, last) = (zone.day_of(from), zone.day_of(to));
    let time = |at: Timestamp| {
        let there = at.in_tz(zone.name()).unwrap_or_else(|_| at.to_zoned(jiff::tz::TimeZone::UTC));
        there.strftime("%H:%M").to_string()
    };
    let (begin, end) = (time(from), time(to));
    let comma = if words.language == Language::English { "," } else { "" };
    if (first, &begin) == (last, &end) {
        return None;
    }
    let end = if first == last { end } else { format!("{}{comma} {end}", day(words, last)) };
    Some(format!("{}{comma} {begin}–{end}", day(words, first)))
}

/// A relative time: `just now`, `5 minutes ago`, `3 days ago`.
pub(crate) fn ago(words: &Words, at: Timestamp, now: Timestamp) -> String {
    let passed = now.duration_since(at).max(SignedDuration::ZERO);
    let (key, count) = match passed.as_secs() {
        ..60 => return words.get("ago-now").into_owned(),
        seconds @ 60..3_600 => ("ago-minutes", seconds / 60),
        seconds @ 3_600..86_400 => ("ago-hours", seconds / 3_600),
        seconds => ("ago-days", seconds / 86_400),
    };
    words.with(key, &[("count", count.into())])
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn amounts_are_written_as_people_do() {
        let amount = |quantity: &str, unit: &str| {
            amount(Quantity::parse(quantity).unwrap(), &Unit::parse(unit).unwrap())
        };
        for (quantity, unit, text) in [
            ("1", "個", "1個"),
            ("2", "kg", "2 kg"),
            ("0.5", "L", "0.5 L"),
            ("10.05", "袋", "10.05袋"),
        ] {
            assert_eq!(amount(quantity, unit), text);
        }
    }

    #[test]
    fn days_and_moments_are_written_as_the_reader_writes_them() {
        let (en, ja) = (Words::of(Language::English), Words::of(Language::Japanese));
        assert_eq!(day(en, date(2026, 1, 5)), "5 Jan 2026");
        assert_eq!(day(ja, date(2026, 1, 5)), "2026年1月5日");
        assert_eq!(near_day(en, date(2026, 1, 5)), "5 Jan");
        assert_eq!(near_day(ja, date(2026, 1, 5)), "1月5日");
        let zone = Zone::parse("Asia/Tokyo").unwrap();
        let at: Timestamp = "2026-01-04T15:30:00Z".parse().unwrap();
        assert_eq!(moment(en, at, &zone), "5 Jan 2026, 00:30 JST");
        assert_eq!(moment(ja, at, &zone), "2026年1月5日 00:30 JST");
    }

    #[test]
    fn a_span_names_its_day_once() {
        let (en, ja) = (Words::of(Language::English), Words::of(Language::Japanese));
        let zone = Zone::parse("Asia/Tokyo").unwrap();
        let from: Timestamp = "2026-01-04T14:30:10Z".parse().unwrap();
        let after = |minutes| from + SignedDuration::from_mins(minutes);
        let told = |words, minutes| span(words, (from, after(minutes)), &zone);
        assert_eq!(told(en, 0), None);
        assert_eq!(told(en, 5).unwrap(), "4 Jan 2026, 23:30–23:35");
        assert_eq!(told(en, 40).unwrap(), "4 Jan 2026, 23:30–5 Jan 2026, 00:10");
        assert_eq!(told(ja, 5).unwrap(), "2026年1月4日 23:30–23:35");
        assert_eq!(told(en, 1440).unwrap(), "4 Jan 2026, 23:30–5 Jan 2026, 23:30");
    }

    #[test]
    fn time_that_passed_is_told_in_its_largest_whole_unit() {
        let (en, ja) = (Words::of(Language::English), Words::of(Language::Japanese));
        let at = Timestamp::UNIX_EPOCH;
        let after = |seconds| at + SignedDuration::from_secs(seconds);
        assert_eq!(ago(en, at, after(59)), "just now");
        assert_eq!(ago(en, at, after(60)), "1 minute ago");
        assert_eq!(ago(en, at, after(7_199)), "1 hour ago");
        assert_eq!(ago(en, at, after(86_400 * 3)), "3 days ago");
        assert_eq!(ago(ja, at, after(300)), "5分前");
        // Another server's clock is ahead.
        assert_eq!(ago(en, after(5), at), "just now");
    }
}
