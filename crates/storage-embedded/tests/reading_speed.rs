//! How fast readings are found again. For `cargo test --release -p larder-storage-embedded --test reading_speed --
//! --ignored --nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "prints what it measures")]

mod common;

use std::time::Instant;

use common::readings::{at, device, realistic, send};
use common::{Bed, START_S};
use larder_domain::{SensorName, SeriesSpan};
use larder_storage::ReadingRange;
use larder_storage_item::{ReadingEngine, ReadingQuery};

/// Ninety days of readings, one every five minutes.
const READINGS: i64 = 90 * 288;

/// Runs an operation repeatedly and prints its average time.
async fn measure(name: &str, rounds: u32, mut run: impl AsyncFnMut()) {
    let started = Instant::now();
    for _ in 0..rounds {
        run().await;
    }
    println!("{name}: {:?}", started.elapsed() / rounds);
}

#[tokio::test]
#[ignore = "a measurement, not a check"]
async fn readings_are_found_quickly() {
    let bed = Bed::new();
    let device = device(1);
    let readings: Vec<_> = (0..READINGS).map(|n| realistic(device, n)).collect();
    for readings in readings.chunks(100) {
        send(&bed.engine, readings, START_S).await;
    }
    bed.engine.merge_readings().await.unwrap();
    let (engine, at) = (&bed.engine, at(START_S));
    let newest = readings.last().unwrap();

    measure("latest", 10_000, async || {
        assert_eq!(engine.latest_reading(device, at).await.unwrap().as_ref(), Some(newest));
    })
    .await;
    let day = ReadingRange {
        from: readings[readings.len() - 288].time,
        to: newest.time,
        oldest_first: true,
    };
    measure("24 hours, 288 readings", 1000, async || {
        let query = ReadingQuery { device, range: day, after: None, limit: 1000, at };
        assert_eq!(engine.find_readings(query).await.unwrap().items.len(), 288);
    })
    .await;
    let sensor = SensorName::parse("humidity_pct").unwrap();
    let span = SeriesSpan::new(readings[0].time, newest.time, 300).unwrap();
    measure("series of 90 days, 25,920 readings, 300 buckets", 200, async || {
        let series = engine.reading_series(device, &sensor, span, at).await.unwrap();
        assert_eq!(series.iter().map(|bucket| bucket.count).sum::<u64>(), 25_920);
    })
    .await;
}
