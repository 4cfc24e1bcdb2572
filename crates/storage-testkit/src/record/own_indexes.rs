//! Indexes of tables with keys of their own: without a sort key, and of only some records.

use larder_storage_item::{
    API_KEY_HASH, BY_FAMILY, Change, Index, Query, Record, TELEMETRY_GSI1, Table,
};

use super::own_keys::{key, put_into, record, update_in};
use crate::EngineHarness;

/// The names of a table's records, without the partition of the test.
fn names(h: &EngineHarness, table: Table, records: &[Record]) -> Vec<String> {
    let own = h.partition("");
    let name = |record: &Record| {
        let pk = record.text(table.key_names().pk).expect("every record has its key");
        pk.strip_prefix(&own).expect("it is of this test").to_owned()
    };
    records.iter().map(name).collect()
}

fn query(h: &EngineHarness, table: Table, index: Index, partition: &str) -> Query {
    Query { table, ..h.index_query(index, partition) }
}

async fn expect(h: &EngineHarness, query: &Query, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|&name| name.to_owned()).collect();
    let read = async || names(h, query.table, &h.read_all(query).await);
    h.eventually(&expected, read).await;
}

pub async fn r25_an_index_without_a_sort_key_finds_every_record_of_its_key(h: &EngineHarness) {
    let table = Table::ApiKeys;
    let hashed = |name: &str, hash: &str| {
        put_into(table, record(h, table, name).with("api_key_hash", h.partition(hash)))
    };
    let none = put_into(table, record(h, table, "none"));
    h.commit(vec![hashed("a", "H"), hashed("b", "H"), hashed("c", "I"), none]).await;
    expect(h, &query(h, table, API_KEY_HASH, "I"), &["c"]).await;
    let both = query(h, table, API_KEY_HASH, "H");
    let sorted = async |query: &Query| {
        let mut found = names(h, table, &h.read_all(query).await);
        found.sort();
        found
    };
    h.eventually(&vec!["a".to_owned(), "b".to_owned()], async || sorted(&both).await).await;
    let forwards = h.read_all(&both).await;
    for (limit, forward) in [(1, true), (1, false), (2, false)] {
        let mut expected = forwards.clone();
        if !forward {
            expected.reverse();
        }
        let query = Query { limit, forward, ..both.clone() };
        assert_eq!(h.read_all(&query).await, expected, "{limit} {forward}");
    }
    h.commit(vec![update_in(table, key(h, "a"), vec![Change::Remove("api_key_hash".into())])])
        .await;
    expect(h, &both, &["b"]).await;
}

pub async fn r25_an_index_of_those_who_have_its_key_leaves_the_others_out(h: &EngineHarness) {
    for table in [Table::Devices, Table::ApiKeys] {
        let listed = |name: &str, second: &str| {
            record(h, table, name).with("gsi1pk", h.partition("all")).with("gsi1sk", second)
        };
        let of_family = |name: &str, second: &str| {
            put_into(table, listed(name, second).with("family_id", h.partition("family")))
        };
        h.commit(vec![
            of_family("a", "2"),
            of_family("b", "1"),
            put_into(table, listed("of nobody", "3")),
        ])
        .await;
        expect(h, &query(h, table, BY_FAMILY, "family"), &["b", "a"]).await;
        expect(h, &query(h, table, TELEMETRY_GSI1, "all"), &["b", "a", "of nobody"]).await;
        let later = vec![Change::Set("gsi1sk".into(), "4".into())];
        h.commit(vec![update_in(table, key(h, "b"), later)]).await;
        expect(h, &query(h, table, BY_FAMILY, "family"), &["a", "b"]).await;
        expect(h, &query(h, table, TELEMETRY_GSI1, "all"), &["a", "of nobody", "b"]).await;
        let leave = vec![Change::Remove("family_id".into())];
        h.commit(vec![update_in(table, key(h, "a"), leave)]).await;
        expect(h, &query(h, table, BY_FAMILY, "family"), &["b"]).await;
        expect(h, &query(h, table, TELEMETRY_GSI1, "all"), &["a", "of nobody", "b"]).await;
    }
}

pub async fn r25_lists_by_time_are_read_from_the_end(h: &EngineHarness) {
    let table = Table::Devices;
    let seconds: Vec<String> = (0..9).map(|n| format!("2031-01-01T00:00:0{n}Z")).collect();
    let seen = |second: &String| {
        let record = record(h, table, second).with("family_id", h.partition("family"));
        put_into(table, record.with("gsi1sk", second.as_str()))
    };
    h.commit_all(seconds.iter().rev().map(seen).collect()).await;
    let newest_first: Vec<&str> = seconds.iter().rev().map(String::as_str).collect();
    for limit in 1..=10 {
        let query = Query { forward: false, limit, ..query(h, table, BY_FAMILY, "family") };
        expect(h, &query, &newest_first).await;
    }
}
