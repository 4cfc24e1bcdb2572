//! Readings count once, wherever they are: on their way, in the log, in blocks, before and after a crash.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::readings::{
    HOUSEHOLD, RETENTION_S, WINDOW_MS, all_of, at, device, reading, realistic, send, window_id,
};
use common::{Bed, START_S};
use jiff::SignedDuration;
use larder_domain::{HouseholdId, Reading};
use larder_storage::{ReadingState, StorageError};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions, ReadingBuffer};
use larder_storage_item::{AppendReadings, ReadingEngine};
use rusqlite::Connection;
use tempfile::TempDir;

const MONTH_S: i64 = 30 * 24 * 60 * 60;

fn open(directory: &TempDir, bed: &Bed) -> Result<EmbeddedEngine, String> {
    EmbeddedEngine::open(directory.path(), bed.clock.clone(), EmbeddedOptions::default())
        .map_err(|error| error.to_string())
}

fn windows(device_number: usize, numbers: std::ops::Range<i64>) -> Vec<Reading> {
    numbers.map(|n| realistic(device(device_number), n)).collect()
}

#[tokio::test]
async fn a_batch_id_counts_once_whatever_its_form_and_wherever_it_is() {
    let longest = "x".repeat(256);
    let (one, other) = (device(1), device(2));
    let canonical = window_id(one, 5);
    let near = [
        canonical.replace("AA:", "aa:"),
        canonical.to_lowercase(),
        format!("{canonical}_"),
        canonical.replace('_', "-"),
        format!("{canonical}0"),
        canonical.replacen("_1", "_01", 1),
        window_id(other, 5),
        "=".replace('=', "."),
        longest,
    ];
    let ms = START_S * 1000;
    let all: Vec<_> = near.iter().chain([&canonical]).map(|id| reading(one, ms, id, 1.0)).collect();
    let mut bed = Bed::waiting();
    let count = all.len();
    assert_eq!(send(&bed.engine, &all, START_S).await, vec![true; count]);
    assert_eq!(send(&bed.engine, &all, START_S).await, vec![false; count], "pending");
    bed.engine.merge_readings().await.unwrap();
    assert_eq!(send(&bed.engine, &all, START_S).await, vec![false; count], "merged");
    bed = bed.reopen();
    assert_eq!(send(&bed.engine, &all, START_S).await, vec![false; count], "opened again");
    let last = START_S + MONTH_S - 1;
    assert_eq!(send(&bed.engine, &all, last).await, vec![false; count], "to the last second");
    assert_eq!(send(&bed.engine, &all, last + 1).await, vec![true; count], "forgotten");
    assert_eq!(all_of(&bed.engine, one, START_S).await.len(), count, "written over");
}

#[tokio::test]
async fn each_household_has_ids_of_its_own() {
    let bed = Bed::waiting();
    let same = vec![reading(device(1), START_S * 1000, "same", 1.0)];
    for household in [HOUSEHOLD, Some(HouseholdId::fixed(8)), None] {
        for expected in [ReadingState::Acknowledged, ReadingState::Duplicate] {
            let append = AppendReadings { household, readings: same.clone(), at: at(START_S) };
            assert_eq!(bed.engine.append_readings(append).await.unwrap(), [expected]);
        }
    }
}

#[tokio::test]
async fn a_part_that_is_known_does_not_keep_the_rest_from_being_kept() {
    let bed = Bed::waiting();
    send(&bed.engine, &windows(1, 2..4), START_S).await;
    let mixed = [windows(1, 0..3), windows(2, 0..1), windows(1, 3..5)].concat();
    let expected = [true, true, false, true, false, true];
    assert_eq!(send(&bed.engine, &mixed, START_S).await, expected);
    assert_eq!(all_of(&bed.engine, device(1), START_S).await, windows(1, 0..5));
    assert_eq!(all_of(&bed.engine, device(2), START_S).await, windows(2, 0..1));
}

