//! Files that open, and those that are refused, with the error texts.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;

use common::{Bed, TABLE, add, partition, sort_keys, transaction};
use jiff::SignedDuration;
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{
    Action, Change, GSI1, ITEM_ORDERS, Key, Number, Query, RecordEngine, Table,
};
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
async fn a_directory_has_one_owner_even_if_its_lock_file_is_deleted_or_replaced() {
    let bed = Bed::new();
    let lock = bed.directory.path().join("LOCK");
    std::fs::remove_file(&lock).unwrap();
    assert!(refusal(&bed.directory, &bed).contains("is in use by another process"));
    std::fs::write(&lock, "").unwrap();
    assert!(refusal(&bed.directory, &bed).contains("is in use by another process"));
    let Bed { directory, engine, clock, .. } = bed;
    drop(Arc::into_inner(engine).unwrap());
    EmbeddedEngine::open(directory.path(), clock, EmbeddedOptions::default()).unwrap();
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
    assert!(words.contains("has format 99") && words.contains("no later one than 5"), "{words}");
}

/// A directory with a store of an earlier format.
fn old_store(format: i64, content: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    let old = Connection::open(directory.path().join("larder.db")).unwrap();
    old.execute_batch("PRAGMA page_size = 2048; PRAGMA journal_mode = WAL").unwrap();
    old.execute_batch(content).unwrap();
    old.pragma_update(None, "application_id", 1_281_454_692).unwrap();
    old.pragma_update(None, "user_version", format).unwrap();
    directory
}

fn format_of(directory: &TempDir) -> i64 {
    let file = Connection::open(directory.path().join("larder.db")).unwrap();
    file.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_store_of_the_first_format_is_opened_and_gains_what_came_since() {
    let directory = old_store(1, include_str!("fixtures/format_1.sql"));
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
    assert_eq!(format_of(&directory), 5);
}

#[tokio::test]
async fn a_store_of_the_second_format_gains_grants_and_its_resources_lose_nothing() {
    let directory = old_store(2, include_str!("fixtures/format_2.sql"));
    let clock = Bed::new().clock;
    let resource =
        |n: u8| Key::new(format!("Resource#urn:pp:Box::{n}"), format!("Resource#urn:pp:Box::{n}"));
    let touch = |table: Table, key: Key| {
        let changes = vec![Change::Add("_version".into(), Number::from(1))];
        transaction(vec![Action::Update { table, key, when: vec![], changes }])
    };
    let grant = Key::new("Principal#urn:pp:System.User::1", "Resource#urn:pp:Box::1");
    for opening in 1..=2_i64 {
        let options = EmbeddedOptions::default();
        let engine = EmbeddedEngine::open(directory.path(), clock.clone(), options).unwrap();
        // Changes to formerly journaled records are no longer journaled.
        engine.transact(touch(Table::Relational, resource(1))).await.unwrap();
        engine.transact(touch(Table::Relational, resource(2))).await.unwrap();
        engine.transact(touch(Table::Grants, grant.clone())).await.unwrap();
        let kept = engine.get(Table::Relational, &resource(1)).await.unwrap().unwrap();
        assert_eq!(kept.text("urn"), Some("urn:pp:Box::1"));
        assert_eq!(kept.number("_version"), Some(Number::from(opening)));
        let granted = engine.get(Table::Grants, &grant).await.unwrap().unwrap();
        assert_eq!(granted.number("_version"), Some(Number::from(opening)));
        let gone = Action::Delete { table: Table::Relational, key: resource(2), when: vec![] };
        engine.transact(transaction(vec![gone])).await.unwrap();
        assert_eq!(engine.get(Table::Relational, &resource(2)).await.unwrap(), None);
        let told = engine.journal_after(Table::Relational, &resource(1).pk, 0, 9).await.unwrap();
        assert_eq!(told.len(), 1);
        assert_eq!(engine.journal_after(TABLE, "FAMILY#1", 0, 9).await.unwrap().len(), 2);
        let readings = partition("AA:BB:CC:00:00:01", None);
        let readings = Query { table: Table::DeviceReadings, ..readings };
        assert_eq!(engine.query(&readings).await.unwrap().records.len(), 3);
        assert_eq!(engine.scrub().await.unwrap().damaged, []);
    }
    clock.advance(EmbeddedOptions::default().journal_retention + SignedDuration::from_hours(1));
    let engine =
        EmbeddedEngine::open(directory.path(), clock.clone(), EmbeddedOptions::default()).unwrap();
    assert_eq!(engine.sweep().await.unwrap().journal_entries, 5);
    assert!(engine.get(Table::Relational, &resource(1)).await.unwrap().is_some());
    assert_eq!(engine.scrub().await.unwrap().damaged, []);
    drop(engine);
    assert_eq!(format_of(&directory), 5);
}

#[tokio::test]
async fn a_store_of_the_third_format_gains_the_orders_of_items() {
    let bed = Bed::new();
    let item = |n: u8, name: &str, date: &str| {
        let key = Key::new("FAMILY#1", format!("ITEM#{n}"));
        let record = TABLE.record_with(&key).with("GSI2PK", "FAMILY#1#ITEMS");
        let record = record.with("GSI2SK", format!("CREATED#{n}")).with("name", name);
        let record = record.with("expirationDate", date).with("entityType", "InventoryItem");
        Action::Put { table: TABLE, record, when: vec![], embed: None }
    };
    let items = vec![
        item(1, "Milk", "2026-03-02"),
        item(2, "Butter", "2026-03-03"),
        item(3, "eggs", "2026-03-01"),
    ];
    bed.run(items).await.unwrap();
    let Bed { directory, clock, engine, .. } = bed;
    drop(Arc::into_inner(engine).unwrap());
    let earlier = Connection::open(directory.path().join("larder.db")).unwrap();
    for index in ITEM_ORDERS {
        earlier.execute(&format!("DROP TABLE InventoryManagement_{}", index.name), ()).unwrap();
    }
    earlier.pragma_update(None, "user_version", 3).unwrap();
    drop(earlier);
    let options = EmbeddedOptions::default();
    let engine = EmbeddedEngine::open(directory.path(), clock, options).unwrap();
    let [by_name, by_date] = ITEM_ORDERS.map(|index| partition("FAMILY#1#ITEMS", Some(index)));
    let named = engine.query(&by_name).await.unwrap();
    assert_eq!(sort_keys(&named), ["ITEM#2", "ITEM#3", "ITEM#1"]);
    let dated = engine.query(&by_date).await.unwrap();
    assert_eq!(sort_keys(&dated), ["ITEM#3", "ITEM#1", "ITEM#2"]);
    assert_eq!(engine.scrub().await.unwrap().damaged, []);
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
