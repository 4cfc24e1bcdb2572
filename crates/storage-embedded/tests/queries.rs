//! Queries of tables and indexes.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use common::{Bed, START_S, TABLE, delete, partition, put, record, sort_keys, update};
use larder_storage_item::{
    Change, GSI1, Index, Key, Number, Position, Query, Record, RecordEngine, SortKeys,
};

fn indexed(sk: &str, group: &str, sort: &str) -> Record {
    record("p", sk).with("GSI1PK", group).with("GSI1SK", sort)
}

/// All sort keys of a query, read page by page.
async fn paged(bed: &Bed, query: &Query, limit: usize) -> Vec<String> {
    let mut query = Query { limit, ..query.clone() };
    let mut all = Vec::new();
    loop {
        let page = bed.query(&query).await;
        assert!(page.records.len() <= limit);
        all.extend(sort_keys(&page).into_iter().map(str::to_owned));
        match page.next {
            Some(next) => query.start_after = Some(next),
            None => return all,
        }
    }
}

#[tokio::test]
async fn pages_in_both_directions_cover_equal_sort_keys_once() {
    let bed = Bed::new();
    for n in [3, 1, 4, 0, 5, 2] {
        bed.run(vec![put(indexed(&format!("s{n}"), "g", "same"))]).await.unwrap();
    }
    bed.run(vec![put(indexed("first", "g", "earlier")), put(indexed("other", "h", "same"))])
        .await
        .unwrap();
    let forward = ["first", "s0", "s1", "s2", "s3", "s4", "s5"];
    let back: Vec<_> = forward.into_iter().rev().collect();
    for limit in 1..9 {
        let query = partition("g", Some(GSI1));
        assert_eq!(paged(&bed, &query, limit).await, forward);
        assert_eq!(paged(&bed, &Query { forward: false, ..query }, limit).await, back);
    }
}

#[tokio::test]
async fn sort_keys_are_chosen_by_prefix_and_by_range() {
    let bed = Bed::new();
    for sk in ["A", "B#1", "B#2", "B#\u{10ffff}", "C", "Ｂ"] {
        bed.run(vec![put(record("p", sk)), put(record("p2", sk))]).await.unwrap();
    }
    let chosen = async |sort: SortKeys, forward| {
        let page = bed.query(&Query { sort, forward, ..partition("p", None) }).await;
        sort_keys(&page).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let prefix = SortKeys::BeginsWith("B#".into());
    assert_eq!(chosen(prefix.clone(), true).await, ["B#1", "B#2", "B#\u{10ffff}"]);
    assert_eq!(chosen(prefix, false).await, ["B#\u{10ffff}", "B#2", "B#1"]);
    assert_eq!(chosen(SortKeys::Between("B#1".into(), "C".into()), false).await.len(), 4);
    assert_eq!(chosen(SortKeys::Between("C".into(), "B".into()), true).await, [""; 0]);
    assert_eq!(chosen(SortKeys::BeginsWith(String::new()), true).await.len(), 6);
    assert_eq!(bed.query(&partition("", None)).await.records, []);
    assert_eq!(bed.query(&partition("nobody", None)).await.records, []);
}

#[tokio::test]
async fn a_page_continues_behind_a_record_that_is_gone() {
    let bed = Bed::new();
    for sk in ["a", "b", "c"] {
        bed.run(vec![put(record("p", sk))]).await.unwrap();
    }
    let page = bed.query(&Query { limit: 2, ..partition("p", None) }).await;
    let next = page.next.unwrap();
    assert_eq!(next, Position { sort: "b".into(), key: Key::new("p", "b") });
    bed.run(vec![delete("p", "b")]).await.unwrap();
    let rest = bed.query(&Query { start_after: Some(next), ..partition("p", None) }).await;
    assert_eq!(sort_keys(&rest), ["c"]);
}

#[tokio::test]
async fn a_scan_reaches_the_first_and_the_last_key_there_can_be() {
    let bed = Bed::new();
    let longest = "\u{10ffff}".repeat(512);
    let partitions = ["\0", "A", "\u{10ffff}", longest.as_str()];
    for pk in partitions {
        bed.run(vec![put(record(pk, "\0")), put(record(pk, "\u{10ffff}"))]).await.unwrap();
    }
    for limit in 1..=9 {
        let mut found: Vec<Key> = Vec::new();
        let mut start: Option<Key> = None;
        loop {
            let page = bed.engine.scan(TABLE, start.as_ref(), limit).await.unwrap();
            found.extend(page.records.iter().filter_map(|record| TABLE.key_of(record)));
            start = page.next;
            if start.is_none() {
                break;
            }
        }
        let expected =
            partitions.iter().flat_map(|pk| ["\0", "\u{10ffff}"].map(|sk| Key::new(*pk, sk)));
        assert_eq!(found, expected.collect::<Vec<_>>(), "{limit}");
    }
}

#[tokio::test]
async fn an_index_follows_its_keys() {
    let bed = Bed::new();
    let group = async |group: &str| {
        let page = bed.query(&partition(group, Some(GSI1))).await;
        sort_keys(&page).len()
    };
    bed.run(vec![put(indexed("s", "g", "1"))]).await.unwrap();
    assert_eq!((group("g").await, group("h").await), (1, 0));
    let set = |name: &'static str, value: &str| Change::Set(name.into(), value.into());
    bed.run(vec![update("p", "s", vec![set("GSI1PK", "h")])]).await.unwrap();
    assert_eq!((group("g").await, group("h").await), (0, 1));
    bed.run(vec![update("p", "s", vec![Change::Remove("GSI1SK".into())])]).await.unwrap();
    assert_eq!((group("g").await, group("h").await), (0, 0));
    bed.run(vec![put(indexed("s", "g", "2"))]).await.unwrap();
    bed.run(vec![delete("p", "s")]).await.unwrap();
    assert_eq!((group("g").await, group("h").await), (0, 0));
}

#[tokio::test]
async fn an_index_of_another_table_is_a_defect() {
    let bed = Bed::new();
    let foreign = Index { name: "Nowhere", pk: "a", sk: Some("b") };
    let query = Query { table: TABLE, ..partition("p", Some(foreign)) };
    let error = bed.engine.query(&query).await.unwrap_err();
    assert!(matches!(error, larder_storage::StorageError::Defect(_)));
}

#[tokio::test]
async fn many_records_come_in_the_order_of_their_keys_and_at_one_moment() {
    let bed = Bed::new();
    let expiring = |sk: &str, at_s: i64| record("p", sk).with("ttl", Number::from(at_s));
    bed.run(vec![put(record("p", "b")), put(expiring("old", START_S)), put(record("p", "a"))])
        .await
        .unwrap();
    // Absent, repeated, expired, and impossible keys.
    let keys = ["b", "c", "a", "b", "old", ""].map(|sk| Key::new("p", sk));
    let found = bed.engine.get_many(TABLE, &keys).await.unwrap();
    let found: Vec<_> =
        found.iter().map(|one| one.as_ref().and_then(|one| one.text("SK"))).collect();
    assert_eq!(found, [Some("b"), None, Some("a"), Some("b"), None, None]);
    for (sk, expected) in [("a", 1), ("c", 0), ("", 0)] {
        let one = bed.engine.get_many(TABLE, &[Key::new("p", sk)]).await.unwrap();
        assert_eq!((one.len(), one.iter().flatten().count()), (1, expected), "{sk}");
    }
    assert_eq!(bed.engine.get_many(TABLE, &[]).await.unwrap(), []);
}
