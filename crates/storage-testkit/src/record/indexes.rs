//! Reads of secondary indexes, which may lag behind writes but always catch up.

use larder_storage_item::{
    Action, BY_ACCOUNT, Change, GSI1, GSI2, INVERTED, Query, Record, SortKeys, Table,
};

use crate::EngineHarness;
use crate::engine_harness::{delete, put, update};

fn indexed(h: &EngineHarness, sk: &str, index_partition: &str, index_sort: &str) -> Record {
    h.record("T", sk).with("GSI1PK", h.partition(index_partition)).with("GSI1SK", index_sort)
}

/// Until the index shows exactly these, in this order.
async fn expect(h: &EngineHarness, query: &Query, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|&sk| sk.to_owned()).collect();
    h.eventually(&expected, async || h.read_sort_keys(query).await).await;
}

pub async fn r06_an_index_comes_to_show_what_was_written(h: &EngineHarness) {
    let record = indexed(h, "x", "I", "1").with("payload", "whole");
    h.commit(vec![put(record.clone())]).await;
    let query = h.index_query(GSI1, "I");
    h.eventually(&vec![record.clone()], async || h.read_all(&query).await).await;
    let changed = record.with("payload", "new");
    h.commit(vec![put(changed.clone())]).await;
    h.eventually(&vec![changed], async || h.read_all(&query).await).await;
    h.commit(vec![delete(h.key("T", "x"))]).await;
    expect(h, &query, &[]).await;
}

pub async fn r06_a_record_without_both_keys_is_not_in_the_index(h: &EngineHarness) {
    h.commit(vec![
        put(indexed(h, "both", "I", "1")),
        put(h.record("T", "pk only").with("GSI1PK", h.partition("I"))),
        put(h.record("T", "sk only").with("GSI1SK", "2")),
        put(h.record("T", "other index").with("GSI2PK", h.partition("I")).with("GSI2SK", "3")),
    ])
    .await;
    expect(h, &h.index_query(GSI1, "I"), &["both"]).await;
    expect(h, &h.index_query(GSI2, "I"), &["other index"]).await;
    h.commit(vec![update(h.key("T", "both"), vec![Change::Remove("GSI1SK".into())])]).await;
    expect(h, &h.index_query(GSI1, "I"), &[]).await;
}

pub async fn r06_a_record_moves_within_and_between_index_partitions(h: &EngineHarness) {
    h.commit(vec![put(indexed(h, "a", "I", "1")), put(indexed(h, "b", "I", "2"))]).await;
    expect(h, &h.index_query(GSI1, "I"), &["a", "b"]).await;
    let to_the_end = Change::Set("GSI1SK".into(), "3".into());
    h.commit(vec![update(h.key("T", "a"), vec![to_the_end])]).await;
    expect(h, &h.index_query(GSI1, "I"), &["b", "a"]).await;
    let away = Change::Set("GSI1PK".into(), h.partition("J").into());
    h.commit(vec![update(h.key("T", "a"), vec![away])]).await;
    expect(h, &h.index_query(GSI1, "I"), &["b"]).await;
    expect(h, &h.index_query(GSI1, "J"), &["a"]).await;
}

pub async fn r13_equal_index_keys_stand_together_in_an_order_that_stays(h: &EngineHarness) {
    let mut records: Vec<_> = (0..5).map(|n| indexed(h, &format!("{n}"), "I", "same")).collect();
    records.push(h.record("S", "0").with("GSI1PK", h.partition("I")).with("GSI1SK", "same"));
    records.push(indexed(h, "last", "I", "same later"));
    records.push(indexed(h, "first", "I", "sam"));
    h.commit_all(records.iter().cloned().map(put).collect()).await;
    let query = h.index_query(GSI1, "I");
    let expected = ["first", "0", "0", "1", "2", "3", "4", "last"].map(str::to_owned).to_vec();
    let in_any_order = async || {
        let mut keys = h.read_sort_keys(&query).await;
        if let Some(equal) = keys.get_mut(1..7) {
            equal.sort();
        }
        keys
    };
    h.eventually(&expected, in_any_order).await;
    let forwards = h.read_all(&query).await;
    for limit in 1..=9 {
        for forward in [true, false] {
            let mut expected = forwards.clone();
            if !forward {
                expected.reverse();
            }
            let query = Query { limit, forward, ..query.clone() };
            assert_eq!(h.read_all(&query).await, expected, "{limit} {forward}");
        }
    }
}

pub async fn r12_an_index_query_reads_the_part_it_asks_for(h: &EngineHarness) {
    let sorts = ["CREATED#1", "CREATED#2", "STATUS#1"];
    h.commit(sorts.iter().map(|sort| put(indexed(h, sort, "I", sort))).collect()).await;
    let prefix = SortKeys::BeginsWith("CREATED#".to_owned());
    expect(h, &Query { sort: prefix, ..h.index_query(GSI1, "I") }, &sorts[..2]).await;
    let between = SortKeys::Between("CREATED#2".to_owned(), "STATUS#1".to_owned());
    expect(h, &Query { sort: between, ..h.index_query(GSI1, "I") }, &sorts[1..]).await;
}

pub async fn r20_the_relational_table_is_read_by_its_own_indexes(h: &EngineHarness) {
    let parent = h.partition("parent");
    let child = h.partition("child");
    let link = Record::new()
        .with("PK", parent.as_str())
        .with("SK", child.as_str())
        .with("_accountUrn", h.partition("account"))
        .with("urn", "urn:1");
    let table = Table::Relational;
    h.commit(vec![Action::Put { table, record: link, when: vec![], embed: None }]).await;
    let inverted = Query { table, ..h.index_query(INVERTED, "child") };
    expect(h, &inverted, &[&child]).await;
    let by_account = Query { table, ..h.index_query(BY_ACCOUNT, "account") };
    expect(h, &by_account, &[&child]).await;
}
