//! The rate of ingestion, and the size on disk. For `cargo test --release -p
//! larder-storage-embedded --test ingest_speed -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "prints what it measures"
)]

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::Bed;
use common::readings::{HOUSEHOLD, at, device, realistic};
use larder_storage_item::{AppendReadings, ReadingEngine};

const DEVICES: usize = 1000;

/// The processor time of a thread of this process, by name.
fn processor_time(thread: &str) -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let ticks = tasks.flatten().filter_map(|task| {
        let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
        let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
        let times: Vec<u64> = rest.split(' ').skip(11).take(2).flat_map(str::parse).collect();
        (name == thread).then(|| times.iter().sum::<u64>())
    });
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// Requests with this many readings of one device each, from this many senders.
async fn measure(bed: &Bed, readings: usize, per_request: usize, senders: usize, first: i64) {
    let (started, before) = (Instant::now(), processor_time("committer"));
    let each = readings / senders;
    let tasks = (0..senders).map(|sender| {
        let engine = Arc::clone(&bed.engine);
        tokio::spawn(async move {
            for request in 0..each / per_request {
                let number = sender + request * senders;
                let (device, round) = (device(number % DEVICES), number / DEVICES);
                let from = first + (round * per_request) as i64;
                let readings =
                    (0..per_request as i64).map(|n| realistic(device, from + n)).collect();
                let append =
                    AppendReadings { household: HOUSEHOLD, readings, at: at(common::START_S) };
                engine.append_readings(append).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let (took, busy) = (started.elapsed(), processor_time("committer").saturating_sub(before));
    let statistics = bed.engine.statistics();
    println!(
        "{per_request:3} per request from {senders:2}: {:7.0} readings/s, committing thread {:5.2} µs each; \
         {} wait in {} KiB and {} rows, {} merges in all",
        readings as f64 / took.as_secs_f64(),
        busy.as_secs_f64() * 1e6 / readings as f64,
        statistics.pending_readings,
        statistics.pending_bytes / 1024,
        statistics.reading_log_rows,
        statistics.reading_merges,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement that takes half a minute"]
async fn readings_per_second_and_bytes_per_reading() {
    let bed = Bed::new();
    for part in 0..10 {
        measure(&bed, 100_000, 100, 8, part * 100).await;
    }
    let started = Instant::now();
    bed.engine.merge_readings().await.unwrap();
    println!("the rest merged in {:?}", started.elapsed());
    bed.engine.close().await;
    let file = bed.directory.path().join("larder.db").metadata().unwrap().len();
    let bytes = file as f64 / 1e6;
    println!("{bytes:.1} bytes per reading after 1,000,000 of {DEVICES} devices");
    assert!(bytes <= 20.0, "{bytes:.1} bytes per reading");

    let bed = Bed::new();
    measure(&bed, 64_000, 1, 64, 0).await;
    measure(&bed, 64_000, 1, 64, 64).await;
}
