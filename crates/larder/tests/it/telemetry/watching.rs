//! A storage location that a device watches.

use serde_json::json;

use crate::it::support::{Server, id_of};

const MAC: &str = "AA:BB:CC:DD:EE:FF";

#[tokio::test]
async fn a_location_names_a_device_of_the_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add_device(&server, MAC).await;
    let body = json!({ "name": "Freezer", "deviceId": MAC });
    let freezer = anna.post("/storage-locations", body).await.expect(201);
    assert_eq!(freezer["deviceId"], MAC);
    let path = format!("/storage-locations/{}", id_of(&freezer));
    let renamed = anna.patch(&path, json!({ "name": "Big freezer" })).await.expect(200);
    assert_eq!(renamed["deviceId"], MAC);
    let cleared = anna.patch(&path, json!({ "deviceId": null })).await.expect(200);
    assert_eq!(cleared["deviceId"], json!(null));
    let again = anna.patch(&path, json!({ "deviceId": MAC })).await.expect(200);
    assert_eq!(again["deviceId"], MAC);
}

#[tokio::test]
async fn what_is_no_device_of_the_household_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let stranger = server.with_household("stranger").await;
    stranger.add_device(&server, MAC).await;
    let cellar = anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    let path = format!("/storage-locations/{}", id_of(&cellar));
    for device in ["", "sensor 1", "aa:bb:cc:dd:ee:ff", MAC, "AA:BB:CC:DD:EE:00"] {
        let body = json!({ "name": "Freezer", "deviceId": device });
        anna.post("/storage-locations", body).await.expect_invalid_field("deviceId");
        anna.patch(&path, json!({ "deviceId": device })).await.expect_invalid_field("deviceId");
    }
    let locations = anna.get("/storage-locations").await.expect(200);
    let own = locations["items"].as_array().unwrap().iter().filter(|place| place["isOwn"] == true);
    assert_eq!(own.collect::<Vec<_>>(), [&cellar]);
}
