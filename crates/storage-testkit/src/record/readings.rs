//! Readings and batch ids, however an engine stores them, are read as the records of seed 002.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use larder_domain::{
    BatchId, BootId, FirmwareVersion, FriendlyName, HardwareId, HouseholdId, Reading, ReadingTime,
    SensorStatus,
};
use larder_storage::ReadingState;
use larder_storage_item::{
    AppendReadings, Key, MAX_QUERY_LIMIT, Number, ProcessedBatch, Query, Record, SortKeys, Table,
    processed_batch_record, reading_record,
};

use crate::EngineHarness;
use crate::store_harness::{sensors, statuses};

const READINGS: Table = Table::DeviceReadings;
const BATCHES: Table = Table::ProcessedBatches;

/// A device of this test's own.
fn device(h: &EngineHarness, name: &str) -> HardwareId {
    let mut hasher = DefaultHasher::new();
    h.partition(name).hash(&mut hasher);
    let hash = hasher.finish().to_be_bytes();
    HardwareId::from_bytes(std::array::from_fn(|at| hash[at]))
}

/// A reading of this many milliseconds from now, kept for 90 days.
fn reading(h: &EngineHarness, device: HardwareId, ms: i64) -> Reading {
    let time = ReadingTime::from_millis(h.now().as_millisecond() + ms).unwrap();
    Reading {
        hardware_id: device,
        time,
        batch_id: BatchId::parse(&format!("{device}_{ms:05}")).unwrap(),
        boot_id: BootId::from_random([7; 16]),
        firmware_version: FirmwareVersion::parse("1.0.16").unwrap(),
        friendly_name: (ms % 2 == 0).then(|| FriendlyName::parse("温室").unwrap()),
        sensors: sensors(&[("bme280_temp_c", 22.5), ("humidity_pct", 45.2)]),
        sensor_status: statuses(&[("bme280", SensorStatus::Ok), ("soil", SensorStatus::Error)]),
        expires_at_s: time.expiration(jiff::SignedDuration::from_hours(90 * 24)),
    }
}

async fn append(h: &EngineHarness, household: Option<HouseholdId>, readings: &[Reading]) {
    for readings in readings.chunks(100) {
        let append = AppendReadings { household, readings: readings.to_vec(), at: h.now() };
        let states = h.readings().append_readings(append).await.unwrap();
        assert_eq!(states, vec![ReadingState::Acknowledged; readings.len()]);
    }
}

fn records(readings: &[Reading]) -> Vec<Record> {
    readings.iter().map(|reading| reading_record(reading).unwrap()).collect()
}

fn key_of(reading: &Reading) -> Key {
    READINGS.key_of(&reading_record(reading).unwrap()).expect("a record has its key")
}

/// A query of all readings of a device, forwards.
fn query(h: &EngineHarness, device: HardwareId) -> Query {
    Query { table: READINGS, pk: device.to_string(), ..h.query("") }
}

pub async fn r27_a_reading_is_read_as_the_record_that_the_seed_says(h: &EngineHarness) {
    let device = device(h, "a");
    let reading = reading(h, device, 0);
    append(h, None, std::slice::from_ref(&reading)).await;
    let record = h.engine().get(READINGS, &key_of(&reading)).await.unwrap();
    let record = record.expect("it was kept");
    assert_eq!(record, reading_record(&reading).unwrap());
    let ms = reading.time.as_millis();
    assert_eq!(record.text("ts_batch"), Some(format!("{ms:013}#{}", reading.batch_id).as_str()));
    assert_eq!(record.number("timestamp_ms").and_then(Number::to_i64), Some(ms));
    let expires = record.number("expiration_time").and_then(Number::to_i64);
    assert_eq!(expires, Some(ms / 1000 + 90 * 86_400));
    let other = Key { sk: format!("{ms:013}#other"), ..key_of(&reading) };
    assert_eq!(h.engine().get(READINGS, &other).await.unwrap(), None);
}

pub async fn r27_a_batch_id_is_read_as_the_record_that_the_seed_says(h: &EngineHarness) {
    let window = "7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000";
    for (name, household) in [("a", None), ("b", Some(HouseholdId::fixed(7)))] {
        let device = device(h, name);
        for id in [format!("{device}_{window}"), format!("{device}_plain")] {
            let batch_id = BatchId::parse(&id).unwrap();
            let sent = Reading { batch_id: batch_id.clone(), ..reading(h, device, 0) };
            append(h, household, &[sent]).await;
            let key = Key::new(id, "");
            let expected = ProcessedBatch::received(batch_id, household, device, h.now());
            let expected = processed_batch_record(&expected);
            assert_eq!(h.engine().get(BATCHES, &key).await.unwrap(), Some(expected.clone()));
            let query = Query { table: BATCHES, pk: key.pk, ..h.query("") };
            assert_eq!(h.read_all(&query).await, [expected]);
        }
    }
}

