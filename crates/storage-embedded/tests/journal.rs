//! The change journal, expiry, and waking.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use common::{Bed, START_S, TABLE, add, delete, partition, put, put_when, record, sort_keys};
use jiff::SignedDuration;
use larder_storage_embedded::Swept;
use larder_storage_item::{Condition, GSI1, JournalEntry, Key, Number, RecordEngine};

fn numbers(entries: &[JournalEntry]) -> Vec<u64> {
    entries.iter().map(|entry| entry.sequence).collect()
}

#[tokio::test]
async fn every_change_is_kept_with_both_images() {
    let bed = Bed::new();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    bed.run(vec![add("p", "s", 2)]).await.unwrap();
    bed.run(vec![add("p", "s", 0), delete("p", "never there")]).await.unwrap();
    bed.run(vec![delete("p", "s")]).await.unwrap();
    let entries = bed.engine.journal_after(TABLE, "p", 0, 10).await.unwrap();
    let held = |amount| Some(record("p", "s").with("quantity", Number::from(amount)));
    let images: Vec<_> = entries.iter().map(|e| (e.old.clone(), e.new.clone())).collect();
    assert_eq!(images, [(None, held(1)), (held(1), held(3)), (held(3), None)]);
    assert!(entries.iter().all(|entry| entry.actor == "ann" && entry.at.as_second() == START_S));
    assert_eq!(numbers(&entries), [1, 2, 3]);
}

#[tokio::test]
async fn changes_are_paged_by_partition_and_by_record() {
    let bed = Bed::new();
    for n in 0..4 {
        bed.run(vec![add("p", "s", 1), add("q", "s", 1), add("p", "t", n + 1)]).await.unwrap();
    }
    let after = async |after, limit| {
        numbers(&bed.engine.journal_after(TABLE, "p", after, limit).await.unwrap())
    };
    assert_eq!(after(0, 3).await, [1, 3, 4]);
    assert_eq!(after(4, 10).await, [6, 7, 9, 10, 12]);
    assert_eq!(after(5, 2).await, [6, 7]);
    assert_eq!(after(12, 10).await, [0; 0]);
    let key = Key::new("p", "t");
    let of = async |before, limit| {
        numbers(&bed.engine.journal_of(TABLE, &key, before, limit).await.unwrap())
    };
    assert_eq!(of(None, 2).await, [12, 9]);
    assert_eq!(of(Some(9), 10).await, [6, 3]);
    assert_eq!(of(Some(8), 1).await, [6]);
    assert_eq!(of(Some(3), 10).await, [0; 0]);
    assert_eq!(bed.engine.journal_head(TABLE, "p").await.unwrap(), 12);
    assert_eq!(bed.engine.journal_head(TABLE, "q").await.unwrap(), 11);
    assert_eq!(bed.engine.journal_head(TABLE, "nobody").await.unwrap(), 0);
    assert_eq!(bed.engine.journal_floor(TABLE, "p").await.unwrap(), 1);
}

