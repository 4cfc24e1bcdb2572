//! The geometry of charts: positions in percent of the plot. Independent of words, colours and
//! storage.

mod shape;
mod times;
mod values;

pub(super) use shape::{Mark, Shape};
pub(super) use times::TimeAxis;
pub(in crate::pages) use values::ValueAxis;

/// A labelled grid line.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::pages) struct Tick {
    /// In percent from the left, or from the top.
    pub(in crate::pages) at: f64,
    pub(in crate::pages) label: String,
}

/// A fraction of the plot in percent, clamped, in hundredths: finer than a pixel.
fn percent(share: f64) -> f64 {
    let hundredths = (share * 10_000.0).round().clamp(0.0, 10_000.0);
    // Adding zero turns minus zero into zero.
    hundredths / 100.0 + 0.0
}
