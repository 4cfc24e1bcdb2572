//! The examples of seed 002, field for field, read with a plain call of the SDK: of devices that no household has,
//! exactly the seed's; of a household's, with its `family_id` beside.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    ApiKeyHash, BATCH_ID_LIFETIME, BatchId, Capabilities, FeatureName, FirmwareVersion,
    FriendlyName, HouseholdId, KeyDescription, ReadingTime, SensorName, SensorStatus,
    SensorStatuses, SensorValue, Sensors,
};
use larder_storage::{
    ApiKeys, Devices, FleetScope, Ingest, ManualClock, NewApiKey, NewReading, NewReadings,
    ReadingState, Readings, RegisterDevice, Registration,
};
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::{ItemStore, Table};
use serde_json::{Map, Value, json};

use crate::{launch, sdk};

const MAC: &str = "AA:BB:CC:DD:EE:FF";
const BOOT: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const BATCH: &str =
    "AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000";
/// The seed's own id lacks the version bits of a UUID v4, which the seed requires.
const KEY_ID: &str = "a1b2c3d4-e5f6-4890-abcd-ef1234567890";
const KEY_HASH: &str = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
const HOME: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0002);
const NEIGHBOURS: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0003);
/// The difference between the example's time of measurement and its expiration.
const RETENTION: SignedDuration = SignedDuration::from_secs(1_707_235_320 - 1_704_067_800);

fn device_example() -> Value {
    json!({
        "hardware_id": MAC,
        "confirmation_id": "550e8400-e29b-41d4-a716-446655440000",
        "friendly_name": "greenhouse-sensor-01",
        "firmware_version": "1.0.16",
        "capabilities": {
            "sensors": ["bme280", "ds18b20", "soil_moisture"],
            "features": { "tft_display": true, "offline_buffering": true }
        },
        "first_registered_at": "2024-01-15T10:30:00Z",
        "last_seen_at": "2024-01-15T14:22:00Z",
        "last_boot_id": BOOT,
        "gsi1pk": "devices",
        "gsi1sk": "2024-01-15T14:22:00Z"
    })
}

fn reading_example() -> Value {
    json!({
        "hardware_id": MAC,
        "ts_batch": format!("1704067800000#{BATCH}"),
        "timestamp_ms": 1_704_067_800_000_i64,
        "batch_id": BATCH,
        "boot_id": BOOT,
        "firmware_version": "1.0.16",
        "friendly_name": "greenhouse-sensor-01",
        "sensors": {
            "bme280_temp_c": 22.5,
            "ds18b20_temp_c": 21.8,
            "humidity_pct": 45.2,
            "pressure_hpa": 1013.25,
            "soil_moisture_pct": 62.3
        },
        "sensor_status": { "bme280": "ok", "ds18b20": "ok", "soil_moisture": "ok" },
        "expiration_time": 1_707_235_320
    })
}

/// With the expiration by the seed's own rule; its example differs.
fn batch_example() -> Value {
    let expiration = at("2024-01-15T14:22:00Z") + BATCH_ID_LIFETIME;
    json!({
        "batch_id": BATCH,
        "hardware_id": MAC,
        "received_at": "2024-01-15T14:22:00Z",
        "expiration_time": expiration.as_second()
    })
}

fn key_example() -> Value {
    json!({
        "key_id": KEY_ID,
        "api_key_hash": KEY_HASH,
        "created_at": "2024-01-10T08:00:00Z",
        "last_used_at": "2024-01-15T14:22:00Z",
        "is_active": true,
        "description": "Production devices - greenhouse cluster",
        "gsi1pk": "api_keys",
        "gsi1sk": "2024-01-10T08:00:00Z"
    })
}

