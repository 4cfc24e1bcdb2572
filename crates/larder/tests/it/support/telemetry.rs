//! Devices that register and send, and queries of a household.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::{Answer, Client, Server};

/// The boot of every device under test.
pub(crate) const BOOT_ID: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

impl Client {
    /// Creates an API key, in the form that is shown once.
    pub(crate) async fn add_api_key(&self, body: Value) -> Value {
        self.post("/api-keys", body).await.expect(201)
    }

    /// The text of a new API key.
    pub(crate) async fn api_key(&self) -> String {
        let made = self.add_api_key(json!({})).await;
        made["api_key"].as_str().expect("a new key is shown").to_owned()
    }

    /// Registers a device of the household, with a key of its own.
    pub(crate) async fn add_device(&self, server: &Server, hardware_id: &str) -> TestDevice {
        let device = server.device(&self.api_key().await, hardware_id);
        device.register().await.expect(200);
        device
    }

    /// The newest reading of a device.
    pub(crate) async fn latest(&self, device: &TestDevice) -> Answer {
        self.get(&format!("{}/latest", device.path())).await
    }

    /// All readings of a device that a query finds, page after page.
    pub(crate) async fn readings(&self, device: &TestDevice, query: &str) -> Vec<Value> {
        self.all_pages(&format!("{}/readings", device.path()), query).await
    }
}

impl Server {
    /// A device that has this key and has not registered yet.
    pub(crate) fn device(&self, api_key: &str, hardware_id: &str) -> TestDevice {
        TestDevice {
            client: self.anonymous(),
            api_key: api_key.to_owned(),
            hardware_id: hardware_id.to_owned(),
        }
    }
}

/// A device with a key.
#[derive(Clone)]
pub(crate) struct TestDevice {
    client: Client,
    pub(crate) api_key: String,
    pub(crate) hardware_id: String,
}

impl TestDevice {
    /// Its path for people, below `/api/v1`.
    pub(crate) fn path(&self) -> String {
        format!("/devices/{}", self.hardware_id)
    }

    /// Its registration.
    pub(crate) fn registration(&self) -> Value {
        json!({
            "hardware_id": self.hardware_id,
            "boot_id": BOOT_ID,
            "firmware_version": "1.0.16",
            "capabilities": {
                "sensors": ["bme280", "ds18b20"],
                "features": { "tft_display": true, "offline_buffering": false },
            },
        })
    }

    /// A reading of this time with usual values.
    pub(crate) fn reading(&self, timestamp_ms: i64, batch_id: &str) -> Value {
        json!({
            "hardware_id": self.hardware_id,
            "timestamp_ms": timestamp_ms,
            "batch_id": batch_id,
            "boot_id": BOOT_ID,
            "firmware_version": "1.0.16",
            "sensors": { "bme280_temp_c": 22.5, "humidity_pct": 45.25 },
            "sensor_status": { "bme280": "ok" },
        })
    }

    /// Registers, for the first time or again.
    pub(crate) async fn register(&self) -> Answer {
        let request = self.request("/device/register").json(&self.registration());
        self.client.send(request).await
    }

    /// Sends readings.
    pub(crate) async fn send(&self, readings: &[Value]) -> Answer {
        self.try_send(readings).await.expect("the server answers")
    }

    /// The same while the server may be killed.
    pub(crate) async fn try_send(&self, readings: &[Value]) -> reqwest::Result<Answer> {
        let body = json!({ "readings": readings });
        self.client.try_send(self.request("/device/data").json(&body)).await
    }

    /// A request with the key.
    pub(crate) fn request(&self, path: &str) -> RequestBuilder {
        self.client.request_root(Method::POST, path).header("X-API-Key", &self.api_key)
    }
}

/// Now, in milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the server under test goes by the real clock")]
pub(crate) fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970");
    i64::try_from(now.as_millis()).expect("it is before the year 292 million")
}

/// The batch ids of readings, in their order.
#[track_caller]
pub(crate) fn batch_ids(readings: &[Value]) -> Vec<&str> {
    readings
        .iter()
        .map(|reading| reading["batch_id"].as_str().expect("a reading has one"))
        .collect()
}

/// The answer of `/device/data` for these.
pub(crate) fn told(acknowledged: &[&str], duplicate: &[&str]) -> Value {
    json!({ "acknowledged_batch_ids": acknowledged, "duplicate_batch_ids": duplicate })
}