#[tokio::test]
async fn a_crash_loses_nothing_that_was_answered_and_counts_nothing_twice() {
    let bed = Bed::waiting();
    let mut kept = 0;
    for round in 0..6 {
        let next = (0..20).flat_map(|n| windows(n, round * 30..(round + 1) * 30));
        let next: Vec<_> = next.collect();
        for request in next.chunks(100) {
            send(&bed.engine, request, START_S).await;
        }
        kept += 30;
        // The states: logged, partly merged, all merged, and logged beside merged ones.
        let merging = tokio::spawn({
            let engine = Arc::clone(&bed.engine);
            async move {
                if round % 2 == 1 {
                    engine.merge_readings().await.unwrap();
                }
            }
        });
        let during = bed.copy();
        merging.await.unwrap();
        for directory in [during, bed.copy()] {
            let engine = open(&directory, &bed).unwrap();
            for n in 0..20 {
                assert_eq!(all_of(&engine, device(n), START_S).await, windows(n, 0..kept));
                let again = send(&engine, &windows(n, kept - 50..kept + 1), START_S).await;
                let expected = (kept - 50..=kept).map(|n| n < 0 || n == kept);
                assert_eq!(again, expected.collect::<Vec<_>>());
            }
            engine.merge_readings().await.unwrap();
            assert_eq!(engine.scrub().await.unwrap().damaged, []);
        }
    }
}

#[tokio::test]
async fn a_closed_store_has_everything_in_blocks() {
    let bed = Bed::waiting();
    send(&bed.engine, &windows(1, 0..100), START_S).await;
    assert_eq!(bed.engine.statistics().pending_readings, 100);
    let bed = bed.reopen();
    let statistics = bed.engine.statistics();
    assert_eq!((statistics.pending_readings, statistics.reading_log_rows), (0, 0));
    assert_eq!(all_of(&bed.engine, device(1), START_S).await, windows(1, 0..100));
}

#[tokio::test]
async fn a_store_that_nobody_asks_anything_holds_nothing_back() {
    let bed = Bed::new();
    for n in 0..50 {
        send(&bed.engine, &windows(n, 0..20), START_S).await;
    }
    let started = std::time::Instant::now();
    while bed.engine.statistics().pending_readings > 0 {
        assert!(started.elapsed().as_secs() < 60, "it still waits");
        tokio::task::yield_now().await;
    }
    let statistics = bed.engine.statistics();
    assert_eq!((statistics.pending_bytes, statistics.reading_log_rows), (0, 0));
    assert_eq!(statistics.readings, 1000);
    assert!(statistics.reading_merges >= 50, "{statistics:?}");
}

#[tokio::test]
async fn what_waits_is_bounded_and_so_is_the_log() {
    const ROUNDS: i64 = 150;
    let reading_buffer = ReadingBuffer { bytes: 256 * 1024, idle: Duration::MAX };
    let bed = Bed::with(EmbeddedOptions { reading_buffer, ..EmbeddedOptions::default() });
    let mut most = (0, 0);
    for round in 0..ROUNDS {
        let request: Vec<_> = (0..10).map(|n| realistic(device(n), round)).collect();
        send(&bed.engine, &request, START_S).await;
        let now = bed.engine.statistics();
        most = (most.0.max(now.pending_bytes), most.1.max(now.reading_log_rows));
    }
    println!("{most:?} at most, {:?}", bed.engine.statistics());
    assert!((64 << 10..=256 << 10).contains(&most.0), "{most:?}");
    assert!(most.1 < ROUNDS.cast_unsigned() / 2, "{most:?}");
    for n in 0..10 {
        let expected: Vec<_> = (0..ROUNDS).map(|round| realistic(device(n), round)).collect();
        assert_eq!(all_of(&bed.engine, device(n), START_S).await, expected);
    }
}

