//! Devices and their readings.

use std::{fmt::Write as _, net::SocketAddr};

use serde_json::{Value, json};

use crate::{
    Error,
    connection::{Connection, device_request, request},
    household::post,
};

/// How often a device measures.
pub(crate) const INTERVAL_MS: i64 = 5 * 60 * 1000;
/// The limit of readings per request to `/device/data`.
pub(crate) const PER_REQUEST: usize = 100;
/// How many readings a device with a long history has: 87 days.
pub(crate) const LONG: usize = 25_000;
/// How many the others have.
const SHORT: usize = 500;

/// One device and its progress.
struct Device {
    hardware_id: String,
    boot_id: String,
    readings: usize,
    sent: usize,
}

/// The devices of one household.
pub(crate) struct Fleet {
    pub(crate) token: String,
    key: String,
    devices: Vec<Device>,
    /// The time of every device's last reading.
    ends_at_ms: i64,
    next: usize,
}

impl Fleet {
    /// Half of the readings are of devices with a long history, half of many with a short one. Fleets of different
    /// numbers have different devices.
    pub(crate) async fn create(
        address: SocketAddr,
        token: &str,
        (number, readings): (u8, usize),
        now_ms: i64,
    ) -> Result<Self, Error> {
        let mut connection = Connection::open(address).await?;
        let key = post(&mut connection, "/api/v1/api-keys", token, &json!({})).await?;
        let key = key["api_key"].as_str().ok_or("no api_key")?.to_owned();
        let long = (readings / 2).div_ceil(LONG);
        let short = (readings - readings / 2).div_ceil(SHORT);
        let lengths = std::iter::repeat_n(LONG, long).chain(std::iter::repeat_n(SHORT, short));
        let mut devices = Vec::with_capacity(long + short);
        for (place, length) in lengths.enumerate() {
            let device = Device::new((number, place), length);
            device.register(&mut connection, &key).await?;
            devices.push(device);
        }
        Ok(Self { token: token.to_owned(), key, devices, ends_at_ms: now_ms, next: 0 })
    }

    /// Requests with up to this many further readings, each of one device, round-robin.
    pub(crate) fn requests(&mut self, readings: usize, per_request: usize) -> Vec<Vec<u8>> {
        let mut requests = Vec::with_capacity(readings / per_request);
        let mut idle = 0;
        while requests.len() * per_request < readings && idle < self.devices.len() {
            let turn = self.next % self.devices.len();
            self.next += 1;
            let device = &mut self.devices[turn];
            // A long history needs as many turns more.
            let requests_per_turn = (device.readings / SHORT).max(1);
            idle += 1;
            for _ in 0..requests_per_turn {
                if device.sent < device.readings && requests.len() * per_request < readings {
                    requests.push(device.request(&self.key, per_request, self.ends_at_ms));
                    idle = 0;
                }
            }
        }
        requests
    }

    /// A path below each device.
    pub(crate) fn look_ups(&self, path: &str) -> Vec<Vec<u8>> {
        let path = |device: &Device| format!("/api/v1/devices/{}/{path}", device.hardware_id);
        let devices = self.devices.iter();
        devices.map(|device| request("GET", &path(device), &self.token, "")).collect()
    }

    /// The same, only for devices with a long history.
    pub(crate) fn long_look_ups(&self, path: &str) -> Vec<Vec<u8>> {
        let long = self.devices.iter().take_while(|device| device.readings == LONG).count();
        self.look_ups(path).into_iter().take(long).collect()
    }

    /// The store must contain exactly the acknowledged readings, counted by the server itself.
    pub(crate) async fn check_counts(&self, address: SocketAddr) -> Result<(), Error> {
        let mut connection = Connection::open(address).await?;
        let series = format!(
            "series?sensor=ds18b20_temp_c&buckets=1&from=946684800000&to={}",
            self.ends_at_ms + INTERVAL_MS
        );
        for (device, look_up) in self.devices.iter().zip(self.look_ups(&series)) {
            let response = connection.send(&look_up).await?;
            let answer: Value = serde_json::from_slice(response.body)?;
            let held = answer.pointer("/buckets/0/count").and_then(Value::as_u64).unwrap_or(0);
            if held != u64::try_from(device.sent)? {
                let (id, sent) = (&device.hardware_id, device.sent);
                return Err(format!("{id} has {held} readings, not {sent}: {answer}").into());
            }
        }
        Ok(())
    }
}

