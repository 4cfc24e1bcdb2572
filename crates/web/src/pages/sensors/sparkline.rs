//! The last day of one value as a sparkline.

use larder_app::{AppError, FleetCaller};
use larder_domain::{HardwareId, Reading, SensorName, SeriesSpan};

use super::{
    chart::{Shape, ValueAxis},
    measure::Measure,
    span::ChartSpan,
};
use crate::{Frame, Web};

/// Half hours: a line of this width shows no more.
const BUCKETS: u32 = 48;

pub(super) struct Sparkline {
    pub(super) line: String,
    /// The extremes.
    pub(super) low: String,
    pub(super) high: String,
    /// A description for screen readers.
    pub(super) text: String,
}

/// The line of the most interesting value of a reading; `None` without values in the last day.
pub(super) async fn sparkline(
    web: &Web,
    frame: &Frame,
    caller: &FleetCaller,
    reading: &Reading,
    day: &ChartSpan,
) -> Result<Option<Sparkline>, AppError> {
    let Some(sensor) = first_of_interest(reading) else { return Ok(None) };
    let Ok(span) = SeriesSpan::new(day.series.from(), day.series.to(), BUCKETS) else {
        return Ok(None);
    };
    line_of(web, frame, caller, (reading.hardware_id, sensor), span).await
}

async fn line_of(
    web: &Web,
    frame: &Frame,
    caller: &FleetCaller,
    (device, sensor): (HardwareId, &SensorName),
    span: SeriesSpan,
) -> Result<Option<Sparkline>, AppError> {
    let buckets = web.app.reading_series(caller, device, sensor, span).await?;
    let low = buckets.iter().map(|bucket| bucket.min).reduce(f64::min);
    let high = buckets.iter().map(|bucket| bucket.max).reduce(f64::max);
    let (Some(low), Some(high)) = (low, high) else { return Ok(None) };
    let shape = Shape::of(&buckets, span.buckets(), &ValueAxis::around(low, high));
    let measure = Measure::of(sensor.as_str());
    let (low, high) = (measure.brief(low), measure.brief(high));
    let text = frame.words.with(
        "sensors-last-day",
        &[
            ("what", measure.label(frame.words).into()),
            ("low", (&*low).into()),
            ("high", (&*high).into()),
        ],
    );
    Ok(Some(Sparkline { line: shape.line, low, high, text }))
}

/// A temperature if there is one.
fn first_of_interest(reading: &Reading) -> Option<&SensorName> {
    let names = || reading.sensors.iter().map(|(name, _)| name);
    let temperature = names().find(|name| Measure::of(name.as_str()).is_temperature());
    temperature.or_else(|| names().next())
}
