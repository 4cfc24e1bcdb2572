//! Names of devices.

use serde_json::json;

use crate::it::support::{Server, now_ms};

const MAC: &str = "AA:BB:CC:DD:EE:FF";

#[tokio::test]
async fn an_admin_names_a_device_and_readings_carry_the_name_of_their_time() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    let start = now_ms() - 10_000;
    device.send(&[device.reading(start, "before")]).await.expect(200);
    let before = anna.get(&device.path()).await.expect(200);

    let named = anna.patch(&device.path(), json!({ "friendly_name": "Freezer" })).await.expect(200);
    let mut expected = before.clone();
    expected["friendly_name"] = json!("Freezer");
    assert_eq!(named, expected);
    device.send(&[device.reading(start + 1, "named")]).await.expect(200);
    // A registration without a name keeps it; an empty change has no effect.
    device.register().await.expect(200);
    let kept = anna.patch(&device.path(), json!({})).await.expect(200);
    assert_eq!(kept["friendly_name"], "Freezer");

    let unnamed = anna.patch(&device.path(), json!({ "friendly_name": null })).await.expect(200);
    assert_eq!(unnamed["friendly_name"], json!(null));
    device.send(&[device.reading(start + 2, "after")]).await.expect(200);
    let readings = anna.readings(&device, "order=asc").await;
    let carried: Vec<_> = readings.iter().map(|reading| &reading["friendly_name"]).collect();
    assert_eq!(carried, [&json!(null), &json!("Freezer"), &json!(null)]);
}

#[tokio::test]
async fn only_admins_name_devices_and_every_member_sees_them() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    device.send(&[device.reading(now_ms(), "one")]).await.expect(200);
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let refused = ben.patch(&device.path(), json!({ "friendly_name": "Mine" })).await;
    refused.expect_problem(403, "ADMIN_REQUIRED");
    for path in ["/devices".to_owned(), device.path(), format!("{}/readings", device.path())] {
        assert_eq!(ben.get(&path).await.expect(200), anna.get(&path).await.expect(200), "{path}");
    }
    assert_eq!(ben.latest(&device).await.expect(200)["batch_id"], "one");
}

#[tokio::test]
async fn a_name_that_is_none_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    for name in [json!(""), json!(" "), json!("x".repeat(101)), json!(7), json!("a\nb")] {
        let answer = anna.patch(&device.path(), json!({ "friendly_name": name })).await;
        answer.expect_invalid_field("friendly_name");
    }
    let answer = anna.patch(&device.path(), json!({ "firmware_version": "2" })).await;
    answer.expect_field_error("UNKNOWN_FIELD", "firmware_version");
    assert_eq!(anna.get(&device.path()).await.expect(200)["friendly_name"], json!(null));
}
