//! Transactions: atomic, serialized, and their results.

use std::sync::Arc;

use futures_util::future::join_all;
use larder_storage_item::{Action, Change, Condition, Number, Table, TransactError, Value};

use super::{failed_action, number};
use crate::EngineHarness;
use crate::engine_harness::{
    check, delete, delete_when, key_of, put, put_when, update, update_when,
};

/// As many as a busy household's clients at the same moment, and more than a commit of one each.
const WRITERS: usize = 64;

pub async fn r01_a_transaction_happens_whole_or_not_at_all(h: &EngineHarness) {
    h.commit(vec![put(h.record("T", "old").with("v", number("1")))]).await;
    let before = h.read_all(&h.query("T")).await;
    let refused = h
        .transact(vec![
            put(h.record("T", "new")),
            update(h.key("T", "old"), vec![Change::Add("v".into(), number("1"))]),
            check(h.key("T", "nobody"), vec![Condition::Exists]),
        ])
        .await;
    assert_eq!(failed_action(refused), 2);
    assert_eq!(h.read_all(&h.query("T")).await, before);
}

pub async fn r01_a_transaction_may_span_partitions_and_tables(h: &EngineHarness) {
    let relational = |when| Action::Put {
        table: Table::Relational,
        record: h.record("B", "unique"),
        when,
        embed: None,
    };
    h.commit(vec![put(h.record("A", "x")), relational(vec![])]).await;
    let refused =
        h.transact(vec![delete(h.key("A", "x")), relational(vec![Condition::NotExists])]).await;
    assert_eq!(failed_action(refused), 1);
    assert!(h.get(&h.key("A", "x")).await.is_some());
}

pub async fn r04_of_many_who_claim_one_key_exactly_one_wins(h: &EngineHarness) {
    let claims = (0..WRITERS).map(|n| {
        let name = n.to_string();
        let mark = put(h.record("T", &format!("mark{n:02}")));
        let claim = put_when(h.record("T", "claim").with("by", name), vec![Condition::NotExists]);
        h.transact(vec![mark, claim])
    });
    let outcomes = join_all(claims).await;
    let winners: Vec<usize> = (0..WRITERS).filter(|n| outcomes[*n].is_ok()).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let held = h.get(&h.key("T", "claim")).await.unwrap();
    assert_eq!(held.text("by"), Some(winners[0].to_string().as_str()));
    let keys = h.read_sort_keys(&h.query("T")).await;
    assert_eq!(keys, ["claim".to_owned(), format!("mark{:02}", winners[0])]);
}

pub async fn r04_concurrent_deltas_of_one_number_are_all_counted(h: &EngineHarness) {
    let key = h.key("T", "counter");
    let writers = (0..WRITERS).map(|n| {
        let engine = Arc::clone(h.engine());
        let by = Number::new(i128::try_from(n).unwrap(), -2).unwrap();
        let add = update(key.clone(), vec![Change::Add("sum".into(), by)]);
        let transaction = h.transaction(vec![add]);
        tokio::spawn(async move { engine.transact(transaction).await.unwrap() })
    });
    join_all(writers).await.into_iter().for_each(|outcome| drop(outcome.unwrap()));
    // 0.00 + 0.01 + … + 0.63
    assert_eq!(h.get(&key).await.unwrap().number("sum"), Some(number("20.16")));
}

pub async fn r04_concurrent_takers_stop_exactly_at_the_floor(h: &EngineHarness) {
    let key = h.key("T", "stock");
    h.commit(vec![put(h.record("T", "stock").with("left", number("32")))]).await;
    let takers = (0..WRITERS).map(|_| {
        let engine = Arc::clone(h.engine());
        let enough = vec![Condition::AtLeast("left".into(), number("1"))];
        let take = vec![Change::Add("left".into(), number("-1"))];
        let transaction = h.transaction(vec![update_when(key.clone(), enough, take)]);
        tokio::spawn(async move { engine.transact(transaction).await.is_ok() })
    });
    let taken = join_all(takers).await.into_iter().filter(|taken| *taken.as_ref().unwrap()).count();
    assert_eq!(taken, 32);
    assert_eq!(h.get(&key).await.unwrap().number("left"), Some(Number::ZERO));
}

pub async fn r04_a_conflict_fails_its_own_writer_only(h: &EngineHarness) {
    let writers = (0..WRITERS).map(|n| {
        let when = if n % 2 == 0 { Condition::NotExists } else { Condition::Exists };
        h.transact(vec![put_when(h.record("T", &format!("{n:02}")), vec![when])])
    });
    for (n, outcome) in join_all(writers).await.into_iter().enumerate() {
        match outcome {
            Ok(_) => assert_eq!(n % 2, 0),
            Err(TransactError::ConditionFailed { action: 0, current: None }) => {
                assert_eq!(n % 2, 1);
            }
            Err(other) => panic!("writer {n}: {other}"),
        }
    }
    assert_eq!(h.read_all(&h.query("T")).await.len(), WRITERS / 2);
}

