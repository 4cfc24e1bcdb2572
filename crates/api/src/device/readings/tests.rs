mod good;
mod speed;
mod wrong;

use serde_json::{Value, json};

use super::*;

/// A reading as devices send it.
fn reading(number: i64) -> Value {
    let (start, end) = (1_704_067_200_000 + number * 60_000, 1_704_067_260_000 + number * 60_000);
    let boot_id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    json!({
        "hardware_id": "AA:BB:CC:DD:EE:FF",
        "timestamp_ms": end,
        "batch_id": format!("AA:BB:CC:DD:EE:FF_{boot_id}_{start}_{end}"),
        "boot_id": boot_id,
        "firmware_version": "1.0.16",
        "sensors": {
            "bme280_temp_c": 22.5,
            "ds18b20_temp_c": 21.8,
            "humidity_pct": 45.2,
            "pressure_hpa": 1013.25,
            "soil_moisture_pct": 62.3,
        },
        "sensor_status": { "bme280": "ok", "ds18b20": "ok", "soil_moisture": "error" },
    })
}

/// A request with `count` readings.
fn request(count: i64) -> Value {
    json!({ "readings": (0..count).map(reading).collect::<Vec<_>>() })
}

/// A request of four readings, the third of them changed.
fn with_third(change: impl FnOnce(&mut Value)) -> String {
    let mut request = request(4);
    change(&mut request["readings"][2]);
    request.to_string()
}

/// The code of the problem, and the places and messages of its errors.
fn refused(body: impl AsRef<[u8]>) -> (&'static str, Vec<(String, String)>) {
    let refused = SentReadings::parse(body.as_ref()).expect_err("this request is bad");
    assert_eq!(refused.problem.status().as_u16(), 400);
    let errors = refused.problem.errors().iter();
    let named = errors.map(|error| (error.field.to_string(), error.message.to_string()));
    (refused.problem.code(), named.collect())
}

/// The only error of a request that is JSON.
#[track_caller]
fn mistake(body: impl AsRef<[u8]>) -> (String, String) {
    let (code, mut named) = refused(body);
    assert_eq!((code, named.len()), ("INVALID_FIELDS", 1), "{named:?}");
    named.remove(0)
}
