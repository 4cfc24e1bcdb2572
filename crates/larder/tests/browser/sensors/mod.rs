//! Devices, charts and keys.

mod charts;
mod devices;
mod keys;

use serde_json::{Value, json};

use crate::it::support::{Client, Server, TestDevice, now_ms};

const MAC: &str = "AA:BB:CC:DD:EE:FF";
const DEVICE: &str = "/sensors/AA%3ABB%3ACC%3ADD%3AEE%3AFF";
const QUARTER_MS: i64 = 15 * 60_000;
const DAY_MS: i64 = 96 * QUARTER_MS;

/// A household with a device.
struct Cellar {
    server: Server,
    anna: Client,
    device: TestDevice,
}

impl Cellar {
    async fn new() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let device = anna.add_device(&server, MAC).await;
        Self { server, anna, device }
    }

    /// The device measured this at that time.
    async fn measured(&self, ms: i64, sensors: Value) {
        let mut reading = self.device.reading(ms, &format!("at-{ms}"));
        reading["sensors"] = sensors;
        self.device.send(&[reading]).await.expect(200);
    }

    /// A day of a pantry, with two hours without a signal.
    async fn a_day(&self) {
        for minutes in [1, 9] {
            let quarters = (1_u8..=92).filter(|quarter| !(30..38).contains(quarter));
            let readings: Vec<Value> =
                quarters.map(|quarter| self.of_a_pantry(quarter, minutes)).collect();
            self.device.send(&readings).await.expect(200);
        }
    }

    /// A reading of a time of that day, warmer as the quarter of an hour goes on.
    fn of_a_pantry(&self, quarter: u8, minutes: u8) -> Value {
        let ms = quarters_ago(quarter.into()) + i64::from(minutes) * 60_000;
        let wave = (f64::from(quarter) / 15.0).sin() * 3.0 + f64::from(minutes) / 10.0;
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        let mut reading = self.device.reading(ms, &format!("pantry-{ms}"));
        reading["sensors"] = json!({
            "temperature_c": rounded(19.0 + wave),
            "humidity_pct": rounded(55.0 - 2.5 * wave),
        });
        reading
    }
}

/// The beginning of a quarter of an hour, as charts of a day are cut, so many of them ago.
fn quarters_ago(count: i64) -> i64 {
    (now_ms() / QUARTER_MS - count) * QUARTER_MS
}
