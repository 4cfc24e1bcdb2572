//! The time axis: full hours or days in the household's zone.

use jiff::{
    Timestamp, ToSpan as _, Zoned,
    civil::{Date, date},
    tz::TimeZone,
};
use larder_domain::{Language, SeriesSpan};

use super::{Tick, percent};

/// As many labels as fit side by side on the smallest phone.
const MOST_TICKS: i64 = 6;

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_HOURS: i64 = 24;

/// The possible distances of labels, in hours and in days.
const STEPS_HOURS: [i64; 13] = [
    1,
    2,
    3,
    6,
    12,
    DAY_HOURS,
    2 * DAY_HOURS,
    7 * DAY_HOURS,
    14 * DAY_HOURS,
    28 * DAY_HOURS,
    56 * DAY_HOURS,
    112 * DAY_HOURS,
    224 * DAY_HOURS,
];

/// A span of time in a zone, from left to right.
pub(crate) struct TimeAxis<'a> {
    pub(crate) span: SeriesSpan,
    pub(crate) zone: &'a TimeZone,
    pub(crate) language: Language,
}

impl TimeAxis<'_> {
    /// Full hours or days at a sufficient distance.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let length_ms = self.span.to().as_millis() - self.span.from().as_millis() + 1;
        let fits = |step: &&i64| length_ms / (**step * HOUR_MS) <= MOST_TICKS;
        let step = STEPS_HOURS.iter().find(fits).copied().unwrap_or(365 * DAY_HOURS);
        let days = step / DAY_HOURS;
        let mut moments = if days == 0 { self.hours(step) } else { self.days(days) };
        moments.dedup();
        let ticks = moments.into_iter().filter_map(|moment| {
            // In some zones and years a day starts at one o'clock.
            let is_day = days > 0 || moment.hour() == 0;
            Some(Tick { at: self.x_of(&moment)?, label: self.label(&moment, is_day) })
        });
        ticks.collect()
    }

    /// The dates that the span overlaps.
    fn dates(&self) -> impl Iterator<Item = Date> {
        let day = |ms| self.at(ms).map(|moment| moment.date());
        let (first, last) = (day(self.span.from().as_millis()), day(self.span.to().as_millis()));
        let first = first.into_iter().flat_map(|first| first.series(1.day()));
        first.take_while(move |date| last.is_some_and(|last| *date <= last))
    }

    fn hours(&self, step: i64) -> Vec<Zoned> {
        let step = usize::try_from(step).unwrap_or(1);
        let hours =
            self.dates().flat_map(|date| (0..24_i8).step_by(step).map(move |hour| (date, hour)));
        // A skipped local time becomes the next valid one; of an ambiguous one the first is meant.
        hours
            .filter_map(|(date, hour)| date.at(hour, 0, 0, 0).to_zoned(self.zone.clone()).ok())
            .collect()
    }

    /// Every `step` days, independent of when the page is loaded.
    fn days(&self, step: i64) -> Vec<Zoned> {
        let epoch = date(1970, 1, 1);
        let is_step = |date: &Date| {
            date.since(epoch).is_ok_and(|since| i64::from(since.get_days()).rem_euclid(step) == 0)
        };
        let days = self.dates().filter(is_step);
        days.filter_map(|date| date.to_zoned(self.zone.clone()).ok()).collect()
    }

    fn at(&self, ms: i64) -> Option<Zoned> {
        Timestamp::from_millisecond(ms).ok().map(|at| at.to_zoned(self.zone.clone()))
    }

    /// In percent of the width, if it is in the span.
    fn x_of(&self, moment: &Zoned) -> Option<f64> {
        let (from, to) = (self.span.from().as_millis(), self.span.to().as_millis() + 1);
        let ms = moment.timestamp().as_millisecond();
        (from..to).contains(&ms).then(|| share(ms - from, to - from))
    }

    /// The hour; at the start of a day, the date instead.
    fn label(&self, moment: &Zoned, is_day: bool) -> String {
        let format = match self.language {
            _ if !is_day => "%H:%M",
            Language::English => "%-d %b",
            Language::Japanese => "%-m/%-d",
        };
        moment.strftime(format).to_string()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a place on a screen needs no more")]
fn share(part: i64, whole: i64) -> f64 {
    percent(part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use larder_domain::ReadingTime;
    use proptest::prelude::*;

    use super::*;

    fn ticks(from: &str, to: &str, zone: &str, language: Language) -> Vec<String> {
        let ms = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        let time = |ms| ReadingTime::from_millis(ms).unwrap();
        let span = SeriesSpan::new(time(ms(from)), time(ms(to) - 1), 96).unwrap();
        let zone = &TimeZone::get(zone).unwrap();
        let ticks = TimeAxis { span, zone, language }.ticks();
        ticks.iter().map(|tick| format!("{} {}", tick.at, tick.label)).collect()
    }

    #[test]
    fn a_day_has_its_hours_where_the_household_is() {
        let (from, to) = ("2026-11-14T15:00:00Z", "2026-11-15T15:00:00Z");
        assert_eq!(
            ticks(from, to, "Asia/Tokyo", Language::Japanese),
            ["0 11/15", "25 06:00", "50 12:00", "75 18:00"]
        );
        assert_eq!(
            ticks(from, to, "UTC", Language::English),
            ["12.5 18:00", "37.5 15 Nov", "62.5 06:00", "87.5 12:00"]
        );
    }

    #[test]
    fn weeks_and_months_have_days() {
        let of = |from, to| ticks(from, to, "UTC", Language::English);
        assert_eq!(
            of("2026-11-08T00:00:00Z", "2026-11-15T00:00:00Z"),
            ["14.29 9 Nov", "42.86 11 Nov", "71.43 13 Nov"]
        );
        assert_eq!(
            of("2026-10-16T00:00:00Z", "2026-11-15T00:00:00Z"),
            ["20 22 Oct", "43.33 29 Oct", "66.67 5 Nov", "90 12 Nov"]
        );
    }

    #[test]
    fn an_hour_that_a_clock_skips_is_left_out() {
        let (from, to) = ("2026-03-28T23:00:00Z", "2026-03-29T04:00:00Z");
        assert_eq!(
            ticks(from, to, "Europe/Berlin", Language::English),
            ["0 29 Mar", "20 01:00", "40 03:00", "60 04:00", "80 05:00"]
        );
    }

    proptest! {
        #[test]
        fn there_are_some_ticks_but_few_and_all_inside(
            from in 946_684_800_000_i64..4_000_000_000_000,
            hours in 24_i64..=24 * 370,
        ) {
            let time = |ms| ReadingTime::from_millis(ms).unwrap();
            let span = SeriesSpan::new(time(from), time(from + hours * HOUR_MS - 1), 96).unwrap();
            let zone = &TimeZone::get("Pacific/Apia").unwrap();
            let ticks = TimeAxis { span, zone, language: Language::English }.ticks();
            prop_assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
            prop_assert!(ticks.iter().all(|tick| (0.0..=100.0).contains(&tick.at)), "{ticks:?}");
        }
    }
}