fn of_household(mut example: Value, household: HouseholdId) -> Value {
    example["family_id"] = json!(household.to_string());
    example
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

async fn store(options: &DynamoOptions) -> ItemStore<DynamoEngine> {
    let clock = Arc::new(ManualClock::new(at("2024-01-15T14:22:00Z")));
    let engine = Arc::new(launch::open(options.clone(), &clock).await);
    ItemStore::new(engine, clock)
}

fn registration(mac: &str, name: Option<&str>, when: &str) -> Registration {
    let named = |texts: &[&str]| {
        texts.iter().map(|text| FeatureName::parse(text).unwrap()).collect::<Vec<_>>()
    };
    let features = named(&["tft_display", "offline_buffering"]).into_iter();
    let sensors = named(&["bme280", "ds18b20", "soil_moisture"]);
    let features = features.map(|feature| (feature, true)).collect();
    Registration {
        hardware_id: mac.parse().unwrap(),
        boot_id: BOOT.parse().unwrap(),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: name.map(|name| FriendlyName::parse(name).unwrap()),
        capabilities: Capabilities::new(sensors, features).unwrap(),
        confirmation_id: "550e8400-e29b-41d4-a716-446655440000".parse().unwrap(),
        at: at(when),
    }
}

fn reading(mac: &str) -> NewReadings {
    let name = |name: &str| SensorName::parse(name).unwrap();
    let values = [
        ("bme280_temp_c", 22.5),
        ("ds18b20_temp_c", 21.8),
        ("humidity_pct", 45.2),
        ("pressure_hpa", 1013.25),
        ("soil_moisture_pct", 62.3),
    ];
    let values = values.map(|(sensor, value)| (name(sensor), SensorValue::new(value).unwrap()));
    let status =
        ["bme280", "ds18b20", "soil_moisture"].map(|sensor| (name(sensor), SensorStatus::Ok));
    let reading = NewReading {
        hardware_id: mac.parse().unwrap(),
        time: ReadingTime::from_millis(1_704_067_800_000).unwrap(),
        batch_id: BatchId::parse(BATCH).unwrap(),
        boot_id: BOOT.parse().unwrap(),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        sensors: Sensors::new(values.to_vec()).unwrap(),
        sensor_status: SensorStatuses::new(status.to_vec()).unwrap(),
    };
    NewReadings {
        readings: vec![reading],
        retention: RETENTION,
        at: at("2024-01-15T14:22:00.750Z"),
    }
}

async fn register(store: &ItemStore<DynamoEngine>, scope: FleetScope, mac: &str) {
    let name = Some("greenhouse-sensor-01");
    for (name, when) in [(name, "2024-01-15T10:30:00.250Z"), (None, "2024-01-15T14:22:00Z")] {
        let registered = store.register_device(scope, &registration(mac, name, when)).await;
        assert!(matches!(registered.unwrap(), RegisterDevice::Registered(_)), "it is theirs");
    }
}

async fn ingest(store: &ItemStore<DynamoEngine>, scope: FleetScope, mac: &str) {
    let kept = store.ingest(scope, reading(mac)).await.unwrap();
    assert_eq!(kept, Ingest::Done(vec![ReadingState::Acknowledged]), "{mac}");
}

/// An existing record.
async fn get(options: &DynamoOptions, table: Table, key: &[(&str, &str)]) -> Value {
    let record: Option<Map<_, _>> = sdk::get(options, table, key).await;
    Value::Object(record.unwrap_or_else(|| panic!("no record {key:?} of {}", table.name())))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_and_its_reading_equal_the_examples_of_seed_002() {
    let options = launch::with_tables("seed-002-").await;
    let (store, scope) = (store(&options).await, FleetScope::assume_operator());
    register(&store, scope, MAC).await;
    let device = [("hardware_id", MAC)];
    assert_eq!(get(&options, Table::Devices, &device).await, device_example());

    ingest(&store, scope, MAC).await;
    let ts_batch = format!("1704067800000#{BATCH}");
    let key = [("hardware_id", MAC), ("ts_batch", ts_batch.as_str())];
    assert_eq!(get(&options, Table::DeviceReadings, &key).await, reading_example());
    let batch = [("batch_id", BATCH)];
    assert_eq!(get(&options, Table::ProcessedBatches, &batch).await, batch_example());
    let seen = get(&options, Table::Devices, &device).await;
    assert_eq!(seen, device_example(), "it was seen in the same minute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_api_key_equals_the_example_of_seed_002() {
    let options = launch::with_tables("seed-002-keys-").await;
    let store = store(&options).await;
    for (scope, id, expected) in [
        (FleetScope::assume_operator(), KEY_ID, key_example()),
        (
            FleetScope::assume_authorized(HOME),
            "b1b2c3d4-e5f6-4890-abcd-ef1234567890",
            of_household(key_example(), HOME),
        ),
    ] {
        let key = NewApiKey {
            id: id.parse().unwrap(),
            hash: ApiKeyHash::parse(KEY_HASH).unwrap(),
            description: Some(
                KeyDescription::parse("Production devices - greenhouse cluster").unwrap(),
            ),
            at: at("2024-01-10T08:00:00.999Z"),
        };
        let made = store.add_api_key(scope, &key).await.unwrap();
        let held = get(&options, Table::ApiKeys, &[("key_id", id)]).await;
        assert_eq!(held.get("last_used_at"), None, "nobody has used it yet");
        store.note_api_key_use(&made, at("2024-01-15T14:22:00Z")).await.unwrap();
        let mut expected = expected;
        expected["key_id"] = json!(id);
        assert_eq!(get(&options, Table::ApiKeys, &[("key_id", id)]).await, expected);

        store.revoke_api_key(scope, key.id).await.unwrap();
        expected["is_active"] = json!(false);
        assert_eq!(get(&options, Table::ApiKeys, &[("key_id", id)]).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_id_that_another_household_has_taken_is_kept_under_the_households_own_key() {
    let options = launch::with_tables("seed-002-taken-").await;
    let store = store(&options).await;
    let (other, nobodys) = ("AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02");
    let owners = [
        (MAC, FleetScope::assume_authorized(HOME)),
        (other, FleetScope::assume_authorized(NEIGHBOURS)),
        (nobodys, FleetScope::assume_operator()),
    ];
    for (mac, scope) in owners {
        register(&store, scope, mac).await;
        ingest(&store, scope, mac).await;
    }
    let neighbours = format!("{NEIGHBOURS}#{BATCH}");
    let operators = format!("operator#{BATCH}");
    for (key, mac, household) in [
        (BATCH, MAC, Some(HOME)),
        (neighbours.as_str(), other, Some(NEIGHBOURS)),
        (operators.as_str(), nobodys, None),
    ] {
        let mut expected = batch_example();
        expected["batch_id"] = json!(key);
        expected["hardware_id"] = json!(mac);
        if let Some(household) = household {
            expected = of_household(expected, household);
        }
        assert_eq!(get(&options, Table::ProcessedBatches, &[("batch_id", key)]).await, expected);
    }
    for (mac, scope) in owners {
        let again = store.ingest(scope, reading(mac)).await.unwrap();
        assert_eq!(again, Ingest::Done(vec![ReadingState::Duplicate]), "{mac}");
    }
    let device = get(&options, Table::Devices, &[("hardware_id", MAC)]).await;
    assert_eq!(device, of_household(device_example(), HOME));
}
