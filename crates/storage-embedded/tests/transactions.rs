//! Transactions and their group commit.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests stop at what they do not expect"
)]

mod common;

use common::{
    Bed, TABLE, add, delete, partition, put, put_when, record, sort_keys, transaction, update,
};
use larder_storage::StorageError;
use larder_storage_item::{
    Action, Change, Condition, GSI1, Key, Number, Record, RecordEngine, TransactError, Value,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_adds_to_one_record_lose_nothing() {
    let bed = Bed::new();
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let engine = bed.engine.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    engine.transact(transaction(vec![add("p", "s", 1)])).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(bed.get("p", "s").await.unwrap().number("quantity"), Some(Number::from(640)));
    let statistics = bed.engine.statistics();
    assert_eq!((statistics.transactions, statistics.last_sequence), (640, 640));
    assert!(statistics.commits < 640, "64 writers at once were never committed together");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_take_the_last_ones_only_so_many_succeed() {
    let bed = Bed::new();
    bed.run(vec![add("p", "s", 32)]).await.unwrap();
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let engine = bed.engine.clone();
            let take = Action::Update {
                table: TABLE,
                key: Key::new("p", "s"),
                when: vec![Condition::AtLeast("quantity".into(), Number::from(1))],
                changes: vec![Change::Add("quantity".into(), Number::from(-1))],
            };
            tokio::spawn(async move { engine.transact(transaction(vec![take])).await })
        })
        .collect();
    let (mut taken, mut refused) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => taken += 1,
            Err(TransactError::ConditionFailed { action: 0, current: Some(current) }) => {
                assert_eq!(current.number("quantity"), Some(Number::ZERO));
                refused += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((taken, refused), (32, 32));
    assert_eq!(bed.get("p", "s").await.unwrap().number("quantity"), Some(Number::ZERO));
}

#[tokio::test]
async fn a_failed_condition_changes_nothing_and_shows_the_record() {
    let bed = Bed::new();
    bed.run(vec![put(record("p", "taken").with("name", "rice"))]).await.unwrap();
    let failed = bed
        .run(vec![put(record("p", "new")), put_when(record("p", "taken"), Condition::NotExists)])
        .await;
    let Err(TransactError::ConditionFailed { action: 1, current: Some(current) }) = failed else {
        panic!("{failed:?}");
    };
    assert_eq!(current.text("name"), Some("rice"));
    assert_eq!(bed.get("p", "new").await, None);
}

#[tokio::test]
async fn the_images_are_the_records_as_they_are_now() {
    let bed = Bed::new();
    bed.run(vec![put(record("p", "gone"))]).await.unwrap();
    let committed = bed
        .run(vec![
            put(record("p", "a").with("name", "tea")),
            add("p", "b", 2),
            delete("p", "gone"),
            Action::Check {
                table: TABLE,
                key: Key::new("p", "c"),
                when: vec![Condition::NotExists],
            },
        ])
        .await
        .unwrap();
    let made = record("p", "b").with("quantity", Number::from(2));
    let expected = [Some(record("p", "a").with("name", "tea")), Some(made), None, None];
    assert_eq!(committed.images, expected);
    assert_eq!(bed.get("p", "gone").await, None);
}

#[tokio::test]
async fn a_put_embeds_what_another_action_leaves_behind() {
    let bed = Bed::new();
    bed.run(vec![add("p", "item", 5)]).await.unwrap();
    let outcome = Action::Put {
        table: TABLE,
        record: record("p", "outcome"),
        when: vec![],
        embed: Some(("result".into(), 1)),
    };
    bed.run(vec![outcome, add("p", "item", -2)]).await.unwrap();
    let item = record("p", "item").with("quantity", Number::from(3));
    let stored = bed.get("p", "outcome").await.unwrap();
    assert_eq!(stored.get("result"), Some(&Value::M(item)));
}

#[tokio::test]
async fn what_no_engine_takes_is_refused() {
    let bed = Bed::new();
    let refusal = async |actions: Vec<Action>| match bed.run(actions).await {
        Err(TransactError::Storage(error)) => error,
        other => panic!("{other:?}"),
    };
    let many = (0..101).map(|n| add("p", &format!("s{n}"), 1)).collect();
    assert!(matches!(refusal(many).await, StorageError::TooLarge(_)));
    let big = put(record("p", "s").with("notes", "x".repeat(400 * 1024)));
    assert!(matches!(refusal(vec![big]).await, StorageError::TooLarge(_)));
    let nearly_400_kb = || "x".repeat(399 * 1024);
    let much = (0..11)
        .map(|n| put(record("p", &format!("s{n}")).with("notes", nearly_400_kb())))
        .collect();
    assert!(matches!(refusal(much).await, StorageError::TooLarge(_)));
    let twice = vec![add("p", "s", 1), delete("p", "s")];
    assert!(matches!(refusal(twice).await, StorageError::Defect(_)));
    assert!(matches!(
        refusal(vec![put(Record::new().with("PK", "p"))]).await,
        StorageError::Defect(_)
    ));
    assert!(matches!(refusal(vec![add("p", "", 1)]).await, StorageError::Defect(_)));
    let moved = update("p", "s", vec![Change::Set("SK".into(), "t".into())]);
    assert!(matches!(refusal(vec![moved]).await, StorageError::Defect(_)));
    assert_eq!(bed.engine.statistics().last_sequence, 0);
}

#[tokio::test]
async fn an_update_that_grows_a_record_too_far_changes_nothing() {
    let bed = Bed::new();
    bed.run(vec![put(record("p", "s").with("notes", "x".repeat(300 * 1024)))]).await.unwrap();
    let more = Change::Set("name".into(), "y".repeat(200 * 1024).into());
    let refused = bed.run(vec![update("p", "s", vec![more])]).await;
    assert!(matches!(refused, Err(TransactError::Storage(StorageError::TooLarge(_)))));
    assert_eq!(bed.get("p", "s").await.unwrap().get("name"), None);
}

#[tokio::test]
async fn neighbours_of_one_transaction_all_find_their_place() {
    let bed = Bed::new();
    bed.run(vec![put(record("p", "m"))]).await.unwrap();
    // Every gap is found before the first is filled: upwards, downwards, from both sides, and with
    // a removal.
    let orders = [["a", "b", "c"], ["f", "e", "d"], ["n", "p", "o"], ["x", "z", "y"]];
    for order in orders {
        let new = |sk| put_when(record("p", sk), Condition::NotExists);
        bed.run(order.map(new).into()).await.unwrap();
    }
    let new = put_when(record("p", "mm"), Condition::NotExists);
    bed.run(vec![delete("p", "m"), new]).await.unwrap();
    let page = bed.query(&partition("p", None)).await;
    let expected = ["a", "b", "c", "d", "e", "f", "mm", "n", "o", "p", "x", "y", "z"];
    assert_eq!(sort_keys(&page), expected);
    let taken = bed.run(vec![put_when(record("p", "mm"), Condition::NotExists)]).await;
    assert!(matches!(taken, Err(TransactError::ConditionFailed { action: 0, current: Some(_) })));
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn what_was_looked_at_before_a_change_is_seen_as_it_is_after_it() {
    let bed = Bed::new();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    // The caches of a reopened store are empty.
    let bed = bed.reopen();
    let check = async |amount: i64| {
        let when = vec![Condition::Equals("quantity".into(), Number::from(amount).into())];
        let check = Action::Check { table: TABLE, key: Key::new("p", "s"), when };
        match bed.run(vec![check]).await {
            Ok(_) => Ok(()),
            Err(TransactError::ConditionFailed { current, .. }) => {
                Err(current.and_then(|record| record.number("quantity")))
            }
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(check(1).await, Ok(()));
    assert_eq!(check(1).await, Ok(()));
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    assert_eq!(check(1).await, Err(Some(Number::from(2))));
    bed.run(vec![delete("p", "s")]).await.unwrap();
    assert_eq!(check(2).await, Err(None));
    bed.run(vec![add("p", "s", 7)]).await.unwrap();
    assert_eq!(check(7).await, Ok(()));
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let bed = Bed::new();
    for n in 0..50 {
        let item =
            record("p", &format!("s{n:02}")).with("GSI1PK", "g").with("GSI1SK", format!("{n:02}"));
        bed.run(vec![put(item)]).await.unwrap();
    }
    let before = bed.query(&partition("g", Some(GSI1))).await.records;
    let bed = bed.reopen();
    assert_eq!(before.len(), 50);
    assert_eq!(bed.query(&partition("g", Some(GSI1))).await.records, before);
    assert_eq!(bed.query(&partition("p", None)).await.records, before);
    bed.run(vec![delete("p", "s00")]).await.unwrap();
    assert_eq!(bed.engine.statistics().last_sequence, 51);
    assert_eq!(bed.engine.scrub().await.unwrap().damaged, []);
}

#[tokio::test]
async fn a_closed_store_reads_but_writes_no_more() {
    let bed = Bed::new();
    bed.run(vec![add("p", "s", 1)]).await.unwrap();
    bed.engine.close().await;
    let refused = bed.run(vec![add("p", "s", 1)]).await;
    assert!(matches!(refused, Err(TransactError::Storage(StorageError::Unavailable(_)))));
    assert!(matches!(bed.engine.ready().await, Err(StorageError::Unavailable(_))));
    assert_eq!(bed.get("p", "s").await.unwrap().number("quantity"), Some(Number::from(1)));
}
