//! The span and resolution of a chart.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use larder_domain::{ReadingTime, SeriesSpan};

use crate::{Failure, Rule};

const MINUTE_MS: i64 = 60 * 1000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// The maximum number of buckets of a chart: more would be too narrow to touch on a phone, and make
/// a long table.
const MOST_BUCKETS: i64 = 100;

/// The possible lengths of a bucket in minutes: divisors of a day, and whole days.
const LENGTHS_MIN: [i64; 12] =
    [15, 30, 60, 120, 180, 240, 360, 480, 720, 1_440, 2 * 1_440, 4 * 1_440];

/// No reading is kept longer than the configured retention, which is 90 days by default.
const MOST_DAYS: i64 = 366;

/// The spans with a button of their own, in days.
pub(super) const PRESETS: [(i64, &str); 4] = [
    (1, "sensors-range-1"),
    (7, "sensors-range-7"),
    (30, "sensors-range-30"),
    (90, "sensors-range-90"),
];

/// The query of a chart; empty fields have defaults.
#[derive(Debug, Default)]
pub(super) struct SpanQuery<'a> {
    /// The last `days` days.
    pub(super) days: Option<i64>,
    /// From the start of this day.
    pub(super) from: &'a str,
    /// To the end of this day.
    pub(super) to: &'a str,
}

/// A span of time, divided into buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChartSpan {
    pub(super) series: SeriesSpan,
    pub(super) bucket: SignedDuration,
    /// The last `days` days, if requested so.
    pub(super) days: Option<i64>,
    pub(super) first: Date,
    pub(super) last: Date,
}

impl SpanQuery<'_> {
    /// The requested span: from one date to another, or up to now.
    pub(super) fn read(&self, now: Timestamp, zone: &TimeZone) -> Result<ChartSpan, Failure> {
        let today = now.to_zoned(zone.clone()).date();
        let day =
            |text: &str, label| text.parse::<Date>().map_err(|_| Failure::Wrong(label, Rule::Date));
        let (first, last) = match (self.from.trim(), self.to.trim()) {
            ("", "") => return up_to(now, self.days.unwrap_or(1), zone),
            (from, "") => (day(from, "sensors-from")?, today),
            ("", to) => (day(to, "sensors-to")?, day(to, "sensors-to")?),
            (from, to) => (day(from, "sensors-from")?, day(to, "sensors-to")?),
        };
        between(first, last, zone)
    }
}

/// The whole of several days.
fn between(first: Date, last: Date, zone: &TimeZone) -> Result<ChartSpan, Failure> {
    let after = last.tomorrow().map_err(|_| Failure::Wrong("sensors-to", Rule::Span))?;
    let (from, to) = (beginning_of(first, zone)?, beginning_of(after, zone)?);
    if from >= to || to - from > MOST_DAYS * DAY_MS + DAY_MS / 2 {
        return Err(Failure::Wrong("sensors-from", Rule::Span));
    }
    let length = bucket_length(to - from);
    let buckets = (to - from + length - 1) / length;
    let series = cut(from, buckets, length)?;
    Ok(ChartSpan { series, bucket: SignedDuration::from_millis(length), days: None, first, last })
}

/// The last days, to the end of the current bucket. Buckets start at round times, so that they do
/// not move between reloads.
fn up_to(now: Timestamp, days: i64, zone: &TimeZone) -> Result<ChartSpan, Failure> {
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(Failure::NotFound);
    }
    let last = now.to_zoned(zone.clone()).date();
    let midnight = beginning_of(last, zone)?;
    let length = bucket_length(days * DAY_MS);
    let filled = (now.as_millisecond() - midnight) / length + 1;
    let buckets = days * DAY_MS / length;
    let from = midnight + (filled - buckets) * length;
    let series = cut(from, buckets, length)?;
    let first = Timestamp::from_millisecond(from).map_err(|_| Failure::NotFound)?;
    let first = first.to_zoned(zone.clone()).date();
    Ok(ChartSpan {
        series,
        bucket: SignedDuration::from_millis(length),
        days: Some(days),
        first,
        last,
    })
}

/// The first millisecond of a day.
fn beginning_of(day: Date, zone: &TimeZone) -> Result<i64, Failure> {
    let start =
        day.to_zoned(zone.clone()).map_err(|_| Failure::Wrong("sensors-from", Rule::Span))?;
    Ok(start.timestamp().as_millisecond())
}

fn bucket_length(length_ms: i64) -> i64 {
    let lengths = LENGTHS_MIN.map(|minutes| minutes * MINUTE_MS);
    let fits = |length: &i64| length_ms <= MOST_BUCKETS * length;
    lengths.into_iter().find(fits).unwrap_or(8 * DAY_MS)
}