#[tokio::test]
async fn old_changes_go_and_their_numbers_never_come_back() {
    let bed = Bed::new();
    for _ in 0..3 {
        bed.run(vec![add("p", "s", 1)]).await.unwrap();
    }
    bed.clock.advance(SignedDuration::from_hours(35 * 24));
    assert_eq!(bed.engine.sweep().await.unwrap(), Swept::default());
    bed.clock.advance(SignedDuration::from_secs(1));
    let swept = bed.engine.sweep().await.unwrap();
    assert_eq!(swept, Swept { records: 0, journal_entries: 3 });
    assert_eq!(bed.engine.journal_floor(TABLE, "p").await.unwrap(), 4);
    assert_eq!(bed.engine.journal_head(TABLE, "p").await.unwrap(), 3);
    let bed = bed.reopen();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    let key = Key::new("p", "s");
    assert_eq!(numbers(&bed.engine.journal_of(TABLE, &key, None, 9).await.unwrap()), [4]);
    assert_eq!(numbers(&bed.engine.journal_after(TABLE, "p", 0, 9).await.unwrap()), [4]);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn the_history_of_a_record_outlives_it_and_goes_on_with_its_successor() {
    let bed = Bed::new();
    let key = Key::new("p", "s");
    let history = async |before, limit| {
        numbers(&bed.engine.journal_of(TABLE, &key, before, limit).await.unwrap())
    };
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    bed.run(vec![delete("p", "s"), add("p", "t", 1)]).await.unwrap();
    assert_eq!(history(None, 9).await, [2, 1]);
    bed.run(vec![add("p", "s", 5)]).await.unwrap();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    assert_eq!(history(None, 9).await, [5, 4, 2, 1]);
    assert_eq!(history(Some(4), 9).await, [2, 1]);
    // A number that is not a change of this record.
    assert_eq!(history(Some(3), 1).await, [2]);
    assert_eq!(history(Some(99), 2).await, [5, 4]);
    bed.run(vec![delete("p", "s")]).await.unwrap();
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);

    bed.clock.advance(SignedDuration::from_hours(36 * 24));
    assert_eq!(bed.engine.sweep().await.unwrap().journal_entries, 6);
    assert_eq!(history(None, 9).await, [0; 0]);
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    assert_eq!(history(None, 9).await, [7]);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn an_expired_record_is_absent_from_its_second_on() {
    let bed = Bed::new();
    let mortal = record("p", "s")
        .with("ttl", Number::from(START_S + 60))
        .with("GSI1PK", "g")
        .with("GSI1SK", "1");
    bed.run(vec![put(mortal.clone()), put(record("p", "t"))]).await.unwrap();
    bed.clock.advance(SignedDuration::from_secs(59));
    assert_eq!(bed.get("p", "s").await, Some(mortal.clone()));
    bed.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(bed.get("p", "s").await, None);
    assert_eq!(bed.query(&partition("g", Some(GSI1))).await.records, []);
    assert_eq!(sort_keys(&bed.query(&partition("p", None)).await), ["t"]);

    let successor = record("p", "s").with("GSI1PK", "h").with("GSI1SK", "1");
    bed.run(vec![put_when(successor, Condition::NotExists)]).await.unwrap();
    assert_eq!(bed.query(&partition("g", Some(GSI1))).await.records, []);
    assert_eq!(bed.query(&partition("h", Some(GSI1))).await.records.len(), 1);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn the_sweep_deletes_what_has_expired_and_says_so_in_the_journal() {
    let bed = Bed::new();
    for n in 0..250 {
        let mortal = record("p", &format!("s{n:03}")).with("ttl", Number::from(START_S + n));
        bed.run(vec![put(mortal)]).await.unwrap();
    }
    bed.clock.advance(SignedDuration::from_secs(200));
    assert_eq!(bed.engine.sweep().await.unwrap().records, 201);
    assert_eq!(bed.engine.sweep().await.unwrap().records, 0);
    let deleted = bed.engine.journal_after(TABLE, "p", 250, 1000).await.unwrap();
    assert_eq!(deleted.len(), 201);
    assert!(deleted.iter().all(|entry| entry.actor == "system" && entry.new.is_none()));
    assert_eq!(deleted[200].old.as_ref().unwrap().text("SK"), Some("s200"));
    assert_eq!(bed.query(&partition("p", None)).await.records.len(), 49);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn what_nobody_is_told_of_takes_no_number_and_leaves_no_trace_in_the_journal() {
    let bed = Bed::new();
    let nonce = |n: i64| {
        record("p", &format!("NONCE#{n}")).with("ttl", Number::from(START_S + n)).with("n", "x")
    };
    bed.run(vec![put(record("p", "item")), put(nonce(1)), put(nonce(100))]).await.unwrap();
    bed.run(vec![put(nonce(1).with("n", "y")), add("p", "LEASE#1", 1)]).await.unwrap();
    bed.run(vec![delete("p", "NONCE#1"), add("p", "item", 1), add("p", "LEASE#1", 1)])
        .await
        .unwrap();
    bed.run(vec![put_when(nonce(1), Condition::NotExists)]).await.unwrap();
    assert_eq!(bed.engine.statistics().last_sequence, 2);
    let entries = bed.engine.journal_after(TABLE, "p", 0, 9).await.unwrap();
    assert!(entries.iter().all(|entry| entry.key == Key::new("p", "item")));
    assert_eq!(numbers(&entries), [1, 2]);
    for sk in ["NONCE#1", "NONCE#100", "LEASE#1"] {
        let history = bed.engine.journal_of(TABLE, &Key::new("p", sk), None, 9).await.unwrap();
        assert_eq!(numbers(&history), [0; 0], "{sk}");
    }
    bed.clock.advance(SignedDuration::from_secs(50));
    assert_eq!(bed.engine.sweep().await.unwrap(), Swept { records: 1, journal_entries: 0 });
    assert_eq!(bed.engine.journal_head(TABLE, "p").await.unwrap(), 2);
    let bed = bed.reopen();
    let held = bed.query(&partition("p", None)).await;
    assert_eq!(sort_keys(&held), ["LEASE#1", "NONCE#100", "item"]);
    assert_eq!(held.records[0].number("quantity"), Some(Number::from(2)));
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn a_watcher_is_woken_by_its_partition_alone() {
    let bed = Bed::new();
    let mut watcher = bed.engine.watch(TABLE, "p");
    bed.run(vec![add("q", "s", 1)]).await.unwrap();
    assert!(!watcher.has_changed().unwrap());
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    watcher.changed().await.unwrap();
    assert_eq!(*watcher.borrow_and_update(), 2);
    drop(watcher);
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    let late = bed.engine.watch(TABLE, "p");
    assert!(!late.has_changed().unwrap());
}
