//! Readings are kept for their retention, and gone from the second it ends.

use jiff::SignedDuration;
use larder_domain::{HardwareId, SeriesSpan};
use larder_storage::{FleetScope, Ingest, NewReading, NewReadings, ReadingRange};

use super::{ACKNOWLEDGED, DUPLICATE};
use crate::StoreHarness;

/// Sends readings with a retention of so many seconds.
async fn send_for(h: &StoreHarness, scope: FleetScope, readings: &[NewReading], seconds: i64) {
    let retention = SignedDuration::from_secs(seconds);
    let request = NewReadings { retention, ..h.request(readings.to_vec()) };
    let done = h.store().ingest(scope, request).await.unwrap();
    assert_eq!(done, Ingest::Done(vec![ACKNOWLEDGED; readings.len()]));
}

/// The readings of a device, oldest first, which every query must agree on.
async fn shown(h: &StoreHarness, scope: FleetScope, device: HardwareId) -> Vec<String> {
    let ids = h.batch_ids(scope, device).await;
    for limit in [1, 2] {
        let backwards = h.readings(scope, device, ReadingRange::newest_first(), limit).await;
        let backwards = backwards.iter().rev().map(|reading| reading.batch_id.to_string());
        assert_eq!(backwards.collect::<Vec<_>>(), ids);
    }
    let latest = h.latest(scope, device).await.map(|reading| reading.batch_id.to_string());
    assert_eq!(latest.as_ref(), ids.last());
    let everything = ReadingRange::newest_first();
    let span = SeriesSpan::new(everything.from, everything.to, 1).unwrap();
    let sensor = larder_domain::SensorName::parse("humidity_pct").unwrap();
    let series = h.store().reading_series(scope, device, &sensor, span, h.now()).await.unwrap();
    let count: u64 = series.iter().map(|bucket| bucket.count).sum();
    assert_eq!(count, ids.len() as u64);
    ids
}

pub async fn p43_a_reading_is_gone_from_the_second_it_expires(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let ids = [0, 1, 2].map(|n| format!("{device}_{n}"));
    // Of the second that it is now, of the next, and of the one before.
    let readings =
        [(1000, &ids[2]), (0, &ids[1]), (-1000, &ids[0])].map(|(ms, id)| h.reading(device, ms, id));
    send_for(h, scope, &readings, 100).await;
    assert_eq!(shown(h, scope, device).await, ids);
    for gone in 0..=3 {
        let seconds = if gone == 0 { 98 } else { 1 };
        h.advance_seconds(seconds);
        assert_eq!(shown(h, scope, device).await, ids[gone..], "{gone} are gone");
    }
    assert_eq!(h.find_device(scope, device).await.map(|device| device.hardware_id), Some(device));
}

pub async fn p43_what_expired_before_it_came_is_acknowledged_and_not_kept(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let id = |n: usize| format!("{device}_{n}");
    let late = [
        h.reading(device, -101_000, &id(0)),
        h.reading(device, -100_000, &id(1)),
        h.reading(device, -99_000, &id(2)),
    ];
    for _ in 0..2 {
        send_for(h, scope, &late[..2], 100).await;
    }
    send_for(h, scope, &late[2..], 100).await;
    assert_eq!(shown(h, scope, device).await, [id(2)]);
    // Duplicates within a request are reported, even of readings that are not kept.
    let twice = vec![late[0].clone(), h.reading(device, 0, &id(0)), late[0].clone()];
    let retention = SignedDuration::from_secs(100);
    let request = NewReadings { retention, ..h.request(twice) };
    let done = h.store().ingest(scope, request).await.unwrap();
    assert_eq!(done, Ingest::Done(vec![ACKNOWLEDGED, DUPLICATE, DUPLICATE]));
    assert_eq!(shown(h, scope, device).await, [id(2)]);
    // Their ids were not used up.
    let anew = [0, 1, 2].map(|n| h.reading(device, 0, &id(n)));
    assert_eq!(h.send(scope, &anew).await, [ACKNOWLEDGED, ACKNOWLEDGED, DUPLICATE]);
    assert_eq!(shown(h, scope, device).await, [id(2), id(0), id(1)]);
}

pub async fn p43_each_reading_is_kept_as_long_as_was_said_when_it_came(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let id = |n: usize| format!("{device}_{n}");
    let reading = |n: usize| h.reading(device, i64::try_from(n).unwrap(), &id(n));
    send_for(h, scope, &[reading(0), reading(3)], 100).await;
    send_for(h, scope, &[reading(1), reading(4)], 300).await;
    send_for(h, scope, &[reading(2), reading(5)], 200).await;
    assert_eq!(shown(h, scope, device).await, [0, 1, 2, 3, 4, 5].map(id));
    h.advance_seconds(100);
    assert_eq!(shown(h, scope, device).await, [1, 2, 4, 5].map(id));
    h.advance_seconds(100);
    assert_eq!(shown(h, scope, device).await, [1, 4].map(id));
    h.advance_seconds(100);
    assert_eq!(shown(h, scope, device).await, Vec::<String>::new());
}

pub async fn p43_pages_go_on_past_the_expired(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let reading = |n: i64| h.reading(device, n, &format!("{device}_{n:03}"));
    let (staying, going): (Vec<i64>, Vec<i64>) = (0..60).partition(|n| n % 20 == 7);
    for (numbers, seconds) in [(&staying, 1000), (&going, 10)] {
        let readings: Vec<_> = numbers.iter().map(|n| reading(*n)).collect();
        send_for(h, scope, &readings, seconds).await;
    }
    h.advance_seconds(10);
    let expected: Vec<_> = staying.iter().map(|n| format!("{device}_{n:03}")).collect();
    assert_eq!(shown(h, scope, device).await, expected);
}
