//! Readings and batch ids are shown as records in the form of other engines, one for each.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use common::readings::{HOUSEHOLD, at, boot, device, reading, realistic, send, window_id};
use common::{Bed, START_S, transaction};
use larder_domain::{HouseholdId, Reading};
use larder_storage::StorageError;
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{
    Action, AppendReadings, GSI1, Key, Number, Position, Query, ReadingEngine, Record,
    RecordEngine, SortKeys, Table, TransactError, reading_of, reading_record,
};

const READINGS: Table = Table::DeviceReadings;
const BATCHES: Table = Table::ProcessedBatches;

/// Readings of several devices of which some are in blocks and some wait, in the order of their keys.
async fn fill(bed: &Bed) -> Vec<Reading> {
    let mut all = Vec::new();
    for n in 0..5 {
        let windows: Vec<_> = (0..150).map(|window| realistic(device(n), window)).collect();
        let odd = [reading(device(n), START_S * 1000, &format!("odd-{n}"), 1.5)];
        for part in [&windows[..90], &odd, &windows[90..]] {
            send(&bed.engine, part, START_S).await;
        }
        if n < 3 {
            bed.engine.merge_readings().await.unwrap();
        }
        let late = [reading(device(n), START_S * 1000 + 7, &format!("late-{n}"), 2.5)];
        send(&bed.engine, &late, START_S).await;
        all.extend(windows.into_iter().chain(odd).chain(late));
    }
    all.sort_by_key(|reading| (reading.hardware_id, reading.position()));
    all
}

fn key_of(reading: &Reading) -> Key {
    READINGS.key_of(&reading_record(reading).unwrap()).unwrap()
}

fn query(pk: &str, sort: SortKeys, forward: bool, limit: usize) -> Query {
    let pk = pk.to_owned();
    Query { table: READINGS, index: None, pk, sort, forward, limit, start_after: None }
}

/// All pages of a query.
async fn pages(engine: &EmbeddedEngine, mut query: Query) -> Vec<Reading> {
    let mut all = Vec::new();
    loop {
        let page = engine.query(&query).await.unwrap();
        assert!(page.records.len() <= query.limit);
        all.extend(page.records.iter().map(|record| reading_of(record).unwrap()));
        match page.next {
            Some(next) => query.start_after = Some(next),
            None => return all,
        }
    }
}

/// All pages of a scan.
async fn scan(engine: &EmbeddedEngine, table: Table, limit: usize) -> Vec<Record> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = engine.scan(table, after.as_ref(), limit).await.unwrap();
        assert!(page.records.len() <= limit);
        all.extend(page.records);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

#[tokio::test]
async fn every_reading_is_a_record() {
    let bed = Bed::new();
    let all = fill(&bed).await;
    for reading in &all {
        let key = key_of(reading);
        let record = bed.engine.get(READINGS, &key).await.unwrap();
        assert_eq!(record, Some(reading_record(reading).unwrap()));
        let near = Key::new(key.pk, format!("{}x", key.sk));
        assert_eq!(bed.engine.get(READINGS, &near).await.unwrap(), None);
    }
    for (pk, sk) in
        [("", ""), ("nobody", "x"), ("AA:BB:CC:00:00:00", ""), ("AA:BB:CC:00:00:00", "~")]
    {
        assert_eq!(bed.engine.get(READINGS, &Key::new(pk, sk)).await.unwrap(), None);
    }
    for limit in [1, 13, 1000] {
        let records = scan(&bed.engine, READINGS, limit).await;
        let scanned: Vec<_> = records.iter().map(|record| reading_of(record).unwrap()).collect();
        assert!(scanned == all, "with a limit of {limit}");
    }
}

