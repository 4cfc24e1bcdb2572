//! `GET /devices/{hardware_id}/series`: the values of one sensor, aggregated for a chart.

use jiff::Timestamp;
use larder_domain::{Bucket, HardwareId, ReadingTime, SensorName, SeriesSpan};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::times::Span;
use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ReadDevices};

/// As many as fit in a chart in a browser window.
const USUAL_BUCKETS: u32 = 200;

/// The default span is a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The values of one sensor of a device.
#[derive(Serialize, ToSchema)]
struct Series<'a> {
    #[schema(value_type = String)]
    hardware_id: HardwareId,
    sensor: &'a str,
    /// The first millisecond since 1970.
    from: i64,
    /// The last millisecond since 1970.
    to: i64,
    /// Those with values, oldest first.
    buckets: Vec<BucketDto>,
}

/// The values of one part of the span.
#[derive(Serialize, ToSchema)]
#[schema(as = Bucket)]
struct BucketDto {
    /// Its first millisecond.
    from: i64,
    /// Its last millisecond.
    to: i64,
    min: f64,
    avg: f64,
    max: f64,
    /// The number of values.
    count: u64,
}

impl BucketDto {
    fn of(bucket: &Bucket, span: SeriesSpan) -> Self {
        let (from, to) = span.bounds(bucket.number);
        let Bucket { min, mean, max, count, .. } = *bucket;
        Self { from, to, min, avg: mean, max, count }
    }
}

/// The span and its buckets; by default the last day before `to`, which is now by default. `None`
/// means that an error was recorded.
fn read_span(params: &mut Params, now: Timestamp) -> Option<SeriesSpan> {
    let now = ReadingTime::from_millis(now.as_millisecond()).unwrap_or(ReadingTime::MAX);
    let Span { from, to } = Span::read(params, now, |to| {
        ReadingTime::from_millis(to.as_millis() - DAY_MS).unwrap_or(ReadingTime::MIN)
    });
    let buckets = params.integer("buckets", 1..=i64::from(SeriesSpan::MAX_BUCKETS));
    let buckets = buckets.map_or(Ok(USUAL_BUCKETS), u32::try_from).ok()?;
    SeriesSpan::new(from, to, buckets).ok()
}

/// Read the values of one sensor, for a chart
///
/// The span is divided into buckets of equal length; empty ones are omitted.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/series",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(
        ("hardware_id" = String, Path, description = "Its MAC address"),
        ("sensor" = String, Query, min_length = 1, max_length = 64, pattern = r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$", description = "The name of a value, such as `humidity_pct`"),
        ("from" = Option<i64>, Query, maximum = 4_102_444_800_000_i64, description = "The first millisecond since 1970, included; by default a day before `to`"),
        ("to" = Option<i64>, Query, minimum = 946_684_800_000_i64, description = "The last millisecond since 1970, included; by default now"),
        ("buckets" = Option<u32>, Query, minimum = 1, maximum = 2000, description = "1 to 2000, default 200"),
    ),
    responses(
        (status = 200, body = Series),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn reading_series(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    PathId(device): PathId<HardwareId>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let sensor = params.required("sensor", SensorName::parse);
    let span = read_span(&mut params, api.app.now());
    let (sensor, span) = params.finish(|| Some((sensor?, span?)))?;
    let buckets = api.app.reading_series(&caller, device, &sensor, span).await?;
    let series = Series {
        hardware_id: device,
        sensor: sensor.as_str(),
        from: span.from().as_millis(),
        to: span.to().as_millis(),
        buckets: buckets.iter().map(|bucket| BucketDto::of(bucket, span)).collect(),
    };
    Ok(Json::of(&series))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_700_000_000_000;

    fn read(query: &str) -> Result<(i64, i64, u32), Vec<String>> {
        let mut params = Params::parse(Some(query)).unwrap();
        let span = read_span(&mut params, Timestamp::from_millisecond(NOW_MS).unwrap());
        let span = params.finish(|| span).map_err(|problem| -> Vec<String> {
            problem.errors().iter().map(|error| error.field.to_string()).collect()
        })?;
        Ok((span.from().as_millis(), span.to().as_millis(), span.buckets()))
    }

    #[test]
    fn the_last_day_is_shown_unless_something_else_is_asked_for() {
        assert_eq!(read(""), Ok((NOW_MS - DAY_MS, NOW_MS, 200)));
        let to = NOW_MS - 5 * DAY_MS;
        assert_eq!(read(&format!("to={to}&buckets=7")), Ok((to - DAY_MS, to, 7)));
        assert_eq!(read(&format!("from={to}")), Ok((to, NOW_MS, 200)));
        assert_eq!(
            read(&format!("from=0&to={to}&buckets=2000")),
            Ok((ReadingTime::MIN.as_millis(), to, 2000))
        );
    }

    #[test]
    fn what_cannot_be_cut_is_refused_once_by_the_field() {
        let later = NOW_MS + 1;
        assert_eq!(read(&format!("from={later}")), Err(vec!["from".into()]));
        assert_eq!(read(&format!("from={later}&to={NOW_MS}")), Err(vec!["from".into()]));
        for buckets in ["0", "2001", "many"] {
            assert_eq!(read(&format!("buckets={buckets}")), Err(vec!["buckets".into()]));
        }
    }
}
