//! Invalid readings: 400 with index and field, and nothing of the request is stored.

use serde_json::{Value, json};

use super::garden::Garden;
use crate::it::support::now_ms;

/// A rule of a reading, broken.
struct Broken {
    what: &'static str,
    /// The field of the problem, within the reading.
    field: &'static str,
    code: &'static str,
    break_it: fn(&mut Value),
}

const fn broken(what: &'static str, field: &'static str, break_it: fn(&mut Value)) -> Broken {
    Broken { what, field, code: "INVALID_FIELDS", break_it }
}

const fn malformed(what: &'static str, field: &'static str, break_it: fn(&mut Value)) -> Broken {
    Broken { what, field, code: "MALFORMED_JSON", break_it }
}

/// Placeholders for values that no `Value` can hold, and their replacements in the request.
const NO_VALUES: [(&str, &str); 3] = [
    ("\"<NaN>\"", "NaN"),
    ("\"<1e999>\"", "1e999"),
    ("\"<1.7000000000005e12>\"", "1.7000000000005e12"),
];

const RULES: &[Broken] = &[
    broken("a MAC in lower case", "hardware_id", |r| r["hardware_id"] = json!("aa:bb:cc:dd:ee:ff")),
    broken("a MAC cut short", "hardware_id", |r| r["hardware_id"] = json!("AA:BB:CC:DD:EE")),
    broken("a UUID of version 1", "boot_id", |r| {
        r["boot_id"] = json!("550e8400-e29b-11d4-a716-446655440000");
    }),
    broken("a UUID of another variant", "boot_id", |r| {
        r["boot_id"] = json!("550e8400-e29b-41d4-c716-446655440000");
    }),
    broken("1999", "timestamp_ms", |r| r["timestamp_ms"] = json!(946_684_799_999_i64)),
    broken("after 2100", "timestamp_ms", |r| r["timestamp_ms"] = json!(4_102_444_800_001_i64)),
    broken("a time as text", "timestamp_ms", |r| r["timestamp_ms"] = json!("1704067800000")),
    broken("half a millisecond", "timestamp_ms", |r| {
        r["timestamp_ms"] = json!(1_704_067_800_000.5);
    }),
    broken("a fraction with an exponent", "timestamp_ms", |r| {
        r["timestamp_ms"] = json!("<1.7000000000005e12>");
    }),
    broken("257 characters", "batch_id", |r| r["batch_id"] = json!("x".repeat(257))),
    broken("no character", "batch_id", |r| r["batch_id"] = json!("")),
    broken("a space", "batch_id", |r| r["batch_id"] = json!("a b")),
    broken("no firmware version", "firmware_version", |r| {
        r.as_object_mut().unwrap().remove("firmware_version");
    }),
    broken("a list of sensors", "sensors", |r| r["sensors"] = json!([22.5])),
    broken("65 sensors", "sensors", |r| {
        r["sensors"] = (0..65).map(|n| (format!("s{n}"), json!(n))).collect();
    }),
    broken("1e999", "sensors.humidity_pct", |r| r["sensors"]["humidity_pct"] = json!("<1e999>")),
    broken("NaN as text", "sensors.humidity_pct", |r| r["sensors"]["humidity_pct"] = json!("NaN")),
    broken("null", "sensors.humidity_pct", |r| r["sensors"]["humidity_pct"] = Value::Null),
    malformed("NaN", "sensors", |r| r["sensors"]["humidity_pct"] = json!("<NaN>")),
    broken("warn", "sensor_status.bme280", |r| r["sensor_status"]["bme280"] = json!("warn")),
    broken("OK in upper case", "sensor_status.bme280", |r| {
        r["sensor_status"]["bme280"] = json!("OK");
    }),
];

