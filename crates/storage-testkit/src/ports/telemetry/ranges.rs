//! Ranges of readings: both ends included, in order, page by page.

use jiff::SignedDuration;
use larder_domain::{BatchId, HardwareId, Reading, ReadingPosition, ReadingTime};
use larder_storage::{FleetScope, Ingest, NewReading, NewReadings, ReadingRange};

use super::{ACKNOWLEDGED, kept};
use crate::{Random, StoreHarness, seed};

/// So many milliseconds after the first.
const fn range(first: ReadingTime, from: i64, to: i64) -> ReadingRange {
    let (Ok(from), Ok(to)) = (
        ReadingTime::from_millis(first.as_millis() + from),
        ReadingTime::from_millis(first.as_millis() + to),
    ) else {
        panic!("all times of the tests are of this century");
    };
    ReadingRange { from, to, oldest_first: true }
}

async fn ids(
    h: &StoreHarness,
    scope: FleetScope,
    device: HardwareId,
    range: ReadingRange,
) -> Vec<String> {
    let readings = h.readings(scope, device, range, 1000).await;
    readings.into_iter().map(|reading| reading.batch_id.to_string()).collect()
}

pub async fn p44_both_ends_of_a_range_belong_to_it(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let readings: Vec<_> = (0..5).map(|n| h.reading(device, n * 10, &n.to_string())).collect();
    h.send(scope, &readings).await;
    let first = readings[0].time;
    let cases: [(i64, i64, &[&str]); 8] = [
        (0, 40, &["0", "1", "2", "3", "4"]),
        (10, 30, &["1", "2", "3"]),
        (11, 29, &["2"]),
        (9, 31, &["1", "2", "3"]),
        (20, 20, &["2"]),
        (21, 29, &[]),
        (-1000, -1, &[]),
        (41, 1000, &[]),
    ];
    for (from, to, expected) in cases {
        let forwards = range(first, from, to);
        assert_eq!(ids(h, scope, device, forwards).await, expected, "{from}..={to}");
        let backwards = ReadingRange { oldest_first: false, ..forwards };
        let reversed: Vec<_> = expected.iter().rev().copied().collect();
        assert_eq!(ids(h, scope, device, backwards).await, reversed, "{from}..={to} backwards");
    }
}

pub async fn p44_readings_of_one_millisecond_stand_in_the_order_of_their_ids(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let (z, zz) = ("z".repeat(255), "z".repeat(256));
    let in_order = ["-", ".", "0", "00", "9", ":", "A", "Z", "_", "a", "z", &z, &zz];
    let mut readings: Vec<_> = in_order.iter().map(|id| h.reading(device, 0, id)).collect();
    readings.push(h.reading(device, -1, "before"));
    readings.push(h.reading(device, 1, "after"));
    readings.reverse();
    readings.swap(3, 9);
    h.send(scope, &readings).await;
    let now = h.reading(device, 0, "now").time;
    // The highest possible id is within the upper bound too.
    assert_eq!(ids(h, scope, device, range(now, 0, 0)).await, in_order);
    let backwards = ReadingRange { oldest_first: false, ..range(now, 0, 1) };
    let expected: Vec<_> = ["after"].into_iter().chain(in_order.into_iter().rev()).collect();
    assert_eq!(ids(h, scope, device, backwards).await, expected);
    for limit in 1..=in_order.len() {
        let readings = h.readings(scope, device, range(now, 0, 0), limit).await;
        let read: Vec<_> = readings.iter().map(|reading| reading.batch_id.as_str()).collect();
        assert_eq!(read, in_order, "pages of {limit}");
    }
}

pub async fn p44_a_page_continues_behind_a_place_where_nothing_is(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let readings = [(0, "b"), (0, "d"), (5, "a")].map(|(ms, id)| h.reading(device, ms, id));
    h.send(scope, &readings).await;
    let first = readings[0].time;
    let cases: [(i64, &str, &[&str], &[&str]); 5] = [
        (0, "a", &["b", "d", "a"], &[]),
        (0, "b", &["d", "a"], &[]),
        (0, "c", &["d", "a"], &["b"]),
        (3, "x", &["a"], &["d", "b"]),
        (5, "b", &[], &["a", "d", "b"]),
    ];
    for (ms, id, forwards, backwards) in cases {
        for (oldest_first, expected) in [(true, forwards), (false, backwards)] {
            let range = ReadingRange { oldest_first, ..range(first, -10, 10) };
            let time = ReadingTime::from_millis(first.as_millis() + ms).unwrap();
            let after = ReadingPosition { time, batch_id: BatchId::parse(id).unwrap() };
            let page = h.store().list_readings(scope, device, range, Some(&after), 10, h.now());
            let page = page.await.unwrap();
            assert_eq!(page.next, None);
            let read: Vec<_> = page.items.iter().map(|r| r.batch_id.as_str()).collect();
            assert_eq!(read, expected, "behind {id} at {ms}, oldest first: {oldest_first}");
        }
    }
}