#[tokio::test]
async fn any_part_of_a_device_is_read_in_either_direction() {
    let bed = Bed::new();
    let all = fill(&bed).await;
    for n in [0, 4] {
        let pk = device(n).to_string();
        let of_device: Vec<_> =
            all.iter().filter(|one| one.hardware_id == device(n)).cloned().collect();
        let sort_key = |at: usize| key_of(&of_device[at]).sk;
        let start = format!("{}", START_S * 1000);
        let parts = [
            (SortKeys::Any, 0..of_device.len()),
            (SortKeys::BeginsWith(start[..9].to_owned()), 0..3),
            (SortKeys::BeginsWith("x".into()), 0..0),
            (SortKeys::BeginsWith(sort_key(70)), 70..71),
            (SortKeys::Between(sort_key(10), sort_key(140)), 10..141),
            (SortKeys::Between(format!("{start}#"), format!("{start}#\u{ffff}")), 0..2),
            (SortKeys::Between(sort_key(20), sort_key(10)), 0..0),
            (SortKeys::Between(String::new(), "~".into()), 0..of_device.len()),
        ];
        for (sort, expected) in parts {
            for (forward, limit) in [(true, 7), (true, 1000), (false, 1), (false, 1000)] {
                let mut expected = of_device[expected.clone()].to_vec();
                if !forward {
                    expected.reverse();
                }
                let found = pages(&bed.engine, query(&pk, sort.clone(), forward, limit)).await;
                assert!(found == expected, "{} instead of {}", found.len(), expected.len());
            }
        }
        // A place need not exist.
        let sort = format!("{}y", sort_key(70));
        let key = Key::new(pk.as_str(), sort.as_str());
        let start_after = Some(Position { sort, key });
        let behind = Query { start_after, ..query(&pk, SortKeys::Any, true, 1000) };
        assert!(pages(&bed.engine, behind.clone()).await == of_device[71..]);
        let mut before = of_device[..71].to_vec();
        before.reverse();
        assert!(pages(&bed.engine, Query { forward: false, ..behind }).await == before);
    }
    let nobody = query("nobody", SortKeys::Any, true, 10);
    assert!(bed.engine.query(&nobody).await.unwrap().records.is_empty());
    let indexed = Query { index: Some(GSI1), ..nobody };
    let refused = bed.engine.query(&indexed).await.unwrap_err();
    assert!(matches!(refused, StorageError::Defect(_)), "{refused}");
}

#[tokio::test]
async fn every_batch_id_is_a_record_of_its_household() {
    let bed = Bed::new();
    let all = fill(&bed).await;
    for limit in [1, 50, 1000] {
        let mut ids: Vec<_> = scan(&bed.engine, BATCHES, limit)
            .await
            .into_iter()
            .map(|record| record.text("batch_id").unwrap().to_owned())
            .collect();
        ids.sort();
        let mut expected: Vec<_> = all.iter().map(|one| one.batch_id.to_string()).collect();
        expected.sort();
        assert!(ids == expected, "{} with a limit of {limit}", ids.len());
    }
    for id in [window_id(device(0), 17), window_id(device(4), 149), "odd-1".into(), "late-4".into()]
    {
        let found = bed.engine.get(BATCHES, &Key::new(id.as_str(), "")).await.unwrap().unwrap();
        let sender = all.iter().find(|one| one.batch_id.as_str() == id).unwrap().hardware_id;
        let record = Record::new()
            .with("batch_id", id.as_str())
            .with("hardware_id", sender.to_string())
            .with("received_at", at(START_S).to_string())
            .with("expiration_time", Number::from(START_S + 30 * 86_400))
            .with("family_id", HOUSEHOLD.unwrap().to_string());
        assert_eq!(found, record);
        let query = Query { table: BATCHES, ..query(&id, SortKeys::Any, true, 10) };
        assert_eq!(bed.engine.query(&query).await.unwrap().records, [record]);
    }
    for id in ["", "odd-9", "operator#odd-1", &window_id(device(0), 150), &window_id(device(9), 1)]
    {
        assert_eq!(bed.engine.get(BATCHES, &Key::new(id, "")).await.unwrap(), None, "{id}");
    }
}

