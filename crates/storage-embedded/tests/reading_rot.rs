//! A store of readings with flipped bits in its file answers correctly or with an error, never
//! wrongly, and stores nothing twice.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use common::readings::{HOUSEHOLD, all_of, at, device, reading, realistic, send, window_id};
use common::rot::{PAGE, Question, Sound, closed, open};
use common::{Bed, Dice, START_S};
use larder_domain::{FriendlyName, HardwareId, Reading, ReadingTime, SensorName, SeriesSpan};
use larder_storage::{ReadingRange, StorageError};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{
    AppendReadings, Key, Query, ReadingEngine, ReadingQuery, RecordEngine, SortKeys, Table,
    reading_record,
};

const DEVICES: usize = 10;
const WINDOWS: i64 = 500;
const ODD: i64 = 70;
/// How many of a device's readings are in the log.
const LOGGED: usize = 20;

/// The readings of a device, with batch ids of both kinds.
fn of_device(device: HardwareId) -> Vec<Reading> {
    let odd = |n| reading(device, START_S * 1000 + n * 999, &format!("{device}-odd-{n}"), 1.5);
    let windows = (0..WINDOWS).map(|window| realistic(device, window));
    (0..ODD).map(odd).chain(windows).collect()
}

enum Asked {
    Range(HardwareId, ReadingRange),
    Latest(HardwareId),
    Series(HardwareId, SeriesSpan),
    Get(Table, Key),
    Scan(Table, Option<Key>),
    Partition(String, bool),
    /// Whether these readings are detected as duplicates.
    Again(Vec<Reading>),
}

impl Question for Asked {
    async fn ask(&self, engine: &EmbeddedEngine) -> Result<String, StorageError> {
        let (at, sensor) = (at(START_S), SensorName::parse("humidity_pct").unwrap());
        Ok(match self {
            Self::Range(device, range) => {
                let (device, range) = (*device, *range);
                let query = ReadingQuery { device, range, after: None, limit: 300, at };
                format!("{:?}", engine.find_readings(query).await?)
            }
            Self::Latest(device) => format!("{:?}", engine.latest_reading(*device, at).await?),
            Self::Series(device, span) => {
                format!("{:?}", engine.reading_series(*device, &sensor, *span, at).await?)
            }
            Self::Get(table, key) => format!("{:?}", engine.get(*table, key).await?),
            Self::Scan(table, start) => {
                let page = engine.scan(*table, start.as_ref(), 500).await?;
                format!("{:?} {:?}", page.records, page.next)
            }
            Self::Partition(pk, forward) => {
                let (table, pk, sort) = (Table::DeviceReadings, pk.clone(), SortKeys::Any);
                let (forward, limit) = (*forward, 200);
                let query =
                    Query { table, index: None, pk, sort, forward, limit, start_after: None };
                let page = engine.query(&query).await?;
                format!("{:?} {:?}", page.records, page.next)
            }
            Self::Again(readings) => {
                let readings = readings.clone();
                let append = AppendReadings { household: HOUSEHOLD, readings, at };
                format!("{:?}", engine.append_readings(append).await?)
            }
        })
    }
}

/// Every query of every device, and of absent ones; single readings and batch ids; and appending
/// existing readings again.
fn questions(all: &[Reading]) -> Vec<Asked> {
    let time = |n: i64| ReadingTime::from_millis(START_S * 1000 + n * 300_000).unwrap();
    let span = SeriesSpan::new(time(0), time(WINDOWS), 50).unwrap();
    let mut asked = Vec::new();
    for device in (0..=DEVICES).map(device) {
        for oldest_first in [true, false] {
            let (from, to) = (time(200), time(350));
            asked.push(Asked::Range(device, ReadingRange { from, to, oldest_first }));
            asked.push(Asked::Partition(device.to_string(), oldest_first));
        }
        asked.extend([Asked::Latest(device), Asked::Series(device, span)]);
        let absent = Key::new(window_id(device, WINDOWS), "");
        asked.push(Asked::Get(Table::ProcessedBatches, absent));
    }
    for table in [Table::DeviceReadings, Table::ProcessedBatches] {
        asked.push(Asked::Scan(table, None));
    }
    asked.push(Asked::Scan(Table::DeviceReadings, Some(Key::new(device(3).to_string(), "18"))));
    for reading in all.iter().step_by(61) {
        let key = Table::DeviceReadings.key_of(&reading_record(reading).unwrap()).unwrap();
        asked.push(Asked::Get(Table::DeviceReadings, key));
        let batch = Key::new(reading.batch_id.as_str(), "");
        asked.push(Asked::Get(Table::ProcessedBatches, batch));
    }
    for of_device in all.chunk_by(|one, next| one.hardware_id == next.hardware_id) {
        asked.push(Asked::Again(of_device.iter().step_by(29).cloned().collect()));
    }
    asked
}