pub async fn r27_a_batch_id_of_two_households_is_two_records(h: &EngineHarness) {
    let (one, other) = (HouseholdId::fixed(8), HouseholdId::fixed(9));
    let devices = [device(h, "a"), device(h, "b")];
    let batch_id = BatchId::parse(&format!("{}_shared", devices[0])).unwrap();
    for (device, household) in devices.into_iter().zip([one, other]) {
        let sent = Reading { batch_id: batch_id.clone(), ..reading(h, device, 0) };
        append(h, Some(household), &[sent]).await;
    }
    let found = scan(h, BATCHES, MAX_QUERY_LIMIT).await.into_iter().filter(|record| {
        record.text("batch_id").is_some_and(|key| key.ends_with(batch_id.as_str()))
    });
    let mut owners: Vec<_> =
        found.map(|record| record.text("family_id").map(str::to_owned)).collect();
    owners.sort();
    let mut expected = [one, other].map(|household| Some(household.to_string()));
    expected.sort();
    assert_eq!(owners, expected);
    let plain = h.engine().get(BATCHES, &Key::new(batch_id.to_string(), "")).await.unwrap();
    assert!(plain.is_some(), "one of them is found by the id alone");
}

pub async fn r27_records_of_readings_are_queried_as_any_others(h: &EngineHarness) {
    let device = device(h, "a");
    // The times have gaps and are in random order; other records may be between them.
    let mut readings: Vec<_> = (0..40).map(|n| reading(h, device, n * 17 % 40 * 10)).collect();
    append(h, None, &readings).await;
    append(h, None, &[reading(h, self::device(h, "b"), 5)]).await;
    readings.sort_by_key(Reading::position);
    let expected = records(&readings);
    for limit in [1, 3, 7, 39, 40, 41] {
        for forward in [true, false] {
            let mut expected = expected.clone();
            if !forward {
                expected.reverse();
            }
            let query = Query { limit, forward, ..query(h, device) };
            assert_eq!(h.read_all(&query).await, expected, "{limit} {forward}");
        }
    }
    let at = |n: usize| format!("{:013}#", readings[n].time.as_millis());
    let parts = [
        (SortKeys::BeginsWith(at(7)), 7..8),
        (SortKeys::BeginsWith(at(7) + readings[8].batch_id.as_str()), 0..0),
        (SortKeys::Between(at(3), at(9) + "\u{ffff}"), 3..10),
        (SortKeys::Between(at(3), at(9)), 3..9),
    ];
    for (sort, range) in parts {
        for limit in [2, 100] {
            let query = Query { sort: sort.clone(), limit, ..query(h, device) };
            assert_eq!(h.read_all(&query).await, expected[range.clone()]);
        }
    }
}

pub async fn r27_records_of_readings_are_scanned_as_any_others(h: &EngineHarness) {
    let devices = ["a", "b"].map(|name| device(h, name));
    let readings: Vec<_> =
        (0..60).map(|n| reading(h, devices[usize::from(n % 3 == 0)], n)).collect();
    append(h, None, &readings).await;
    let mut expected = records(&readings);
    expected.sort_by_key(|record| READINGS.key_of(record));
    let is_own = |record: &Record| {
        devices.iter().any(|own| record.text("hardware_id") == Some(own.to_string().as_str()))
    };
    let batches = readings.iter().map(|reading| reading.batch_id.to_string());
    let mut batches: Vec<_> = batches.collect();
    batches.sort();
    for limit in [50, MAX_QUERY_LIMIT] {
        let mut found = scan(h, READINGS, limit).await;
        found.retain(is_own);
        found.sort_by_key(|record| READINGS.key_of(record));
        assert_eq!(found, expected, "pages of {limit}");
        let mut found = scan(h, BATCHES, limit).await;
        found.retain(is_own);
        let mut ids: Vec<_> = found
            .iter()
            .map(|record| record.text("batch_id").unwrap_or_default().to_owned())
            .collect();
        ids.sort();
        assert_eq!(ids, batches, "pages of {limit}");
    }
}

async fn scan(h: &EngineHarness, table: Table, limit: usize) -> Vec<Record> {
    let (mut found, mut next) = (Vec::new(), None);
    loop {
        let page = h.engine().scan(table, next.as_ref(), limit).await.unwrap();
        assert!(page.records.len() <= limit, "a page holds at most what was asked for");
        found.extend(page.records);
        next = page.next;
        if next.is_none() {
            return found;
        }
    }
}

pub async fn r27_records_of_readings_are_gone_when_their_time_has_passed(h: &EngineHarness) {
    let device = device(h, "a");
    let now = h.now().as_second();
    let mortal =
        |ms: i64, seconds: i64| Reading { expires_at_s: now + seconds, ..reading(h, device, ms) };
    let readings = [mortal(0, 10), mortal(1, 30), mortal(2, 20)];
    append(h, None, &readings).await;
    for (seconds, left) in [(0, &[0, 1, 2][..]), (10, &[1, 2]), (10, &[1]), (10, &[])] {
        h.advance_seconds(seconds);
        let expected: Vec<_> =
            left.iter().map(|n| reading_record(&readings[*n]).unwrap()).collect();
        assert_eq!(h.read_all(&query(h, device)).await, expected);
        for (n, reading) in readings.iter().enumerate() {
            let found = h.engine().get(READINGS, &key_of(reading)).await.unwrap();
            assert_eq!(found.is_some(), left.contains(&n), "reading {n}");
        }
    }
    let batch = Key::new(readings[0].batch_id.to_string(), "");
    assert!(h.engine().get(BATCHES, &batch).await.unwrap().is_some(), "its id is remembered");
    h.advance_seconds(30 * 86_400 - 31);
    assert!(h.engine().get(BATCHES, &batch).await.unwrap().is_some());
    h.advance_seconds(1);
    assert_eq!(h.engine().get(BATCHES, &batch).await.unwrap(), None);
}
