//! A broken connection, and an unavailable engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use larder_storage::StorageError;
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::{
    Action, Change, Condition, Key, Number, Record, RecordEngine, Table, Transaction,
};
use larder_storage_testkit::START;
use larder_test_servers::{DynamoDbLocal, Fault, FaultProxy};

use crate::launch;

const TABLE: Table = Table::InventoryManagement;

fn add_one(pk: &str) -> Transaction {
    let changes = vec![Change::Add("n".into(), Number::from(1))];
    let add = Action::Update { table: TABLE, key: Key::new(pk, "n"), when: vec![], changes };
    Transaction { actor: "mia".to_owned(), at: START, actions: vec![add] }
}

async fn count(engine: &DynamoEngine, pk: &str) -> Option<Number> {
    let record = engine.get(TABLE, &Key::new(pk, "n")).await.unwrap()?;
    record.number("n")
}

/// An engine behind a proxy, with this deadline; and the proxy.
async fn behind_proxy(deadline: Duration) -> (Arc<DynamoEngine>, FaultProxy, String) {
    let shared = launch::shared_tables().await;
    let proxy = FaultProxy::in_front_of(DynamoDbLocal::shared().address()).await;
    let endpoint = format!("http://{}", proxy.address());
    let options = DynamoOptions {
        deadline,
        attempt_timeout: deadline / 4,
        connect_timeout: deadline / 4,
        ..launch::options(endpoint, &shared.prefix)
    };
    let engine = Arc::new(launch::open(options, &launch::clock()).await);
    (engine, proxy, format!("outage{}", launch::own_number()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nobody_answers_calls_fail_in_time_and_recover_by_themselves() {
    let (engine, proxy, pk) = behind_proxy(Duration::from_secs(4)).await;
    engine.transact(add_one(&pk)).await.unwrap();
    engine.ready().await.unwrap();
    for fault in [Fault::Drop, Fault::Blackhole] {
        proxy.set(fault).await;
        let started = Instant::now();
        let outcomes = [
            engine.ready().await,
            engine.get(TABLE, &Key::new(&pk, "n")).await.map(|_| ()),
            engine.journal_head(TABLE, &pk).await.map(|_| ()),
        ];
        for outcome in outcomes {
            assert!(matches!(outcome, Err(StorageError::Unavailable(_))), "{outcome:?}");
        }
        assert!(started.elapsed() < Duration::from_secs(14), "{:?}", started.elapsed());
        proxy.set(Fault::None).await;
    }
    engine.ready().await.unwrap();
    assert_eq!(count(&engine, &pk).await, Some(Number::from(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_is_lost_is_recognised_and_not_refused() {
    let (engine, proxy, pk) = behind_proxy(Duration::from_secs(40)).await;
    let direct = launch::open(launch::shared_tables().await, &launch::clock()).await;
    engine.ready().await.unwrap();
    for n in 0..3 {
        // Sessions are not journaled, so the commit is the only request.
        let key = Key::new(&pk, format!("SESSION#{n}"));
        let record = Record::new().with("PK", key.pk.as_str()).with("SK", key.sk.as_str());
        let when = vec![Condition::NotExists];
        let put = Action::Put { table: TABLE, record, when, embed: None };
        let login = Transaction { actor: "mia".to_owned(), at: START, actions: vec![put] };
        // The request arrives whole, but its answer is lost.
        proxy.set(Fault::TruncateAfter(20)).await;
        let writing = Arc::clone(&engine);
        let writer = tokio::spawn(async move { writing.transact(login).await });
        while direct.get(TABLE, &key).await.unwrap().is_none() {}
        proxy.set(Fault::None).await;
        writer.await.unwrap().expect("the record that exists is the writer's own");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_line_that_breaks_all_the_time_everything_is_counted_once() {
    const WRITES: u32 = 30;
    let (engine, proxy, pk) = behind_proxy(Duration::from_secs(40)).await;
    engine.transact(add_one(&pk)).await.unwrap();
    // Enough for two or three answers, then in the middle of one.
    proxy.set(Fault::TruncateAfter(900)).await;
    for _ in 1..WRITES {
        engine.transact(add_one(&pk)).await.unwrap();
    }
    proxy.set(Fault::None).await;
    assert_eq!(count(&engine, &pk).await, Some(Number::from(i64::from(WRITES))));
    let entries = engine.journal_after(TABLE, &pk, 0, 100).await.unwrap();
    let told: Vec<_> = entries.iter().map(|entry| entry.sequence).collect();
    let expected: Vec<_> = (1..=u64::from(WRITES)).map(|n| n * 128).collect();
    assert_eq!(told, expected, "each commit is told once");
}

#[tokio::test]
async fn tables_that_are_missing_say_how_to_make_them() {
    let options = launch::options(DynamoDbLocal::shared().endpoint(), "missing-");
    let engine = launch::open(options, &launch::clock()).await;
    for outcome in [engine.ready().await, engine.get(TABLE, &Key::new("p", "s")).await.map(|_| ())]
    {
        let Err(StorageError::Unavailable(reason)) = outcome else { panic!("{outcome:?}") };
        assert!(reason.contains("run 'larder tables create'"), "{reason}");
    }
}
