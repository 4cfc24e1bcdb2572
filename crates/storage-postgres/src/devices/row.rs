//! Rows of `devices` as devices.

use std::{collections::BTreeMap, fmt::Display};

use larder_domain::{
    BootId, Capabilities, ConfirmationId, Device, FeatureName, FirmwareVersion, FriendlyName,
};
use larder_storage::Result;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ids::domain_id, items::misfit, types::Instant};

/// A row, with its capabilities as text.
#[derive(Debug, Clone)]
pub(crate) struct DeviceRow {
    pub(crate) hardware_id: String,
    pub(crate) household_id: Option<Uuid>,
    pub(crate) confirmation_id: Uuid,
    pub(crate) capabilities: String,
    pub(crate) first_registered_at: Instant,
    pub(crate) last_seen_at: Instant,
    pub(crate) last_boot_id: Uuid,
    pub(crate) firmware_version: String,
    pub(crate) friendly_name: Option<String>,
    pub(crate) is_named_by_person: bool,
}

/// `query_as!` with the columns of a [`DeviceRow`] between two pieces of SQL; the table is `d`.
macro_rules! query_devices {
    ($before:literal, $after:literal $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $crate::devices::row::DeviceRow,
            $before
                + r#" d.hardware_id AS "hardware_id!", d.household_id AS "household_id?",
                d.confirmation_id AS "confirmation_id!", d.capabilities::text AS "capabilities!",
                d.first_registered_at AS "first_registered_at!: crate::types::Instant",
                d.last_seen_at AS "last_seen_at!: crate::types::Instant",
                d.last_boot_id AS "last_boot_id!", d.firmware_version AS "firmware_version!",
                d.friendly_name AS "friendly_name?", d.is_named_by_person AS "is_named_by_person!" "#
                + $after
            $(, $argument)*
        )
    };
}

pub(crate) use query_devices;

impl DeviceRow {
    pub(crate) fn into_device(self) -> Result<Device> {
        let record = format!("devices {}", self.hardware_id);
        let misfit = |column: &str, reason: &dyn Display| misfit(&record, column, reason);
        let name = self.friendly_name.as_deref().map(FriendlyName::parse_stored).transpose();
        Ok(Device {
            hardware_id: self.hardware_id.parse().map_err(|e| misfit("hardware_id", &e))?,
            household: self.household_id.map(domain_id),
            confirmation_id: ConfirmationId::from_bytes(self.confirmation_id.into_bytes())
                .map_err(|e| misfit("confirmation_id", &e))?,
            capabilities: capabilities_of(&self.capabilities)
                .map_err(|e| misfit("capabilities", &e))?,
            first_registered_at: self.first_registered_at.0,
            last_seen_at: self.last_seen_at.0,
            last_boot_id: BootId::from_bytes(self.last_boot_id.into_bytes())
                .map_err(|e| misfit("last_boot_id", &e))?,
            firmware_version: FirmwareVersion::parse(&self.firmware_version)
                .map_err(|e| misfit("firmware_version", &e))?,
            friendly_name: name.map_err(|e| misfit("friendly_name", &e))?,
            is_named_by_person: self.is_named_by_person,
        })
    }
}

/// A device's capabilities, as JSON.
#[derive(Serialize, Deserialize)]
struct CapabilitiesJson {
    sensors: Vec<String>,
    features: BTreeMap<String, bool>,
}

pub(super) fn capabilities_text(capabilities: &Capabilities) -> String {
    let features = capabilities.features().iter();
    let json = CapabilitiesJson {
        sensors: capabilities.sensors().iter().map(ToString::to_string).collect(),
        features: features.map(|(name, has)| (name.to_string(), *has)).collect(),
    };
    serde_json::to_string(&json).expect("texts and booleans are JSON")
}

fn capabilities_of(text: &str) -> Result<Capabilities, String> {
    let json: CapabilitiesJson = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let name = |text: &String| FeatureName::parse(text).map_err(|e| e.to_string());
    let sensors = json.sensors.iter().map(name).collect::<Result<_, _>>()?;
    let features = json.features.iter().map(|(feature, has)| Ok((name(feature)?, *has)));
    let features = features.collect::<Result<_, String>>()?;
    Capabilities::new(sensors, features).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_device_can_do_comes_back_in_its_own_order() {
        let name = |text| FeatureName::parse(text).unwrap();
        let capabilities = Capabilities::new(
            vec![name("soil"), name("bme280"), name("soil")],
            BTreeMap::from([(name("display \"x\""), true), (name("buffer"), false)]),
        )
        .unwrap();
        let text = capabilities_text(&capabilities);
        assert_eq!(capabilities_of(&text), Ok(capabilities));
        assert!(capabilities_of("{\"sensors\": [\"\"], \"features\": {}}").is_err());
    }
}