/// The number of rows of a table, in the file as it is.
fn rows(bed: &Bed, table: &str) -> i64 {
    let file = Connection::open(bed.directory.path().join("larder.db")).unwrap();
    file.query_row(&format!("SELECT count(*) FROM {table}"), (), |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn what_has_expired_leaves_block_by_block() {
    let bed = Bed::waiting();
    let mut readings = windows(1, 0..200);
    readings.push(reading(device(1), START_S * 1000, "not-a-window", 1.0));
    for request in readings.chunks(100) {
        send(&bed.engine, request, START_S).await;
    }
    bed.engine.merge_readings().await.unwrap();
    assert_eq!((rows(&bed, "device_readings"), rows(&bed, "processed_batches")), (2, 2));

    bed.clock.advance(SignedDuration::from_secs(MONTH_S - 1));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 0);
    bed.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 201, "batch ids");
    assert_eq!((rows(&bed, "device_readings"), rows(&bed, "processed_batches")), (2, 0));

    bed.clock.advance(SignedDuration::from_secs(RETENTION_S - MONTH_S + 150 * WINDOW_MS / 1000));
    let swept = bed.engine.sweep().await.unwrap().records;
    assert_eq!((swept, rows(&bed, "device_readings")), (128, 1), "the block that is gone");
    bed.clock.advance(SignedDuration::from_secs(50 * WINDOW_MS / 1000));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 73);
    assert_eq!(rows(&bed, "device_readings"), 0);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn a_block_of_mixed_retention_is_trimmed_once_half_of_it_has_expired() {
    let bed = Bed::waiting();
    let mut readings = windows(1, 0..10);
    for short_lived in readings.iter_mut().step_by(2) {
        short_lived.expires_at_s = START_S + 1000;
    }
    readings[1].expires_at_s = START_S + 2000;
    send(&bed.engine, &readings, START_S).await;
    bed.engine.merge_readings().await.unwrap();
    bed.clock.advance(SignedDuration::from_secs(1999));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 0);
    bed.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 6);
    let left: Vec<_> = readings.into_iter().skip(3).step_by(2).collect();
    assert_eq!(all_of(&bed.engine, device(1), START_S).await, left);
    assert_eq!(rows(&bed, "device_readings"), 1);
}

#[tokio::test]
async fn damage_to_one_device_leaves_the_others_alone() {
    let mut bed = Bed::waiting();
    for n in 0..3 {
        send(&bed.engine, &windows(n, 0..10), START_S).await;
    }
    bed = bed.reopen();
    let file = Connection::open(bed.directory.path().join("larder.db")).unwrap();
    let sql = "UPDATE device_readings SET body = X'00' WHERE pk = ?1";
    assert_eq!(file.execute(sql, (device(1).to_string(),)).unwrap(), 1);
    drop(file);
    for n in 0..3 {
        assert_eq!(send(&bed.engine, &windows(n, 10..20), START_S).await, [true; 10]);
    }
    bed.engine.merge_readings().await.unwrap();
    assert_eq!(bed.engine.statistics().pending_readings, 10, "they wait in the log");
    let append =
        AppendReadings { household: HOUSEHOLD, readings: windows(1, 20..21), at: at(START_S) };
    let refused = bed.engine.append_readings(append).await.unwrap_err();
    let StorageError::Corrupt { record, .. } = &refused else { panic!("{refused}") };
    assert!(record.starts_with(&format!("device_readings {}", device(1))), "{record}");
    for round in 2..10 {
        for n in [0, 2] {
            let next = windows(n, round * 10..(round + 1) * 10);
            assert_eq!(send(&bed.engine, &next, START_S).await, [true; 10]);
        }
        bed.engine.merge_readings().await.unwrap();
    }
    assert!(bed.engine.statistics().reading_log_rows <= 2, "the log does not grow");
    assert_eq!(all_of(&bed.engine, device(2), START_S).await, windows(2, 0..100));
    bed = bed.reopen();
    assert_eq!(bed.engine.statistics().pending_readings, 10, "they still do");
}

#[tokio::test]
async fn a_damaged_log_is_refused_by_the_number_of_its_row() {
    let bed = Bed::waiting();
    for n in 0..4 {
        send(&bed.engine, &windows(n, 0..3), START_S).await;
    }
    for (change, named) in [
        ("UPDATE reading_log SET body = X'00' WHERE seq = 2", "reading_log 2"),
        ("UPDATE reading_log SET crc = crc + 1 WHERE seq = 4", "reading_log 4"),
        ("DELETE FROM reading_log WHERE seq = 1", "reading_log 1"),
        ("DELETE FROM reading_log WHERE seq = 3", "reading_log 3"),
        ("DELETE FROM reading_log WHERE seq = 4", "reading_log 4"),
        ("INSERT INTO reading_log VALUES (9, X'', 0)", "reading_log 5"),
        ("UPDATE meta SET value = 3 WHERE name = 'reading_log_first'", "reading_log_first"),
    ] {
        let directory = bed.copy();
        let file = Connection::open(directory.path().join("larder.db")).unwrap();
        file.execute_batch(change).unwrap();
        drop(file);
        let Err(words) = open(&directory, &bed) else { panic!("opened after {change}") };
        assert!(words.contains("is damaged") && words.contains(named), "{change}: {words}");
    }
}
