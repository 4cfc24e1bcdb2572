//! The value axis: from a round number below all values to one above, with round steps.

use super::{Tick, percent};

/// The approximate number of steps that fit beside a chart without crowding.
const STEPS: f64 = 4.0;

/// Below this fraction of their magnitude, differences are invisible in a chart.
const SMALLEST_SPREAD: f64 = 1e-9;

/// The margin of a chart of one value on both sides, as a fraction of its magnitude.
const ROOM: f64 = 0.05;

/// Round numbers around a range of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ValueAxis {
    low: f64,
    high: f64,
    step: f64,
}

impl ValueAxis {
    /// The axis for values from `min` to `max`.
    pub(crate) fn around(min: f64, max: f64) -> Self {
        let size = min.abs().max(max.abs());
        let (min, max) = if max - min > size * SMALLEST_SPREAD {
            (min, max)
        } else {
            let room = if size > 0.0 { size * ROOM } else { 1.0 };
            (min - room, max + room)
        };
        let step = round_up((max - min) / STEPS);
        Self { low: (min / step).floor() * step, high: (max / step).ceil() * step, step }
    }

    /// The distance of a value from the top, in percent of the height.
    pub(crate) fn y_of(&self, value: f64) -> f64 {
        percent((self.high - value) / (self.high - self.low))
    }

    /// The round numbers, lowest first.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let decimals = decimals_of(self.step);
        // The bounds are multiples of the step, so this is a small integer.
        let steps = ((self.high - self.low) / self.step).round();
        let values = std::iter::successors(Some(0.0), |n| Some(n + 1.0));
        let values = values.take_while(|n| *n <= steps).map(|n| n.mul_add(self.step, self.low));
        values.map(|value| Tick { at: self.y_of(value), label: label(value, decimals) }).collect()
    }
}

/// The next number of the form 1, 2 or 5 times a power of ten.
fn round_up(raw: f64) -> f64 {
    let power = 10_f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= raw);
    factor.unwrap_or(10.0) * power
}

/// The number of decimals that distinguishes steps of this size; `None`: more than there is space
/// for.
fn decimals_of(step: f64) -> Option<usize> {
    (0..=4).find(|decimals: &i32| step * 10_f64.powi(*decimals) >= 0.999)?.try_into().ok()
}

fn label(value: f64, decimals: Option<usize>) -> String {
    let label = match decimals {
        Some(decimals) if value.abs() < 1e6 => format!("{value:.decimals$}"),
        _ => format!("{value:.1e}"),
    };
    // Sums of steps may be slightly off zero, which must not show as minus zero.
    let is_zero = label.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    let label = if is_zero { label.trim_start_matches('-') } else { &label };
    label.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(min: f64, max: f64) -> Vec<String> {
        ValueAxis::around(min, max).ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn lines_are_at_round_numbers_around_all_values() {
        assert_eq!(labels(18.2, 23.9), ["18", "20", "22", "24"]);
        assert_eq!(labels(-0.3, 0.4), ["−0.4", "−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(0.0, 100.0), ["0", "50", "100"]);
        assert_eq!(labels(1_012.9, 1_013.4), ["1012.8", "1013.0", "1013.2", "1013.4"]);
        assert_eq!(labels(0.0, 2e9), ["0", "5.0e8", "1.0e9", "1.5e9", "2.0e9"]);
    }

    #[test]
    fn one_value_has_room_on_both_sides() {
        assert_eq!(labels(22.5, 22.5), ["21", "22", "23", "24"]);
        assert_eq!(labels(0.0, 0.0), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        let axis = ValueAxis::around(-18.0, -18.0);
        assert!((20.0..=80.0).contains(&axis.y_of(-18.0)));
    }

    #[test]
    fn larger_values_are_higher() {
        let axis = ValueAxis::around(0.0, 100.0);
        let heights = [axis.y_of(100.0), axis.y_of(75.0), axis.y_of(0.0)];
        assert_eq!(heights.map(|height| height.to_string()), ["0", "25", "100"]);
    }

    proptest! {
        #[test]
        fn every_value_is_between_the_first_and_the_last_line(
            a in -1e125_f64..1e125,
            exponent in -130_i32..=0,
            share in 0.0_f64..=1.0,
        ) {
            let (a, b) = (a * 10_f64.powi(exponent), a * share);
            let (min, max) = (a.min(b), a.max(b));
            let axis = ValueAxis::around(min, max);
            for value in [min, max, f64::midpoint(min, max)] {
                let height = axis.y_of(value);
                prop_assert!((0.0..=100.0).contains(&height), "{value} is at {height}");
            }
            let ticks = axis.ticks();
            prop_assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
        }
    }
}
