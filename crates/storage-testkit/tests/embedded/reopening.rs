//! Acknowledged writes survive reopening.

use std::sync::Arc;

use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions, OpenError};
use larder_storage_item::{
    Action, GSI1, Key, Query, Record, RecordEngine, SortKeys, Table, Transaction,
};
use larder_storage_testkit::START;
use tempfile::TempDir;

use super::launch;

const TABLE: Table = Table::InventoryManagement;

fn record(n: usize) -> Record {
    Record::new()
        .with("PK", "P")
        .with("SK", format!("{n:03}"))
        .with("GSI1PK", "I")
        .with("GSI1SK", format!("{n:03}"))
        .with("text", "値".repeat(n))
}

#[tokio::test]
async fn r02_acknowledged_writes_are_there_after_reopening() {
    let (directory, clock) = (TempDir::new().unwrap(), launch::clock());
    let engine = launch::open(directory.path(), &clock);
    for n in 0..50 {
        let put = Action::Put { table: TABLE, record: record(n), when: vec![], embed: None };
        let transaction = Transaction { actor: "mia".to_owned(), at: START, actions: vec![put] };
        engine.transact(transaction).await.unwrap();
    }
    let head = engine.journal_head(TABLE, "P").await.unwrap();
    drop(engine);

    let engine = launch::open(directory.path(), &clock);
    let expected: Vec<_> = (0..50).map(record).collect();
    for index in [None, Some(GSI1)] {
        let query = Query {
            table: TABLE,
            index,
            pk: if index.is_some() { "I" } else { "P" }.to_owned(),
            sort: SortKeys::Any,
            forward: true,
            limit: 100,
            start_after: None,
        };
        assert_eq!(engine.query(&query).await.unwrap().records, expected);
    }
    assert_eq!(engine.journal_head(TABLE, "P").await.unwrap(), head);
    let journal = engine.journal_after(TABLE, "P", 0, 100).await.unwrap();
    let told: Vec<_> = journal.into_iter().map(|entry| entry.new.unwrap()).collect();
    assert_eq!(told, expected);
    let put = Action::Delete { table: TABLE, key: Key::new("P", "000"), when: vec![] };
    let transaction = Transaction { actor: "mia".to_owned(), at: START, actions: vec![put] };
    engine.transact(transaction).await.unwrap();
    assert!(engine.journal_head(TABLE, "P").await.unwrap() > head, "no number is used twice");
}

#[tokio::test]
async fn e02_a_directory_has_one_owner_at_a_time() {
    let (directory, clock) = (TempDir::new().unwrap(), launch::clock());
    let first = launch::open(directory.path(), &clock);
    let options = EmbeddedOptions::default();
    let second = EmbeddedEngine::open(directory.path(), Arc::clone(&clock) as _, options);
    assert!(matches!(second, Err(OpenError::Locked(path)) if path == directory.path()));
    drop(first);
    launch::open(directory.path(), &clock).ready().await.unwrap();
}
