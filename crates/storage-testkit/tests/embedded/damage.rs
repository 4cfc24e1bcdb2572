//! A damaged record is an error that names it, never an answer.

use std::fs;
use std::path::Path;

use larder_storage::StorageError;
use larder_storage_item::{Action, Key, Query, Record, RecordEngine, SortKeys, Table, Transaction};
use larder_storage_testkit::START;
use tempfile::TempDir;

use super::launch;

const TABLE: Table = Table::InventoryManagement;
/// Located in the file by this text, which only the body of the record contains.
const MARK: &[u8] = b"the text that the disk forgets";

async fn write(directory: &Path) {
    let engine = launch::open(directory, &launch::clock());
    for sk in ["damaged", "whole"] {
        let text = if sk == "damaged" { str::from_utf8(MARK).unwrap() } else { "safe" };
        let record = Record::new().with("PK", "P").with("SK", sk).with("text", text);
        let put = Action::Put { table: TABLE, record, when: vec![], embed: None };
        let transaction = Transaction { actor: "mia".to_owned(), at: START, actions: vec![put] };
        engine.transact(transaction).await.unwrap();
    }
}

/// Flips one bit in every copy of the mark.
fn damage(directory: &Path) {
    let path = directory.join("larder.db");
    let mut bytes = fs::read(&path).unwrap();
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(MARK)).collect();
    assert!(!places.is_empty(), "the record is in the file");
    for at in places {
        bytes[at + 4] ^= 0b0000_0100;
    }
    fs::write(&path, bytes).unwrap();
}

fn names_the_record<T>(result: &Result<T, StorageError>) -> bool {
    matches!(result, Err(StorageError::Corrupt { record, .. }) if record.contains("damaged"))
}

#[tokio::test]
async fn e01_a_flipped_bit_is_an_error_that_names_the_record() {
    let directory = TempDir::new().unwrap();
    write(directory.path()).await;
    damage(directory.path());
    let engine = launch::open(directory.path(), &launch::clock());
    let damaged = engine.get(TABLE, &Key::new("P", "damaged")).await;
    assert!(names_the_record(&damaged), "{damaged:?}");
    let query = Query {
        table: TABLE,
        index: None,
        pk: "P".to_owned(),
        sort: SortKeys::Any,
        forward: true,
        limit: 10,
        start_after: None,
    };
    let page = engine.query(&query).await;
    assert!(names_the_record(&page), "{page:?}");
    let whole = engine.get(TABLE, &Key::new("P", "whole")).await.unwrap().unwrap();
    assert_eq!(whole.text("text"), Some("safe"));
}