/// The file of a store that was never closed, with a log in it.
fn in_the_midst(bed: &Bed) -> Vec<u8> {
    let copy = tempfile::TempDir::new().unwrap();
    for name in ["larder.db", "larder.db-wal"] {
        std::fs::copy(bed.directory.path().join(name), copy.path().join(name)).unwrap();
    }
    let connection = rusqlite::Connection::open(copy.path().join("larder.db")).unwrap();
    // Pages freed by the log contain nothing that a flip could damage.
    connection.execute_batch("VACUUM").unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())).unwrap();
    let count = "SELECT count(*) FROM reading_log";
    let logged: i64 = connection.query_row(count, (), |row| row.get(0)).unwrap();
    drop(connection);
    assert!(logged > 0, "what was sent last is in the log");
    std::fs::read(copy.path().join("larder.db")).unwrap()
}

/// A store with readings in blocks and in the log.
async fn sound_store() -> (Bed, Sound<Asked>) {
    let bed = Bed::waiting();
    let all: Vec<_> = (0..DEVICES).map(|n| of_device(device(n))).collect();
    for readings in all.iter().flat_map(|all| all[..all.len() - LOGGED].chunks(100)) {
        send(&bed.engine, readings, START_S).await;
    }
    bed.engine.merge_readings().await.unwrap();
    let logged: Vec<_> = all.iter().flat_map(|all| &all[all.len() - LOGGED..]).cloned().collect();
    send(&bed.engine, &logged, START_S).await;
    let sound = Sound::of(&bed, questions(&all.concat()), in_the_midst(&bed)).await;
    (bed, sound)
}

#[tokio::test]
async fn a_flipped_bit_anywhere_is_never_a_wrong_answer() {
    let flips = 50;
    let (_bed, sound) = sound_store().await;
    assert!(!sound.survives(&sound.file, "no flip").await, "the sound file has damage");
    let noticed = sound.flip_many(20_260_301, flips, Dice::below).await;
    assert!(noticed > flips / 3, "only {noticed} flips hit anything that is read");
}

#[tokio::test]
async fn a_flipped_bit_in_the_frame_of_a_page_is_never_a_wrong_answer() {
    let flips = 50;
    let (_bed, sound) = sound_store().await;
    let in_a_header =
        |dice: &mut Dice, bytes: usize| dice.below(bytes / PAGE) * PAGE + dice.below(24);
    let noticed = sound.flip_many(20_260_302, flips, in_a_header).await;
    assert!(noticed > flips / 4, "only {noticed} flips hit anything that is read");
}

#[tokio::test]
async fn a_damaged_block_is_named_and_fails_only_who_reads_it() {
    let bed = Bed::new();
    let named = |n: i64, name: &str| Reading {
        friendly_name: Some(FriendlyName::parse(name).unwrap()),
        ..realistic(device(1), n)
    };
    let readings: Vec<_> =
        (0..256).map(|n| named(n, if n < 128 { "to-be-damaged" } else { "sound" })).collect();
    for readings in readings.chunks(64) {
        send(&bed.engine, readings, START_S).await;
    }
    send(&bed.engine, &[realistic(device(2), 1)], START_S).await;
    let mut file = closed(&bed).await;
    let text = b"to-be-damaged";
    while let Some(at) = file.windows(text.len()).position(|window| window == text) {
        file[at] ^= 1;
    }
    let directory = tempfile::TempDir::new().unwrap();
    std::fs::write(directory.path().join("larder.db"), &file).unwrap();
    let engine = open(directory.path(), &bed.clock).unwrap();

    let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
    let all = ReadingQuery { device: device(1), range, after: None, limit: 10, at: at(START_S) };
    let words = engine.find_readings(all).await.unwrap_err().to_string();
    let block = format!("device_readings {} {}#", device(1), START_S * 1000);
    assert!(words.starts_with(&format!("corrupt record {block}")), "{words}");
    let report = engine.scrub().await.unwrap();
    assert!(report.damaged.iter().any(|one| one.record.starts_with(&block)), "{report:?}");

    let newest = engine.latest_reading(device(1), at(START_S)).await.unwrap();
    assert_eq!(newest, readings.last().cloned());
    let sound = ReadingRange { from: readings[200].time, ..range };
    let page =
        engine.find_readings(ReadingQuery { range: sound, limit: 100, ..all }).await.unwrap();
    assert_eq!(page.items, readings[200..]);
    assert_eq!(all_of(&engine, device(2), START_S).await, [realistic(device(2), 1)]);
    assert_eq!(send(&engine, &readings[..50], START_S).await, [false; 50]);
    assert_eq!(send(&engine, &[realistic(device(1), 256)], START_S).await, [true]);
}