pub async fn p44_the_first_and_the_last_time_there_is_can_be_read(h: &StoreHarness) {
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let times = [ReadingTime::MIN, h.reading(device, 0, "x").time, ReadingTime::MAX];
    let reading =
        |n: usize| NewReading { time: times[n], ..h.reading(device, 0, &format!("{device}_{n}")) };
    let retention = SignedDuration::from_hours(100 * 366 * 24);
    let request = NewReadings { retention, ..h.request(vec![reading(1), reading(2), reading(0)]) };
    let expected: Vec<_> = (0..3).map(|n| kept(&reading(n), &request)).collect();
    let done = h.store().ingest(scope, request).await.unwrap();
    assert_eq!(done, Ingest::Done(vec![ACKNOWLEDGED; 3]));
    let everything = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    assert_eq!(h.readings(scope, device, everything, 2).await, expected);
    for (n, time) in times.into_iter().enumerate() {
        let only = ReadingRange { from: time, to: time, oldest_first: false };
        assert_eq!(h.readings(scope, device, only, 2).await, expected[n..=n]);
    }
    assert_eq!(h.latest(scope, device).await.as_ref(), expected.last());
}

/// Readings as sent by a device with a bad connection: mostly in order, some late, some very late,
/// several of one millisecond. In order of arrival.
fn disorder(h: &StoreHarness, device: HardwareId, random: &mut Random) -> Vec<NewReading> {
    let count = h.many();
    (0..count)
        .map(|n| {
            let ahead = match random.below(20) {
                0 => random.below(count),
                1..=4 => n.saturating_sub(random.below(300)),
                _ => n,
            };
            let ms = i64::try_from(ahead / 2 * 1000).unwrap() - 3_600_000;
            h.reading(device, ms, &format!("{device}_{:05}", n * 7919 % 100_000))
        })
        .collect()
}

pub async fn p44_pages_of_every_size_lose_and_repeat_nothing(h: &StoreHarness) {
    let seed = seed();
    let scope = h.home().await.fleet();
    let device = h.device(scope).await;
    let readings = disorder(h, device, &mut Random::new(seed));
    let request = h.request(vec![]);
    let mut expected: Vec<Reading> = Vec::new();
    // Read in the middle too: later readings must be sorted in among those already read.
    for part in readings.chunks(readings.len() / 3 + 1) {
        assert_eq!(h.send(scope, part).await, vec![ACKNOWLEDGED; part.len()]);
        expected.extend(part.iter().map(|reading| kept(reading, &request)));
        expected.sort_by_key(Reading::position);
        let everything = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
        assert!(h.readings(scope, device, everything, 1000).await == expected, "seed {seed}");
    }
    let from = expected.len() / 2;
    for (limit, count) in [(1, 40), (2, 90), (7, 300), (128, usize::MAX), (129, usize::MAX)] {
        let part = &expected[from.min(expected.len() - 1)..];
        let part = if count == usize::MAX { &expected[..] } else { &part[..count.min(part.len())] };
        let (first, last) = (&part[0], &part[part.len() - 1]);
        let range = ReadingRange { from: first.time, to: last.time, oldest_first: true };
        let is_within = |reading: &&Reading| (range.from..=range.to).contains(&reading.time);
        let mut part: Vec<_> = expected.iter().filter(is_within).cloned().collect();
        assert!(
            h.readings(scope, device, range, limit).await == part,
            "pages of {limit}, seed {seed}"
        );
        let backwards = ReadingRange { oldest_first: false, ..range };
        part.reverse();
        assert!(
            h.readings(scope, device, backwards, limit).await == part,
            "back by {limit}, seed {seed}"
        );
    }
}
