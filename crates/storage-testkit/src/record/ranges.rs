//! Queries of the table: order, parts of a partition, pages.

use larder_storage_item::{MAX_QUERY_LIMIT, Query, SortKeys, Table};

use crate::EngineHarness;
use crate::engine_harness::{delete, position, put};

async fn fill(h: &EngineHarness, partition: &str, sort_keys: &[&str]) {
    for sk in sort_keys {
        h.commit(vec![put(h.record(partition, sk))]).await;
    }
}

pub async fn r11_sort_keys_stand_in_the_order_of_their_bytes(h: &EngineHarness) {
    // Neither alphabetical order nor UTF-16 puts these so.
    let sorted = ["A", "B", "_", "a", "a!", "a0", "aa", "é", "ｱ", "\u{ffff}", "😀"];
    let mixed = ["😀", "a0", "_", "ｱ", "B", "é", "a", "\u{ffff}", "A", "aa", "a!"];
    fill(h, "Q", &mixed).await;
    let query = h.query("Q");
    assert_eq!(h.read_sort_keys(&query).await, sorted);
    let mut backwards = sorted;
    backwards.reverse();
    assert_eq!(h.read_sort_keys(&Query { forward: false, ..query }).await, backwards);
}

pub async fn r12_a_query_reads_the_part_it_asks_for(h: &EngineHarness) {
    fill(h, "Q", &["ITEM", "ITEM#1", "ITEM#10", "ITEM#2", "ITEM%", "ITEN", "I_EM#1", "J"]).await;
    fill(h, "R", &["ITEM#3"]).await;
    let prefix = |text: &str| SortKeys::BeginsWith(text.to_owned());
    let between = |from: &str, to: &str| SortKeys::Between(from.to_owned(), to.to_owned());
    for (sort, expected) in [
        (prefix("ITEM#"), &["ITEM#1", "ITEM#10", "ITEM#2"][..]),
        (prefix("ITEM%"), &["ITEM%"]),
        (prefix("I_EM#"), &["I_EM#1"]),
        (prefix("item#"), &[]),
        (prefix("ITEM#1"), &["ITEM#1", "ITEM#10"]),
        (between("ITEM#1", "ITEM#2"), &["ITEM#1", "ITEM#10", "ITEM#2"]),
        (between("ITEM#1\0", "ITEM#1\u{7f}"), &["ITEM#10"]),
        (between("ITEN", "J"), &["ITEN", "I_EM#1", "J"]),
        (between("X", "Z"), &[]),
    ] {
        for limit in [1, 100] {
            let query = Query { sort: sort.clone(), limit, ..h.query("Q") };
            assert_eq!(h.read_sort_keys(&query).await, expected, "{sort:?}");
            let mut backwards = expected.to_vec();
            backwards.reverse();
            let query = Query { forward: false, ..query };
            assert_eq!(h.read_sort_keys(&query).await, backwards, "{sort:?} backwards");
        }
    }
}

pub async fn r12_a_prefix_reaches_the_last_character_there_is(h: &EngineHarness) {
    let keys = ["p\u{10ffff}", "p\u{10ffff}\u{10ffff}", "q"];
    fill(h, "Q", &keys).await;
    let sort = SortKeys::BeginsWith("p\u{10ffff}".to_owned());
    let query = Query { sort, ..h.query("Q") };
    assert_eq!(h.read_sort_keys(&query).await, keys[..2]);
}

pub async fn r13_pages_of_every_size_lose_and_repeat_nothing(h: &EngineHarness) {
    let keys: Vec<String> = (0..13).map(|n| format!("{n:02}")).collect();
    fill(h, "Q", &keys.iter().map(String::as_str).collect::<Vec<_>>()).await;
    for limit in 1..=14 {
        for forward in [true, false] {
            let mut expected = keys.clone();
            if !forward {
                expected.reverse();
            }
            let query = Query { limit, forward, ..h.query("Q") };
            assert_eq!(h.read_sort_keys(&query).await, expected, "{limit} {forward}");
        }
    }
}

pub async fn r13_a_page_continues_behind_what_is_gone(h: &EngineHarness) {
    fill(h, "Q", &["a", "b", "c", "d"]).await;
    let start_after = Some(position(&h.record("Q", "b")));
    h.commit(vec![delete(h.key("Q", "b"))]).await;
    let query = Query { start_after, ..h.query("Q") };
    assert_eq!(h.read_sort_keys(&query).await, ["c", "d"]);
    assert_eq!(h.read_sort_keys(&Query { forward: false, ..query }).await, ["a"]);
}

pub async fn r13_a_page_within_a_part_stays_in_it(h: &EngineHarness) {
    fill(h, "Q", &["a1", "a2", "a3", "b1"]).await;
    let start_after = Some(position(&h.record("Q", "a2")));
    let sort = SortKeys::BeginsWith("a".to_owned());
    let query = Query { start_after, sort, ..h.query("Q") };
    assert_eq!(h.read_sort_keys(&query).await, ["a3"]);
    assert_eq!(h.read_sort_keys(&Query { forward: false, ..query }).await, ["a1"]);
}

pub async fn r13_the_largest_page_is_bounded_and_continues(h: &EngineHarness) {
    let records = (0..=MAX_QUERY_LIMIT).map(|n| put(h.record("Q", &format!("{n:04}"))));
    h.commit_all(records.collect()).await;
    let query = Query { limit: MAX_QUERY_LIMIT, ..h.query("Q") };
    let page = h.engine().query(&query).await.unwrap();
    assert!(page.records.len() <= MAX_QUERY_LIMIT && page.next.is_some());
    assert_eq!(h.read_all(&query).await.len(), MAX_QUERY_LIMIT + 1);
}

pub async fn r20_a_key_is_another_in_another_table_and_partition(h: &EngineHarness) {
    h.commit(vec![
        put(h.record("Q", "x").with("in", "Q")),
        put(h.record("R", "x").with("in", "R")),
    ])
    .await;
    assert_eq!(h.engine().get(Table::Relational, &h.key("Q", "x")).await.unwrap(), None);
    let relational = Query { table: Table::Relational, ..h.query("Q") };
    assert_eq!(h.read_sort_keys(&relational).await, Vec::<String>::new());
    assert_eq!(h.get(&h.key("R", "x")).await.unwrap().text("in"), Some("R"));
    // A partition whose name is another's prefix is still separate.
    assert_eq!(h.read_sort_keys(&h.query("Q2")).await, Vec::<String>::new());
    assert_eq!(h.read_all(&h.query("Q")).await.len(), 1);
}
