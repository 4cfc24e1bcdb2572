//! What opens, and what is refused with which words.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use std::sync::Arc;

use common::{Bed, add};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
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
    assert!(words.contains("has format 99") && words.contains("no later one than 1"), "{words}");
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
