//! Series for charts: a span of time divided into buckets, and the aggregated values of each.

use thiserror::Error;

use super::{ReadingTime, SensorValue};

/// A span of time, both ends included, cut into buckets of equal length (to the millisecond).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeriesSpan {
    from: ReadingTime,
    to: ReadingTime,
    buckets: u32,
}

/// Why a span cannot be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidSeries {
    /// It ends before it begins.
    #[error("from must not be after to")]
    Reversed,
    /// No bucket, or more than a chart shows.
    #[error("buckets must be 1 to 2000")]
    Buckets,
}

impl SeriesSpan {
    /// The most buckets.
    pub const MAX_BUCKETS: u32 = 2000;

    /// A span and how many buckets it is cut into. A span of fewer milliseconds than buckets has one per
    /// millisecond.
    pub fn new(from: ReadingTime, to: ReadingTime, buckets: u32) -> Result<Self, InvalidSeries> {
        if from > to {
            return Err(InvalidSeries::Reversed);
        }
        if !(1..=Self::MAX_BUCKETS).contains(&buckets) {
            return Err(InvalidSeries::Buckets);
        }
        let length = to.as_millis() - from.as_millis() + 1;
        let buckets = u32::try_from(length).unwrap_or(u32::MAX).min(buckets);
        Ok(Self { from, to, buckets })
    }

    /// The first millisecond.
    pub const fn from(self) -> ReadingTime {
        self.from
    }

    /// The last millisecond.
    pub const fn to(self) -> ReadingTime {
        self.to
    }

    /// The number of buckets.
    pub const fn buckets(self) -> u32 {
        self.buckets
    }

    const fn length(self) -> i64 {
        self.to.as_millis() - self.from.as_millis() + 1
    }

    /// The bucket that a time falls into, if it is in the span: `⌊(time − from) × buckets ÷ length⌋`.
    pub fn bucket_of(self, time: ReadingTime) -> Option<u32> {
        let offset = time.as_millis().checked_sub(self.from.as_millis())?;
        if offset < 0 || offset >= self.length() {
            return None;
        }
        u32::try_from(offset * i64::from(self.buckets) / self.length()).ok()
    }

    /// The first and the last millisecond of a bucket.
    pub fn bounds(self, bucket: u32) -> (i64, i64) {
        let (length, buckets) = (self.length(), i64::from(self.buckets));
        // The first offset that falls into a bucket: its share of the length, rounded up.
        let first = |bucket: i64| self.from.as_millis() + (bucket * length + buckets - 1) / buckets;
        (first(i64::from(bucket)), first(i64::from(bucket) + 1) - 1)
    }
}

/// One sensor's values in one non-empty bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// Its number within the span.
    pub number: u32,
    /// The number of values.
    pub count: u64,
    /// The smallest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// Gathers values, in any order, in memory bounded by the number of buckets.
#[derive(Debug, Clone)]
pub struct BucketFold {
    span: SeriesSpan,
    gathered: Vec<Gathered>,
}

#[derive(Debug, Clone, Copy)]
struct Gathered {
    count: u64,
    min: f64,
    max: f64,
    sum: f64,
}

impl BucketFold {
    /// An empty series.
    pub fn new(span: SeriesSpan) -> Self {
        let none = Gathered { count: 0, min: f64::INFINITY, max: f64::NEG_INFINITY, sum: 0.0 };
        Self { span, gathered: vec![none; span.buckets as usize] }
    }

    /// Adds one value; one outside the span is passed over.
    pub fn add(&mut self, time: ReadingTime, value: SensorValue) {
        if let Some(bucket) = self.span.bucket_of(time) {
            let value = value.get();
            let gathered = &mut self.gathered[bucket as usize];
            gathered.count += 1;
            gathered.min = gathered.min.min(value);
            gathered.max = gathered.max.max(value);
            gathered.sum += value;
        }
    }

    /// The non-empty buckets, in order.
    pub fn finish(self) -> Vec<Bucket> {
        let numbered = (0..).zip(self.gathered).filter(|(_, gathered)| gathered.count > 0);
        numbered
            .map(|(number, Gathered { count, min, max, sum })| {
                // A mean of rounded sums may leave the range by a hair.
                #[expect(clippy::cast_precision_loss, reason = "nobody sends 2^53 readings")]
                let mean = (sum / count as f64).clamp(min, max);
                Bucket { number, count, min, mean, max }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(ms: i64) -> ReadingTime {
        ReadingTime::from_millis(1_000_000_000_000 + ms).unwrap()
    }

    #[test]
    fn a_span_is_cut_evenly() {
        let span = SeriesSpan::new(time(0), time(99), 4).unwrap();
        let bucket = |ms| span.bucket_of(time(ms));
        assert_eq!([bucket(0), bucket(24), bucket(25), bucket(99)], [0, 0, 1, 3].map(Some));
        assert_eq!([bucket(-1), bucket(100)], [None, None]);
        assert_eq!(span.bounds(1), (1_000_000_000_025, 1_000_000_000_049));
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        assert_eq!(SeriesSpan::new(time(1), time(0), 1), Err(InvalidSeries::Reversed));
        assert_eq!(SeriesSpan::new(time(0), time(0), 0), Err(InvalidSeries::Buckets));
        assert_eq!(SeriesSpan::new(time(0), time(0), 2001), Err(InvalidSeries::Buckets));
        assert_eq!(SeriesSpan::new(time(0), time(2), 2000).unwrap().buckets(), 3);
    }

    #[test]
    fn buckets_hold_the_smallest_the_mean_and_the_largest() {
        let mut fold = BucketFold::new(SeriesSpan::new(time(0), time(99), 4).unwrap());
        for (ms, value) in [(30, 3.0), (26, 1.0), (49, 2.0), (99, -5.0), (100, 9.0)] {
            fold.add(time(ms), SensorValue::new(value).unwrap());
        }
        assert_eq!(
            fold.finish(),
            [
                Bucket { number: 1, count: 3, min: 1.0, mean: 2.0, max: 3.0 },
                Bucket { number: 3, count: 1, min: -5.0, mean: -5.0, max: -5.0 },
            ]
        );
    }

    proptest! {
        #[test]
        fn every_millisecond_is_in_the_bounds_of_its_bucket(
            length in 1_i64..10_000_000,
            offset in 0_i64..10_000_000,
            buckets in 1_u32..=2000,
        ) {
            let span = SeriesSpan::new(time(0), time(length - 1), buckets).unwrap();
            let at = time(offset % length);
            let (first, last) = span.bounds(span.bucket_of(at).unwrap());
            prop_assert!((first..=last).contains(&at.as_millis()));
            prop_assert_eq!(span.bounds(0).0, time(0).as_millis());
            prop_assert_eq!(span.bounds(span.buckets() - 1).1, span.to().as_millis());
        }
    }
}
