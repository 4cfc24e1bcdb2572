//! Records of `devices`: seed 002, to the letter, plus the owner.

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_domain::{
    BootId, Capabilities, Device, FeatureName, FirmwareVersion, FriendlyName, HardwareId,
};
use larder_storage::{Registration, Result};

use crate::{
    Change, Condition, Key, Record, Value,
    layout::{
        fields::{Fields, second_text},
        fleet::FAMILY_ID,
    },
};

/// The partition of all devices in the index.
pub(crate) const ALL: &str = "devices";

const LAST_SEEN_AT: &str = "last_seen_at";
const FRIENDLY_NAME: &str = "friendly_name";
/// Beside the seed's attributes: present if a person has given the name.
const NAMED_BY_PERSON: &str = "named_by_person";

/// Present when the device is being erased: nobody sees it, and it is nobody's.
pub(crate) const CLOSED: &str = "closed";

pub(crate) fn to_record(device: &Device) -> Record {
    Record::new()
        .with("hardware_id", device.hardware_id.to_string())
        .with("confirmation_id", device.confirmation_id.to_string())
        .with("capabilities", capabilities_value(&device.capabilities))
        .with("first_registered_at", second_text(device.first_registered_at))
        .with(LAST_SEEN_AT, second_text(device.last_seen_at))
        .with("last_boot_id", device.last_boot_id.to_string())
        .with("firmware_version", device.firmware_version.as_str())
        .with_some(FRIENDLY_NAME, device.friendly_name.as_ref().map(FriendlyName::as_str))
        .with_some(NAMED_BY_PERSON, device.is_named_by_person.then_some(true))
        .with_some(FAMILY_ID, device.household.map(|household| household.to_string()))
        .with("gsi1pk", ALL)
        .with("gsi1sk", second_text(device.last_seen_at))
}

pub(crate) fn from_record(record: &Record) -> Result<Device> {
    let fields = Fields(record);
    Ok(Device {
        hardware_id: fields.id("hardware_id")?,
        household: fields.optional_id(FAMILY_ID)?,
        confirmation_id: fields.id("confirmation_id")?,
        capabilities: capabilities(record)?,
        first_registered_at: fields.time("first_registered_at")?,
        last_seen_at: fields.time(LAST_SEEN_AT)?,
        last_boot_id: fields.id("last_boot_id")?,
        firmware_version: fields.parse("firmware_version", FirmwareVersion::parse)?,
        friendly_name: fields.parse_optional(FRIENDLY_NAME, FriendlyName::parse_stored)?,
        is_named_by_person: record.get(NAMED_BY_PERSON).is_some(),
    })
}

/// The device, unless it is being erased.
pub(crate) fn open_from_record(record: &Record) -> Result<Option<Device>> {
    if is_closed(record) { Ok(None) } else { from_record(record).map(Some) }
}

pub(crate) fn is_closed(record: &Record) -> bool {
    record.get(CLOSED).is_some()
}

pub(crate) fn has_been_closed() -> Condition {
    Condition::Equals(CLOSED.into(), true.into())
}

pub(crate) fn is_not_closed() -> Condition {
    Condition::Absent(CLOSED.into())
}

pub(crate) fn key(device: HardwareId) -> Key {
    Key::new(device.to_string(), "")
}

/// The changes by a registration of an existing device.
pub(crate) fn registered_again(
    registration: &Registration,
    name: Option<&FriendlyName>,
) -> Vec<Change> {
    let capabilities = capabilities_value(&registration.capabilities);
    let mut changes = vec![Change::Set("capabilities".into(), capabilities)];
    changes.extend(running(registration.boot_id, &registration.firmware_version));
    changes.extend(seen(registration.at));
    changes.extend(name.map(|name| Change::Set(FRIENDLY_NAME.into(), name.as_str().into())));
    changes
}

/// The changes by a run of the firmware.
pub(crate) fn running(boot: BootId, firmware: &FirmwareVersion) -> [Change; 2] {
    [
        Change::Set("last_boot_id".into(), boot.to_string().into()),
        Change::Set("firmware_version".into(), firmware.as_str().into()),
    ]
}

