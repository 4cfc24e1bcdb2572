//! Several servers on the same tables.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use larder_storage_dynamodb::DynamoEngine;
use larder_storage_item::{
    Action, Change, Condition, Key, Number, Record, RecordEngine, Table, TransactError, Transaction,
};
use larder_storage_testkit::{Random, START, seed};
use tokio::time::timeout;

use crate::launch;

const TABLE: Table = Table::InventoryManagement;
/// Far longer than it takes; reached only if a change was lost.
const LOST: Duration = Duration::from_mins(1);

async fn two_servers() -> ([Arc<DynamoEngine>; 2], String) {
    let (options, clock) = (launch::shared_tables().await, launch::clock());
    let one = launch::open(options.clone(), &clock).await;
    let other = launch::open(options, &clock).await;
    ([Arc::new(one), Arc::new(other)], format!("servers{}", launch::own_number()))
}

fn add(key: Key, amount: i64, when: Vec<Condition>) -> Action {
    let changes = vec![Change::Add("n".into(), Number::from(amount))];
    Action::Update { table: TABLE, key, when, changes }
}

fn transaction(actions: Vec<Action>) -> Transaction {
    Transaction { actor: "mia".to_owned(), at: START, actions }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_race_count_everything_and_leave_a_journal_without_a_gap() {
    const WRITERS: usize = 6;
    const WRITES: usize = 12;
    let (engines, pk) = two_servers().await;
    let seed = seed();
    let writers = (0..WRITERS).map(|writer| {
        let (engine, pk) = (Arc::clone(&engines[writer % 2]), pk.clone());
        tokio::spawn(async move {
            let mut random = Random::new(seed.wrapping_add(writer as u64));
            let mut sum = 0;
            for _ in 0..WRITES {
                let amount = i64::try_from(random.below(100)).unwrap() - 50;
                let mut actions = vec![add(Key::new(&pk, "shared"), amount, vec![])];
                if random.chance(50) {
                    actions.push(add(Key::new(&pk, writer.to_string()), amount, vec![]));
                }
                engine.transact(transaction(actions)).await.unwrap();
                sum += amount;
            }
            sum
        })
    });
    let mut expected = 0;
    for writer in writers.collect::<Vec<_>>() {
        expected += writer.await.unwrap();
    }
    let key = Key::new(&pk, "shared");
    let shared = engines[0].get(TABLE, &key).await.unwrap().unwrap();
    assert_eq!(shared.number("n"), Some(Number::from(expected)), "seed {seed}");

    let entries = engines[1].journal_after(TABLE, &pk, 0, 1000).await.unwrap();
    let mut latest = BTreeMap::<Key, Record>::new();
    let mut transactions = Vec::new();
    for entry in &entries {
        let before = latest.insert(entry.key.clone(), entry.new.clone().unwrap());
        assert_eq!(before, entry.old, "seed {seed}: what one left is what the next found");
        transactions.push(entry.sequence / 128);
    }
    transactions.dedup();
    let all: Vec<u64> = (1..=(transactions.len() as u64)).collect();
    assert_eq!(transactions, all, "seed {seed}: no number is left out");
    // A delta of 0 changes nothing, unless it creates the record.
    assert!(transactions.len() > WRITERS * WRITES * 9 / 10, "{}", transactions.len());
    assert_eq!(latest[&key], shared);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_race_for_the_last_one_take_it_once() {
    let (engines, pk) = two_servers().await;
    let key = Key::new(&pk, "stock");
    engines[0].transact(transaction(vec![add(key.clone(), 5, vec![])])).await.unwrap();
    let takers: Vec<_> = (0..16)
        .map(|taker| {
            let (engine, key) = (Arc::clone(&engines[taker % 2]), key.clone());
            let enough = vec![Condition::AtLeast("n".into(), Number::from(1))];
            let take = transaction(vec![add(key, -1, enough)]);
            tokio::spawn(async move { engine.transact(take).await })
        })
        .collect();
    let mut taken = 0;
    for taker in takers {
        match taker.await.unwrap() {
            Ok(_) => taken += 1,
            Err(TransactError::ConditionFailed { action: 0, current: Some(current) }) => {
                assert_eq!(current.number("n"), Some(Number::ZERO));
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(taken, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_through_one_server_wakes_the_listeners_of_another() {
    let ([writer, reader], pk) = two_servers().await;
    let mut watch = reader.watch(TABLE, &pk);
    for n in 1..=3 {
        watch.borrow_and_update();
        let add = add(Key::new(&pk, "x"), n, vec![]);
        writer.transact(transaction(vec![add])).await.unwrap();
        let head = writer.journal_head(TABLE, &pk).await.unwrap();
        let seen = timeout(LOST, watch.wait_for(|told| *told >= head)).await;
        assert_eq!(*seen.expect("the listener is woken").unwrap(), head);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_two_servers_change_at_once_changes_once_each() {
    let (engines, pk) = two_servers().await;
    let key = Key::new(&pk, "SESSION#1");
    engines[0].transact(transaction(vec![add(key.clone(), 1, vec![])])).await.unwrap();
    let writers: Vec<_> = (0..12)
        .map(|writer| {
            let (engine, key) = (Arc::clone(&engines[writer % 2]), key.clone());
            let add = transaction(vec![add(key, 1, vec![Condition::Exists])]);
            tokio::spawn(async move { engine.transact(add).await.unwrap().images.remove(0) })
        })
        .collect();
    let mut left = Vec::new();
    for writer in writers {
        left.push(writer.await.unwrap().unwrap().number("n").unwrap().to_i64().unwrap());
    }
    left.sort_unstable();
    assert_eq!(left, (2..=13).collect::<Vec<_>>(), "each answers with what it left");
    assert_eq!(engines[0].journal_head(TABLE, &pk).await.unwrap(), 0, "nobody is told");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_record_is_changed_and_told_with_both_images() {
    let ([engine, _], pk) = two_servers().await;
    let record = |letter: &str| {
        let text = letter.repeat(380 * 1024);
        Record::new().with("PK", pk.as_str()).with("SK", "large").with("text", text)
    };
    for letter in ["a", "b"] {
        let record = record(letter);
        let put = Action::Put { table: TABLE, record, when: vec![], embed: None };
        engine.transact(transaction(vec![put])).await.unwrap();
    }
    let told = |entries: Vec<larder_storage_item::JournalEntry>| {
        entries.into_iter().map(|entry| (entry.old, entry.new)).collect::<Vec<_>>()
    };
    let first = (None, Some(record("a")));
    let second = (Some(record("a")), Some(record("b")));
    let after = engine.journal_after(TABLE, &pk, 0, 10).await.unwrap();
    assert!(told(after) == [first.clone(), second.clone()], "oldest first");
    let history = engine.journal_of(TABLE, &Key::new(&pk, "large"), None, 10).await.unwrap();
    assert!(told(history) == [second, first], "newest first");
}
