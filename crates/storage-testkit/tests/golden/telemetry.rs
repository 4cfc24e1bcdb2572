//! Records of devices, keys and readings: to the letter of seed 002.

use std::collections::BTreeSet;

use larder_storage_item::Table;

use super::all_of;

/// The attributes of each table of seed 002 that every record has, and those that some have.
const TELEMETRY: [(Table, &[&str], &[&str]); 4] = [
    (
        Table::Devices,
        &[
            "hardware_id",
            "confirmation_id",
            "capabilities",
            "first_registered_at",
            "last_seen_at",
            "last_boot_id",
            "firmware_version",
            "gsi1pk",
            "gsi1sk",
        ],
        &["friendly_name", "named_by_person", "family_id"],
    ),
    (
        Table::DeviceReadings,
        &[
            "hardware_id",
            "ts_batch",
            "timestamp_ms",
            "batch_id",
            "boot_id",
            "firmware_version",
            "sensors",
            "sensor_status",
            "expiration_time",
        ],
        &["friendly_name"],
    ),
    (
        Table::ProcessedBatches,
        &["batch_id", "hardware_id", "received_at", "expiration_time"],
        &["family_id"],
    ),
    (
        Table::ApiKeys,
        &["key_id", "api_key_hash", "created_at", "is_active", "gsi1pk", "gsi1sk"],
        &["last_used_at", "description", "family_id"],
    ),
];

#[tokio::test]
async fn records_of_telemetry_have_exactly_the_attributes_of_seed_002() {
    for (table, always, sometimes) in TELEMETRY {
        let always: BTreeSet<_> = always.iter().map(|&name| name.to_owned()).collect();
        let sometimes: BTreeSet<_> = sometimes.iter().map(|&name| name.to_owned()).collect();
        let (mut fewest, mut most) = (None::<BTreeSet<String>>, BTreeSet::new());
        for record in all_of(&[table]).await {
            let names: BTreeSet<_> = record.iter().map(|(name, _)| name.to_owned()).collect();
            fewest = Some(fewest.map_or_else(|| names.clone(), |few| &few & &names));
            most.extend(names);
        }
        assert_eq!(fewest.as_ref(), Some(&always), "{table:?}");
        assert_eq!(most, &always | &sometimes, "{table:?}");
    }
}

#[tokio::test]
async fn keys_of_telemetry_are_made_as_seed_002_says() {
    for record in all_of(&[Table::DeviceReadings]).await {
        let ms = record.number("timestamp_ms").unwrap().to_i64().unwrap();
        let expected = format!("{ms:013}#{}", record.text("batch_id").unwrap());
        assert_eq!(record.text("ts_batch"), Some(expected.as_str()));
    }
    for (table, partition, copied) in
        [(Table::Devices, "devices", "last_seen_at"), (Table::ApiKeys, "api_keys", "created_at")]
    {
        for record in all_of(&[table]).await {
            assert_eq!(record.text("gsi1pk"), Some(partition));
            assert_eq!(record.text("gsi1sk"), record.text(copied));
        }
    }
}
