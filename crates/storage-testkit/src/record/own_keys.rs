//! Tables with other key names, and without a sort key.

use std::collections::BTreeSet;

use larder_storage_item::{
    Action, Change, Condition, Key, MAX_QUERY_LIMIT, Number, Position, Query, Record, SortKeys,
    Table, TransactError, Value,
};

use super::{failed_action, number};
use crate::EngineHarness;
use crate::engine_harness::{put, sort_key};

const TABLES: [Table; 2] = [Table::Devices, Table::ApiKeys];

pub(super) fn key(h: &EngineHarness, name: &str) -> Key {
    h.key(name, "")
}

/// A record without attributes of its own.
pub(super) fn record(h: &EngineHarness, table: Table, name: &str) -> Record {
    table.record_with(&key(h, name))
}

pub(super) fn put_into(table: Table, record: Record) -> Action {
    Action::Put { table, record, when: vec![], embed: None }
}

pub(super) fn update_in(table: Table, key: Key, changes: Vec<Change>) -> Action {
    Action::Update { table, key, when: vec![], changes }
}

fn delete_from(table: Table, key: Key) -> Action {
    Action::Delete { table, key, when: vec![] }
}

async fn get(h: &EngineHarness, table: Table, name: &str) -> Option<Record> {
    h.engine().get(table, &key(h, name)).await.unwrap()
}

pub async fn r24_a_record_is_kept_by_a_key_of_one_attribute(h: &EngineHarness) {
    for table in TABLES {
        let whole = record(h, table, "x").with("text", "値").with("n", number("1.5"));
        let committed = h.commit(vec![put_into(table, whole.clone())]).await;
        assert_eq!(committed.images, [Some(whole.clone())]);
        assert_eq!(get(h, table, "x").await, Some(whole.clone()));
        let changes = vec![
            Change::Add("n".into(), number("2")),
            Change::Set("new".into(), Value::Null),
            Change::Remove("text".into()),
        ];
        let expected = record(h, table, "x").with("n", number("3.5")).with("new", Value::Null);
        let committed = h.commit(vec![update_in(table, key(h, "x"), changes)]).await;
        assert_eq!(committed.images, [Some(expected.clone())]);
        assert_eq!(get(h, table, "x").await, Some(expected));
        // An update of an absent record creates it with only its key.
        h.commit(vec![update_in(table, key(h, "y"), vec![])]).await;
        assert_eq!(get(h, table, "y").await, Some(record(h, table, "y")));
        h.commit(vec![delete_from(table, key(h, "x")), delete_from(table, key(h, "nobody"))]).await;
        assert_eq!(get(h, table, "x").await, None);
    }
}

pub async fn r24_every_condition_is_judged_on_such_a_record(h: &EngineHarness) {
    let table = Table::Devices;
    h.commit(vec![put_into(table, record(h, table, "x").with("n", number("2")))]).await;
    let cases: [(Condition, bool, bool); 7] = [
        (Condition::Exists, true, false),
        (Condition::NotExists, false, true),
        (Condition::Equals("n".into(), number("2").into()), true, false),
        (Condition::Equals("hardware_id".into(), h.partition("x").into()), true, false),
        (Condition::Absent("m".into()), true, false),
        (Condition::AtLeast("n".into(), number("3")), false, false),
        (Condition::AtMost("n".into(), number("2")), true, false),
    ];
    for (condition, present, absent) in cases {
        for (name, holds) in [("x", present), ("nobody", absent)] {
            let when = vec![condition.clone()];
            let outcome = h.transact(vec![Action::Check { table, key: key(h, name), when }]).await;
            match outcome {
                Ok(_) => assert!(holds, "{condition:?} on {name} should fail"),
                refused => {
                    assert_eq!(failed_action(refused), 0);
                    assert!(!holds, "{condition:?} on {name} should hold");
                }
            }
        }
    }
    let again = Action::Put {
        table,
        record: record(h, table, "x"),
        when: vec![Condition::NotExists],
        embed: None,
    };
    match h.transact(vec![again]).await {
        Err(TransactError::ConditionFailed { action: 0, current: Some(current) }) => {
            assert_eq!(*current, record(h, table, "x").with("n", number("2")));
        }
        other => panic!("it is there already: {other:?}"),
    }
}