#[tokio::test]
async fn households_may_have_the_same_batch_id() {
    let bed = Bed::new();
    let households = [None, Some(HouseholdId::fixed(1)), Some(HouseholdId::fixed(2))];
    for id in ["odd".to_owned(), format!("{}_{}_1_2", device(1), boot(device(1)))] {
        for (n, household) in households.into_iter().enumerate() {
            let readings = vec![reading(device(n), START_S * 1000, &id, 1.0)];
            let append = AppendReadings { household, readings, at: at(START_S) };
            bed.engine.append_readings(append).await.unwrap();
            if n == 1 {
                bed.engine.merge_readings().await.unwrap();
            }
        }
        let records = scan(&bed.engine, BATCHES, 1).await;
        let mut senders: Vec<_> = records
            .iter()
            .filter(|record| record.text("batch_id") == Some(&id))
            .map(|record| record.text("hardware_id").unwrap())
            .collect();
        senders.sort_unstable();
        assert_eq!(senders, [0, 1, 2].map(|n| device(n).to_string()));
        // The first has the plain key, the others one that names them.
        let [first, second] = [1, 2].map(|n| format!("{}#{id}", HouseholdId::fixed(n)));
        for (n, key) in [(1, id.clone()), (2, second), (0, format!("operator#{id}"))] {
            let key = Key::new(key, "");
            let record = bed.engine.get(BATCHES, &key).await.unwrap().unwrap();
            assert_eq!(record.text("batch_id"), Some(key.pk.as_str()));
            assert_eq!(record.text("hardware_id"), Some(&*device(n).to_string()));
        }
        assert_eq!(bed.engine.get(BATCHES, &Key::new(first, "")).await.unwrap(), None);
    }
}

#[tokio::test]
async fn what_has_expired_is_no_record() {
    let bed = Bed::new();
    let mut short = reading(device(1), START_S * 1000, "short", 1.0);
    short.expires_at_s = START_S + 10;
    let long = reading(device(1), START_S * 1000 + 1, "long", 1.0);
    send(&bed.engine, &[short.clone(), long.clone()], START_S).await;
    bed.clock.advance(jiff::SignedDuration::from_secs(10));
    for _ in 0..2 {
        assert_eq!(bed.engine.get(READINGS, &key_of(&short)).await.unwrap(), None);
        assert!(bed.engine.get(READINGS, &key_of(&long)).await.unwrap().is_some());
        assert_eq!(scan(&bed.engine, READINGS, 10).await, [reading_record(&long).unwrap()]);
        assert_eq!(scan(&bed.engine, BATCHES, 10).await.len(), 2);
        bed.engine.merge_readings().await.unwrap();
    }
    bed.clock.advance(jiff::SignedDuration::from_secs(30 * 86_400 - 11));
    assert_eq!(scan(&bed.engine, BATCHES, 10).await.len(), 2);
    bed.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(scan(&bed.engine, BATCHES, 10).await, []);
    assert_eq!(bed.engine.get(BATCHES, &Key::new("long", "")).await.unwrap(), None);
}

#[tokio::test]
async fn readings_are_not_written_as_records() {
    let bed = Bed::new();
    let record = reading_record(&reading(device(1), START_S * 1000, "a", 1.0)).unwrap();
    let key = READINGS.key_of(&record).unwrap();
    let batch = Key::new("a", "");
    for action in [
        Action::Put { table: READINGS, record, when: vec![], embed: None },
        Action::Delete { table: READINGS, key: key.clone(), when: vec![] },
        Action::Check { table: BATCHES, key: batch.clone(), when: vec![] },
        Action::Update { table: BATCHES, key: batch, when: vec![], changes: vec![] },
    ] {
        let refused = bed.engine.transact(transaction(vec![action])).await.unwrap_err();
        assert!(matches!(refused, TransactError::Storage(StorageError::Defect(_))), "{refused}");
    }
    assert_eq!(bed.engine.get(READINGS, &key).await.unwrap(), None);
}
