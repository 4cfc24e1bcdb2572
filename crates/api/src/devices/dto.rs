//! Devices and readings as the API shows them: with the fields of the fixed schemas.

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_app::FleetCaller;
use larder_domain::{
    BootId, Capabilities, ConfirmationId, Device, FeatureName, FriendlyName, HardwareId, PerSensor,
    Reading, SensorStatus, SensorValue,
};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::values::{Whose, as_text};

/// A device.
#[derive(Serialize, ToSchema)]
#[schema(as = Device)]
pub(crate) struct DeviceDto<'a> {
    /// Its MAC address.
    #[schema(value_type = String, pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$")]
    hardware_id: HardwareId,
    /// As returned at its first registration.
    #[schema(value_type = String, format = "uuid")]
    confirmation_id: ConfirmationId,
    /// The household's name for it.
    #[schema(max_length = 100)]
    friendly_name: Option<&'a str>,
    firmware_version: &'a str,
    capabilities: CapabilitiesDto<'a>,
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = DateTime)]
    first_registered_at: Timestamp,
    /// When it last registered or sent readings, to within a minute.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = DateTime)]
    last_seen_at: Timestamp,
    #[schema(value_type = String, format = "uuid")]
    last_boot_id: BootId,
    /// The household that owns it. Only shown to the operator; null for the operator's own devices.
    #[serde(skip_serializing_if = "Whose::is_untold")]
    #[schema(value_type = Option<String>, format = "uuid", required = false)]
    family_id: Whose,
}

impl<'a> DeviceDto<'a> {
    /// The device as shown to this caller.
    pub(crate) fn of(device: &'a Device, caller: &FleetCaller) -> Self {
        Self {
            hardware_id: device.hardware_id,
            confirmation_id: device.confirmation_id,
            friendly_name: device.friendly_name.as_ref().map(FriendlyName::as_str),
            firmware_version: device.firmware_version.as_str(),
            capabilities: CapabilitiesDto::of(&device.capabilities),
            first_registered_at: device.first_registered_at,
            last_seen_at: device.last_seen_at,
            last_boot_id: device.last_boot_id,
            family_id: Whose::told_to(caller, device.household),
        }
    }
}

/// The capabilities of a device, according to itself.
#[derive(Serialize, ToSchema)]
#[schema(as = Capabilities)]
struct CapabilitiesDto<'a> {
    sensors: Vec<&'a str>,
    features: BTreeMap<&'a str, bool>,
}

impl<'a> CapabilitiesDto<'a> {
    fn of(capabilities: &'a Capabilities) -> Self {
        let features = capabilities.features().iter();
        Self {
            sensors: capabilities.sensors().iter().map(FeatureName::as_str).collect(),
            features: features.map(|(name, has)| (name.as_str(), *has)).collect(),
        }
    }
}

/// The measurements of a device at one time.
#[derive(Serialize, ToSchema)]
#[schema(as = Reading)]
pub(super) struct ReadingDto<'a> {
    #[schema(value_type = String, pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$")]
    hardware_id: HardwareId,
    /// The time of measurement, in milliseconds since 1970.
    timestamp_ms: i64,
    /// The device's id of this reading.
    batch_id: &'a str,
    #[schema(value_type = String, format = "uuid")]
    boot_id: BootId,
    firmware_version: &'a str,
    /// The name of the device when the reading was received.
    friendly_name: Option<&'a str>,
    /// The values by name.
    #[serde(serialize_with = "as_values")]
    #[schema(value_type = BTreeMap<String, f64>)]
    sensors: &'a PerSensor<SensorValue>,
    /// `ok` or `error` for each sensor.
    #[serde(serialize_with = "as_states")]
    #[schema(value_type = BTreeMap<String, String>)]
    sensor_status: &'a PerSensor<SensorStatus>,
    /// When it expires, in seconds since 1970.
    expiration_time: i64,
}

impl<'a> ReadingDto<'a> {
    pub(super) fn of(reading: &'a Reading) -> Self {
        Self {
            hardware_id: reading.hardware_id,
            timestamp_ms: reading.time.as_millis(),
            batch_id: reading.batch_id.as_str(),
            boot_id: reading.boot_id,
            firmware_version: reading.firmware_version.as_str(),
            friendly_name: reading.friendly_name.as_ref().map(FriendlyName::as_str),
            sensors: &reading.sensors,
            sensor_status: &reading.sensor_status,
            expiration_time: reading.expires_at_s,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
fn as_values<S: Serializer>(
    sensors: &&PerSensor<SensorValue>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(sensors.iter().map(|(name, value)| (name.as_str(), value.get())))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
fn as_states<S: Serializer>(
    states: &&PerSensor<SensorStatus>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(states.iter().map(|(name, state)| (name.as_str(), state.as_str())))
}
