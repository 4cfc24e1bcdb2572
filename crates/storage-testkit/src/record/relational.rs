//! The tables of the relational store.

use larder_storage_item::{GRANTS_BY_ACCOUNT, MAX_ACTIONS, Query, Record, SortKeys, Table};

use super::own_keys::put_into;
use crate::EngineHarness;

pub async fn r14_a_transaction_without_journaled_changes_holds_what_the_engine_says(
    h: &EngineHarness,
) {
    let most = h.engine().max_actions().await.unwrap();
    assert!((10..=MAX_ACTIONS).contains(&most), "{most}");
    let many = |count: usize| {
        let record = |n: usize| h.record("L", &format!("{n:03}"));
        (0..count).map(|n| put_into(Table::Relational, record(n))).collect::<Vec<_>>()
    };
    let query = Query { table: Table::Relational, ..h.query("L") };
    h.transact(many(most + 1)).await.expect_err("one more is refused");
    assert_eq!(h.read_all(&query).await.len(), 0);
    h.commit(many(most)).await;
    assert_eq!(h.read_all(&query).await.len(), most);
}

pub async fn r29_nothing_of_the_relational_store_is_in_the_journal(h: &EngineHarness) {
    for table in [Table::Relational, Table::Grants] {
        h.commit(vec![put_into(table, h.record("J", "x"))]).await;
        let pk = h.partition("J");
        assert_eq!(h.engine().journal_after(table, &pk, 0, 10).await.unwrap().len(), 0);
        let key = h.key("J", "x");
        assert_eq!(h.engine().journal_of(table, &key, None, 10).await.unwrap().len(), 0);
        assert!(h.engine().get(table, &key).await.unwrap().is_some());
    }
}

pub async fn r29_grants_are_read_by_account_in_their_order(h: &EngineHarness) {
    let grant = |name: &str, account: &str, order: &str| {
        h.record(name, "Resource#x").with("_accountUrn", h.partition(account)).with("_order", order)
    };
    let (one, two) = (grant("P1", "ours", "b#1"), grant("P2", "ours", "a#2"));
    let foreign = grant("P3", "theirs", "a#3");
    let records: [&Record; 3] = [&one, &two, &foreign];
    h.commit(records.map(|record| put_into(Table::Grants, record.clone())).to_vec()).await;
    let query = Query {
        table: Table::Grants,
        sort: SortKeys::Any,
        ..h.index_query(GRANTS_BY_ACCOUNT, "ours")
    };
    h.eventually(&vec![two.clone(), one], async || h.read_all(&query).await).await;
    let part = Query { sort: SortKeys::BeginsWith("a#".to_owned()), ..query };
    h.eventually(&vec![two], async || h.read_all(&part).await).await;
}
