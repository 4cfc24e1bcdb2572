//! A chart for every value of a device: geometry with labels.

use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp, Zoned, tz::TimeZone};
use larder_app::{AppError, FleetCaller};
use larder_domain::{Bucket, HardwareId, Language, SensorName};

use super::{
    chart::{Mark, Shape, Tick, TimeAxis, ValueAxis},
    measure::{Measure, number},
    span::ChartSpan,
};
use crate::{Web, Words, address};

/// The parameters of charts.
pub(super) struct Charting<'a> {
    pub(super) web: &'a Web,
    pub(super) words: &'static Words,
    pub(super) caller: &'a FleetCaller,
    pub(super) device: HardwareId,
    pub(super) span: ChartSpan,
    pub(super) zone: &'a TimeZone,
}

/// A chart for its template.
pub(super) struct ChartView {
    pub(super) id: String,
    pub(super) title: String,
    /// The same with the unit, as a heading of bare numbers.
    pub(super) heading: String,
    /// `None`: no values in this span.
    pub(super) drawing: Option<Drawing>,
}

/// The drawing of a chart.
pub(super) struct Drawing {
    /// A summary of the chart in a sentence.
    pub(super) summary: String,
    pub(super) band: String,
    pub(super) line: String,
    pub(super) values: Vec<Tick>,
    pub(super) times: Vec<Tick>,
    pub(super) marks: Vec<MarkView>,
}

/// One bucket: its position and values.
pub(super) struct MarkView {
    pub(super) mark: Mark,
    /// The values in a sentence.
    pub(super) text: String,
    pub(super) when: String,
    pub(super) low: String,
    pub(super) mean: String,
    pub(super) high: String,
}

impl Charting<'_> {
    pub(super) async fn charts(&self, sensors: &[SensorName]) -> Result<Vec<ChartView>, AppError> {
        try_join_all(sensors.iter().map(|sensor| self.chart(sensor))).await
    }

    async fn chart(&self, sensor: &SensorName) -> Result<ChartView, AppError> {
        let series = self.span.series;
        let buckets = self.web.app.reading_series(self.caller, self.device, sensor, series).await?;
        let measure = Measure::of(sensor.as_str());
        Ok(ChartView {
            id: address::escape(sensor.as_str()),
            title: measure.label(self.words),
            heading: measure.heading(self.words),
            drawing: self.drawing(&measure, &buckets),
        })
    }

    fn drawing(&self, measure: &Measure<'_>, buckets: &[Bucket]) -> Option<Drawing> {
        let low = buckets.iter().map(|bucket| bucket.min).reduce(f64::min)?;
        let high = buckets.iter().map(|bucket| bucket.max).reduce(f64::max)?;
        let values = ValueAxis::around(low, high);
        let times =
            TimeAxis { span: self.span.series, zone: self.zone, language: self.words.language };
        let Shape { band, line, marks } = Shape::of(buckets, self.span.series.buckets(), &values);
        let marks = marks.into_iter().zip(buckets);
        Some(Drawing {
            summary: self.summary(measure, low, mean_of(buckets), high),
            band,
            line,
            values: values.ticks(),
            times: times.ticks(),
            marks: marks.map(|(mark, bucket)| self.mark(measure, mark, bucket)).collect(),
        })
    }

    fn summary(&self, measure: &Measure<'_>, low: f64, mean: f64, high: f64) -> String {
        let values = [("low", low), ("mean", mean), ("high", high)];
        let values = values.map(|(name, value)| (name, measure.value(value).into()));
        self.words.with("sensors-chart-summary", &values)
    }

    fn mark(&self, measure: &Measure<'_>, mark: Mark, bucket: &Bucket) -> MarkView {
        let when = self.when(bucket);
        let text = if bucket.min.total_cmp(&bucket.max).is_eq() {
            let values = [("when", (&*when).into()), ("value", measure.value(bucket.mean).into())];
            self.words.with("sensors-bucket-one", &values)
        } else {
            let values = [
                ("when", (&*when).into()),
                ("low", number(bucket.min).into()),
                ("high", measure.value(bucket.max).into()),
                ("mean", measure.value(bucket.mean).into()),
            ];
            self.words.with("sensors-bucket", &values)
        };
        let [low, mean, high] = [bucket.min, bucket.mean, bucket.max].map(number);
        MarkView { mark, text, when, low, mean, high }
    }

    /// The time of a bucket: part of a day, a day, or several days.
    fn when(&self, bucket: &Bucket) -> String {
        let (first, last) = self.span.series.bounds(bucket.number);
        let (Some(first), Some(last)) = (self.at(first), self.at(last)) else {
            return String::new();
        };
        let day = match self.words.language {
            Language::English => "%-d %b",
            Language::Japanese => "%-m月%-d日",
        };
        let begin = first.strftime(day);
        if self.span.bucket < SignedDuration::from_hours(24) {
            // A bucket ends a millisecond before the next one starts.
            let end = last.saturating_add(SignedDuration::from_millis(1));
            format!("{begin} {}–{}", first.strftime("%H:%M"), end.strftime("%H:%M"))
        } else if first.date() == last.date() {
            begin.to_string()
        } else {
            format!("{begin} – {}", last.strftime(day))
        }
    }

    fn at(&self, ms: i64) -> Option<Zoned> {
        Timestamp::from_millisecond(ms).ok().map(|at| at.to_zoned(self.zone.clone()))
    }
}

/// The mean of all values: buckets are weighted by their count.
fn mean_of(buckets: &[Bucket]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "nobody sends 2^53 readings")]
    let weighed = buckets.iter().map(|bucket| (bucket.mean, bucket.count as f64));
    let (sum, count) =
        weighed.fold((0.0, 0.0), |(sum, all), (mean, count)| (sum + mean * count, all + count));
    sum / count
}
