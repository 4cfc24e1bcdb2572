//! `POST /device/data`.

use std::{borrow::Cow, collections::HashMap};

use larder_app::AppError;
use larder_domain::SensorName;
use larder_http::{Json, PackedJson, ProblemDocument};
use larder_storage::ReadingState;
use serde::{Serialize, Serializer};
use utoipa::{
    Number, ToSchema,
    openapi::schema::{Object, Type},
};

use super::{by_name::by_name, caller::Device, metrics::DeviceMetrics, readings::SentReadings};
use crate::{ApiError, ApiState};

/// Readings of one or more devices. Unknown fields are ignored.
#[derive(ToSchema)]
#[schema(as = DeviceData)]
#[allow(dead_code, reason = "describes what the handler reads")]
struct NewReadings {
    #[schema(min_items = 1, max_items = 100)]
    readings: Vec<NewReading>,
}

/// The measurements of a device at one time.
#[derive(ToSchema)]
#[schema(as = NewReading)]
#[allow(dead_code, reason = "describes what the handler reads")]
struct NewReading {
    /// The MAC address in upper case, of a device registered for the household of the API key.
    #[schema(pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$", example = "AA:BB:CC:DD:EE:FF")]
    hardware_id: String,
    /// Milliseconds since 1970, from 2000 to 2100.
    #[schema(minimum = 946_684_800_000_i64, maximum = 4_102_444_800_000_i64)]
    timestamp_ms: i64,
    /// Identifies this reading among all of the household: a second one with the same id is a
    /// duplicate.
    #[schema(pattern = "^[A-Za-z0-9_:.-]{1,256}$")]
    batch_id: String,
    /// A UUID of version 4.
    #[schema(
        pattern = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$"
    )]
    boot_id: String,
    #[schema(
        min_length = 1,
        max_length = 64,
        example = "1.0.16",
        pattern = r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$"
    )]
    firmware_version: String,
    /// At most 64 values by name: 0, or with a magnitude of at least 1e-130.
    #[schema(schema_with = sensor_values)]
    sensors: HashMap<String, f64>,
    /// For at most 64 sensors: `ok` or `error`.
    #[schema(schema_with = sensor_conditions)]
    sensor_status: HashMap<String, SensorCondition>,
}

/// A value, within the range of every engine.
fn sensor_values() -> Object {
    let mut value = Object::with_type(Type::Number);
    (value.minimum, value.maximum) = (Some(Number::Float(-1e125)), Some(Number::Float(1e125)));
    by_name::<SensorName>(value)
}

fn sensor_conditions() -> Object {
    by_name::<SensorName>(<SensorCondition as utoipa::PartialSchema>::schema())
}

/// Whether a sensor works.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes what the handler reads")]
enum SensorCondition {
    Ok,
    Error,
}

/// The result of sending readings.
#[derive(Serialize, ToSchema)]
#[schema(as = DeviceDataReceipt)]
struct Receipt<'a> {
    /// Stored durably; in the order of the request.
    #[schema(value_type = Vec<String>)]
    acknowledged_batch_ids: InState<'a>,
    /// Already stored before; in the order of the request.
    #[schema(value_type = Vec<String>)]
    duplicate_batch_ids: InState<'a>,
}

/// The batch ids of the readings in one state.
struct InState<'a> {
    batch_ids: &'a [Cow<'a, str>],
    states: &'a [ReadingState],
    wanted: ReadingState,
}

impl InState<'_> {
    fn iter(&self) -> impl Iterator<Item = &str> {
        let pairs = self.batch_ids.iter().zip(self.states);
        pairs.filter(|(_, state)| **state == self.wanted).map(|(batch_id, _)| &**batch_id)
    }
}

impl Serialize for InState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'a> Receipt<'a> {
    fn new(batch_ids: &'a [Cow<'a, str>], states: &'a [ReadingState]) -> Self {
        let in_state = |wanted| InState { batch_ids, states, wanted };
        Self {
            acknowledged_batch_ids: in_state(ReadingState::Acknowledged),
            duplicate_batch_ids: in_state(ReadingState::Duplicate),
        }
    }

    fn count(&self, metrics: &DeviceMetrics) {
        metrics.acknowledged.inc_by(number(self.acknowledged_batch_ids.iter().count()));
        metrics.duplicate.inc_by(number(self.duplicate_batch_ids.iter().count()));
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Send readings
///
/// Safe to retry after any failure: stored readings are recognised by their batch id. One invalid
/// reading refuses all of them, and `errors` names each by its index: `readings[3].timestamp_ms`.
#[utoipa::path(
    post,
    path = "/device/data",
    tag = "Telemetry",
    security(("api_key" = [])),
    params(("Content-Encoding" = Option<String>, Header, pattern = "^(gzip|identity)$", description = "`gzip`, if the body is compressed")),
    request_body = NewReadings,
    responses(
        (status = 200, body = Receipt),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `MALFORMED_JSON`, `MALFORMED_GZIP`"),
        (status = 401, body = ProblemDocument, description = "`INVALID_API_KEY`"),
        (status = 403, body = ProblemDocument, description = "`DEVICE_NOT_ALLOWED`: a device is not registered for this household"),
        (status = 413, body = ProblemDocument, description = "`BODY_TOO_LARGE`: over 1 MiB, also after unpacking"),
        (status = 415, body = ProblemDocument, description = "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`; see `Retry-After`"),
        (status = 503, body = ProblemDocument, description = "`UNAVAILABLE`: nothing is claimed; send it again"),
    ),
)]
pub(super) async fn send_readings(
    api: ApiState,
    Device(caller): Device,
    PackedJson(body): PackedJson,
) -> Result<Json, ApiError> {
    let metrics = &api.device_metrics;
    let SentReadings { readings, batch_ids, unknown_fields } =
        SentReadings::parse(&body).map_err(|refused| {
            metrics.refused.inc_by(refused.readings);
            refused.problem
        })?;
    metrics.unknown_fields.inc_by(unknown_fields);
    let states = api.app.ingest(&caller, readings).await.inspect_err(|error| {
        if let AppError::ReadingsNotAllowed(_) = error {
            metrics.refused.inc_by(number(batch_ids.len()));
        }
    })?;
    let receipt = Receipt::new(&batch_ids, &states);
    receipt.count(metrics);
    Ok(Json::of(&receipt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_has_each_batch_id_in_the_order_of_the_request() {
        use ReadingState::{Acknowledged, Duplicate};
        let batch_ids = ["c", "a", "b", "a"].map(Cow::Borrowed);
        let receipt = Receipt::new(&batch_ids, &[Acknowledged, Duplicate, Acknowledged, Duplicate]);
        assert_eq!(
            serde_json::to_string(&receipt).unwrap(),
            r#"{"acknowledged_batch_ids":["c","b"],"duplicate_batch_ids":["a","a"]}"#
        );
        let receipt = Receipt::new(&batch_ids[..1], &[Acknowledged]);
        assert_eq!(
            serde_json::to_string(&receipt).unwrap(),
            r#"{"acknowledged_batch_ids":["c"],"duplicate_batch_ids":[]}"#
        );
    }
}
