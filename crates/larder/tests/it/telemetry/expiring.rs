//! Expired readings.

use serde_json::{Value, json};

use crate::it::support::{Server, ServerSettings, batch_ids, now_ms, told, until};

const DAY_MS: i64 = 86_400_000;
/// How long the reading that expires during the test still exists: long enough for a busy machine
/// to send it.
const LEFT_MS: i64 = 12_000;

#[tokio::test]
async fn a_reading_is_gone_when_its_time_has_passed() {
    let settings = ServerSettings::default().with("LARDER_READING_RETENTION_DAYS", "1");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
    let short_lived = anna.add_device(&server, "AA:BB:CC:DD:EE:02").await;
    let soon = now_ms() - DAY_MS + LEFT_MS;
    let sent = device.send(&[device.reading(now_ms(), "new"), device.reading(soon, "old")]).await;
    assert_eq!(sent.expect(200), told(&["new", "old"], &[]));
    short_lived.send(&[short_lived.reading(soon, "alone")]).await.expect(200);
    let kept = anna.latest(&short_lived).await;
    assert_eq!(kept.expect(200)["expiration_time"], json!(soon / 1000 + 86_400));
    assert_eq!(batch_ids(&anna.readings(&device, "").await), ["new", "old"]);

    until("the reading is gone", async || anna.latest(&short_lived).await.status != 200).await;
    assert!(now_ms() / 1000 >= soon / 1000 + 86_400, "it went too early");
    anna.latest(&short_lived).await.expect_problem(404, "NO_READINGS");
    assert_eq!(batch_ids(&anna.readings(&device, "").await), ["new"]);
    let series = format!("{}/series?sensor=humidity_pct&from={soon}&buckets=1", device.path());
    let counted: Value = anna.get(&series).await.expect(200)["buckets"][0]["count"].clone();
    assert_eq!(counted, json!(1));
    // Its batch id is remembered longer than the reading.
    let resent = device.send(&[device.reading(now_ms(), "old")]).await.expect(200);
    assert_eq!(resent, told(&[], &["old"]));
}

#[tokio::test]
async fn a_reading_that_comes_too_late_is_acknowledged_and_not_kept() {
    let settings = ServerSettings::default().with("LARDER_READING_RETENTION_DAYS", "1");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
    let late = device.reading(now_ms() - DAY_MS - 1000, "late");
    for _ in 0..2 {
        let sent = device.send(std::slice::from_ref(&late)).await.expect(200);
        assert_eq!(sent, told(&["late"], &[]));
    }
    anna.latest(&device).await.expect_problem(404, "NO_READINGS");
    assert_eq!(anna.readings(&device, "").await, [] as [Value; 0]);
    // Its batch id is not even claimed.
    let sent = device.send(&[device.reading(now_ms(), "late")]).await.expect(200);
    assert_eq!(sent, told(&["late"], &[]));
}