fn cut(from: i64, buckets: i64, length: i64) -> Result<SeriesSpan, Failure> {
    let time =
        |ms| ReadingTime::from_millis(ms).map_err(|_| Failure::Wrong("sensors-from", Rule::Span));
    let buckets_u32 = u32::try_from(buckets).unwrap_or_default();
    let span = SeriesSpan::new(time(from)?, time(from + buckets * length - 1)?, buckets_u32);
    span.map_err(|_| Failure::Wrong("sensors-from", Rule::Span))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(days: Option<i64>, from: &str, to: &str, zone: &str) -> Result<ChartSpan, Failure> {
        let now: Timestamp = "2026-11-15T12:34:56Z".parse().unwrap();
        let wanted = SpanQuery { days, from, to };
        wanted.read(now, &TimeZone::get(zone).unwrap())
    }

    /// From, to, the number of buckets and their minutes.
    fn told(span: Result<ChartSpan, Failure>) -> (String, String, u32, i64) {
        let span = span.unwrap();
        let text = |ms| Timestamp::from_millisecond(ms).unwrap().to_string();
        let (from, to) = (span.series.from().as_millis(), span.series.to().as_millis() + 1);
        (text(from), text(to), span.series.buckets(), span.bucket.as_mins())
    }

    #[test]
    fn the_last_days_end_with_the_bucket_that_is_being_filled() {
        let expected =
            |from: &str, to: &str, buckets, minutes| (from.into(), to.into(), buckets, minutes);
        assert_eq!(
            told(read(None, "", "", "UTC")),
            expected("2026-11-14T12:45:00Z", "2026-11-15T12:45:00Z", 96, 15)
        );
        assert_eq!(
            told(read(Some(7), "", "", "Asia/Tokyo")),
            expected("2026-11-08T13:00:00Z", "2026-11-15T13:00:00Z", 84, 120)
        );
        assert_eq!(
            told(read(Some(90), "", "", "Asia/Tokyo")),
            expected("2026-08-17T15:00:00Z", "2026-11-15T15:00:00Z", 90, 1_440)
        );
    }

    #[test]
    fn days_are_whole_where_the_household_is() {
        let expected =
            |from: &str, to: &str, buckets, minutes| (from.into(), to.into(), buckets, minutes);
        assert_eq!(
            told(read(None, "2026-11-01", "2026-11-01", "Asia/Tokyo")),
            expected("2026-10-31T15:00:00Z", "2026-11-01T15:00:00Z", 96, 15)
        );
        // The day on which clocks go forward has 23 hours.
        assert_eq!(
            told(read(None, "2026-03-29", "2026-03-29", "Europe/Berlin")),
            expected("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 92, 15)
        );
        assert_eq!(
            told(read(None, "2026-11-13", "", "UTC")),
            expected("2026-11-13T00:00:00Z", "2026-11-16T00:00:00Z", 72, 60)
        );
        let one = read(None, "", "2026-11-02", "UTC").unwrap();
        assert_eq!(
            (one.first.to_string(), one.last.to_string()),
            ("2026-11-02".into(), "2026-11-02".into())
        );
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for (from, to) in [
            ("yesterday", ""),
            ("2026-11-02", "2026-11-01"),
            ("2026-11-02", "later"),
            ("2024-01-01", "2026-01-01"),
            ("1999-12-31", "1999-12-31"),
            ("2099-12-31", "2100-01-02"),
            ("-009999-01-01", "-009999-01-01"),
            ("9999-12-31", "9999-12-31"),
        ] {
            let refused = read(None, from, to, "UTC");
            assert!(matches!(refused, Err(Failure::Wrong(..))), "{from} {to}: {refused:?}");
        }
        for days in [0, -1, 367, i64::MAX] {
            assert!(matches!(read(Some(days), "", "", "UTC"), Err(Failure::NotFound)), "{days}");
        }
    }

    proptest! {
        #[test]
        fn no_span_has_more_buckets_than_a_chart_shows(days in 1_i64..=366, start in 0_i32..20_000) {
            let first = jiff::civil::date(2001, 1, 1).saturating_add(jiff::Span::new().days(start));
            let last = first.saturating_add(jiff::Span::new().days(days - 1));
            let zone = &TimeZone::get("America/New_York").unwrap();
            for span in [between(first, last, zone).unwrap(), read(Some(days), "", "", "UTC").unwrap()] {
                prop_assert!((20..=100).contains(&span.series.buckets()), "{span:?}");
                let length = span.series.to().as_millis() - span.series.from().as_millis() + 1;
                prop_assert_eq!(length % i64::from(span.series.buckets()), 0);
            }
        }
    }
}