#[tokio::test]
async fn each_broken_rule_is_named_by_index_and_field_and_nothing_is_kept() {
    let garden = Garden::plant().await;
    for rule in RULES {
        let mut readings = garden.readings(4);
        (rule.break_it)(&mut readings[2]);
        let body = json!({ "readings": readings }).to_string();
        let body = NO_VALUES.iter().fold(body, |body, (name, text)| body.replace(name, text));
        let answer = garden.post(body).await;
        let problem = answer.expect_problem(400, rule.code);
        let fields: Vec<_> = problem["errors"].as_array().unwrap().iter().collect();
        assert_eq!(fields.len(), 1, "{}: {}", rule.what, answer.text);
        let place = format!("readings[2].{}", rule.field);
        assert_eq!(fields[0]["field"], place, "{}", rule.what);
        assert_ne!(fields[0]["message"], "", "{}", rule.what);
        garden.assert_nothing_is_kept().await;
    }
    // Its valid readings are still new.
    garden.device.send(&garden.readings(4)).await.expect(200);
    assert_eq!(garden.anna.readings(&garden.device, "").await.len(), 4);
}

#[tokio::test]
async fn every_bad_reading_of_a_request_is_named() {
    let garden = Garden::plant().await;
    let mut readings = garden.readings(100);
    readings[0]["boot_id"] = json!(1);
    readings[41]["sensor_status"]["bme280"] = json!("warn");
    readings[99] = json!("no reading");
    let problem = garden.device.send(&readings).await.expect_problem(400, "INVALID_FIELDS");
    assert_eq!(
        problem["errors"],
        json!([
            { "field": "readings[0].boot_id", "message": "must be a text" },
            { "field": "readings[41].sensor_status.bme280", "message": "must be ok or error" },
            { "field": "readings[99]", "message": "must be an object" },
        ])
    );
    garden.assert_nothing_is_kept().await;
}

#[tokio::test]
async fn a_request_has_1_to_100_readings() {
    let garden = Garden::plant().await;
    for count in [0, 101] {
        let problem =
            garden.device.send(&garden.readings(count)).await.expect_problem(400, "INVALID_FIELDS");
        assert_eq!(
            problem["errors"],
            json!([{ "field": "readings", "message": "must have 1 to 100 elements" }]),
            "{count}"
        );
        garden.assert_nothing_is_kept().await;
    }
    garden.device.send(&garden.readings(100)).await.expect(200);
    assert_eq!(garden.anna.readings(&garden.device, "limit=1000").await.len(), 100);
}

#[tokio::test]
async fn readings_of_devices_that_are_not_the_keys_are_403_by_index_and_nothing_is_kept() {
    let garden = Garden::plant().await;
    let bert = garden.server.with_household("bert").await;
    let foreign = bert.add_device(&garden.server, "AA:BB:CC:DD:EE:02").await;
    let unregistered = garden.server.device(&garden.device.api_key, "AA:BB:CC:DD:EE:03");
    let now = now_ms();
    let readings = [
        garden.device.reading(now, "own"),
        foreign.reading(now, "foreign"),
        garden.device.reading(now, "own-2"),
        unregistered.reading(now, "unregistered"),
    ];
    let problem = garden.device.send(&readings).await.expect_problem(403, "DEVICE_NOT_ALLOWED");
    let message = "is not registered with this API key's household";
    assert_eq!(
        problem["errors"],
        json!([
            { "field": "readings[1].hardware_id", "message": message },
            { "field": "readings[3].hardware_id", "message": message },
        ])
    );
    garden.assert_nothing_is_kept().await;
    assert_eq!(bert.readings(&foreign, "").await, [] as [Value; 0]);
    let metrics = garden.metrics().await;
    assert!(metrics.contains("larder_readings_total{outcome=\"refused\"} 4"), "{metrics}");
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_counted() {
    let garden = Garden::plant().await;
    let mut readings = garden.readings(2);
    readings[0]["rssi_dbm"] = json!(-60);
    readings[1]["battery"] = json!({ "volts": 3.7 });
    let body = json!({ "readings": readings, "sent_at": "now" });
    garden.post(body.to_string()).await.expect(200);
    let metrics = garden.metrics().await;
    for line in [
        "larder_device_unknown_fields_total 3",
        "larder_readings_total{outcome=\"acknowledged\"} 2",
        "larder_readings_total{outcome=\"duplicate\"} 0",
    ] {
        assert!(metrics.lines().any(|given| given == line), "{line} is not in\n{metrics}");
    }
    let kept = garden.anna.latest(&garden.device).await.expect(200);
    assert_eq!(kept["battery"], Value::Null);
}
