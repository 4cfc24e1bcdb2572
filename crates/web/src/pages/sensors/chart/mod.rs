//! The geometry of charts: where things are, in percent of the plot. It knows no words, no colours and no store.

mod shape;
mod times;
mod values;

pub(super) use shape::{Mark, Shape};
pub(super) use times::TimeAxis;
pub(super) use values::ValueAxis;

/// A line with a label at one side of a chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// In percent from the left, or from the top.
    pub(super) at: f64,
    pub(super) label: String,
}

/// A share of the plot in percent, inside it, to the hundredth: less than a pixel shows.
fn percent(share: f64) -> f64 {
    let hundredths = (share * 10_000.0).round().clamp(0.0, 10_000.0);
    // Adding zero makes minus zero zero.
    hundredths / 100.0 + 0.0
}
