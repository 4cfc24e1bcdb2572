//! What was used of a product, week by week, as a chart of bars.

use jiff::civil::Date;
use larder_app::Consumption;
use larder_domain::{CONSUMPTION_WEEKS, Language, Quantity, Unit};

use crate::{
    Frame, format,
    pages::sensors::chart::{Tick, ValueAxis},
};

/// A date below every so many bars, so that they do not touch on a phone.
const WEEKS_BETWEEN_DATES: usize = 4;

/// The chart, and the same in words.
pub(super) struct UseChart {
    pub(super) summary: String,
    pub(super) values: Vec<Tick>,
    pub(super) weeks: Vec<Bar>,
    /// Whether there was too much to read all of it.
    pub(super) is_partial: bool,
}

/// A week.
pub(super) struct Bar {
    /// The position of the bar, in percent of the plot.
    pub(super) left: f64,
    pub(super) width: f64,
    pub(super) top: f64,
    pub(super) height: f64,
    /// Its first day, in full.
    pub(super) begin: String,
    /// The date below it; may be empty.
    pub(super) label: String,
    pub(super) amount: String,
}

impl UseChart {
    /// The chart; `None` if nothing was used.
    pub(super) fn of(frame: &Frame, consumption: &Consumption, unit: &Unit) -> Option<Self> {
        let weeks = &consumption.weeks;
        let most = weeks.iter().map(|week| week.used).max().filter(|most| !most.is_zero())?;
        let axis = ValueAxis::around(0.0, value(most));
        let bar = |(index, week): (usize, &larder_domain::WeekConsumption)| {
            let (top, slot) = (axis.y_of(value(week.used)), slot());
            let is_labelled = index % WEEKS_BETWEEN_DATES == 0;
            Bar {
                left: rounded(slot * place(index) + slot * 0.15),
                width: rounded(slot * 0.7),
                top,
                height: rounded(100.0 - top),
                begin: format::day(frame.words, week.begin),
                label: if is_labelled { short(frame, week.begin) } else { String::new() },
                amount: format::amount(week.used, unit),
            }
        };
        let sum = weeks
            .iter()
            .fold(Quantity::ZERO, |sum, week| sum.checked_add(week.used).unwrap_or(Quantity::MAX));
        let total = format::amount(sum, unit);
        Some(Self {
            summary: frame.t2(
                "products-use-summary",
                ("weeks", CONSUMPTION_WEEKS),
                ("amount", total.as_str()),
            ),
            values: axis.ticks(),
            weeks: weeks.iter().enumerate().map(bar).collect(),
            is_partial: consumption.is_partial,
        })
    }
}

/// The share of one week, in percent of the width.
fn slot() -> f64 {
    100.0 / place(CONSUMPTION_WEEKS)
}

#[expect(clippy::cast_precision_loss, reason = "a place on a screen needs no more")]
fn place(index: usize) -> f64 {
    index as f64
}

#[expect(clippy::cast_precision_loss, reason = "a height on a screen needs no more")]
fn value(quantity: Quantity) -> f64 {
    quantity.hundredths() as f64 / 100.0
}

/// In hundredths: finer than a pixel.
fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}

/// A date without its year.
fn short(frame: &Frame, date: Date) -> String {
    let format = match frame.words.language {
        Language::English => "%-d %b",
        Language::Japanese => "%-m/%-d",
    };
    date.strftime(format).to_string()
}
