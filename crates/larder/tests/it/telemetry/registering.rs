//! Registration, at every start of a device, with the same answer each time.

use serde_json::{Value, json};

use super::garden::Garden;
use crate::it::support::{Answer, TestDevice};

async fn register(garden: &Garden, device: &TestDevice, body: &Value) -> Answer {
    let request = device.request("/device/register").json(body);
    garden.server.anonymous().send(request).await
}

#[tokio::test]
async fn registering_again_answers_the_same_and_updates_what_the_device_says() {
    let garden = Garden::plant().await;
    let Garden { anna, device, .. } = &garden;
    let first = device.register().await.expect(200);
    let mut body = device.registration();
    body["friendly_name"] = json!("greenhouse-sensor-01");
    body["firmware_version"] = json!("1.0.17");
    body["boot_id"] = json!("550e8400-e29b-41d4-a716-446655440000");
    body["capabilities"] = json!({ "sensors": ["soil_moisture"] });
    assert_eq!(register(&garden, device, &body).await.expect(200), first);
    let shown = anna.get(&device.path()).await.expect(200);
    assert_eq!(shown["friendly_name"], "greenhouse-sensor-01");
    assert_eq!(shown["firmware_version"], "1.0.17");
    assert_eq!(shown["last_boot_id"], "550e8400-e29b-41d4-a716-446655440000");
    assert_eq!(shown["capabilities"], json!({ "sensors": ["soil_moisture"], "features": {} }));
    assert_eq!(shown["first_registered_at"], first["registered_at"]);

    assert_eq!(device.register().await.expect(200), first);
    let shown = anna.get(&device.path()).await.expect(200);
    assert_eq!(shown["friendly_name"], "greenhouse-sensor-01", "kept, because none was given");
    assert_eq!(shown["firmware_version"], "1.0.16");
}

#[tokio::test]
async fn two_first_registrations_at_once_are_told_the_same() {
    let garden = Garden::plant().await;
    let device = garden.server.device(&garden.device.api_key, "AA:BB:CC:DD:EE:09");
    let (one, other) = tokio::join!(device.register(), device.register());
    assert_eq!(one.expect(200)["confirmation_id"], other.expect(200)["confirmation_id"]);
}

#[tokio::test]
async fn another_households_device_cannot_be_taken() {
    let garden = Garden::plant().await;
    let before = garden.anna.get(&garden.device.path()).await.expect(200);
    let bert = garden.server.with_household("bert").await;
    let thief = garden.server.device(&bert.api_key().await, &garden.device.hardware_id);
    thief.register().await.expect_problem(403, "DEVICE_NOT_ALLOWED");
    assert_eq!(garden.anna.get(&garden.device.path()).await.expect(200), before);
    assert_eq!(bert.get("/devices").await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn a_bad_registration_is_named_by_field_and_changes_nothing() {
    let garden = Garden::plant().await;
    let device = garden.server.device(&garden.device.api_key, "AA:BB:CC:DD:EE:0A");
    for (field, value, named) in [
        ("hardware_id", json!("aa:bb:cc:dd:ee:0a"), "hardware_id"),
        ("boot_id", json!("550e8400-e29b-11d4-a716-446655440000"), "boot_id"),
        ("boot_id", json!("550e8400-e29b-41d4-c716-446655440000"), "boot_id"),
        ("firmware_version", json!(1.0), "firmware_version"),
        ("friendly_name", json!("x".repeat(101)), "friendly_name"),
        ("capabilities", Value::Null, "capabilities"),
        ("capabilities", json!({ "sensors": [1] }), "capabilities.sensors"),
        ("capabilities", json!({ "features": { "lcd": "yes" } }), "capabilities.features"),
    ] {
        let mut body = device.registration();
        body[field] = value;
        register(&garden, &device, &body).await.expect_invalid_field(named);
    }
    garden.anna.get(&device.path()).await.expect_problem(404, "DEVICE_NOT_FOUND");
}

#[tokio::test]
async fn what_newer_firmware_says_besides_is_ignored_and_counted() {
    let garden = Garden::plant().await;
    let mut body = garden.device.registration();
    body["chip"] = json!("esp32-c6");
    body["capabilities"]["actuators"] = json!(["pump"]);
    register(&garden, &garden.device, &body).await.expect(200);
    let metrics = garden.metrics().await;
    let line = "larder_device_unknown_fields_total 2";
    assert!(metrics.lines().any(|given| given == line), "{line} is not in\n{metrics}");
}
