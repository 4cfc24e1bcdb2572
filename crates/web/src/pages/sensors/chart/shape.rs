//! Measured values as SVG paths: a band from minimum to maximum, and a line through the means.

use std::fmt::Write as _;

use larder_domain::Bucket;

use super::{ValueAxis, percent};

/// The paths of one chart, in a square of 100 by 100.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    /// From minimum to maximum.
    pub(crate) band: String,
    /// Through the means.
    pub(crate) line: String,
    /// The position of each bucket, in order.
    pub(crate) marks: Vec<Mark>,
}

/// The horizontal extent of one bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mark {
    pub(crate) left: f64,
    pub(crate) width: f64,
}

impl Shape {
    /// The shape of the non-empty buckets, of `count` in all.
    pub(crate) fn of(buckets: &[Bucket], count: u32, axis: &ValueAxis) -> Self {
        let (mut band, mut line) = (String::new(), String::new());
        for run in runs(buckets) {
            let upper = outline(run, count, |bucket| axis.y_of(bucket.max));
            let lower = outline(run, count, |bucket| axis.y_of(bucket.min));
            let means = outline(run, count, |bucket| axis.y_of(bucket.mean));
            draw(&mut band, upper.iter().chain(lower.iter().rev()));
            band.push('Z');
            draw(&mut line, means.iter());
        }
        let marks = buckets.iter().map(|bucket| mark(bucket, count)).collect();
        Self { band, line, marks }
    }
}

/// The start, middle (`half` is 1) or end (2) of a bucket, in percent of the width.
fn x(bucket: &Bucket, half: u32, count: u32) -> f64 {
    percent((f64::from(bucket.number) + f64::from(half) / 2.0) / f64::from(count))
}

fn mark(bucket: &Bucket, count: u32) -> Mark {
    let left = x(bucket, 0, count);
    // The difference of two rounded numbers must be rounded again.
    let width = ((x(bucket, 2, count) - left) * 100.0).round() / 100.0;
    Mark { left, width }
}

/// The points of a run, from the start of its first bucket to the end of its last, so that a run of
/// one has a width.
fn outline(run: &[Bucket], count: u32, y: impl Fn(&Bucket) -> f64) -> Vec<(f64, f64)> {
    let first = run.first().map(|bucket| (x(bucket, 0, count), y(bucket)));
    let last = run.last().map(|bucket| (x(bucket, 2, count), y(bucket)));
    let middles = run.iter().map(|bucket| (x(bucket, 1, count), y(bucket)));
    first.into_iter().chain(middles).chain(last).collect()
}

fn draw<'a>(path: &mut String, points: impl Iterator<Item = &'a (f64, f64)>) {
    for (at, (x, y)) in points.enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{command}{x} {y}");
    }
}

/// Splits at gaps. A device that sends less often than there are buckets regularly leaves some
/// empty, so only a pause that is clearly longer than usual is a gap.
fn runs(buckets: &[Bucket]) -> impl Iterator<Item = &[Bucket]> {
    let pause = |pair: &[Bucket]| pair[1].number - pair[0].number;
    let mut pauses: Vec<u32> = buckets.windows(2).map(pause).collect();
    pauses.sort_unstable();
    let usual = pauses.get(pauses.len().saturating_sub(1) / 2).copied().unwrap_or(1);
    buckets.chunk_by(move |a, b| (b.number - a.number) * 2 <= usual * 3)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bucket(number: u32, min: f64, mean: f64, max: f64) -> Bucket {
        Bucket { number, count: 3, min, mean, max }
    }

    fn numbers_of_runs(numbers: &[u32]) -> Vec<Vec<u32>> {
        let buckets: Vec<_> = numbers.iter().map(|n| bucket(*n, 0.0, 0.0, 0.0)).collect();
        runs(&buckets).map(|run| run.iter().map(|bucket| bucket.number).collect()).collect()
    }

    #[test]
    fn a_band_reaches_from_the_smallest_to_the_largest_and_a_line_through_the_means() {
        let buckets = [bucket(0, 0.0, 25.0, 50.0), bucket(1, 50.0, 75.0, 100.0)];
        let shape = Shape::of(&buckets, 4, &ValueAxis::around(0.0, 100.0));
        assert_eq!(shape.line, "M0 75L12.5 75L37.5 25L50 25");
        assert_eq!(shape.band, "M0 50L12.5 50L37.5 0L50 0L50 50L37.5 50L12.5 100L0 100Z");
        assert_eq!(
            shape.marks,
            [Mark { left: 0.0, width: 25.0 }, Mark { left: 25.0, width: 25.0 }]
        );
    }

    #[test]
    fn what_was_not_sent_is_not_bridged() {
        let buckets =
            [bucket(0, 0.0, 0.0, 0.0), bucket(2, 10.0, 10.0, 10.0), bucket(3, 0.0, 0.0, 0.0)];
        let shape = Shape::of(&buckets, 4, &ValueAxis::around(0.0, 10.0));
        assert_eq!(shape.line.matches('M').count(), 2);
        assert_eq!(shape.line, "M0 100L12.5 100L25 100M50 0L62.5 0L87.5 100L100 100");
        assert_eq!(shape.band.matches('Z').count(), 2);
        assert_eq!(shape.marks.len(), 3);
    }

    #[test]
    fn a_gap_is_longer_than_the_usual_pause() {
        assert_eq!(numbers_of_runs(&[0, 1, 2, 5, 6]), [vec![0, 1, 2], vec![5, 6]]);
        assert_eq!(numbers_of_runs(&[0, 4, 8, 13, 17]), [vec![0, 4, 8, 13, 17]]);
        assert_eq!(numbers_of_runs(&[0, 4, 8, 16, 20]), [vec![0, 4, 8], vec![16, 20]]);
        assert_eq!(numbers_of_runs(&[7]), [vec![7]]);
        assert_eq!(numbers_of_runs(&[]), Vec::<Vec<u32>>::new());
    }

    /// Every pair of numbers in a path.
    fn points(path: &str) -> Vec<(f64, f64)> {
        let points = path.split(['M', 'L', 'Z']).filter(|point| !point.is_empty());
        points
            .map(|point| {
                let (x, y) = point.split_once(' ').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            })
            .collect()
    }

    prop_compose! {
        fn any_buckets()(
            values in prop::collection::btree_map(0_u32..96, prop::array::uniform3(-1e6_f64..1e6), 1..96),
        ) -> Vec<Bucket> {
            let sorted = values.into_iter().map(|(number, mut values)| {
                values.sort_by(f64::total_cmp);
                bucket(number, values[0], values[1], values[2])
            });
            sorted.collect()
        }
    }

    proptest! {
        #[test]
        fn every_point_is_inside_the_plot_and_every_bucket_is_drawn(buckets in any_buckets()) {
            let min = buckets.iter().map(|bucket| bucket.min).fold(f64::INFINITY, f64::min);
            let max = buckets.iter().map(|bucket| bucket.max).fold(f64::NEG_INFINITY, f64::max);
            let shape = Shape::of(&buckets, 96, &ValueAxis::around(min, max));
            for (x, y) in points(&shape.band).into_iter().chain(points(&shape.line)) {
                prop_assert!((0.0..=100.0).contains(&x) && (0.0..=100.0).contains(&y), "{x} {y}");
            }
            let runs = runs(&buckets).count();
            prop_assert_eq!(points(&shape.line).len(), buckets.len() + 2 * runs);
            prop_assert!(shape.marks.iter().all(|mark| mark.left + mark.width <= 100.0));
        }
    }
}
