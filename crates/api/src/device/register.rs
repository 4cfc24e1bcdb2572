//! `POST /device/register`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_app::DeviceIntroduction;
use larder_domain::{
    BootId, Capabilities, ConfirmationId, FeatureName, FirmwareVersion, FriendlyName, HardwareId,
};
use larder_http::{
    Fields, Json, PackedJson, Problem, ProblemDocument, RequestBody, read, request_body,
};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{
    by_name::{FeatureFlags, FeatureNames},
    caller::Device,
};
use crate::{ApiError, ApiState, values::as_text};

request_body! {
    /// A device's description of itself. Unknown fields are ignored.
    #[schema(as = DeviceRegistration)]
    lenient struct NewDevice {
        /// The MAC address in upper case.
        #[schema(pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$", example = "AA:BB:CC:DD:EE:FF")]
        required hardware_id: HardwareId as String = read::text(str::parse),
        /// A UUID of version 4, new at each start.
        #[schema(format = "uuid")]
        required boot_id: BootId as String = read::text(str::parse),
        #[schema(min_length = 1, max_length = 64, example = "1.0.16")]
        required firmware_version: FirmwareVersion as String = read::text(FirmwareVersion::parse),
        /// The name of the device; absent: the name is unchanged.
        #[schema(min_length = 1, max_length = 100)]
        optional friendly_name: FriendlyName as String = read::text(FriendlyName::parse),
        #[schema(inline)]
        special capabilities: (Capabilities, usize) as DeviceCapabilities = capabilities,
    }
}

request_body! {
    /// The capabilities of a device.
    lenient struct DeviceCapabilities<'a> {
        /// At most 64 names.
        #[schema(inline)]
        optional sensors: &'a RawValue as FeatureNames = Ok,
        /// At most 64, each with whether it is present.
        #[schema(inline)]
        optional features: &'a RawValue as FeatureFlags = Ok,
    }
}

/// A registered device.
#[derive(Serialize, ToSchema)]
struct RegisteredDevice {
    status: &'static str,
    /// The same at every registration.
    #[schema(value_type = String, format = "uuid")]
    confirmation_id: ConfirmationId,
    #[schema(value_type = String)]
    hardware_id: HardwareId,
    /// When it first registered.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = DateTime)]
    registered_at: Timestamp,
}

/// Register a device
///
/// Registers it permanently for the household of the API key. Devices repeat this at every start,
/// which updates their description.
#[utoipa::path(
    post,
    path = "/device/register",
    tag = "Telemetry",
    security(("api_key" = [])),
    params(("Content-Encoding" = Option<String>, Header, pattern = "^(gzip|identity)$", description = "`gzip`, if the body is compressed")),
    request_body = NewDevice,
    responses(
        (status = 200, body = RegisteredDevice),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `MALFORMED_JSON`, `MALFORMED_GZIP`"),
        (status = 401, body = ProblemDocument, description = "`INVALID_API_KEY`"),
        (status = 403, body = ProblemDocument, description = "`DEVICE_NOT_ALLOWED`: the device is somebody else's"),
        (status = 413, body = ProblemDocument, description = "`BODY_TOO_LARGE`: over 1 MiB, also after unpacking"),
        (status = 415, body = ProblemDocument, description = "`UNSUPPORTED_MEDIA_TYPE`, `UNSUPPORTED_ENCODING`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`; see `Retry-After`"),
    ),
)]
pub(super) async fn register_device(
    api: ApiState,
    Device(caller): Device,
    PackedJson(body): PackedJson,
) -> Result<Json, ApiError> {
    let (device, unknown) = introduction(&body)?;
    api.device_metrics.unknown_fields.inc_by(unknown);
    let device = api.app.register_device(&caller, device).await?;
    let answer = RegisteredDevice {
        status: "registered",
        confirmation_id: device.confirmation_id,
        hardware_id: device.hardware_id,
        registered_at: device.first_registered_at,
    };
    Ok(Json::of(&answer))
}

/// The description of the device, and the number of unknown fields.
fn introduction(body: &[u8]) -> Result<(DeviceIntroduction, u64), Problem> {
    let mut fields = Fields::parse(body)?;
    let device = NewDevice::read(&mut fields);
    let unknown = fields.ignore_unknown();
    let NewDevice { hardware_id, boot_id, firmware_version, friendly_name, capabilities } =
        fields.finish(|| device)?;
    let (capabilities, unknown_within) = capabilities;
    let device =
        DeviceIntroduction { hardware_id, boot_id, firmware_version, friendly_name, capabilities };
    Ok((device, u64::try_from(unknown + unknown_within).unwrap_or(u64::MAX)))
}