impl Device {
    fn new((fleet, place): (u8, usize), readings: usize) -> Self {
        let [.., high, middle, low] = place.to_be_bytes();
        Self {
            hardware_id: format!("02:00:{fleet:02X}:{high:02X}:{middle:02X}:{low:02X}"),
            boot_id: format!("7c9e6679-7425-40de-944b-{place:012x}"),
            readings,
            sent: 0,
        }
    }

    async fn register(&self, connection: &mut Connection, key: &str) -> Result<(), Error> {
        let body = json!({
            "hardware_id": self.hardware_id,
            "boot_id": self.boot_id,
            "firmware_version": "1.0.16",
            "friendly_name": "bench",
            "capabilities": { "sensors": ["bme280", "ds18b20", "soil_moisture"], "features": {} },
        });
        let response =
            connection.send(&device_request("/device/register", key, &body.to_string())).await?;
        if response.status != 200 {
            return Err(format!("a registration was answered with {}", response.status).into());
        }
        Ok(())
    }

    /// The next readings, like the seed's example: five sensors, some 415 bytes each.
    fn request(&mut self, key: &str, count: usize, ends_at_ms: i64) -> Vec<u8> {
        let count = count.min(self.readings - self.sent);
        let mut body = String::from(r#"{"readings":["#);
        for number in self.sent..self.sent + count {
            if number > self.sent {
                body.push(',');
            }
            self.reading(&mut body, number, ends_at_ms);
        }
        body.push_str("]}");
        self.sent += count;
        device_request("/device/data", key, &body)
    }

    fn reading(&self, body: &mut String, number: usize, ends_at_ms: i64) {
        let (hardware_id, boot_id) = (&self.hardware_id, &self.boot_id);
        let left = i64::try_from(self.readings - number).unwrap_or(0);
        let (start, end) = (ends_at_ms - left * INTERVAL_MS, ends_at_ms - (left - 1) * INTERVAL_MS);
        // Days that warm up and cool down, and sensors that waver a little.
        let step = i32::try_from(number % 288).unwrap_or(0);
        let waver = i32::try_from(number * 7919 % 13).unwrap_or(0);
        let centi = |value: i32| format!("{}.{:02}", value / 100, value % 100);
        let day = 900 - (step - 144).pow(2) * 900 / (144 * 144);
        // Writing into a text cannot fail.
        let _ = write!(
            body,
            r#"{{"hardware_id":"{hardware_id}","timestamp_ms":{end},"batch_id":"{hardware_id}_{boot_id}_{start}_{end}","boot_id":"{boot_id}","firmware_version":"1.0.16","sensors":{{"bme280_temp_c":{},"ds18b20_temp_c":{},"humidity_pct":{},"pressure_hpa":{},"soil_moisture_pct":{}}},"sensor_status":{{"bme280":"ok","ds18b20":"ok","soil_moisture":"ok"}}}}"#,
            centi(1500 + day + waver),
            centi(1470 + day + waver * 2),
            centi(6000 - day * 2 + waver * 10),
            centi(101_300 + waver * 3 + step / 10),
            centi(6230 - step * 10),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet() -> Fleet {
        let devices =
            vec![Device::new((1, 0), LONG), Device::new((1, 1), SHORT), Device::new((1, 2), SHORT)];
        Fleet {
            token: "t".into(),
            key: "k".into(),
            devices,
            ends_at_ms: 1_700_000_000_000,
            next: 0,
        }
    }

    fn body(request: &[u8]) -> Value {
        let at = request.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        serde_json::from_slice(&request[at + 4..]).unwrap()
    }

    #[test]
    fn everything_is_sent_once_and_ends_together() {
        let mut fleet = fleet();
        let requests = fleet.requests(1_000_000, PER_REQUEST);
        assert_eq!(requests.len(), (LONG + 2 * SHORT) / PER_REQUEST);
        assert!(fleet.requests(1, 1).is_empty());
        let ids: std::collections::HashSet<String> = requests
            .iter()
            .flat_map(|request| body(request)["readings"].as_array().unwrap().clone())
            .map(|reading| reading["batch_id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(ids.len(), LONG + 2 * SHORT);
        let last = body(requests.last().unwrap());
        assert_eq!(last["readings"][99]["timestamp_ms"], 1_700_000_000_000_i64);
    }

    #[test]
    fn a_reading_is_as_large_as_a_real_one() {
        let request = fleet().requests(1, 1).remove(0);
        let reading = body(&request)["readings"][0].to_string();
        assert!((380..460).contains(&reading.len()), "{}: {reading}", reading.len());
    }
}