pub async fn r24_a_partition_without_a_sort_key_is_one_record(h: &EngineHarness) {
    let table = Table::Devices;
    let records = ["x", "y"].map(|name| record(h, table, name).with("name", name));
    h.commit(records.iter().cloned().map(|record| put_into(table, record)).collect()).await;
    for forward in [true, false] {
        let query = Query { table, forward, limit: 1, ..h.query("x") };
        assert_eq!(h.read_all(&query).await, records[..1]);
        let behind = Position { sort: String::new(), key: key(h, "x") };
        let query = Query { start_after: Some(behind), ..query };
        assert_eq!(h.read_all(&query).await, []);
    }
    let nobody = Query { table, sort: SortKeys::Any, ..h.query("nobody") };
    assert_eq!(h.read_all(&nobody).await, []);
}

pub async fn r24_a_scan_shows_every_such_record_once(h: &EngineHarness) {
    let table = Table::Devices;
    let names: BTreeSet<String> = (0..30).map(|n| format!("{n:02}")).collect();
    h.commit_all(names.iter().map(|name| put_into(table, record(h, table, name))).collect()).await;
    let (mut found, mut next) = (Vec::new(), None);
    loop {
        let page = h.engine().scan(table, next.as_ref(), MAX_QUERY_LIMIT).await.unwrap();
        let own = page.records.iter().filter_map(|record| {
            record.text("hardware_id")?.strip_prefix(&h.partition("")).map(str::to_owned)
        });
        found.extend(own);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    found.sort();
    assert_eq!(found, names.iter().cloned().collect::<Vec<_>>());
    // A position need not exist any more.
    h.commit(vec![delete_from(table, key(h, "07"))]).await;
    let page = h.engine().scan(table, Some(&key(h, "07")), 1).await.unwrap();
    assert!(page.records.len() <= 1 && page.next != Some(key(h, "07")));
}

pub async fn r24_a_key_of_another_shape_is_refused(h: &EngineHarness) {
    let table = Table::Devices;
    let too_much = Key { sk: "s".to_owned(), ..key(h, "x") };
    let too_little = Key::new(h.partition("x"), "");
    for actions in [
        vec![update_in(table, too_much, vec![])],
        vec![update_in(Table::InventoryManagement, too_little, vec![])],
        vec![put_into(table, h.record("x", "s"))],
        vec![put(record(h, table, "x"))],
    ] {
        let refused = h.transact(actions).await;
        assert!(matches!(refused, Err(TransactError::Storage(_))), "{refused:?}");
    }
    assert_eq!(get(h, table, "x").await, None);
}

pub async fn r24_a_transaction_spans_tables_of_every_shape(h: &EngineHarness) {
    let all = |text: &str| {
        vec![
            put_into(Table::Devices, record(h, Table::Devices, "x").with("text", text)),
            put_into(Table::ApiKeys, record(h, Table::ApiKeys, "x").with("text", text)),
            put(h.record("x", "x").with("text", text)),
        ]
    };
    h.commit(all("old")).await;
    let mut refused = all("new");
    let (table, when) = (Table::ApiKeys, vec![Condition::Exists]);
    refused.push(Action::Check { table, key: key(h, "nobody"), when });
    assert_eq!(failed_action(h.transact(refused).await), 3);
    for table in TABLES {
        let kept = get(h, table, "x").await.expect("it is there");
        assert_eq!(kept.text("text"), Some("old"));
    }
    let kept = h.get(&h.key("x", "x")).await.expect("it is there");
    assert_eq!((sort_key(&kept).as_str(), kept.text("text")), ("x", Some("old")));
}

pub async fn r26_what_devices_do_is_not_in_the_journal(h: &EngineHarness) {
    for table in TABLES {
        for n in 1..=3 {
            let changed = record(h, table, "x").with("n", Number::from(n));
            h.commit(vec![put_into(table, changed), put(h.record("x", &n.to_string()))]).await;
        }
        let pk = h.partition("x");
        let told = h.engine().journal_after(table, &pk, 0, 100).await.unwrap();
        assert_eq!(told.len(), 0);
        let told = h.engine().journal_of(table, &key(h, "x"), None, 100).await.unwrap();
        assert_eq!(told.len(), 0);
    }
    let pk = h.partition("x");
    let told = h.engine().journal_after(Table::InventoryManagement, &pk, 0, 100).await.unwrap();
    let told: Vec<_> = told.into_iter().map(|entry| entry.key.sk).collect();
    assert_eq!(told, ["1", "2", "3"], "what others do is, and only once");
}