/// The changes by activity.
pub(crate) fn seen(at: Timestamp) -> [Change; 2] {
    [LAST_SEEN_AT, "gsi1sk"].map(|name| Change::Set(name.into(), second_text(at).into()))
}

/// That no activity was noted since.
pub(crate) fn was_last_seen(at: Timestamp) -> Condition {
    Condition::Equals(LAST_SEEN_AT.into(), second_text(at).into())
}

/// That no person has named it.
pub(crate) fn names_itself() -> Condition {
    Condition::Absent(NAMED_BY_PERSON.into())
}

/// The changes by a person who names a device, or removes its name.
pub(crate) fn renamed(name: Option<&FriendlyName>) -> [Change; 2] {
    match name {
        Some(name) => [
            Change::Set(FRIENDLY_NAME.into(), name.as_str().into()),
            Change::Set(NAMED_BY_PERSON.into(), true.into()),
        ],
        None => [FRIENDLY_NAME, NAMED_BY_PERSON].map(|name| Change::Remove(name.into())),
    }
}

fn capabilities_value(capabilities: &Capabilities) -> Value {
    let sensors = capabilities.sensors().iter().map(|sensor| sensor.as_str().into()).collect();
    let features = capabilities
        .features()
        .iter()
        .fold(Record::new(), |features, (name, has)| features.with(name.as_str().to_owned(), *has));
    let map = Record::new().with("sensors", Value::L(sensors)).with("features", Value::M(features));
    Value::M(map)
}

fn capabilities(record: &Record) -> Result<Capabilities> {
    let map = Fields(record).map("capabilities")?;
    let misfit = |part: &str| record.misfit(format!("capabilities: {part} have a wrong entry"));
    let sensors = match map.get("sensors") {
        None => Some(Vec::new()),
        Some(Value::L(sensors)) => sensors.iter().map(sensor).collect(),
        Some(_) => None,
    };
    let features = match map.get("features") {
        None => Some(BTreeMap::new()),
        Some(Value::M(features)) => features.iter().map(feature).collect(),
        Some(_) => None,
    };
    let sensors = sensors.ok_or_else(|| misfit("sensors"))?;
    let features = features.ok_or_else(|| misfit("features"))?;
    Capabilities::new(sensors, features)
        .map_err(|error| record.misfit(format!("capabilities {error}")))
}

fn sensor(value: &Value) -> Option<FeatureName> {
    let Value::S(name) = value else { return None };
    FeatureName::parse(name).ok()
}

