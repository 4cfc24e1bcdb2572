//! Scanning a whole table. It may have concurrent writers: a test looks only for its own records.

use larder_storage_item::{Action, Key, MAX_QUERY_LIMIT, Number, Record, ScanPage, Table};

use crate::EngineHarness;
use crate::engine_harness::{delete, key_of, put, sort_key};

/// Scans from a record on until `is_enough` accepts the found records; checks the rules of paging.
async fn scan(
    h: &EngineHarness,
    table: Table,
    mut start_after: Option<Key>,
    limit: usize,
    is_enough: impl Fn(&[Record]) -> bool,
) -> Vec<Record> {
    let mut found = Vec::new();
    loop {
        let page = h.engine().scan(table, start_after.as_ref(), limit).await.unwrap();
        let ScanPage { records, next } = page;
        assert!(records.len() <= limit, "a page holds at most what was asked for");
        found.extend(records);
        match next {
            Some(next) if !is_enough(&found) => {
                assert_ne!(start_after.as_ref(), Some(&next), "paging gets on");
                start_after = Some(next);
            }
            _ => return found,
        }
    }
}

/// All records of the partitions with this prefix, in key order.
async fn scan_whole_table(h: &EngineHarness, table: Table, partitions: &str) -> Vec<Record> {
    let mine = h.partition(partitions);
    let mut found = scan(h, table, None, MAX_QUERY_LIMIT, |_| false).await;
    found.retain(|record| record.text("PK").unwrap().starts_with(&mine));
    found.sort_by_key(key_of);
    found
}

/// The sort keys of a partition in pages of this size: a table may be too large to read it so.
async fn scan_partition(h: &EngineHarness, partition: &str, limit: usize) -> Vec<String> {
    let mine = h.partition(partition);
    let is_mine = |record: &Record| record.text("PK") == Some(mine.as_str());
    let start = Some(h.key(partition, "\u{1}"));
    let is_enough = |found: &[Record]| found.iter().any(|record| !is_mine(record));
    let found = scan(h, Table::InventoryManagement, start, limit, is_enough).await;
    found.iter().take_while(|record| is_mine(record)).map(sort_key).collect()
}

fn sort_keys(records: &[Record]) -> Vec<String> {
    records.iter().map(sort_key).collect()
}

pub async fn r23_a_scan_shows_every_record_of_a_table_once(h: &EngineHarness) {
    let keys: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
    let records: Vec<Record> = keys
        .iter()
        .map(|sk| h.record(&format!("S{}", &sk[..1]), sk).with("n", Number::from(7)))
        .collect();
    h.commit_all(records.iter().cloned().map(put).collect()).await;
    let (table, record) = (Table::Relational, h.record("S0", "unique"));
    h.commit(vec![Action::Put { table, record, when: vec![], embed: None }]).await;
    assert_eq!(scan_whole_table(h, Table::InventoryManagement, "S").await, records);
    assert_eq!(sort_keys(&scan_whole_table(h, Table::Relational, "S").await), ["unique"]);
}

pub async fn r23_a_scan_goes_through_a_partition_in_order_whatever_the_size_of_pages(
    h: &EngineHarness,
) {
    let keys: Vec<String> = (0..9).map(|n| format!("{n:02}")).collect();
    h.commit_all(keys.iter().map(|sk| put(h.record("S", sk))).collect()).await;
    for limit in 1..=10 {
        assert_eq!(scan_partition(h, "S", limit).await, keys, "{limit}");
    }
}

pub async fn r23_a_scan_leaves_the_expired_out(h: &EngineHarness) {
    let expires = Number::from(h.now().as_second() + 10);
    let mortal = (0..5).map(|n| h.record("S", &format!("m{n}")).with("ttl", expires));
    h.commit_all(mortal.chain([h.record("S", "stays")]).map(put).collect()).await;
    let table = Table::InventoryManagement;
    assert_eq!(scan_whole_table(h, table, "S").await.len(), 6);
    h.advance_seconds(10);
    assert_eq!(sort_keys(&scan_whole_table(h, table, "S").await), ["stays"]);
    for limit in 1..=3 {
        assert_eq!(scan_partition(h, "S", limit).await, ["stays"], "{limit}");
    }
}

pub async fn r23_a_scan_continues_behind_what_is_gone(h: &EngineHarness) {
    let keys: Vec<String> = (0..9).map(|n| format!("{n:02}")).collect();
    h.commit_all(keys.iter().map(|sk| put(h.record("S", sk))).collect()).await;
    let start = h.key("S", "04");
    h.commit(vec![delete(start.clone())]).await;
    let page = h.engine().scan(Table::InventoryManagement, Some(&start), 3).await.unwrap();
    assert_eq!(sort_keys(&page.records), ["05", "06", "07"]);
    assert_eq!(page.next, Some(h.key("S", "07")));
}