pub async fn r05_reads_of_the_table_see_every_acknowledged_write(h: &EngineHarness) {
    for n in 0..20 {
        let record = h.record("T", &format!("{n:02}")).with("v", number(&n.to_string()));
        h.commit(vec![put(record.clone())]).await;
        assert_eq!(h.get(&key_of(&record)).await, Some(record.clone()));
        assert_eq!(h.read_all(&h.query("T")).await.last(), Some(&record));
    }
    h.commit(vec![delete(h.key("T", "19"))]).await;
    assert_eq!(h.get(&h.key("T", "19")).await, None);
    assert_eq!(h.read_all(&h.query("T")).await.len(), 19);
}

pub async fn r08_put_replaces_the_whole_record(h: &EngineHarness) {
    h.commit(vec![put(h.record("T", "x").with("a", "1").with("b", "2"))]).await;
    let replacement = h.record("T", "x").with("c", "3");
    h.commit(vec![put(replacement.clone())]).await;
    assert_eq!(h.get(&h.key("T", "x")).await, Some(replacement));
}

pub async fn r08_update_makes_what_is_not_there(h: &EngineHarness) {
    let set = Change::Set("a".into(), "1".into());
    h.commit(vec![update(h.key("T", "x"), vec![set])]).await;
    assert_eq!(h.get(&h.key("T", "x")).await, Some(h.record("T", "x").with("a", "1")));
}

pub async fn r08_changes_apply_in_order_and_leave_the_rest(h: &EngineHarness) {
    h.commit(vec![put(h.record("T", "x").with("a", "1").with("gone", true).with("kept", "k"))])
        .await;
    let changes = vec![
        Change::Set("n".into(), number("1").into()),
        Change::Add("n".into(), number("0.5")),
        Change::Add("fresh".into(), number("-2")),
        Change::Set("a".into(), "first".into()),
        Change::Set("a".into(), "second".into()),
        Change::Remove("gone".into()),
        Change::Remove("never there".into()),
        Change::Set("nothing".into(), Value::Null),
    ];
    h.commit(vec![update(h.key("T", "x"), changes)]).await;
    let expected = h
        .record("T", "x")
        .with("a", "second")
        .with("fresh", number("-2"))
        .with("kept", "k")
        .with("n", number("1.5"))
        .with("nothing", Value::Null);
    assert_eq!(h.get(&h.key("T", "x")).await, Some(expected));
}

pub async fn r08_deleting_what_is_not_there_is_no_failure(h: &EngineHarness) {
    h.commit(vec![delete(h.key("T", "nobody"))]).await;
    let refused =
        h.transact(vec![delete_when(h.key("T", "nobody"), vec![Condition::Exists])]).await;
    assert_eq!(failed_action(refused), 0);
}

pub async fn r19_a_commit_answers_with_what_each_action_left(h: &EngineHarness) {
    h.commit(vec![put(h.record("T", "old").with("n", number("1")))]).await;
    let committed = h
        .commit(vec![
            put(h.record("T", "new").with("a", "1")),
            update(h.key("T", "old"), vec![Change::Add("n".into(), number("2"))]),
            delete(h.key("T", "gone")),
            check(h.key("T", "nobody"), vec![Condition::NotExists]),
        ])
        .await;
    let expected = [
        Some(h.record("T", "new").with("a", "1")),
        Some(h.record("T", "old").with("n", number("3"))),
        None,
        None,
    ];
    assert_eq!(committed.images, expected);
}

pub async fn r19_a_put_can_hold_what_another_action_left(h: &EngineHarness) {
    h.commit(vec![put(h.record("T", "counter").with("n", number("41")))]).await;
    let receipt = |other| Action::Put {
        table: Table::InventoryManagement,
        record: h.record("T", "receipt"),
        when: vec![],
        embed: Some(("result".into(), other)),
    };
    // The receipt comes before the counter that it embeds: the order of actions does not matter.
    let add = update(h.key("T", "counter"), vec![Change::Add("n".into(), number("1"))]);
    h.commit(vec![receipt(1), add]).await;
    let counter = h.record("T", "counter").with("n", number("42"));
    let expected = h.record("T", "receipt").with("result", Value::M(counter));
    h.commit(vec![delete(h.key("T", "counter"))]).await;
    assert_eq!(h.get(&h.key("T", "receipt")).await, Some(expected));
}
