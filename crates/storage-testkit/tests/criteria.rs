//! The document and the suite agree: every guarantee has a test, every test a guarantee, and every test of
//! the suites is bound.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn crate_root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(directory: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

/// The names of the tests with this kind of definition that begin with a number.
fn tests(text: &str, definition: &str) -> BTreeSet<String> {
    let names = text.lines().filter_map(|line| line.trim_start().strip_prefix(definition));
    let names = names.map(|rest| rest.split('(').next().unwrap().to_owned());
    names.filter(|name| number(name).is_some()).collect()
}

/// The criterion that a test cites: `r07_sums_are_exact` cites R07.
fn number(name: &str) -> Option<String> {
    let (number, _) = name.split_once('_')?;
    let (kind, digits) = number.split_at_checked(1)?;
    let is_number = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
    (is_number && ["r", "p", "e"].contains(&kind)).then(|| number.to_uppercase())
}

/// The numbers that begin a row of the document's tables.
fn criteria() -> Vec<String> {
    let document = include_str!("../../../docs/engine-criteria.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split_once(" |")).map(|(cell, _)| cell.to_owned());
    cells.filter(|cell| number(&format!("{}_", cell.to_lowercase())).is_some()).collect()
}

#[test]
fn every_criterion_is_cited_by_a_test_and_every_test_cites_a_criterion() {
    let suites = sources(&crate_root().join("src"));
    let own = sources(&crate_root().join("tests"));
    let mut names = tests(&suites, "pub async fn ");
    names.extend(["async fn ", "fn "].iter().flat_map(|definition| tests(&own, definition)));
    let cited: BTreeSet<_> = names.iter().filter_map(|name| number(name)).collect();
    let criteria = criteria();
    let distinct: BTreeSet<_> = criteria.iter().cloned().collect();
    assert_eq!(distinct.len(), criteria.len(), "a number stands for one criterion");
    assert!(criteria.len() > 40, "the tables of the document are read: {criteria:?}");
    assert_eq!(cited, distinct);
}

#[test]
fn every_test_of_the_suites_is_bound() {
    let lists = fs::read_to_string(crate_root().join("src/bind.rs")).unwrap()
        + &sources(&crate_root().join("src/bind"));
    let bound: BTreeSet<_> =
        lists.split_whitespace().map(|word| word.trim_end_matches(';').to_owned()).collect();
    let defined = tests(&sources(&crate_root().join("src")), "pub async fn ");
    let unbound: Vec<_> = defined.difference(&bound).collect();
    assert_eq!(unbound, Vec::<&String>::new());
}
