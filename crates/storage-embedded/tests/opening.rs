//! What opens, and what is refused with which words.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;

use common::{Bed, TABLE, add, partition, sort_keys, transaction};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{Action, Change, GSI1, Key, Number, RecordEngine, Table};
use rusqlite::Connection;
use tempfile::TempDir;

fn refusal(directory: &TempDir, bed: &Bed) -> String {
    let options = EmbeddedOptions::default();
    match EmbeddedEngine::open(directory.path(), bed.clock.clone(), options) {
        Ok(_) => panic!("the store was opened"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_directory_has_one_owner() {
    let bed = Bed::new();
    let directory = bed.directory.path().display();
    let expected =
        format!("the data directory {directory} is in use by another process; stop that one first");
    assert_eq!(refusal(&bed.directory, &bed), expected);
}

#[tokio::test]
async fn a_later_format_is_refused_and_left_alone() {
    let bed = Bed::new();
    let directory = TempDir::new().unwrap();
    let options = EmbeddedOptions::default();
    drop(EmbeddedEngine::open(directory.path(), bed.clock.clone(), options).unwrap());
    let file = directory.path().join("larder.db");
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let words = refusal(&directory, &bed);
    assert!(words.contains("has format 99") && words.contains("no later one than 2"), "{words}");
}

#[tokio::test]
async fn a_store_of_the_first_format_is_opened_and_gains_what_came_since() {
    let directory = TempDir::new().unwrap();
    let old = Connection::open(directory.path().join("larder.db")).unwrap();
    old.execute_batch("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL").unwrap();
    old.execute_batch(include_str!("fixtures/format_1.sql")).unwrap();
    let identity = "PRAGMA application_id = 1281454692; PRAGMA user_version = 1";
    old.execute_batch(identity).unwrap();
    drop(old);
    let clock = Bed::new().clock;
    for opening in ["upgraded", "as it is now"] {
        let options = EmbeddedOptions::default();
        let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
        let found = engine.get(TABLE, &Key::new("FAMILY#1", "ITEM#1")).await.unwrap().unwrap();
        assert_eq!(found.get("quantity"), Some(&Number::from(9).into()), "{opening}");
        let shelf = engine.query(&partition("FAMILY#1#SHELF", Some(GSI1))).await.unwrap();
        assert_eq!(sort_keys(&shelf), ["ITEM#0", "ITEM#1"], "{opening}");
        assert_eq!(engine.journal_after(TABLE, "FAMILY#1", 0, 9).await.unwrap().len(), 5);
        let device = Key::new("AA:BB:CC:DD:EE:FF", "");
        let change = Change::Set("last_seen_at".into(), "2024-01-15T10:30:00Z".into());
        let touch = Action::Update {
            table: Table::Devices,
            key: device.clone(),
            when: vec![],
            changes: vec![change],
        };
        engine.transact(transaction(vec![touch])).await.unwrap();
        let kept = engine.get(Table::Devices, &device).await.unwrap().unwrap();
        assert_eq!(kept.text("hardware_id"), Some("AA:BB:CC:DD:EE:FF"), "{opening}");
        assert_eq!(engine.scrub().await.unwrap().damaged, [], "{opening}");
    }
    let file = Connection::open(directory.path().join("larder.db")).unwrap();
    let version: i64 = file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[tokio::test]
async fn somebody_elses_file_is_refused() {
    let bed = Bed::new();
    for content in [None, Some("a letter to grandmother".repeat(100))] {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join("larder.db");
        match content {
            Some(text) => std::fs::write(&file, text).unwrap(),
            None => Connection::open(&file).unwrap().execute_batch("CREATE TABLE a(b)").unwrap(),
        }
        let words = refusal(&directory, &bed);
        assert!(words.contains("is not a Larder store"), "{words}");
    }
}

#[tokio::test]
async fn a_clean_close_leaves_one_file_and_the_lock() {
    let bed = Bed::new();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    let Bed { directory, engine, .. } = bed;
    drop(Arc::into_inner(engine).unwrap());
    let mut names: Vec<_> =
        directory.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["LOCK", "larder.db"]);
}

#[tokio::test]
async fn others_on_the_machine_cannot_read_the_store() {
    use std::os::unix::fs::PermissionsExt;

    let bed = Bed::new();
    let directory = bed.directory.path().join("not/yet/there");
    let options = EmbeddedOptions::default();
    let engine = EmbeddedEngine::open(&directory, bed.clock.clone(), options).unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    for file in ["LOCK", "larder.db", "larder.db-wal"] {
        assert_eq!(mode(&directory.join(file)), 0o600, "{file}");
    }
    drop(engine);
}