fn feature((name, value): (&str, &Value)) -> Option<(FeatureName, bool)> {
    let Value::Bool(has) = value else { return None };
    Some((FeatureName::parse(name).ok()?, *has))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

    fn name(text: &str) -> FeatureName {
        FeatureName::parse(text).unwrap()
    }

    fn greenhouse() -> Device {
        let sensors = ["bme280", "ds18b20", "soil_moisture"].map(name);
        let features = ["tft_display", "offline_buffering"].map(|feature| (name(feature), true));
        Device {
            hardware_id: "AA:BB:CC:DD:EE:FF".parse().unwrap(),
            household: None,
            confirmation_id: "550e8400-e29b-41d4-a716-446655440000".parse().unwrap(),
            capabilities: Capabilities::new(sensors.into(), features.into()).unwrap(),
            first_registered_at: "2024-01-15T10:30:00Z".parse().unwrap(),
            last_seen_at: "2024-01-15T14:22:00Z".parse().unwrap(),
            last_boot_id: "7c9e6679-7425-40de-944b-e07fc1f90ae7".parse().unwrap(),
            firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
            friendly_name: Some(FriendlyName::parse("greenhouse-sensor-01").unwrap()),
            is_named_by_person: false,
        }
    }

    /// Seed 002's examples of each attribute, as one record.
    fn example() -> Record {
        let sensors = ["bme280", "ds18b20", "soil_moisture"].map(Value::from);
        let features = Record::new().with("tft_display", true).with("offline_buffering", true);
        let capabilities = Record::new()
            .with("sensors", Value::L(sensors.into()))
            .with("features", Value::M(features));
        Record::new()
            .with("hardware_id", "AA:BB:CC:DD:EE:FF")
            .with("confirmation_id", "550e8400-e29b-41d4-a716-446655440000")
            .with("friendly_name", "greenhouse-sensor-01")
            .with("firmware_version", "1.0.16")
            .with("capabilities", Value::M(capabilities))
            .with("first_registered_at", "2024-01-15T10:30:00Z")
            .with("last_seen_at", "2024-01-15T14:22:00Z")
            .with("last_boot_id", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
            .with("gsi1pk", "devices")
            .with("gsi1sk", "2024-01-15T14:22:00Z")
    }

    #[test]
    fn a_device_is_seed_002s_example_field_for_field() {
        assert_eq!(to_record(&greenhouse()), example());
        assert_eq!(from_record(&example()).unwrap(), greenhouse());
    }

    #[test]
    fn a_household_is_named_and_a_name_that_nobody_gave_is_absent() {
        let household = Some(FAMILY.parse().unwrap());
        let device = Device { household, friendly_name: None, ..greenhouse() };
        let mut expected = example().with("family_id", FAMILY);
        expected.remove("friendly_name");
        assert_eq!(to_record(&device), expected);
        assert_eq!(from_record(&expected).unwrap(), device);
    }

    #[test]
    fn a_second_registration_leaves_what_was_fixed_at_the_first() {
        let mut registration = Registration {
            hardware_id: greenhouse().hardware_id,
            boot_id: "550e8400-e29b-41d4-a716-446655440000".parse().unwrap(),
            firmware_version: FirmwareVersion::parse("1.0.17").unwrap(),
            friendly_name: None,
            capabilities: Capabilities::default(),
            confirmation_id: "7c9e6679-7425-40de-944b-e07fc1f90ae7".parse().unwrap(),
            at: "2024-01-16T00:00:00.9Z".parse().unwrap(),
        };
        let expected = Device {
            last_boot_id: registration.boot_id,
            firmware_version: registration.firmware_version.clone(),
            capabilities: Capabilities::default(),
            last_seen_at: "2024-01-16T00:00:00Z".parse().unwrap(),
            ..greenhouse()
        };
        let changed = |registration: &Registration| {
            let mut record = example();
            let changes = registered_again(registration, registration.friendly_name.as_ref());
            changes.iter().try_for_each(|change| change.apply(&mut record)).unwrap();
            record
        };
        assert_eq!(changed(&registration), to_record(&expected));

        let friendly_name = FriendlyName::parse("cellar").ok();
        registration.friendly_name.clone_from(&friendly_name);
        assert_eq!(changed(&registration), to_record(&Device { friendly_name, ..expected }));
    }

    #[test]
    fn a_name_by_a_person_is_marked_until_it_is_removed() {
        let mut record = example();
        let name = FriendlyName::parse("Greenhouse").unwrap();
        let mut rename = |name: Option<&FriendlyName>| {
            renamed(name).iter().try_for_each(|change| change.apply(&mut record)).unwrap();
            record.clone()
        };
        let named = rename(Some(&name));
        assert_eq!(named.get("named_by_person"), Some(&Value::Bool(true)));
        let expected =
            Device { friendly_name: Some(name), is_named_by_person: true, ..greenhouse() };
        assert_eq!(from_record(&named).unwrap(), expected);
        assert_eq!(to_record(&expected), named);
        let unnamed = Device { friendly_name: None, ..greenhouse() };
        assert_eq!(rename(None), to_record(&unnamed));
    }

    #[test]
    fn damaged_capabilities_are_told() {
        let sensors = Record::new().with("sensors", "bme280");
        let features = Record::new().with("features", Value::M(Record::new().with("wifi", "yes")));
        for (map, reason) in [
            (Value::Null, "AA:BB:CC:DD:EE:FF : capabilities is missing or no map"),
            (Value::M(sensors), "capabilities: sensors have a wrong entry"),
            (Value::M(features), "capabilities: features have a wrong entry"),
        ] {
            let error = from_record(&example().with("capabilities", map)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
