//! The whole way of a device: from its key to the chart.

use std::collections::HashMap;

use serde_json::{json, value::RawValue};

use crate::it::support::{BOOT_ID, Server, batch_ids, now_ms, told};

const MAC: &str = "AA:BB:CC:DD:EE:FF";

#[tokio::test]
async fn a_device_registers_sends_resends_and_is_seen() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = server.device(&anna.api_key().await, MAC);
    assert_eq!(anna.get("/devices").await.expect(200)["items"], json!([]));

    let registered = device.register().await.expect(200);
    assert_eq!(
        (&registered["status"], &registered["hardware_id"]),
        (&json!("registered"), &json!(MAC))
    );
    let shown = anna.get(&device.path()).await.expect(200);
    assert_eq!(
        shown,
        json!({
            "hardware_id": MAC,
            "confirmation_id": registered["confirmation_id"],
            "friendly_name": null,
            "firmware_version": "1.0.16",
            "capabilities": {
                "sensors": ["bme280", "ds18b20"],
                "features": { "tft_display": true, "offline_buffering": false },
            },
            "first_registered_at": registered["registered_at"],
            "last_seen_at": registered["registered_at"],
            "last_boot_id": BOOT_ID,
        })
    );
    anna.latest(&device).await.expect_problem(404, "NO_READINGS");

    let start = now_ms() - 60_000;
    let readings = [
        device.reading(start, "first"),
        device.reading(start + 1000, "second"),
        device.reading(start + 2000, "third"),
    ];
    let sent = device.send(&readings[..2]).await.expect(200);
    assert_eq!(sent, told(&["first", "second"], &[]));
    let resent = device.send(&readings).await.expect(200);
    assert_eq!(resent, told(&["third"], &["first", "second"]));

    let listed = anna.get("/devices").await.expect(200);
    assert_eq!(listed, json!({ "items": [shown], "next_cursor": null }));
    let latest = anna.latest(&device).await;
    assert_eq!(
        latest.expect(200),
        json!({
            "hardware_id": MAC,
            "timestamp_ms": start + 2000,
            "batch_id": "third",
            "boot_id": BOOT_ID,
            "firmware_version": "1.0.16",
            "friendly_name": null,
            "sensors": { "bme280_temp_c": 22.5, "humidity_pct": 45.25 },
            "sensor_status": { "bme280": "ok" },
            "expiration_time": (start + 2000) / 1000 + 90 * 86_400,
        })
    );
    let all = anna.readings(&device, "").await;
    assert_eq!(batch_ids(&all), ["third", "second", "first"]);
    assert_eq!(all[0], latest.json());
    let one = anna.readings(&device, &format!("from={0}&to={0}", start + 1000)).await;
    assert_eq!(batch_ids(&one), ["second"]);

    let query = format!("sensor=humidity_pct&from={start}&to={}&buckets=1", start + 2000);
    let series = anna.get(&format!("{}/series?{query}", device.path())).await.expect(200);
    assert_eq!(
        series,
        json!({
            "hardware_id": MAC,
            "sensor": "humidity_pct",
            "from": start,
            "to": start + 2000,
            "buckets": [
                { "from": start, "to": start + 2000, "min": 45.25, "avg": 45.25, "max": 45.25, "count": 3 },
            ],
        })
    );
}

#[tokio::test]
async fn values_come_back_exactly() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    let mut reading = device.reading(now_ms(), "exact");
    reading["sensors"] = json!({
        "third": 1.0 / 3.0,
        "tenth": 0.1,
        "negative": -273.15,
        "small": 1.5e-130,
        "large": 9.999_999_999_999_998e124,
        "whole": 1013,
        "long": 123_456_789.123_456_78,
        "湿度": 45.2,
    });
    device.send(&[reading.clone()]).await.expect(200);
    let latest = anna.latest(&device).await;
    latest.expect(200);
    // As they were written: reading them as a `Value` rounds.
    let latest: HashMap<String, &RawValue> = serde_json::from_str(&latest.text).unwrap();
    let kept: HashMap<String, &RawValue> = serde_json::from_str(latest["sensors"].get()).unwrap();
    for (name, sent) in reading["sensors"].as_object().unwrap() {
        let (sent, kept) = (sent.as_f64().unwrap(), kept[name].get().parse::<f64>().unwrap());
        assert_eq!(kept.to_bits(), sent.to_bits(), "{name}: {kept} for {sent}");
    }
    assert_eq!(kept.len(), 8);
}

#[tokio::test]
async fn whoever_holds_the_latest_reading_is_told_that_it_still_is() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    device.send(&[device.reading(now_ms() - 5, "one")]).await.expect(200);
    for path in ["/devices".to_owned(), device.path(), format!("{}/latest", device.path())] {
        let answer = anna.get(&path).await;
        let request = anna.request(reqwest::Method::GET, &path);
        let again = anna.send(request.header("If-None-Match", answer.header("etag"))).await;
        assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}");
    }
}

#[tokio::test]
async fn what_is_no_address_of_a_device_is_answered_as_an_unknown_one() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for device in [MAC, "aa:bb:cc:dd:ee:ff", "device", "%00"] {
        for rest in ["", "/latest", "/readings", "/series?sensor=a"] {
            let answer = anna.get(&format!("/devices/{device}{rest}")).await;
            answer.expect_problem(404, "DEVICE_NOT_FOUND");
        }
        let path = format!("/devices/{device}");
        let renamed = anna.patch(&path, json!({ "friendly_name": "x" })).await;
        renamed.expect_problem(404, "DEVICE_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_person_without_a_household_has_no_devices() {
    let server = Server::start().await;
    let loner = server.register("loner").await;
    let empty = json!({ "items": [], "next_cursor": null });
    assert_eq!(loner.get("/devices").await.expect(200), empty);
    for rest in ["", "/latest", "/readings", "/series?sensor=a"] {
        let answer = loner.get(&format!("/devices/{MAC}{rest}")).await;
        answer.expect_problem(404, "DEVICE_NOT_FOUND");
    }
    let renamed = loner.patch(&format!("/devices/{MAC}"), json!({ "friendly_name": "x" })).await;
    renamed.expect_problem(404, "DEVICE_NOT_FOUND");
}
