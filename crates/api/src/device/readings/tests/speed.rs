use std::{fs, hint::black_box};

use super::*;

/// CPU time of this thread in nanoseconds: on a busy machine the wall clock is useless.
fn used_ns() -> u64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    statistics.split(' ').next().unwrap().parse().unwrap()
}

/// `cargo test --release -p larder-api --lib -- --ignored --nocapture reading_takes`
#[test]
#[ignore = "a measurement, meaningful only in a release build"]
fn reading_takes_no_more_than_2_microseconds_per_reading() {
    const ROUNDS: u64 = 1_000;
    let body = request(100).to_string();
    // The best of several runs, because other load on the machine can only slow it down.
    let per_reading_ns = (0..9)
        .map(|_| {
            let before = used_ns();
            for _ in 0..ROUNDS {
                let sent = SentReadings::parse(black_box(body.as_bytes())).unwrap();
                assert_eq!(black_box(&sent).readings.len(), 100);
            }
            (used_ns() - before) / (ROUNDS * 100)
        })
        .min()
        .unwrap();
    println!("{per_reading_ns} ns per reading, of a body of {} bytes", body.len());
    assert!(per_reading_ns <= 2_000, "{per_reading_ns} ns");
}
