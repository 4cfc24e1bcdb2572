//! Series for charts.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, TestDevice, now_ms};

const MAC: &str = "AA:BB:CC:DD:EE:FF";

async fn series(anna: &Client, device: &TestDevice, query: &str) -> Value {
    anna.get(&format!("{}/series?{query}", device.path())).await.expect(200)
}

fn with_temperature(device: &TestDevice, ms: i64, id: &str, value: f64) -> Value {
    let mut reading = device.reading(ms, id);
    reading["sensors"] = json!({ "temp_c": value });
    reading
}

#[tokio::test]
async fn a_bucket_has_the_smallest_the_mean_and_the_largest() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    let start = now_ms() - 100_000;
    let values = [(0, 1.0), (24, 3.0), (25, -7.5), (99, 10.0), (100, 1000.0)];
    let readings: Vec<Value> = values
        .iter()
        .map(|(ms, value)| with_temperature(&device, start + ms, &format!("at-{ms}"), *value))
        .collect();
    device.send(&readings).await.expect(200);
    // A reading without the sensor does not count.
    device.send(&[device.reading(start + 50, "other")]).await.expect(200);

    let query = format!("sensor=temp_c&from={start}&to={}&buckets=4", start + 99);
    let bucket = |from: i64, to: i64, min: f64, avg: f64, max: f64, count: u64| json!({ "from": start + from, "to": start + to, "min": min, "avg": avg, "max": max, "count": count });
    assert_eq!(
        series(&anna, &device, &query).await["buckets"],
        json!([
            bucket(0, 24, 1.0, 2.0, 3.0, 2),
            bucket(25, 49, -7.5, -7.5, -7.5, 1),
            bucket(75, 99, 10.0, 10.0, 10.0, 1),
        ])
    );
    let unknown = series(&anna, &device, &query.replace("temp_c", "volts")).await;
    assert_eq!(unknown["buckets"], json!([]));
}

#[tokio::test]
async fn the_last_day_is_shown_unless_asked_otherwise() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    let now = now_ms();
    let hours = |count: i64| now - count * 3_600_000;
    let readings = [
        with_temperature(&device, hours(1), "new", 1.0),
        with_temperature(&device, hours(23), "yesterday", 2.0),
        with_temperature(&device, hours(25), "older", 3.0),
        with_temperature(&device, hours(24 * 89), "oldest", 4.0),
    ];
    device.send(&readings).await.expect(200);
    let counted = async |query: String| -> Vec<u64> {
        let series = series(&anna, &device, &format!("sensor=temp_c{query}")).await;
        let buckets = series["buckets"].as_array().unwrap().iter();
        buckets.map(|bucket| bucket["count"].as_u64().unwrap()).collect()
    };
    assert_eq!(counted("&buckets=1".into()).await, [2]);
    assert_eq!(counted(String::new()).await, [1, 1]);
    assert_eq!(counted(format!("&to={}&buckets=1", hours(24))).await, [1]);
    assert_eq!(counted(format!("&from={}&buckets=1", hours(24 * 90))).await, [4]);
    assert_eq!(counted(format!("&from={}&buckets=2000", hours(24 * 90))).await, [1, 1, 1, 1]);
}

#[tokio::test]
async fn a_span_that_cannot_be_cut_is_refused_by_its_field() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, MAC).await;
    for (query, field) in [
        ("from=1704067200000", "sensor"),
        ("sensor=", "sensor"),
        ("sensor=a&buckets=0", "buckets"),
        ("sensor=a&buckets=2001", "buckets"),
        ("sensor=a&from=x", "from"),
        ("sensor=a&from=1704067200001&to=1704067200000", "from"),
    ] {
        let answer = anna.get(&format!("{}/series?{query}", device.path())).await;
        answer.expect_invalid_field(field);
    }
}