/// The capabilities of the device, if all are valid, and the number of unknown fields. Errors are
/// reported as errors of a field of the request.
fn capabilities(request: &mut Fields<'_>, name: &'static str) -> Option<(Capabilities, usize)> {
    let object = request.required(name, read::any_object)?;
    let mut fields = Fields::parse(object.get().as_bytes())
        .map_err(|_| request.refuse(name, "must be valid Unicode text"))
        .ok()?;
    let DeviceCapabilities { sensors, features } = RequestBody::read(&mut fields)?;
    let sensors = match sensors {
        Some(value) => read::list(Capabilities::MAX, || read::text(FeatureName::parse))(value)
            .map_err(|refusal| request.refuse("capabilities.sensors", refusal))
            .ok(),
        None => Some(Vec::new()),
    };
    let features = match features {
        Some(value) => read::map(Capabilities::MAX, FeatureName::parse, read::boolean)(value)
            .map_err(|refusal| request.refuse("capabilities.features", refusal))
            .ok(),
        None => Some(BTreeMap::new()),
    };
    let capabilities = Capabilities::new(sensors?, features?)
        .map_err(|error| request.refuse(name, error.to_string()))
        .ok()?;
    Some((capabilities, fields.ignore_unknown()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn device() -> Value {
        json!({
            "hardware_id": "AA:BB:CC:DD:EE:FF",
            "boot_id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
            "firmware_version": "1.0.16",
            "friendly_name": "greenhouse-sensor-01",
            "capabilities": {
                "sensors": ["bme280", "ds18b20"],
                "features": { "tft_display": true, "offline_buffering": false },
            },
        })
    }

    fn refused(field: &str, value: Value) -> Vec<(String, String)> {
        let mut device = device();
        device[field] = value;
        let problem = introduction(device.to_string().as_bytes()).unwrap_err();
        assert_eq!((problem.status().as_u16(), problem.code()), (400, "INVALID_FIELDS"));
        let error = |error: &larder_http::FieldError| {
            (error.field.clone().into_owned(), error.message.clone().into_owned())
        };
        problem.errors().iter().map(error).collect()
    }

    #[test]
    fn everything_that_is_said_is_read() {
        let (device, unknown) = introduction(device().to_string().as_bytes()).unwrap();
        assert_eq!(device.hardware_id.to_string(), "AA:BB:CC:DD:EE:FF");
        assert_eq!(device.boot_id.to_string(), "7c9e6679-7425-40de-944b-e07fc1f90ae7");
        assert_eq!(device.firmware_version.as_str(), "1.0.16");
        assert_eq!(device.friendly_name.unwrap().as_str(), "greenhouse-sensor-01");
        let sensors: Vec<_> =
            device.capabilities.sensors().iter().map(FeatureName::as_str).collect();
        assert_eq!(sensors, ["bme280", "ds18b20"]);
        let features: Vec<_> = device
            .capabilities
            .features()
            .iter()
            .map(|(name, has)| (name.as_str(), *has))
            .collect();
        assert_eq!(features, [("offline_buffering", false), ("tft_display", true)]);
        assert_eq!(unknown, 0);
    }

    #[test]
    fn unknown_fields_are_ignored_and_counted_at_both_levels() {
        let mut device = device();
        device["rssi_dbm"] = json!(-60);
        device["capabilities"]["actuators"] = json!(["pump"]);
        let (device, unknown) = introduction(device.to_string().as_bytes()).unwrap();
        assert_eq!(unknown, 2);
        assert_eq!(device.capabilities.sensors().len(), 2);
    }

    #[test]
    fn a_device_may_have_no_sensors_and_no_features() {
        let mut device = device();
        device["capabilities"] = json!({});
        device["friendly_name"] = Value::Null;
        let (device, _) = introduction(device.to_string().as_bytes()).unwrap();
        assert_eq!(device.capabilities, Capabilities::default());
        assert_eq!(device.friendly_name, None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let one = |field: &str, message: &str| vec![(field.to_owned(), message.to_owned())];
        assert_eq!(refused("boot_id", Value::Null), one("boot_id", "must not be null"));
        assert_eq!(refused("capabilities", json!([])), one("capabilities", "must be an object"));
        assert_eq!(
            refused("capabilities", json!({ "sensors": "bme280" })),
            one("capabilities.sensors", "must be a list")
        );
        assert_eq!(
            refused("capabilities", json!({ "sensors": ["bme280", 7] })),
            one("capabilities.sensors", "element 1 must be a text")
        );
        assert_eq!(
            refused("capabilities", json!({ "features": { "tft_display": 1 } })),
            one("capabilities.features", "tft_display must be true or false")
        );
        assert_eq!(
            refused("capabilities", json!({ "sensors": vec!["x"; 65] })),
            one("capabilities.sensors", "must have at most 64 elements")
        );
    }
}
